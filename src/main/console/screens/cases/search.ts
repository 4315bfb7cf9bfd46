import {html, nothing} from 'lit';
import {Problem, ask} from '../../api/call.js';
import {type Main, listCases, searchCases} from '../../api/contracts.js';
import {moment} from '../../parts/dates.js';
import {Element, Loading} from '../../parts/element.js';
import {loadSchemas} from '../../parts/names.js';
import {readAll} from '../../parts/pages.js';
import {addressOf} from '../../parts/route.js';
import {t} from '../../texts/texts.js';

interface Found {
  words: string;
  results: Main.SearchResult[];
  next: string | null;
}

const PAUSE_MILLIS = 200;
const AT_ONCE = 50;

/** Searches everything that this user may see, while the user types. */
class SearchScreen extends Element {
  private readonly found = new Loading<Found>(this);
  private words = new URLSearchParams(location.search).get('q') ?? '';
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** Titles by case ID. They may arrive after the results. */
  private titles = new Map<string, string>();
  private hasTitles = false;

  override connectedCallback(): void {
    super.connectedCallback();
    document.title = `${t.search.name} – ${t.brand}`;
    if (this.words) {
      void this.look();
    }
  }

  override firstUpdated(): void {
    this.querySelector('input')?.focus();
  }

  private typed(event: InputEvent): void {
    this.words = (event.target as HTMLInputElement).value;
    history.replaceState(null, '', addressOf('search') + (this.words ? `?q=${encodeURIComponent(this.words)}` : ''));
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.look(), PAUSE_MILLIS);
  }

  private async look(): Promise<void> {
    const words = this.words.trim();
    if (words === '') {
      this.found.clear();
      this.requestUpdate();
      return;
    }
    await this.found.start(async () => {
      void this.readTitles();
      const [results] = await Promise.all([ask(searchCases, {query: words, limit: AT_ONCE}), loadSchemas()]);
      return {words, results: results.results, next: results.nextCursor};
    });
  }

  /** Reads the titles of the cases. If that fails, results are shown without titles, and the next search reads them again. */
  private async readTitles(): Promise<void> {
    if (this.hasTitles) {
      return;
    }
    this.hasTitles = true;
    try {
      this.titles = new Map((await readAll(listCases, {}, page => page.cases)).map(one => [one.caseID, one.title]));
      this.requestUpdate();
    } catch (failed) {
      if (!(failed instanceof Problem)) {
        throw failed;
      }
      this.hasTitles = false;
    }
  }

  private async more({words, results, next}: Found): Promise<void> {
    await this.found.start(async () => {
      const page = await ask(searchCases, {query: words, limit: AT_ONCE, cursor: next});
      return {words, results: [...results, ...page.results], next: page.nextCursor};
    });
  }

  /** The number of results, or how many of them are shown if there are more. */
  private said({results, next}: Found): string {
    return next ? t.search.first(results.length) : t.search.count(results.length);
  }

  override render() {
    return html`<div class="top"><h1>${t.search.name}</h1></div>
      <div class="field"><label for="words">${t.search.words}</label>
        <input id="words" type="search" maxlength="200" autocomplete="off" .value=${this.words} @input=${this.typed} aria-describedby="words-help">
        <p class="help" id="words-help">${t.search.help}</p></div>
      <p class=${this.found.value?.next ? 'small soft' : 'unseen'} role="status">${this.found.value ? this.said(this.found.value) : ''}</p>
      ${this.found.render(found => found.results.length === 0 ? html`<p class="notice">${t.search.nothing(found.words)}</p>`
        : html`<ul class="register">${found.results.map(one => html`<li><a href=${address(one)}>${one.title}</a>
          ${one.snippet ? html`<p>${one.snippet}</p>` : nothing}
          <p class="small soft">${t.search.kinds[one.kind]} · ${one.kind === 'case' ? '' : `${this.titles.has(one.caseID) ? `${this.titles.get(one.caseID)} · ` : ''}`}${moment(one.at)}</p></li>`)}</ul>
          ${found.next ? html`<p><button type="button" @click=${() => this.more(found)}>${t.more}</button></p>` : nothing}`)}`;
  }
}

function address(one: Main.SearchResult): string {
  return one.entryID ? addressOf('cases', one.caseID, 'docket', one.entryID) : one.filingID ? addressOf('cases', one.caseID, 'filings', one.filingID) : one.uploadID ? addressOf('cases', one.caseID, 'evidence', one.uploadID) : addressOf('cases', one.caseID);
}

customElements.define('acp-search', SearchScreen);
