import {html, nothing} from 'lit';
import {ask} from '../../api/call.js';
import {type Cases, createCase, listCases, listRuleSets} from '../../api/contracts.js';
import {day, localDay, number} from '../../parts/dates.js';
import {Element, Loading, problem} from '../../parts/element.js';
import {onChanges} from '../../parts/event-stream.js';
import {dropInput, keepInput} from '../../parts/keep-input.js';
import {loadSchemas, partyName, phaseName} from '../../parts/names.js';
import {addressOf, navigate} from '../../parts/route.js';
import {currentUser} from '../../parts/session.js';
import {t} from '../../texts/texts.js';

/** Kinds of changes that affect the list of cases. */
const OF_CASES = new Set(['case_created', 'participant_added', 'participant_removed', 'participant', 'phase_changed', 'case_closed']);
/** Kinds of changes that affect which cases have no case manager. */
const OF_UNMANAGED = new Set(['case', 'case_created', 'participant_added', 'participant_removed', 'case_closed']);
/** The key under which the browser keeps the title of a new case until the case is opened. */
const TITLE_KEY = 'case-title';
const PAGE = 100;
const LIMIT_MAX = 200;
const UNMANAGED_PAGE = 20;
const RESPONSE_DAYS = [7, 14, 21, 30] as const;

/** The list of cases in which this user takes part, and a dialog to open a case. */
class CasesScreen extends Element {
  private readonly list = new Loading<Cases.ArbitrationCase[]>(this);
  private readonly rules = new Loading<Cases.RuleSet[]>(this);
  /** The open cases without a case manager, the newest first. Read only for administrators of the platform, who can appoint one. */
  private readonly unmanaged = new Loading<Cases.CaseList>(this);
  private chosen: {caseID: string} | undefined;
  private next: string | null = null;
  private status: Cases.CaseStatus = 'open';
  private key = crypto.randomUUID();
  private unfollow: (() => void) | undefined;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.unfollow?.();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    document.title = `${t.cases.name} – ${t.brand}`;
    void this.show('open');
    this.unfollow = onChanges(null, kinds => Promise.all([
      [...kinds].some(kind => OF_CASES.has(kind)) ? this.readShown() : undefined,
      this.isSuper && [...kinds].some(kind => OF_UNMANAGED.has(kind)) ? this.readUnmanaged() : undefined]));
    if (this.isSuper) {
      void import('../people/appoint.js');
      void this.readUnmanaged();
      const caseID = new URLSearchParams(location.search).get('appoint');
      this.chosen = caseID === null ? undefined : {caseID};
    }
  }

  private get isSuper(): boolean {
    return currentUser.permissions.includes('admin.platform.super');
  }

  private show(status: Cases.CaseStatus): Promise<void> {
    this.status = status;
    this.list.clear();
    return this.readShown();
  }

  /** Reads as many cases as are shown. If more are shown than one request can return, the list stays as it is. */
  private async readShown(): Promise<void> {
    const {status} = this;
    const shown = this.list.value?.length ?? 0;
    if (shown <= LIMIT_MAX) {
      await this.list.start(async () => {
        const [read] = await Promise.all([ask(listCases, {status, limit: shown <= PAGE ? PAGE : LIMIT_MAX}), loadSchemas()]);
        this.next = read.nextCursor;
        return read.cases;
      });
    }
  }

  /** Reads as many cases without a case manager as are shown, but at most 200. */
  private readUnmanaged(): Promise<void> {
    const limit = (this.unmanaged.value?.cases.length ?? 0) <= UNMANAGED_PAGE ? UNMANAGED_PAGE : LIMIT_MAX;
    return this.unmanaged.start(async () => {
      const [read] = await Promise.all([ask(listCases, {withoutCaseManager: true, limit}), loadSchemas()]);
      return read;
    });
  }

  private async moreUnmanaged(before: Cases.CaseList): Promise<void> {
    await this.unmanaged.start(async () => {
      const read = await ask(listCases, {withoutCaseManager: true, limit: LIMIT_MAX, cursor: before.nextCursor});
      return {...read, cases: [...before.cases, ...read.cases]};
    });
  }

  private async more(): Promise<void> {
    const before = this.list.value ?? [];
    await this.list.start(async () => {
      const read = await ask(listCases, {status: this.status, limit: 100, cursor: this.next});
      this.next = read.nextCursor;
      return [...before, ...read.cases];
    });
  }

  override render() {
    return html`<div class="top"><h1>${t.cases.name}</h1></div>
      <div class="row between"><div class="tabs" role="group" aria-label=${t.cases.which}>${(['open', 'closed'] as const).map(one => html`
        <button type="button" class="tab" aria-pressed=${this.status === one} @click=${() => this.show(one)}>${t.cases.status[one]}</button>`)}</div>
        <button type="button" @click=${this.ask}>${t.cases.open}</button></div>
      ${this.list.render(cases => cases.length === 0
        ? html`<div class="notice"><h2>${t.cases.empty[this.status]}</h2><p>${t.cases.emptyHelp}</p></div>`
        : html`<ul class="register">${cases.map(one => this.line(one))}</ul>
          ${this.next ? html`<button type="button" @click=${this.more}>${t.more}</button>` : nothing}`)}
      ${this.isSuper ? html`${this.list.isKnown ? this.withoutManager() : nothing}<acp-appoint ?hidden=${!this.list.isKnown || !this.unmanaged.isKnown} .chosen=${this.list.isKnown && this.unmanaged.isKnown ? this.chosen : undefined}
        @changed=${() => this.readUnmanaged()}></acp-appoint>` : nothing}${this.dialog()}`;
  }

  private withoutManager() {
    return this.unmanaged.render(read => read.cases.length === 0 ? nothing : html`<section class="unmanaged"><h2 class="heading">${t.appoint.without}</h2><p class="small soft">${t.appoint.withoutHelp}</p>
      <ul class="register">${read.cases.map(one => html`<li><strong>${one.title}</strong>
        <p class="small soft">${phaseName(one.phaseID)} · ${t.cases.since(day(localDay(one.created)))}</p>
        <p><button type="button" aria-label=${`${t.appoint.give}: ${one.title}`} @click=${() => { this.chosen = {caseID: one.caseID}; this.requestUpdate(); }}>${t.appoint.give}</button></p></li>`)}</ul>
      ${read.nextCursor ? html`<button type="button" @click=${() => this.moreUnmanaged(read)}>${t.more}</button>` : nothing}</section>`);
  }

  private line(one: Cases.ArbitrationCase) {
    const mine = one.participants.filter(participant => participant.userID === currentUser.id);
    return html`<li><a href=${addressOf('cases', one.caseID)}>${one.title}</a>
      <p class="small soft">${mine.map(participant => html`<span class="party">${partyName(participant.partyID)}</span> · `)}${phaseName(one.phaseID)} · ${t.cases.since(day(localDay(one.created)))}</p></li>`;
  }

  private ask(): void {
    this.querySelector<HTMLDialogElement>('dialog')?.showModal();
    void this.rules.start(async () => (await ask(listRuleSets, {limit: 200})).ruleSets);
  }

  private dialog() {
    return html`<dialog aria-labelledby="open-title"><form @submit=${this.create}>
      <h2 id="open-title">${t.cases.open}</h2><p class="soft">${t.cases.openHelp}</p>
      ${this.refused ? problem(this.refused) : nothing}
      <div class="field"><label for="case-title">${t.cases.title}</label><input id="case-title" name="title" ${keepInput(TITLE_KEY)} required maxlength="200" autocomplete="off" aria-describedby="case-title-help">
        <p class="help" id="case-title-help">${t.cases.titleHelp(number(200))}</p></div>
      ${this.rules.render(rules => html`<fieldset><legend>${t.cases.rules}</legend>${rules.map((one, at) => html`<label class="choice">
        <input type="radio" name="ruleSet" value=${one.id} required ?checked=${at === 0}><span><strong>${one.displayName}</strong><br><span class="small soft">${one.description}</span></span></label>`)}</fieldset>`)}
      <details class="adding"><summary>${t.cases.details}</summary>
        <div class="field"><label for="case-days">${t.cases.days}</label><select id="case-days" name="days"><option value="">${t.cases.daysOfRules}</option>${RESPONSE_DAYS.map(days => html`<option value=${days}>${t.cases.daysOf(days)}</option>`)}</select></div>
        <div class="field"><label for="case-seat">${t.cases.seat} <span class="soft small">(${t.filing.optional})</span></label><input id="case-seat" name="seat" maxlength="6" pattern="[A-Za-z]{2}(-[A-Za-z0-9]{1,3})?" autocomplete="off" aria-describedby="case-seat-help">
          <p class="help" id="case-seat-help">${t.cases.seatHelp}</p></div>
        <label class="choice"><input type="checkbox" name="sandbox"><span>${t.cases.sandbox}<br><span class="small soft">${t.cases.sandboxHelp}</span></span></label></details>
      <p class="row"><button class="main">${t.cases.open}</button><button type="button" @click=${() => this.querySelector('dialog')?.close()}>${t.cancel}</button></p>
    </form></dialog>`;
  }

  private async create(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const form = new FormData(event.target as HTMLFormElement);
    await this.attempt(async () => {
      const days = Number(form.get('days'));
      const made = await ask(createCase, {title: String(form.get('title')), ruleSet: String(form.get('ruleSet')), responseDeadlineDays: RESPONSE_DAYS.find(one => one === days) ?? null,
        seat: String(form.get('seat')).trim().toUpperCase() || null, ...form.has('sandbox') ? {sandbox: true} : {}}, {key: this.key});
      this.key = crypto.randomUUID();
      dropInput(TITLE_KEY);
      navigate(addressOf('cases', made.caseID));
    });
    // After a refusal the user changes the input, so the next request needs a new idempotency key.
    if (this.refused && !this.refused.isSilence) {
      this.key = crypto.randomUUID();
    }
  }
}

customElements.define('acp-cases', CasesScreen);
