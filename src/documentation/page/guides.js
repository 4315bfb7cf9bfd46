'use strict';

// ---- Copying: each block that a reader may run gets a button.

const SHOWN_MILLIS = 2000;

const copied = async text => {
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(text);
    return;
  }
  // Without TLS a browser has no clipboard for pages, but still copies what is selected.
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  const done = document.execCommand('copy');
  area.remove();
  if (!done) {
    throw new Error('the browser does not copy');
  }
};

for (const pre of document.querySelectorAll('pre.code')) {
  const block = document.createElement('div');
  block.className = 'block';
  pre.replaceWith(block);
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.setAttribute('aria-label', 'Copy this block');
  button.addEventListener('click', async () => {
    try {
      await copied(pre.textContent);
      button.textContent = 'Copied';
    } catch {
      getSelection().selectAllChildren(pre);
      button.textContent = 'Selected';
    }
    setTimeout(() => { button.textContent = 'Copy'; }, SHOWN_MILLIS);
  });
  block.append(pre, button);
}

// ---- Search: every word has to be in a section; the index comes from the platform when the reader begins.

const RESULTS_MAX = 30;
const SNIPPET_CHARACTERS = 180;
const WEIGHT = {title: 12, heading: 8, text: 1};
/** How much each further mention of a word is worth, up to this many. */
const MENTIONS_MAX = 5;
/** Records of decisions and references come after pages that tell a reader what to do. */
const LATER = ['/decisions/', '/reference/', '/security-asvs', '/security-controls'];

const form = document.querySelector('form[role=search]');
const field = document.getElementById('words');
const found = document.getElementById('found');
const article = document.querySelector('article');
const next = document.querySelector('nav.next');
let index = null;

const plain = text => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

const load = () => {
  index ??= fetch('/docs/guides/assets/search.json').then(answer => {
    if (!answer.ok) {
      throw new Error(`the platform answered ${answer.status}`);
    }
    return answer.json();
  }).then(({pages, sections}) => sections.map(([page, anchor, heading, text]) => {
    const [address, title] = pages[page];
    return {address, anchor, title, heading, text, plainTitle: plain(title), plainHeading: plain(heading), plainText: plain(text)};
  })).catch(failed => {
    index = null;
    throw failed;
  });
  return index;
};

// "webhooks" finds "webhook", "retries" finds "retry" and "retried", "addresses" finds "address".
const stem = word => word.length > 4 ? word.replace(/(ies|ied|y)$/, '').replace(/(?<=s|x|ch|sh)es$/, '').replace(/(?<!s)s$/, '') : word;

/** Finds words that begin so. */
const pattern = word => new RegExp(`(?<![\\p{L}\\p{N}])${word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}[\\p{L}\\p{N}]*`, 'gu');

const scored = (section, patterns) => {
  let score = 0;
  for (const one of patterns) {
    const inTitle = section.plainTitle.search(one) >= 0;
    const inHeading = section.plainHeading.search(one) >= 0;
    const mentions = (section.plainText.match(one) ?? []).length;
    if (!inTitle && !inHeading && mentions === 0) {
      return 0;
    }
    score += (inTitle ? WEIGHT.title : 0) + (inHeading ? WEIGHT.heading : 0) + WEIGHT.text * Math.min(mentions, MENTIONS_MAX);
  }
  return LATER.some(part => section.address.includes(part)) ? score / 4 : score;
};

const search = (sections, asked) => {
  const patterns = plain(asked).split(/[^\p{L}\p{N}_.-]+/u).map(stem).filter(Boolean).map(pattern);
  if (patterns.length === 0) {
    return [];
  }
  return sections.map(section => ({section, score: scored(section, patterns), patterns})).filter(({score}) => score > 0)
      .sort((one, other) => other.score - one.score);
};

/** The text around the first mention, with all mentions marked. */
const snippet = (text, patterns) => {
  const lower = text.toLowerCase();
  const places = patterns.map(one => lower.search(one)).filter(at => at >= 0);
  const wanted = (places.length === 0 ? 0 : Math.min(...places)) - SNIPPET_CHARACTERS / 3;
  const from = wanted <= 0 ? 0 : text.indexOf(' ', wanted) + 1;
  const to = from + SNIPPET_CHARACTERS >= text.length ? text.length : text.lastIndexOf(' ', from + SNIPPET_CHARACTERS);
  const shown = (from > 0 ? '… ' : '') + text.slice(from, to) + (to < text.length ? ' …' : '');
  const line = document.createElement('p');
  let last = 0;
  const marks = patterns.flatMap(one => [...shown.toLowerCase().matchAll(one)]).map(hit => [hit.index, hit.index + hit[0].length]).sort((one, other) => one[0] - other[0]);
  for (const [begin, end] of marks) {
    if (begin >= last) {
      const mark = document.createElement('mark');
      mark.textContent = shown.slice(begin, end);
      line.append(shown.slice(last, begin), mark);
      last = end;
    }
  }
  line.append(shown.slice(last));
  return line;
};

const heading = text => {
  const title = document.createElement('h1');
  title.textContent = text;
  return title;
};

const show = parts => {
  found.replaceChildren(...parts);
  found.hidden = parts.length === 0;
  article.hidden = !found.hidden;
  next.hidden = !found.hidden;
};

const answer = async () => {
  const asked = field.value.trim();
  if (!asked) {
    show([]);
    return;
  }
  let results;
  try {
    results = search(await load(), asked);
  } catch (failed) {
    show([heading(`The search did not load: ${failed.message}. Try again in a moment.`)]);
    return;
  }
  if (field.value.trim() !== asked) {
    return;
  }
  if (results.length === 0) {
    show([heading(`Nothing was found for “${asked}”`)]);
    return;
  }
  const list = document.createElement('ol');
  for (const {section, patterns} of results.slice(0, RESULTS_MAX)) {
    const link = document.createElement('a');
    link.className = 'where';
    link.href = section.address + (section.anchor ? `#${section.anchor}` : '');
    link.textContent = section.heading === section.title ? section.title : `${section.title} › ${section.heading}`;
    link.addEventListener('click', () => { field.value = ''; show([]); });
    const item = document.createElement('li');
    item.append(link, snippet(section.text, patterns));
    list.append(item);
  }
  show([heading(results.length > RESULTS_MAX ? `The best ${RESULTS_MAX} of ${results.length} sections` : `${results.length} section${results.length === 1 ? '' : 's'}`), list]);
  scrollTo(0, 0);
};

form.hidden = false;
form.addEventListener('submit', event => { event.preventDefault(); answer(); });
field.addEventListener('focus', () => { load().catch(() => {}); }, {once: true});
field.addEventListener('input', answer);
field.addEventListener('keydown', event => {
  if (event.key === 'Escape') {
    field.value = '';
    show([]);
  }
});
document.addEventListener('keydown', event => {
  if (event.key === '/' && document.activeElement !== field && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    field.focus();
  }
});
const linked = new URLSearchParams(location.search).get('q');
if (linked) {
  field.value = linked;
  answer();
}
// On a wide screen the list of sections is short beside the page.
document.querySelector('.sections')?.toggleAttribute('open', matchMedia('(min-width: 56rem)').matches);
