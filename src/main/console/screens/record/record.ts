import {html, nothing} from 'lit';
import {type Answer, ask, askWithRevision} from '../../api/call.js';
import {type Cases, type Main, advancePhase, advanceSandboxClock, closeCase, listAuditEntries, verifyDocket} from '../../api/contracts.js';
import {partyOf} from '../../parts/case-role.js';
import {confirmAct} from '../../parts/confirm-dialog.js';
import {exactly, moment, number} from '../../parts/dates.js';
import {Element, Loading, announce, problem} from '../../parts/element.js';
import {dropInput, keepInput} from '../../parts/keep-input.js';
import {documentName, loadNames, personName, phaseName} from '../../parts/names.js';
import {addressOf} from '../../parts/route.js';
import {t} from '../../texts/texts.js';
import type {WholeCase} from '../case/case.js';

interface Audit {
  entries: Cases.AuditEntry[];
  next: string | null;
}

const REASON_LONGEST = 2000;

/** The record of a case: its phases, its end, the check of its docket, and the audit log. */
class RecordScreen extends Element {
  static override properties = {whole: {}};
  whole: WholeCase | undefined;
  private readonly audit = new Loading<Audit>(this);
  private readonly verified = new Loading<Main.DocketVerification>(this);
  private readFor = '';
  private to = '';
  private reason = '';
  private reasonWrong = '';
  private fired: Cases.SandboxClock | undefined;
  private isBusy = false;
  private key = crypto.randomUUID();
  /** The revision that the user's own last act created, and its case. The next act is based on it, even while the case is still being read again. */
  private own = {caseID: '', revision: 0};

  private get caseID(): string {
    return this.whole?.one.caseID ?? '';
  }

  private get isManager(): boolean {
    return this.whole !== undefined && partyOf(this.whole.one) === 'caseManager';
  }

  protected override willUpdate(): void {
    // Each change of the revision has added an entry to the audit log, so it is read again.
    const readFor = `${this.caseID} ${this.whole?.one.revision ?? ''} ${this.whole?.entries.length ?? ''}`;
    if (this.whole && this.isManager && this.readFor !== readFor) {
      this.readFor = readFor;
      void this.audit.start(() => this.readAudit(null));
    }
  }

  private async readAudit(cursor: string | null): Promise<Audit> {
    const {entries, nextCursor} = await ask(listAuditEntries, {caseID: this.caseID, limit: 100, cursor});
    await loadNames(entries.map(one => one.userID));
    return {entries: [...cursor ? this.audit.value?.entries ?? [] : [], ...entries], next: nextCursor};
  }

  override render() {
    const {whole} = this;
    if (!whole) {
      return nothing;
    }
    const {one} = whole;
    return html`${this.refused ? problem(this.refused) : nothing}
      ${this.course(whole)}
      ${one.sandbox ? this.clock(one) : nothing}
      <section><h2 class="heading">${t.record.docket}</h2><p>${t.record.docketHelp}</p>
        <p><button type="button" @click=${() => this.verified.start(() => ask(verifyDocket, {caseID: this.caseID}))}>${t.record.verify}</button></p>
        <div role="status">${this.verified.render(found => found.valid ? html`<p class="notice good">${t.record.holds(found.entries)} <span class="mono small">${found.headHash}</span></p>`
          : html`<p class="notice bad">${t.record.broken(String(whole.entries.findIndex(each => each.entryID === found.firstBroken) + 1 || '?'))}</p>`)}</div></section>
      <section><h2 class="heading">${t.record.audit}</h2>${this.isManager ? html`<p class="soft">${t.record.auditHelp}</p>${this.audit.render(audit => html`<ol class="trail">${audit.entries.map(each => this.line(each, whole))}</ol>
          ${audit.next ? html`<p><button type="button" @click=${() => this.audit.start(() => this.readAudit(audit.next))}>${t.more}</button></p>` : nothing}`)}` : html`<p class="soft">${t.record.auditWho}</p>`}</section>
      ${this.closing(whole)}`;
  }

  // ---- phases and the end

  private course({one, entries, actions}: WholeCase) {
    const now = one.timetable.phases.findIndex(phase => phase.phaseID === one.phaseID);
    const later = one.timetable.phases.slice(now + 1);
    const filed = new Set(entries.filter(each => each.phaseID === one.phaseID).map(each => each.documentID));
    const missing = one.status === 'open' ? one.timetable.phases[now]?.documents.filter(each => each.required && !filed.has(each.documentID)).map(each => documentName(each.documentID)) ?? [] : [];
    const may = actions.some(each => each.action === 'advance');
    return html`<section><h2 class="heading">${t.record.course}</h2>
      <p>${one.status === 'closed' ? t.record.isClosed : t.record.now(phaseName(one.phaseID))} ${missing.length > 0 ? t.record.missing([...new Set(missing)].join(', ')) : ''}</p>
      ${may && later.length > 0 ? html`<form class="inset" @submit=${this.advance}><div class="field"><label for="next-phase">${t.record.advanceTo}</label>
          <select id="next-phase" name="phase" aria-describedby="next-phase-help">${later.map(phase => html`<option value=${phase.phaseID}>${phaseName(phase.phaseID)}</option>`)}</select><p class="help" id="next-phase-help">${t.record.advanceHelp}</p></div>
          <p class="row"><button class="main" ?disabled=${this.isBusy}>${t.record.advance}</button></p></form>`
        : one.status === 'open' ? html`<p class="soft">${later.length === 0 ? t.record.lastPhase : t.record.whoAdvances}</p>` : nothing}
      ${actions.some(each => each.action === 'close') ? html`<p><button type="button" @click=${this.askToClose}>${t.record.close}</button></p>` : nothing}</section>`;
  }

  private closing({one, filings}: WholeCase) {
    const open = filings.filter(each => each.state === 'submitted').length;
    return html`<dialog id="close-dialog" aria-labelledby="close-title"><form novalidate @submit=${this.close}>
      <h2 id="close-title">${t.record.closeTitle(one.title)}</h2><p>${t.record.closeHelp}</p>${open > 0 ? html`<p class="notice warn">${t.record.stillWaits(open)}</p>` : nothing}
      ${this.refused ? problem(this.refused) : nothing}
      <div class="field"><label for="close-reason">${t.dates.reason}</label><textarea id="close-reason" ${keepInput(`closing.${one.caseID}`)} .value=${this.reason} aria-required="true" aria-invalid=${this.reasonWrong ? 'true' : nothing} aria-describedby=${this.reasonWrong ? 'close-reason-wrong' : nothing}
        @input=${(event: Event) => this.wroteReason((event.target as HTMLTextAreaElement).value)}></textarea>${this.reasonWrong ? html`<p class="wrong" id="close-reason-wrong">${this.reasonWrong}</p>` : nothing}</div>
      <p class="row"><button class="main" ?disabled=${this.isBusy}>${t.record.close}</button><button type="button" @click=${() => this.querySelector('dialog')?.close()}>${t.cancel}</button></p></form></dialog>`;
  }

  private wroteReason(value: string): void {
    this.reason = value;
    if (this.reasonWrong && value.trim() !== '') {
      this.reasonWrong = '';
      this.requestUpdate();
    }
  }

  private askToClose(): void {
    this.refused = undefined;
    this.reasonWrong = '';
    this.requestUpdate();
    this.querySelector('dialog')?.showModal();
  }

  private advance(event: SubmitEvent): void {
    event.preventDefault();
    const phaseID = String(new FormData(event.target as HTMLFormElement).get('phase'));
    confirmAct({title: t.record.advanceTitle(phaseName(phaseID)), says: [t.record.advanceSays], act: t.record.advance, does: async () => {
      await this.change(async terms => {
        const made = await askWithRevision(advancePhase, {caseID: this.caseID, phaseID}, terms);
        announce(t.record.advanced(phaseName(phaseID)));
        return made;
      });
      const {refused} = this;
      if (refused) {
        this.refused = undefined;
        throw refused;
      }
    }});
  }

  private close(event: SubmitEvent): void {
    event.preventDefault();
    const reason = this.reason.trim();
    this.reasonWrong = reason === '' ? t.filing.required : [...reason].length > REASON_LONGEST ? t.filing.tooLong(String(REASON_LONGEST)) : '';
    this.requestUpdate();
    if (this.reasonWrong) {
      this.querySelector<HTMLElement>('#close-reason')?.focus();
      return;
    }
    void this.change(async terms => {
      const made = await askWithRevision(closeCase, {caseID: this.caseID, reason}, terms);
      this.reason = '';
      dropInput(`closing.${this.caseID}`);
      this.querySelector('dialog')?.close();
      announce(t.record.closed);
      return made;
    });
  }

  /**
   * Carries out a change that is based on the revision that is shown. If another user has changed the case meanwhile, the platform refuses, so that
   * the user sees that change first.
   */
  private async change(act: (terms: {ifMatch: string; key: string}) => Promise<Answer<unknown>>): Promise<void> {
    const {caseID} = this;
    const revision = Math.max(this.whole?.one.revision ?? 0, this.own.caseID === caseID ? this.own.revision : 0);
    this.isBusy = true;
    await this.attempt(async () => {
      const {etag} = await act({ifMatch: `"${revision}"`, key: this.key});
      this.own = {caseID, revision: Number(etag?.replaceAll('"', '')) || 0};
    });
    if (!this.refused?.isSilence) {
      this.key = crypto.randomUUID();
      this.dispatchEvent(new Event('changed'));
    }
    this.isBusy = false;
    this.requestUpdate();
  }

  // ---- the clock of a sandbox

  private clock(one: Cases.ArbitrationCase) {
    return html`<section><h2 class="heading">${t.record.clock}</h2><p>${t.record.clockHelp} ${one.now ? html`<strong>${exactly(one.now)}</strong>` : nothing}</p>
      ${one.status === 'closed' || partyOf(one) === '' ? nothing : html`<form class="inset" @submit=${this.advanceClock}><div class="field"><label for="clock-to">${t.record.clockTo}</label>
        <input id="clock-to" type="datetime-local" required .value=${this.to} @input=${(event: Event) => { this.to = (event.target as HTMLInputElement).value; }}></div><p><button ?disabled=${this.isBusy}>${t.record.setClock}</button></p></form>`}
      ${this.fired ? html`<div role="status"><p>${t.record.fired(this.fired.fired.length)}</p><ul class="plain">${this.fired.fired.map(each => html`<li>${exactly(each.at)} · ${t.record.happened[each.kind] ?? each.kind}</li>`)}</ul></div>` : nothing}</section>`;
  }

  /** Advances the clock of a sandbox. The input is in UTC, as the clock is shown. */
  private advanceClock(event: SubmitEvent): void {
    event.preventDefault();
    void this.change(async terms => {
      const made = await askWithRevision(advanceSandboxClock, {caseID: this.caseID, to: new Date(`${this.to}Z`).toISOString()}, terms);
      this.fired = made.value;
      this.to = '';
      return made;
    });
  }

  // ---- audit log

  private line(one: Cases.AuditEntry, whole: WholeCase) {
    const about = this.about(one, whole);
    return html`<li><time class="when" datetime=${one.at} title=${exactly(one.at)}>${moment(one.at)}</time>
      <div><p><strong>${personName(one.userID) || t.case.somebody}</strong> ${t.record.did[one.action] ?? one.action}${about ? html` ${about}` : nothing}</p>
      <p class="small soft">${[one.address ? t.record.from(one.address) : '', one.requestID ? t.record.request(one.requestID) : ''].filter(text => text !== '').join(' · ')}</p></div></li>`;
  }

  /** The subject of an audit entry, by its name if it has one. */
  private about({action, subject}: Cases.AuditEntry, {entries}: WholeCase): unknown {
    if (!subject) {
      return '';
    }
    const kind = action.split('.')[0] ?? '';
    if (kind === 'docket-entry') {
      const index = entries.findIndex(each => each.entryID === subject);
      return html`<a href=${addressOf('cases', this.caseID, 'docket', subject)}>${t.case.no} ${index < 0 ? '?' : number(index + 1)}</a>`;
    }
    if (kind === 'filing') {
      return html`<a href=${addressOf('cases', this.caseID, 'filings', subject)}>${subject}</a>`;
    }
    if (kind === 'evidence') {
      return html`<a href=${addressOf('cases', this.caseID, 'evidence', subject)}>${subject}</a>`;
    }
    return kind === 'participant' ? personName(subject.split(' ')[0] ?? '') || subject : action === 'phase.advanced' ? phaseName(subject) : html`<span class="mono small">${subject}</span>`;
  }
}

customElements.define('acp-record', RecordScreen);
