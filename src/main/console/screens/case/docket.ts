import {html, nothing, type PropertyValues} from 'lit';
import {guard} from 'lit/directives/guard.js';
import {repeat} from 'lit/directives/repeat.js';
import {ask} from '../../api/call.js';
import {type Main, listDocketEntries} from '../../api/contracts.js';
import {moment, number} from '../../parts/dates.js';
import {Element} from '../../parts/element.js';
import {partyName, personName} from '../../parts/names.js';
import {addressOf, navigate} from '../../parts/route.js';
import {isShortcut} from '../../parts/shortcuts.js';
import {nextTask} from '../../parts/yield-task.js';
import {t} from '../../texts/texts.js';

/** The page size, which is the maximum of the platform. */
const READ_AT_ONCE = 1000;
/** The number of entries in one list. A long docket is painted in many tasks, the newest entries first, and each list has its own layout. */
const TOGETHER = 25;
/** The first lists are painted one in a task, because the page still loads the rest of the case; later lists two in a task. */
const FIRST_LISTS = 3;
/** A longer docket has a field to jump to an entry by its number. */
const LONG = 30;
/** For how many frames the open entry is kept in view. Lists that come into view get their real height one after another, which moves it. */
const SETTLING_FRAMES = 60;
/** What the user does to move the page. From then on the open entry is not brought into view again. */
const MOVES = ['wheel', 'touchmove', 'pointerdown', 'keydown'];
/** From this many entries on, the numbers have four digits. */
const THOUSAND = 1000;

/** Reads all entries of a docket. Continues after the entries that were read before, because entries do not change, except what a seal hides. */
export async function readDocket(caseID: string, before: Main.DocketEntry[]): Promise<Main.DocketEntry[]> {
  let entries = before;
  for (;;) {
    const page = (await ask(listDocketEntries, {caseID, afterEntryID: entries.at(-1)?.entryID ?? null, limit: READ_AT_ONCE, details: true})).entries;
    entries = page.length > 0 ? [...entries, ...page] : entries;
    if (page.length < READ_AT_ONCE) {
      return entries;
    }
  }
}

/** A list of entries that are painted together, in the order of the docket. */
interface Part {
  readonly first: number;
  entries: Main.DocketEntry[];
  /** Changes when one of the entries was replaced or an entry was added, so that the list is painted again. */
  version: number;
}

/**
 * The docket, the newest entry first, in lists of 25 entries. All entries are in the page, so that the browser's search and screen readers find them;
 * lists outside of the visible area have no layout.
 */
class Docket extends Element {
  static override properties = {caseID: {}, entries: {}, entryID: {}};
  caseID = '';
  entries: Main.DocketEntry[] = [];
  entryID = '';
  private parts: Part[] = [];
  private painted = 1;
  private isPainting = false;
  /** The ID of the entry that was last scrolled into view. */
  private shown = '';
  private takesFocus = false;
  /** Ends what keeps the open entry in view. */
  private settling = new AbortController();
  private readonly numbers = new Map<string, number>();
  private readonly replaced = new Map<string, string>();
  private readonly onKey = (event: KeyboardEvent) => this.key(event);

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener('keydown', this.onKey);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener('keydown', this.onKey);
    this.settling.abort();
  }

  /** The first list is painted in a task of its own, after the task that paints the case around it. */
  protected override async scheduleUpdate(): Promise<void> {
    if (!this.hasUpdated) {
      await nextTask();
    }
    await super.scheduleUpdate();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const before = changed.get('entries');
    const isAnother = changed.has('caseID');
    if (isAnother || before && before[0] !== this.entries[0]) {
      this.numbers.clear();
      this.replaced.clear();
      this.parts = [];
    }
    if (isAnother) {
      this.painted = 1;
      this.shown = '';
    }
    if (changed.has('entries') || isAnother) {
      this.arrange();
    }
  }

  protected override updated(): void {
    if (this.painted < this.parts.length && !this.isPainting) {
      this.isPainting = true;
      (window.requestIdleCallback ?? setTimeout)(() => {
        this.isPainting = false;
        this.painted += this.painted < FIRST_LISTS ? 1 : 2;
        this.requestUpdate();
      });
    }
    if (this.entryID !== this.shown) {
      this.bring();
    }
  }

  /** Scrolls to the open entry as soon as it is painted. */
  private bring(): void {
    const found = this.querySelector<HTMLElement>('.docket [aria-current]');
    if (found || !this.entryID) {
      this.shown = this.entryID;
      this.settling.abort();
    }
    if (!found) {
      return;
    }
    if (this.takesFocus) {
      this.takesFocus = false;
      found.querySelector('a')?.focus({preventScroll: true});
    }
    this.settling = new AbortController();
    const {signal} = this.settling;
    MOVES.forEach(move => document.addEventListener(move, () => this.settling.abort(), {signal, passive: true}));
    this.keepInView(found, SETTLING_FRAMES, signal);
  }

  /** Scrolls to an entry, again in each of the next frames in which it is not visible, because the heights above it were estimates. */
  private keepInView(row: HTMLElement, frames: number, signal: AbortSignal): void {
    if (signal.aborted) {
      return;
    }
    const {top, bottom} = row.getBoundingClientRect();
    if (top < 0 || bottom > innerHeight) {
      // A row that was far away is put into the middle, where it stays visible while the lists around it get their real heights.
      row.scrollIntoView({block: bottom < 0 || top > innerHeight ? 'center' : 'nearest'});
    }
    if (frames > 0) {
      requestAnimationFrame(() => this.keepInView(row, frames - 1, signal));
    } else {
      this.settling.abort();
    }
  }

  /** Adds new entries to the lists. A list without a change is not painted again. */
  private arrange(): void {
    this.entries.slice(this.numbers.size).forEach(one => {
      this.numbers.set(one.entryID, this.numbers.size + 1);
      if (one.supersedes) {
        this.replaced.set(one.supersedes, one.entryID);
        this.changed(one.supersedes);
      }
    });
    for (let first = 0; first < this.entries.length; first += TOGETHER) {
      const part = this.parts[first / TOGETHER];
      if (!part) {
        this.parts.push({first, entries: this.entries.slice(first, first + TOGETHER), version: 0});
      } else if (part.entries.length < TOGETHER) {
        part.entries = this.entries.slice(first, first + TOGETHER);
        part.version++;
      }
    }
  }

  private changed(entryID: string): void {
    const number = this.numbers.get(entryID);
    const part = number === undefined ? undefined : this.parts[Math.floor((number - 1) / TOGETHER)];
    if (part) {
      part.version++;
    }
  }

  /** The keys j and k open the next and the previous entry in the order of the page. */
  private key(event: KeyboardEvent): void {
    if (!isShortcut(event) || !'jk'.includes(event.key)) {
      return;
    }
    const here = this.numbers.get(this.entryID);
    const entry = this.entries[here === undefined ? this.entries.length - 1 : here - 1 + (event.key === 'j' ? -1 : 1)];
    if (entry) {
      this.read(entry);
    }
  }

  private read(entry: Main.DocketEntry): void {
    this.takesFocus = true;
    navigate(addressOf('cases', this.caseID, 'docket', entry.entryID));
  }

  private jump(event: SubmitEvent): void {
    event.preventDefault();
    const entry = this.entries[Number(new FormData(event.target as HTMLFormElement).get('number')) - 1];
    if (entry) {
      this.read(entry);
    }
  }

  override render() {
    const open = this.numbers.get(this.entryID);
    const shown = this.parts.slice(-this.painted).reverse();
    const isOpen = (part: Part) => open !== undefined && part.first < open && open <= part.first + part.entries.length ? this.entryID : '';
    return html`${this.entries.length > LONG ? html`<form class="jump row" @submit=${this.jump}><label for="jump">${t.case.jump}</label>
        <input id="jump" name="number" type="number" inputmode="numeric" required min="1" max=${this.entries.length}><button>${t.case.jumpThere}</button></form>` : nothing}
      <div class=${this.entries.length < THOUSAND ? 'docket' : 'docket thousands'}>${repeat(shown, part => part.first, part => guard([part, part.version, isOpen(part), this.parts.length > 1], () => this.list(part)))}</div>`;
  }

  /** Several lists are named by their first and last number, so that users of a screen reader find their way through a long docket. */
  private list({first, entries}: Part) {
    const name = this.parts.length > 1 ? t.case.numbers(number(first + entries.length), number(first + 1)) : nothing;
    return html`<ol class=${entries.length === TOGETHER ? 'whole' : ''} reversed start=${first + entries.length} aria-label=${name}>${[...entries].reverse().map(one => this.line(one))}</ol>`;
  }

  private no(entryID: string): string {
    return String(this.numbers.get(entryID) ?? '?');
  }

  private line(one: Main.DocketEntry) {
    const no = this.no(one.entryID);
    const by = this.replaced.get(one.entryID);
    const parent = one.parentEntryID;
    const relations = [parent ? t.case.answers(this.no(parent)) : '', one.supersedes ? t.case.supersedes(this.no(one.supersedes)) : '', by ? t.case.supersededBy(this.no(by)) : '']
        .filter(text => text !== '').join(' · ');
    const name = personName(one.userID);
    const more = [one.fileCount ? ` · ${t.files(one.fileCount)}` : '', one.isSealed ? html` <span class="mark seal">${t.case.sealed}</span>` : ''].filter(part => part !== '');
    // A docket has thousands of lines, so plain text is set as `textContent`, which needs fewer nodes than a template part.
    return html`<li aria-current=${this.entryID === one.entryID ? 'true' : nothing}><span class="numeral" aria-hidden="true" .textContent=${no}></span>
      <div><a class=${by ? 'replaced' : ''} href=${addressOf('cases', this.caseID, 'docket', one.entryID)}><span class="unseen" .textContent=${`${t.case.no} ${no}, `}></span><span .textContent=${one.title}></span></a>
      <p class="small soft"><span class="party" .textContent=${partyName(one.partyID)}></span><span .textContent=${name ? ` · ${name} · ` : ' · '}></span><time datetime=${one.enteredAt} .textContent=${moment(one.enteredAt)}></time>${more.length > 0 ? more : nothing}</p>
      ${relations ? html`<p class="small soft relation">${relations}</p>` : nothing}
      ${this.entryID === one.entryID ? html`<button type="button" class="until-focus small" @click=${() => this.dispatchEvent(new Event('beside'))}>${t.case.toEntry(no)}</button>` : nothing}</div></li>`;
  }
}

customElements.define('acp-docket', Docket);
