import {html, nothing, type PropertyValues} from 'lit';
import {Problem, ask} from '../../api/call.js';
import {type Cases, type Main, listCaseActions, listDeadlines, listFilings, viewCase} from '../../api/contracts.js';
import {isTribunalMember, participantOf, partyOf, reasonNotToAdd} from '../../parts/case-role.js';
import {due, longDay, number} from '../../parts/dates.js';
import {compareDueDays, dueDay, explainDate, isRequired} from '../../parts/deadlines.js';
import {Element, Loading, announce, problem} from '../../parts/element.js';
import {onChanges} from '../../parts/event-stream.js';
import {loadScript} from '../../parts/load-script.js';
import {documentName, loadNames, loadSchemas, partyName, personName, phaseName} from '../../parts/names.js';
import {readAll} from '../../parts/pages.js';
import {addressOf} from '../../parts/route.js';
import {scrollToCurrentTab} from '../../parts/scroll-into-view.js';
import {currentUser} from '../../parts/session.js';
import {isShortcut} from '../../parts/shortcuts.js';
import {nextTask} from '../../parts/yield-task.js';
import {t} from '../../texts/texts.js';
import {readDocket} from './docket.js';
import './entry.js';
import './export.js';

/** Everything that the screens of a case share. */
export interface WholeCase {
  one: Cases.ArbitrationCase;
  entries: Main.DocketEntry[];
  deadlines: Cases.Deadline[];
  actions: Cases.CaseAction[];
  filings: Main.Filing[];
  /** The value of `CaseScreen.seals` when the docket was read. */
  seals: number;
  /** Whether the actions and filings are still being read. */
  isPartial: boolean;
}

type Part = 'docket' | 'filings' | 'evidence' | 'dates' | 'people' | 'notices' | 'award' | 'record';
const PARTS: Part[] = ['docket', 'filings', 'evidence', 'dates', 'people', 'notices', 'award', 'record'];
/** The states of filings that are not on the docket. */
const UNDER_WAY: Main.FilingState[] = ['draft', 'submitted', 'rejected', 'withdrawn'];
/** States in which a filing can be edited; its other states begin with an event. */
const WRITTEN: Main.FilingState[] = ['draft', 'rejected'];
/** The parties that see the tab of the award. */
const TRIBUNAL = ['arbitrator', 'caseManager'];
/** The scripts of the screens beside the docket. Each is loaded when the user first goes there. */
const SCREENS: Record<Exclude<Part, 'docket'>, () => Promise<unknown>> = {
  filings: () => import('./rest.js'), dates: () => import('./rest.js'), people: () => import('../people/people.js'),
  evidence: () => import('../evidence/evidence.js'), notices: () => import('../notices/notices.js'), record: () => import('../record/record.js'), award: () => import('../award/award.js'),
};

/** Kinds of changes that affect nothing that this screen reads itself. The part that shows them reads them again. */
const OF_PARTS = new Set(['evidence', 'extension', 'hearing', 'notice', 'invitation']);
/** Kinds of changes after which this screen reads only some of its lists. */
const OF_LISTS = new Set([...OF_PARTS, 'filing', 'deadline']);

/** An open award is written in the form of a filing, so the script of that screen is needed too. */
const OPEN_AWARD = () => Promise.all([SCREENS.award(), import('../filing/filing.js')]);

const readActions = async (caseID: string): Promise<Cases.CaseAction[]> => (await ask(listCaseActions, {caseID})).actions;

const readFilings = async (caseID: string, states: Main.FilingState[]): Promise<Main.Filing[]> => (await Promise.all(states.map(state => readAll(listFilings, {caseID, state}, page => page.filings)))).flat();

/** Ordered by the last change, the newest first. */
const byChange = (filings: Main.Filing[]): Main.Filing[] => filings.sort((one, other) => other.updated.localeCompare(one.updated));

/** A case: its phase, the next deadline, its docket, and the other parts. */
class CaseScreen extends Element {
  static override properties = {caseID: {}, tab: {}, entryID: {}};
  caseID = '';
  tab: Part = 'docket';
  entryID = '';
  private readonly whole = new Loading<WholeCase>(this);
  /** The number of sealings and unsealings since the screen was opened. */
  private seals = 0;
  /** The number of other changes of entries, such as a redacted file. */
  private redactions = 0;
  private unfollow: (() => void) | undefined;
  /** Why the script of the chosen part could not be loaded, and how to load it again. */
  private unread: {problem: Problem; load: () => Promise<unknown>} | undefined;
  /** The part of the case whose tab was last scrolled into view. */
  private broughtIn: Part | '' = '';

  /** The key e moves the focus from the docket to the open entry, and back. */
  private readonly onKey = (event: KeyboardEvent) => {
    if (isShortcut(event) && event.key === 'e') {
      if (this.querySelector('.beside')?.contains(document.activeElement)) {
        this.toDocket();
      } else {
        this.toEntry();
      }
    }
  };

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
      void this.whole.start(() => this.read());
      this.unfollow?.();
      this.unfollow = onChanges(this.caseID, kinds => this.happened(kinds));
    }
    if (this.tab === 'award' && this.entryID && (changed.has('tab') || changed.has('entryID'))) {
      void this.readPart(OPEN_AWARD);
    } else if (changed.has('tab') && this.tab !== 'docket') {
      void this.readPart(SCREENS[this.tab]);
    }
  }

  /** On a narrow page the entry replaces the docket, so the focused element is gone and the focus moves to the link back. */
  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has('entryID') && this.entryID && matchMedia('(max-width: 64rem)').matches) {
      this.querySelector<HTMLElement>('.back a')?.focus();
    }
    // A new entry is shown from its beginning.
    if (changed.has('entryID')) {
      this.querySelector('.beside')?.scrollTo({top: 0});
    }
    const parts = this.querySelector<HTMLElement>('nav.tabs');
    if (parts && this.tab !== this.broughtIn) {
      this.broughtIn = this.tab;
      scrollToCurrentTab(parts);
    }
  }

  /** Loads the script of a part. If that fails, the problem is shown in place of the part. */
  private async readPart(load: () => Promise<unknown>): Promise<void> {
    const {tab} = this;
    this.unread = undefined;
    try {
      await loadScript(load);
    } catch (failed) {
      if (!(failed instanceof Problem)) {
        throw failed;
      }
      if (tab === this.tab) {
        this.unread = {problem: failed, load};
        this.requestUpdate();
      }
    }
  }

  /** Reads the case again after a change. After a change of a seal the whole docket is read again, because other content may be visible. */
  private async happened(kinds: Set<string>): Promise<void> {
    if (kinds.has('entry_sealed') || kinds.has('entry_unsealed')) {
      this.seals++;
    }
    if (kinds.has('entry')) {
      this.redactions++;
    }
    const {caseID} = this;
    const before = this.whole.value?.entries.length;
    if (!([...kinds].every(kind => OF_LISTS.has(kind)) && await this.readLists(kinds))) {
      await this.whole.again();
    }
    if (before !== undefined && caseID === this.caseID && this.isConnected) {
      this.tellOf(before);
    }
  }

  /** Reads only the lists that have changed, and lets the shown part do the same. Returns false if everything must be read. */
  private async readLists(kinds: Set<string>): Promise<boolean> {
    const {caseID} = this;
    const before = this.whole.value;
    if (!before || before.isPartial || this.whole.problemNotice) {
      return false;
    }
    try {
      const [deadlines, actions, written] = await Promise.all([
        kinds.has('deadline') || kinds.has('extension') ? readAll(listDeadlines, {caseID}, page => page.deadlines) : before.deadlines,
        kinds.has('deadline') ? readActions(caseID) : before.actions,
        kinds.has('filing') ? readFilings(caseID, WRITTEN) : undefined]);
      const filings = written ? byChange([...written, ...before.filings.filter(one => !WRITTEN.includes(one.state) && written.every(each => each.filingID !== one.filingID))]) : before.filings;
      if (caseID === this.caseID && this.whole.value !== before) {
        return false;
      }
      if (caseID === this.caseID) {
        this.whole.value = {...before, deadlines, actions, filings};
        this.requestUpdate();
      }
      return true;
    } catch (failed) {
      if (!(failed instanceof Problem)) {
        throw failed;
      }
      // The caller then reads everything, which shows the problem.
      return false;
    }
  }

  /** Announces entries that other users added after the first `before` entries, for users of a screen reader or of another part of the case. */
  private tellOf(before: number): void {
    const entries = this.whole.value?.entries ?? [];
    const others = entries.slice(before).filter(entry => entry.userID !== currentUser.id);
    const [one] = others;
    if (one) {
      announce(others.length > 1 ? t.case.appearedMany(others.length) : t.case.appeared(number(entries.indexOf(one) + 1), one.title));
    }
  }

  /** Reads the case. The docket is shown before the actions and filings, which take the platform longer. */
  private async read(): Promise<WholeCase> {
    const {caseID, seals} = this;
    const before = this.whole.value?.seals === seals ? this.whole.value.entries : [];
    const [one, entries, deadlines] = await Promise.all([
      ask(viewCase, {caseID}).then(async read => {
        await loadNames(read.participants.map(participant => participant.userID));
        return read;
      }), readDocket(caseID, before), readAll(listDeadlines, {caseID}, page => page.deadlines), loadSchemas()]);
    await loadNames(entries.map(entry => entry.userID));
    const first = {one, entries, deadlines, actions: [], filings: [], seals, isPartial: true};
    if (caseID === this.caseID && !this.whole.value) {
      await nextTask();
      this.whole.value = first;
      this.requestUpdate();
    }
    document.title = `${one.title} – ${t.brand}`;
    const [actions, filings] = await Promise.all([readActions(caseID), readFilings(caseID, UNDER_WAY)]);
    return {...first, actions, filings: byChange(filings), isPartial: false};
  }

  override render() {
    return this.whole.render(whole => html`${this.head(whole)}${this.next(whole)}
      <nav class="tabs" aria-label=${t.case.parts}>${PARTS.filter(part => part !== 'award' || TRIBUNAL.includes(participantOf(whole.one)?.partyID ?? '')).map(part => html`<a class="tab" href=${part === 'docket' ? addressOf('cases', this.caseID) : addressOf('cases', this.caseID, part)}
        aria-current=${this.tab === part ? 'page' : nothing}>${t.case.tabs[part]}${this.count(part, whole)}</a>`)}</nav>
      ${this.shown(whole)}`);
  }

  private shown(whole: WholeCase) {
    const changed = () => this.whole.again();
    if (this.unread && this.tab !== 'docket') {
      const {problem: why, load} = this.unread;
      return problem(why, () => {
        void this.readPart(load);
        this.requestUpdate();
      });
    }
    if (whole.isPartial && this.tab !== 'docket') {
      return nothing;
    }
    switch (this.tab) {
      case 'docket': return this.docket(whole);
      case 'evidence': return html`<acp-evidence .whole=${whole} .item=${this.entryID}></acp-evidence>`;
      case 'notices': return html`<acp-notices .whole=${whole}></acp-notices>`;
      case 'award': return html`<acp-award .whole=${whole} .item=${this.entryID}></acp-award>`;
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
    const mine = one.participants.filter(participant => participant.userID === currentUser.id);
    const isManaged = one.participants.some(participant => participant.partyID === 'caseManager' && !participant.isObserver);
    const managers = one.participants.filter(participant => participant.partyID === 'caseManager' && participant.userID !== currentUser.id).map(participant => personName(participant.userID)).filter(name => name !== '');
    const now = one.timetable.phases.findIndex(phase => phase.phaseID === one.phaseID);
    return html`<div class="top"><p class="small"><a href=${addressOf('cases')}>${t.cases.name}</a></p><h1>${one.title}</h1>
        <p class="soft">${t.case.rules(one.ruleSet.charAt(0).toUpperCase() + one.ruleSet.slice(1))}${mine.map(participant => html` · ${t.case.youAre} ${participant.isObserver ? t.case.observer : ''} <span class="party">${partyName(participant.partyID)}</span>`)}
        ${managers.length > 0 ? ` · ${t.case.managedBy(managers.join(', '))}` : ''}${one.status === 'closed' ? html` · <span class="mark">${t.case.closed}</span>` : isManaged ? nothing : html` · <span class="mark warn">${t.case.unmanaged}</span>`}</p>
        <acp-export .caseID=${one.caseID}></acp-export></div>
      <p class="phase-now">${t.case.phase(now + 1, one.timetable.phases.length, phaseName(one.phaseID))}</p>
      <ol class="phases" aria-label=${t.case.phases}>${one.timetable.phases.map((phase, step) => html`<li class=${step <= now ? 'past' : ''} aria-current=${step === now ? 'step' : nothing}>${phaseName(phase.phaseID)}</li>`)}</ol>`;
  }

  /** The next deadline of this user's own parties, with a link to the filing. */
  private next({one, deadlines, actions, filings, isPartial}: WholeCase) {
    const zone = one.timetable.timeZone;
    const sides = one.participants.filter(participant => participant.userID === currentUser.id && !participant.isObserver).map(participant => participant.partyID);
    const deadline = deadlines.filter(each => each.status !== 'met' && sides.includes(each.partyID)).sort((first, second) => compareDueDays(first, second, () => one))[0];
    if (!deadline || one.status === 'closed') {
      return nothing;
    }
    const draft = filings.find(filing => filing.documentID === deadline.documentID && filing.state !== 'withdrawn' && sides.includes(filing.partyID));
    const may = actions.some(action => action.action === 'file' && action.documentID === deadline.documentID);
    const place = deadline.documentID === 'award' ? 'award' : 'filings';
    const when = due(dueDay(deadline, zone), deadline.status, one);
    return html`<div class="next ${when.kind}"><div><p><strong>${documentName(deadline.documentID)}</strong>${(isRequired(deadline, one) ? t.case.due : t.case.possible)(longDay(dueDay(deadline, zone)))}${when.kind === 'late' ? html` · <strong class="late">${when.words}</strong>` : nothing}</p>
      <p class="small soft">${explainDate(deadline, zone)}</p></div>
      ${draft ? html`<a class="button main" href=${addressOf('cases', one.caseID, place, draft.filingID)}>${draft.state === 'submitted' ? t.filings.read : t.case.goOn}</a>`
        : may ? html`<a class="button main" href=${addressOf('cases', one.caseID, place, `new-${deadline.documentID}`)}>${t.case.draft}</a>` : isPartial ? html`<span class="button reserved" aria-hidden="true">${t.case.draft}</span>` : html`<p class="small">${t.case.notNow}</p>`}</div>`;
  }

  /** Moves the focus to the open entry, because thousands of docket entries may lie between the two. */
  private toEntry(): void {
    this.querySelector<HTMLElement>('.beside')?.focus();
  }

  private toDocket(): void {
    const open = this.querySelector<HTMLElement>('.docket [aria-current] a');
    open?.scrollIntoView({block: 'nearest'});
    open?.focus();
  }

  private docket({one, entries, actions, seals}: WholeCase) {
    if (entries.length === 0) {
      return html`<div class="notice"><h2>${t.case.empty}</h2><p>${t.case.emptyHelp}</p></div>`;
    }
    return html`<div class="reading ${this.entryID ? 'one' : ''}"><acp-docket .caseID=${this.caseID} .entries=${entries} .entryID=${this.entryID} @beside=${this.toEntry}></acp-docket>
      <div class="beside" role="region" tabindex="-1" aria-label=${t.case.beside}>${this.entryID
        ? html`<button type="button" class="until-focus small" @click=${this.toDocket}>${t.case.toDocket}</button><p class="back"><a href=${addressOf('cases', this.caseID)}>${t.case.back}</a></p><acp-entry .caseID=${this.caseID} .entryID=${this.entryID} .number=${entries.findIndex(each => each.entryID === this.entryID) + 1} .called=${entries.find(each => each.entryID === this.entryID)?.title ?? ''} .seals=${seals + this.redactions} .mayReply=${actions.some(action => action.action === 'file')} .mayServe=${reasonNotToAdd(one) === undefined} .replaceable=${{side: partyOf(one), documentIDs: actions.filter(action => action.action === 'file').map(action => action.documentID ?? '')}} .maySeal=${isTribunalMember(one)} .mayRedact=${partyOf(one) === 'caseManager'}></acp-entry>`
        : html`<p class="soft choose">${t.case.choose}</p>`}</div></div>`;
  }
}

customElements.define('acp-case', CaseScreen);
