import {html, nothing, type PropertyValues} from 'lit';
import {Problem, ask, askWithRevision} from '../../api/call.js';
import {type Cases, type Main, approveDocument, checkDocument, listCaseActions, rejectDocument, submitDocument, viewCase, viewFiling, withdrawDocument} from '../../api/contracts.js';
import {partyOf} from '../../parts/case-role.js';
import {confirmAct} from '../../parts/confirm-dialog.js';
import {conflictForm} from '../../parts/conflict-form.js';
import {longDay, time} from '../../parts/dates.js';
import {dueDay, explainDate} from '../../parts/deadlines.js';
import {dropDraft, givenUpInput} from '../../parts/draft-storage.js';
import {Element, Loading, announce, problem, refusalText} from '../../parts/element.js';
import {disconnectedSince, onChanges} from '../../parts/event-stream.js';
import {fieldNames, fieldsOf, sectionsOf} from '../../parts/fields.js';
import {dropInput} from '../../parts/keep-input.js';
import {documentName, documentOf, loadNames, loadSchemas, partyName} from '../../parts/names.js';
import {addressOf, navigate, replaceAddress} from '../../parts/route.js';
import {currentUser} from '../../parts/session.js';
import {t} from '../../texts/texts.js';
import {Acts} from './acts.js';
import {Draft, type DraftScreen, STALE, isOpen} from './draft.js';
import {field} from './field.js';
import {FilingFiles, type FilesScreen} from './files.js';
import {reading, rejected, rejectionOf} from './reading.js';
import {sealing} from './seal.js';
import {wrongWith} from './values.js';

interface Seen {
  one: Cases.ArbitrationCase;
  actions: Cases.CaseAction[];
  /** Undefined until the filing is created, which is when the first input is saved. */
  filing: Main.Filing | undefined;
}

const NEW = 'new-';
/** Kinds of changes that affect no filing. */
const ELSEWHERE = new Set(['evidence', 'notice', 'hearing', 'invitation', 'delivery', 'member']);
/** Kinds of changes that affect who can decide on a filing. */
const WHO_DECIDES = new Set<string>(['participant', 'participant_added', 'participant_removed']);
/** The period in which an open draft is read again while changes by others do not arrive by the stream. */
const READ_EVERY_MILLIS = 5000;
/** The time after which such a request is abandoned. */
const READ_MILLIS_MAX = 20_000;

/** A filing, from its creation to the docket. It is either written here (`Draft`) or read and decided. */
class FilingScreen extends Element implements DraftScreen, FilesScreen {
  static override properties = {caseID: {}, filingID: {}, place: {}};
  caseID = '';
  /** The ID, or `new-` and the document type while the filing does not exist. */
  filingID = '';
  /** The part of the case's screens that shows the filing. The award can be drafted before its phase. */
  place: 'filings' | 'award' = 'filings';
  private readonly seen = new Loading<Seen>(this);
  private readonly draft = new Draft(this);
  private readonly files = new FilingFiles(this);
  private readonly acts = new Acts(() => this.requestUpdate(), () => this.readAfterAct());
  /** The fields that the user has left once. Their problems are shown. */
  private left = new Set<string>();
  /** Whether the problems of all fields are shown, because the user has tried to submit. */
  private wantsAll = false;
  private check: Main.DocumentCheck | undefined;
  /** The reason of a rejection, as typed. */
  private reason = '';
  /** The query of the address with which the screen was opened. When a draft is saved after its screen was left, the page has another address. */
  private address = new URLSearchParams();
  private unfollow: (() => void) | undefined;
  private readingTimer: ReturnType<typeof setInterval> | undefined;
  private isFollowing = false;

  get filing(): Main.Filing | undefined {
    return this.seen.value?.filing;
  }

  get documentID(): string {
    return this.filing?.documentID ?? this.filingID.slice(NEW.length);
  }

  /** The entry that this filing answers. */
  get answers(): string | null {
    return this.filing?.parentEntryID ?? this.address.get('replyTo');
  }

  /** The entry of the same side that this filing replaces. */
  get replaces(): string | null {
    return this.filing?.supersedes ?? this.address.get('supersedes');
  }

  /** The name of a filing that does not exist yet contains its case, its document type, and what it answers or replaces. */
  get keptAs(): string {
    const related = ['replyTo', 'supersedes'].flatMap(name => this.address.has(name) ? `.${name}-${this.address.get(name)}` : []).join('');
    return this.filingID.startsWith(NEW) ? `${this.caseID}.${this.filingID}${related}` : this.filingID;
  }

  show(filing: Main.Filing): void {
    if (this.seen.value) {
      this.seen.value = {...this.seen.value, filing};
    }
  }

  showAddress(filingID: string): void {
    this.filingID = filingID;
    replaceAddress(addressOf('cases', this.caseID, this.place, filingID));
  }

  // ---- reading

  override connectedCallback(): void {
    super.connectedCallback();
    window.addEventListener('online', this.retry);
    window.addEventListener('beforeunload', this.warn);
    this.readingTimer = setInterval(() => {
      if (disconnectedSince() !== null && document.visibilityState === 'visible' && isOpen(this.filing) && !this.isFollowing) {
        void this.follow();
      }
    }, READ_EVERY_MILLIS);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener('online', this.retry);
    window.removeEventListener('beforeunload', this.warn);
    clearInterval(this.readingTimer);
    this.unfollow?.();
    this.unfollow = undefined;
    this.retry();
  }

  private readonly retry = () => {
    if (this.draft.saved.kind === 'unsaved') {
      void this.draft.save();
    }
  };

  /** The browser asks before the page is left with input that is kept nowhere. */
  private readonly warn = (event: BeforeUnloadEvent) => {
    if (this.draft.saved.kind === 'notKept' || this.files.areUnsent) {
      event.preventDefault();
    }
  };

  protected override willUpdate(changed: PropertyValues<this>): void {
    if ((changed.has('filingID') || changed.has('caseID')) && this.filingID && this.filing?.filingID !== this.filingID) {
      this.seen.clear();
      this.address = new URLSearchParams(location.search);
      this.draft.clear();
      this.files.clear();
      this.left.clear();
      this.wantsAll = false;
      this.check = undefined;
      this.reason = '';
      this.unfollow?.();
      this.unfollow = onChanges(this.caseID, kinds => [...kinds].every(kind => ELSEWHERE.has(kind)) ? undefined : this.follow([...kinds].some(kind => WHO_DECIDES.has(kind))));
      void this.seen.start(() => this.read());
    }
  }

  private async read(): Promise<Seen> {
    const {caseID, filingID} = this;
    const isNew = filingID.startsWith(NEW);
    const [one, actions, filing] = await Promise.all([ask(viewCase, {caseID}), ask(listCaseActions, {caseID}), isNew ? undefined : askWithRevision(viewFiling, {caseID, filingID}), loadSchemas()]);
    if (filing) {
      this.draft.take(filing.value, filing.etag);
      await meetPeopleOf(filing.value);
    }
    if (isNew || isOpen(filing?.value)) {
      this.draft.restore();
    }
    document.title = `${filing?.value.title || documentName(filing?.value.documentID ?? filingID.slice(NEW.length))} – ${one.title}`;
    if (filing && isOpen(filing.value)) {
      void this.checkAgain(filing.value.filingID);
    }
    return {one, actions: actions.actions, filing: filing?.value};
  }

  async checkAgain(filingID: string): Promise<void> {
    this.check = await ask(checkDocument, {caseID: this.caseID, filingID});
    this.requestUpdate();
  }

  /** Shows what others did; own input stays. A failure is not shown, because the next event reads again. */
  private async follow(withCase = false): Promise<void> {
    this.isFollowing = true;
    try {
      if (this.seen.problemNotice && !this.seen.value) {
        await this.seen.again();
      } else {
        await this.readChange();
        await (withCase && this.readCase());
      }
    } catch (failed) {
      if (!(failed instanceof Problem)) {
        throw failed;
      }
    } finally {
      this.isFollowing = false;
      this.requestUpdate();
    }
  }

  /** Reads the filing, and shows it unless it was saved or an act began meanwhile. */
  private async readChange(): Promise<void> {
    const {caseID, filing: before} = this;
    const isOutdated = () => {
      this.acts.changedByOthers();
      return this.filing !== before || this.draft.conflict || this.draft.overtaken || this.acts.isRunning || !this.isConnected;
    };
    if (!before || isOutdated()) {
      return;
    }
    const {value, etag} = await askWithRevision(viewFiling, {caseID, filingID: before.filingID}, {signal: AbortSignal.timeout(READ_MILLIS_MAX)});
    await this.draft.inTurn(async () => {
      if (!isOutdated() && (etag !== this.draft.etag || value.state !== before.state)) {
        await this.showChange(before, value, etag);
      }
    });
  }

  private async showChange(before: Main.Filing, value: Main.Filing, etag: string | null): Promise<void> {
    if (isOpen(before) && !isOpen(value) && this.draft.isUnsaved) {
      this.draft.overtaken = value.state;
      return;
    }
    if (isOpen(before) && isOpen(value)) {
      this.draft.takeUp(value, etag);
      if (!this.draft.conflict) {
        announce(t.filing.changedByOther);
      }
    }
    const [one, actions] = await Promise.all([ask(viewCase, {caseID: this.caseID}), ask(listCaseActions, {caseID: this.caseID})]);
    await meetPeopleOf(value);
    this.forgetLostAnswer(before, value);
    if (!isOpen(value)) {
      this.draft.etag = etag;
    } else if (!isOpen(before)) {
      // It was rejected: further input is based on that revision.
      this.draft.take(value, etag);
    }
    this.seen.value = {one, actions: actions.actions, filing: value};
    if (isOpen(value)) {
      await this.checkAgain(value.filingID);
    }
  }

  /** Reads the participants again, because somebody who can decide may have been added or removed. */
  private async readCase(): Promise<void> {
    const {caseID} = this;
    const one = await ask(viewCase, {caseID});
    if (this.seen.value && caseID === this.caseID) {
      this.seen.value = {...this.seen.value, one};
    }
  }

  /** If an answer was lost but the filing shows that the request was carried out, the user is not asked to repeat it. */
  private forgetLostAnswer(before: Main.Filing | undefined, value: Main.Filing | undefined): void {
    if (this.refused?.isSilence && before?.state !== value?.state) {
      this.refused = undefined;
      this.acts.forgetUnanswered();
    }
  }

  /** Others changed something while an act was running. */
  private async readAfterAct(): Promise<void> {
    if (isOpen(this.filing)) {
      await this.follow();
      return;
    }
    const {refused, filing: before} = this;
    await this.attempt(() => this.seen.again());
    this.refused ??= refused;
    this.forgetLostAnswer(before, this.filing);
    this.requestUpdate();
  }

  /** Reads the filing again after its files were changed here. */
  refresh(): Promise<void> {
    return this.draft.inTurn(async () => {
      const filingID = this.filing?.filingID;
      if (filingID && !this.draft.conflict) {
        const {value, etag} = await askWithRevision(viewFiling, {caseID: this.caseID, filingID});
        this.draft.takeUp(value, etag);
        await this.checkAgain(filingID);
      }
    });
  }

  async create(): Promise<string> {
    await this.draft.create();
    return this.filing ? '' : this.draft.lacksReasonOfSeal ? `${t.seal.why}: ${t.filing.required}` : (this.refused && refusalText(this.refused)) || t.problem.silence;
  }

  // ---- acts

  private async submit(event: Event): Promise<void> {
    event.preventDefault();
    if (this.acts.isRunning) {
      return;
    }
    this.wantsAll = true;
    this.refused = undefined;
    if (this.draft.lacksReasonOfSeal) {
      this.requestUpdate();
      this.querySelector<HTMLElement>('#from-start-reason')?.focus();
      return;
    }
    if (this.draft.wrong(true).length > 0) {
      this.requestUpdate();
      await this.updateComplete;
      this.querySelector<HTMLElement>('#problems')?.focus();
      return;
    }
    await this.acts.alone(() => this.saveAndSubmit());
  }

  private async saveAndSubmit(): Promise<void> {
    const {caseID, draft} = this;
    await this.files.sent;
    await (this.filing || draft.saved.kind !== 'clean' ? draft.save() : draft.create());
    const {filing} = this;
    if (!filing || draft.conflict || draft.overtaken || this.refused || draft.saved.kind === 'unsaved') {
      return;
    }
    if (this.files.areUnsent) {
      this.querySelector<HTMLElement>('li.refused button')?.focus();
      return;
    }
    await this.attempt(async () => {
      await this.acts.once(`submit ${filing.filingID} ${draft.etag}`, key => ask(submitDocument, {caseID, filingID: filing.filingID}, {ifMatch: draft.etag, key}));
      announce(t.filing.submitted);
      await this.seen.again();
    });
    await this.showNewerRevision();
  }

  /** If the submission was refused because of a newer revision, that revision is shown beside the refusal. */
  private async showNewerRevision(): Promise<void> {
    const {refused} = this;
    if (refused?.code === STALE) {
      await this.attempt(() => this.refresh());
      this.refused ??= refused;
      this.requestUpdate();
    }
  }

  private withdraw(filing: Main.Filing): void {
    confirmAct({title: t.filing.withdrawTitle, says: [t.filing.withdrawSays], act: t.filing.withdraw, does: async () => {
      await ask(withdrawDocument, {caseID: this.caseID, filingID: filing.filingID});
      dropDraft(currentUser.id, filing.filingID);
      announce(t.filing.withdrawn);
      navigate(addressOf('cases', this.caseID, 'filings'));
    }});
  }

  /** If it is refused because somebody else decided first, that decision is shown beside the refusal. */
  private decide(act: () => Promise<void>): Promise<void> {
    return this.acts.alone(async () => {
      await this.attempt(act);
      if (this.refused?.status === 409) {
        await this.seen.again();
      }
    });
  }

  private approve(filing: Main.Filing): Promise<void> {
    return this.decide(async () => {
      await this.acts.once(`approve ${filing.filingID}`, key => ask(approveDocument, {caseID: this.caseID, filingID: filing.filingID}, {key}));
      announce(t.filing.approved);
      await this.seen.again();
    });
  }

  private reject(event: SubmitEvent, filing: Main.Filing): Promise<void> {
    event.preventDefault();
    const {reason} = this;
    return this.decide(async () => {
      await this.acts.once(`reject ${filing.filingID} ${reason}`, key => ask(rejectDocument, {caseID: this.caseID, filingID: filing.filingID, reason}, {key}));
      this.reason = '';
      dropInput(rejectionOf(filing));
      announce(t.filing.rejected);
      await this.seen.again();
    });
  }

  protected override updated(): void {
    this.dispatchEvent(new Event('shown', {bubbles: true}));
  }

  // ---- view

  override render() {
    return this.seen.render(seen => html`${this.place === 'award' ? nothing : this.head(seen)}
      ${this.refused ? problem(this.refused) : nothing}
      ${!this.canFile(seen) ? html`<p class="notice warn">${t.case.notNow}</p>` : !seen.filing ? this.form(seen) : isOpen(seen.filing) && this.mayEdit(seen.filing, seen.actions) ? this.form(seen) : this.reading(seen.filing, seen)}`);
  }

  /** Whether a document of this type can be filed now; always true for a filing that exists. */
  private canFile({filing, actions}: Seen): boolean {
    return filing !== undefined || this.place === 'award' || actions.some(one => one.action === 'file' && one.documentID === this.documentID);
  }

  /** Actions were read before the filing was created here, so they may lack it; its author may edit it. */
  private mayEdit(filing: Main.Filing, actions: Cases.CaseAction[]): boolean {
    return filing.userID === currentUser.id || actions.some(one => one.action === 'edit' && one.filingID === filing.filingID);
  }

  private head({one, filing}: Seen) {
    return html`<div class="top"><p class="small"><a href=${addressOf('cases', this.caseID)}>${one.title}</a> · <a href=${addressOf('cases', this.caseID, 'filings')}>${t.case.tabs.filings}</a></p>
      <h1>${filing?.title || documentName(this.documentID)}</h1><p class="soft">${documentOf(this.documentID)?.description ?? ''}</p>
      ${this.answers ? html`<p><a href=${addressOf('cases', this.caseID, 'docket', this.answers)}>${t.filing.answers}</a></p>` : nothing}
      ${this.replaces ? html`<p><a href=${addressOf('cases', this.caseID, 'docket', this.replaces)}>${t.filing.replaces}</a></p>` : nothing}</div>`;
  }

  private form({one, filing}: Seen) {
    const {draft} = this;
    return html`${filing?.state === 'rejected' ? rejected(filing) : nothing}
      ${draft.isRestored ? html`<p class="notice warn" role="status">${t.filing.restored}</p>` : nothing}
      ${this.conflict()}
      ${filing ? this.asides() : nothing}
      ${draft.overtaken ? html`<div class="notice warn" role="alert"><h2>${t.filing.overtaken(t.filings.states[draft.overtaken])}</h2><p>${t.filing.overtakenHelp}</p></div>` : nothing}
      ${this.problems()}
      <form class="filing" novalidate @submit=${this.submit}>
        ${!filing ? sealing(draft.seal, partyOf(one), this.wantsAll && draft.lacksReasonOfSeal, to => draft.setSeal(to)) : filing.sealed ? html`<p><span class="mark seal">${t.case.sealed}</span> ${t.seal.isSealed} ${t.quoted(filing.sealed.reason)}</p>` : nothing}
        ${sectionsOf(this.documentID).map(section => html`<section><h2>${section.displayName}</h2><p class="soft">${section.description}</p>
          ${section.fields.map(each => this.field(each))}</section>`)}
        <section><h2>${t.filing.files}</h2>${this.files.editable(filing)}</section>
        <section><div class="field"><label for="filing-title">${t.filing.title} <span class="soft small">(${t.filing.optional})</span></label>
          <input id="filing-title" maxlength="200" autocomplete="off" .value=${draft.title} @input=${(event: InputEvent) => draft.setTitle((event.target as HTMLInputElement).value)} aria-describedby="filing-title-help">
          <p class="help" id="filing-title-help">${t.filing.titleHelp}</p></div></section>
        <section class="ending"><h2>${t.filing.check}</h2>
          <p class="row"><button class="main" aria-describedby="filing-check" ?disabled=${this.acts.isRunning}>${t.filing.submit}</button>${filing ? html`<button type="button" @click=${() => this.withdraw(filing)}>${t.filing.withdraw}</button>` : nothing}</p>
          <div class="checked" id="filing-check">${this.checked()}</div>${this.saved()}</section>
      </form>`;
  }

  private field(one: Cases.SchemaField) {
    const value = this.draft.values[one.id] ?? '';
    return field(one, {value, wrong: this.wantsAll || this.left.has(one.id) ? wrongWith(one, value, this.wantsAll) : '',
      write: text => this.draft.write(one.id, text), leave: () => { this.left.add(one.id); this.requestUpdate(); }});
  }

  private conflict() {
    const {draft} = this;
    return draft.conflict ? conflictForm({title: t.filing.conflict, help: t.filing.conflictHelp, differences: draft.differences(draft.conflict.theirs), chosen: draft.conflict.chosen,
      save: event => { event.preventDefault(); draft.keepChosen(); }, keepMine: () => draft.keepMine(), takeTheirs: () => draft.keepTheirs()}) : nothing;
  }

  /** Input that was given up for the version of somebody else. */
  private asides() {
    return givenUpInput(currentUser.id, this.filingID).map(({key, draft}) => html`<div class="notice"><h2>${t.filing.aside}</h2><dl class="facts">${draft.title ? html`<dt>${t.filing.title}</dt><dd>${draft.title}</dd>` : nothing}${fieldNames(this.documentID, draft.fields).map(one => html`<dt>${one.name}</dt><dd>${one.value}</dd>`)}</dl>
      <p><button type="button" @click=${() => { dropDraft(currentUser.id, key); this.requestUpdate(); }}>${t.filing.forget}</button></p></div>`);
  }

  /** The problems that prevent the submission, with a link to each field. */
  private problems() {
    const wrong = this.wantsAll ? this.draft.wrong(true) : [];
    return wrong.length === 0 ? nothing : html`<div class="notice bad" id="problems" tabindex="-1" role="group" aria-labelledby="problems-title" aria-describedby="problems-list"><h2 id="problems-title">${t.filing.problems}</h2>
      <ul id="problems-list">${wrong.map(each => html`<li>${this.linkTo(each.one)}: ${each.wrong}</li>`)}</ul></div>`;
  }

  private linkTo({id, displayName}: Cases.SchemaField) {
    return html`<a href=${`#field-${id}`} @click=${(event: Event) => this.focusField(event, id)}>${displayName}</a>`;
  }

  private focusField(event: Event, id: string): void {
    event.preventDefault();
    const found = this.querySelector<HTMLElement>(`#field-${CSS.escape(id)}`);
    found?.scrollIntoView({block: 'center'});
    (found?.querySelector<HTMLElement>('input') ?? found)?.focus();
  }

  /** How far the input is saved. */
  private saved() {
    const {saved, isRead} = this.draft;
    const words = saved.kind === 'saved' ? t.filing.saved(time(saved.at)) : saved.kind === 'saving' ? t.filing.saving : saved.kind === 'unsaved' ? saved.isSilent ? t.filing.silent : t.filing.unsaved
      : saved.kind === 'notKept' ? t.filing.notKept : '';
    return html`<p class="small soft saved" role="status" aria-live=${isRead ? 'polite' : 'off'}>${words}</p>`;
  }

  /** What the platform says about a submission. It stands below the buttons, so that they do not move when it changes. */
  private checked() {
    const {check} = this;
    const zone = this.seen.value?.one.timetable.timeZone;
    if (!check) {
      return nothing;
    }
    return html`${check.allowed ? html`<p><span class="mark good">${t.filing.ready}</span></p>` : html`<p>${t.filing.cannot}</p><ul class="plain">${check.problems.map(one => html`<li>${this.fault(one)}</li>`)}</ul>`}
      <p class="soft">${check.approvedBy ? t.filing.approval(partyName(check.approvedBy)) : t.filing.noApproval}</p>${this.nobodyDecides(check.approvedBy)}
      ${check.deadline ? html`<p class="soft">${t.filing.lateMark(longDay(dueDay(check.deadline, zone)))} ${explainDate(check.deadline, zone)}</p>` : nothing}`;
  }

  /** A problem in the platform's words. The platform names a field by its JSON pointer, which is replaced by a link with the field's label. */
  private fault(sentence: string): unknown {
    const found = /^\/?fields\/([^:]+): (.*)$/.exec(sentence);
    const one = found && fieldsOf(this.documentID).find(each => each.id === found[1]);
    return one ? html`${this.linkTo(one)}: ${wrongWith(one, this.draft.values[one.id] ?? '', true) || found[2]}` : t.checks[sentence] ?? sentence;
  }

  /** A warning if no participant could decide on the filing. */
  private nobodyDecides(approver: string | null) {
    const participants = this.seen.value?.one.participants ?? [];
    return approver === null || participants.some(one => one.partyID === approver && !one.isObserver) ? nothing
      : html`<p class="notice warn">${approver === 'caseManager' ? t.filing.noManager : t.filing.nobodyOf(partyName(approver))}</p>`;
  }

  private reading(filing: Main.Filing, {one, actions}: Seen) {
    return reading(this, {filing, actions, files: this.files.readable(filing), nobodyDecides: this.nobodyDecides(approverOf(filing, one)), reason: this.reason, isDeciding: this.acts.isRunning,
      setReason: reason => { this.reason = reason; }, approve: () => void this.approve(filing), reject: event => void this.reject(event, filing), withdraw: () => this.withdraw(filing)});
  }
}

/** Loads the names of the users who wrote and decided a filing. */
const meetPeopleOf = (filing: Main.Filing): Promise<unknown> => loadNames([filing.userID, ...filing.decidedBy ? [filing.decidedBy] : []]);

/** The party that decides on documents of this type in the phase in which the filing was submitted. */
function approverOf(filing: Main.Filing, {timetable}: Cases.ArbitrationCase): string | null {
  const phase = timetable.phases.find(each => each.phaseID === filing.phaseID);
  return phase?.documents.find(each => each.documentID === filing.documentID)?.approvedBy ?? null;
}

customElements.define('acp-filing', FilingScreen);
