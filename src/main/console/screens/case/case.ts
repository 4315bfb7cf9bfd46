import {html, nothing, type PropertyValues} from 'lit';
import {Problem, ask} from '../../api/call.js';
import {type Cases, type Main, listCaseActions, listDeadlines, listDocketEntries, listFilings, viewCase, viewDocketEntry} from '../../api/contracts.js';
import {due, longDay, moment} from '../../parts/dates.js';
import {dueDay, why} from '../../parts/deadlines.js';
import {Element, Loading} from '../../parts/element.js';
import {documentName, meet, partyName, personName, phaseName, readSchemas} from '../../parts/names.js';
import {followCase} from '../../parts/live.js';
import {decidesIn, sideIn, whyNot} from '../../parts/part.js';
import {at, go} from '../../parts/route.js';
import {me} from '../../parts/session.js';
import {t} from '../../texts/texts.js';
import './entry.js';
import './export.js';

export interface WholeCase {
  one: Cases.ArbitrationCase;
  entries: Main.DocketEntry[];
  deadlines: Cases.Deadline[];
  actions: Cases.CaseAction[];
  filings: Main.Filing[];
}

type Part = 'docket' | 'filings' | 'evidence' | 'dates' | 'people' | 'notices' | 'record';
const PARTS: Part[] = ['docket', 'filings', 'evidence', 'dates', 'people', 'notices', 'record'];
/** Each part beside the docket with its script, which is read when it is first gone to. */
const SCREENS: Record<Exclude<Part, 'docket'>, () => Promise<unknown>> = {
  filings: () => import('./rest.js'), dates: () => import('./rest.js'), people: () => import('../people/people.js'),
  evidence: () => import('../evidence/evidence.js'), notices: () => import('../notices/notices.js'), record: () => import('../record/record.js'),
};
/** Of so many entries, the newest, it is shown what they answer and how many files they have; of the others when they are opened. */
const KNOWN = 20;
const AT_ONCE = 4;
/** Entries painted at once; more as one reads on. */
const PAINTED = 100;
const SEALED = 'docket-entry.sealed';

/** A case: where it stands, what is due, and its docket, which is read like a book. */
class CaseScreen extends Element {
  static override properties = {caseID: {}, tab: {}, entryID: {}};
  caseID = '';
  tab: Part = 'docket';
  entryID = '';
  private readonly whole = new Loading<WholeCase>(this);
  /** What the list of entries does not tell. */
  private readonly asked = new Set<string>();
  private readonly seen = new Map<string, Main.DocketEntryView>();
  /** Entries whose content is refused to this person. */
  private readonly withheld = new Set<string>();
  /** How often a seal was set or taken away while one was here. */
  private seals = 0;
  private painted = PAINTED;
  private unfollow: (() => void) | undefined;
  private readonly onKey = (event: KeyboardEvent) => this.key(event);

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener('keydown', this.onKey);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener('keydown', this.onKey);
    this.unfollow?.();
    this.unfollow = undefined;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('caseID') && this.caseID) {
      this.whole.clear();
      this.painted = PAINTED;
      this.asked.clear();
      this.seen.clear();
      this.withheld.clear();
      void this.whole.start(() => this.read());
      this.unfollow?.();
      this.unfollow = followCase(this.caseID, kinds => this.happened(kinds));
    }
    if (changed.has('tab') && this.tab !== 'docket') {
      void SCREENS[this.tab]();
    }
  }

  /** Where an entry takes the place of the docket, what had the focus is gone. */
  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has('entryID') && this.entryID && matchMedia('(max-width: 64rem)').matches) {
      this.querySelector<HTMLElement>('.back a')?.focus();
    }
    // On a narrow page the parts of a case reach over its edge.
    if (changed.has('tab')) {
      this.querySelector('nav.tabs [aria-current]')?.scrollIntoView({inline: 'nearest', block: 'nearest'});
    }
  }

  /** A seal changes what may be known of an entry: all of it is asked anew. */
  private happened(kinds: Set<string>): void {
    if (kinds.has('entry_sealed') || kinds.has('entry_unsealed')) {
      this.asked.clear();
      this.seen.clear();
      this.withheld.clear();
      this.seals++;
    }
    void this.whole.again();
  }

  private async read(): Promise<WholeCase> {
    const caseID = this.caseID;
    const [one, entries, deadlines, actions, filings] = await Promise.all([
      ask(viewCase, {caseID}), ask(listDocketEntries, {caseID}), ask(listDeadlines, {caseID, limit: 200}), ask(listCaseActions, {caseID}), ask(listFilings, {caseID, limit: 200}), readSchemas()]);
    await meet([...one.participants.map(participant => participant.userID), ...entries.entries.map(entry => entry.userID)]);
    document.title = `${one.title} – ${t.brand}`;
    setTimeout(() => void this.know(caseID, entries.entries.slice(-KNOWN).reverse()));
    return {one, entries: entries.entries, deadlines: deadlines.deadlines, actions: actions.actions, filings: filings.filings.filter(filing => filing.state !== 'docketed')};
  }

  /** After the docket is shown. Of what is refused, as a sealed entry is, only that is shown. */
  private async know(caseID: string, newest: Main.DocketEntry[]): Promise<void> {
    const unknown = newest.filter(one => !this.asked.has(one.entryID));
    for (let first = 0; first < unknown.length && this.isConnected && caseID === this.caseID; first += AT_ONCE) {
      await Promise.all(unknown.slice(first, first + AT_ONCE).map(async ({entryID}) => {
        this.asked.add(entryID);
        try {
          this.seen.set(entryID, await ask(viewDocketEntry, {caseID, entryID}));
        } catch (failed) {
          if (!(failed instanceof Problem)) {
            throw failed;
          }
          if (failed.code === SEALED) {
            this.withheld.add(entryID);
          }
        }
      }));
      this.requestUpdate();
    }
  }

  /** j and k lead along the docket. */
  private key(event: KeyboardEvent): void {
    const entries = this.whole.value?.entries;
    if (this.tab !== 'docket' || !entries || event.ctrlKey || event.metaKey || event.altKey || (event.target as HTMLElement).closest('input, textarea, select, dialog') || !'jk'.includes(event.key)) {
      return;
    }
    const here = entries.findIndex(one => one.entryID === this.entryID);
    const next = here < 0 ? entries.length - 1 : here + (event.key === 'j' ? -1 : 1);
    const entry = entries[next];
    if (entry) {
      go(at('cases', this.caseID, 'docket', entry.entryID));
      void this.updateComplete.then(() => this.querySelector<HTMLElement>('.docket [aria-current="true"] a')?.focus());
    }
  }

  override render() {
    return this.whole.render(whole => html`${this.head(whole)}${this.next(whole)}
      <nav class="tabs" aria-label=${t.case.parts}>${PARTS.map(part => html`<a class="tab" href=${part === 'docket' ? at('cases', this.caseID) : at('cases', this.caseID, part)}
        aria-current=${this.tab === part ? 'page' : nothing}>${t.case.tabs[part]}${this.count(part, whole)}</a>`)}</nav>
      ${this.shown(whole)}`);
  }

  private shown(whole: WholeCase) {
    const changed = () => this.whole.again();
    switch (this.tab) {
      case 'docket': return this.docket(whole);
      case 'evidence': return html`<acp-evidence .whole=${whole} .item=${this.entryID}></acp-evidence>`;
      case 'notices': return html`<acp-notices .whole=${whole}></acp-notices>`;
      case 'record': return html`<acp-record .whole=${whole} @changed=${changed}></acp-record>`;
      case 'people': return html`<acp-people .whole=${whole} @changed=${changed}></acp-people>`;
      case 'filings': case 'dates': return html`<acp-case-rest .whole=${whole} .tab=${this.tab} @changed=${changed}></acp-case-rest>`;
    }
  }

  private count(part: Part, whole: WholeCase) {
    const n = part === 'docket' ? whole.entries.length : part === 'filings' ? whole.filings.filter(one => one.state !== 'withdrawn').length : 0;
    return n > 0 ? html` <span class="numeral">${n}</span>` : nothing;
  }

  private head({one}: WholeCase) {
    const mine = one.participants.filter(participant => participant.userID === me.id);
    const managers = one.participants.filter(participant => participant.partyID === 'caseManager' && participant.userID !== me.id).map(participant => personName(participant.userID)).filter(name => name !== '');
    const now = one.timetable.phases.findIndex(phase => phase.phaseID === one.phaseID);
    return html`<div class="top"><p class="small"><a href=${at('cases')}>${t.cases.name}</a></p><h1>${one.title}</h1>
        <p class="soft">${t.case.rules(one.ruleSet.charAt(0).toUpperCase() + one.ruleSet.slice(1))}${mine.map(participant => html` · ${t.case.youAre} ${participant.isObserver ? t.case.observer : ''} <span class="party">${partyName(participant.partyID)}</span>`)}
        ${managers.length > 0 ? ` · ${t.case.managedBy(managers.join(', '))}` : ''}${one.status === 'closed' ? html` · <span class="mark">${t.case.closed}</span>` : nothing}</p>
        <acp-export .caseID=${one.caseID}></acp-export></div>
      <p class="phase-now">${t.case.phase(now + 1, one.timetable.phases.length, phaseName(one.phaseID))}</p>
      <ol class="phases" aria-label=${t.case.phases}>${one.timetable.phases.map((phase, step) => html`<li class=${step <= now ? 'past' : ''} aria-current=${step === now ? 'step' : nothing}>${phaseName(phase.phaseID)}</li>`)}</ol>`;
  }

  /** The next thing that this person has to file. */
  private next({one, deadlines, actions, filings}: WholeCase) {
    const sides = one.participants.filter(participant => participant.userID === me.id && !participant.isObserver).map(participant => participant.partyID);
    const deadline = deadlines.filter(each => each.status !== 'met' && sides.includes(each.partyID)).sort((first, second) => dueDay(first).localeCompare(dueDay(second)))[0];
    if (!deadline || one.status === 'closed') {
      return nothing;
    }
    const draft = filings.find(filing => filing.documentID === deadline.documentID && filing.state !== 'withdrawn' && sides.includes(filing.partyID));
    const may = actions.some(action => action.action === 'file' && action.documentID === deadline.documentID);
    const when = due(dueDay(deadline));
    return html`<div class="next ${when.kind}"><div><p><strong>${documentName(deadline.documentID)}</strong>${t.case.due(longDay(dueDay(deadline)))}${when.kind === 'late' ? html` · <strong class="late">${when.words}</strong>` : nothing}</p>
      <p class="small soft">${why(deadline)}</p></div>
      ${draft ? html`<a class="button main" href=${at('cases', one.caseID, 'filings', draft.filingID)}>${draft.state === 'submitted' ? t.filings.read : t.case.goOn}</a>`
        : may ? html`<a class="button main" href=${at('cases', one.caseID, 'filings', `new-${deadline.documentID}`)}>${t.case.draft}</a>` : html`<p class="small">${t.case.notNow}</p>`}</div>`;
  }

  private docket({one, entries, actions}: WholeCase) {
    if (entries.length === 0) {
      return html`<div class="notice"><h2>${t.case.empty}</h2><p>${t.case.emptyHelp}</p></div>`;
    }
    const numbers = new Map(entries.map((one, index) => [one.entryID, String(index + 1)]));
    const replaced = new Map(entries.filter(one => one.supersedes).map(one => [one.supersedes as string, one.entryID]));
    const newest = [...entries].reverse();
    const open = newest.findIndex(one => one.entryID === this.entryID);
    const shown = newest.slice(0, Math.max(this.painted, open + 1));
    return html`<div class="reading ${this.entryID ? 'one' : ''}">
      <div><ol class="docket" reversed>${shown.map(one => this.line(one, numbers, replaced))}</ol>
      ${shown.length < newest.length ? html`<button type="button" @click=${() => { this.painted += PAINTED * 5; this.requestUpdate(); }}>${t.case.earlier(newest.length - shown.length)}</button>` : nothing}</div>
      <div class="beside">${this.entryID
        ? html`<p class="back"><a href=${at('cases', this.caseID)}>${t.case.back}</a></p><acp-entry .caseID=${this.caseID} .entryID=${this.entryID} .seals=${this.seals} .mayReply=${actions.some(action => action.action === 'file')} .mayServe=${whyNot(one) === undefined} .maySeal=${decidesIn(one)} .mayRedact=${sideIn(one) === 'caseManager'} @seen=${this.learn}></acp-entry>`
        : html`<p class="soft choose">${t.case.choose}</p>`}</div></div>`;
  }

  private learn(event: CustomEvent<Main.DocketEntryView>): void {
    this.seen.set(event.detail.entryID, event.detail);
    this.requestUpdate();
  }

  private line(one: Main.DocketEntry, numbers: Map<string, string>, replaced: Map<string, string>) {
    const number = numbers.get(one.entryID) ?? '';
    const by = replaced.get(one.entryID);
    const known = this.seen.get(one.entryID);
    const parent = known?.parentEntryID;
    const relations = [parent ? t.case.answers(numbers.get(parent) ?? '?') : '', one.supersedes ? t.case.supersedes(numbers.get(one.supersedes) ?? '?') : '', by ? t.case.supersededBy(numbers.get(by) ?? '?') : '']
        .filter(text => text !== '').join(' · ');
    const name = personName(one.userID);
    const isSealed = known?.sealed !== undefined || this.withheld.has(one.entryID);
    return html`<li aria-current=${this.entryID === one.entryID ? 'true' : nothing}><span class="numeral" aria-hidden="true">${number}</span>
      <div><a class=${by ? 'replaced' : ''} href=${at('cases', this.caseID, 'docket', one.entryID)}><span class="unseen">${t.case.no} ${number}, </span>${one.title}</a>
      <p class="small soft"><span class="party">${partyName(one.partyID)}</span>${name ? ` · ${name}` : ''} · <time datetime=${one.enteredAt}>${moment(one.enteredAt)}</time>${known && known.files.length > 0 ? ` · ${t.files(known.files.length)}` : ''}${isSealed ? html` <span class="mark seal">${t.case.sealed}</span>` : nothing}</p>
      ${relations ? html`<p class="small soft relation">${relations}</p>` : nothing}</div></li>`;
  }
}

customElements.define('acp-case', CaseScreen);
