import {html, nothing, type PropertyValues} from 'lit';
import {repeat} from 'lit/directives/repeat.js';
import {ask} from '../../api/call.js';
import {type Cases, decideDeadlineExtension, listDeadlineExtensions, listHearings, requestDeadlineExtension, withdrawDeadlineExtension} from '../../api/contracts.js';
import {reasonNotToAdd} from '../../parts/case-role.js';
import {day, inZone, longDay, moment} from '../../parts/dates.js';
import {dueDay, explainDate, until} from '../../parts/deadlines.js';
import {Element, Loading, announce, problem} from '../../parts/element.js';
import {dropInput, keepInput, leftoverInput} from '../../parts/keep-input.js';
import {documentName, loadNames, partyName, personName} from '../../parts/names.js';
import {readAll} from '../../parts/pages.js';
import {addressOf} from '../../parts/route.js';
import {currentUser} from '../../parts/session.js';
import {dayIn, lastInstantOfDay} from '../../parts/zones.js';
import {t} from '../../texts/texts.js';
import type {WholeCase} from './case.js';
import './hearing.js';

interface Dates {
  extensions: Cases.DeadlineExtension[];
  hearings: Cases.Hearing[];
}

/** The filings of a case that are not on the docket, and its dates. */
class CaseRest extends Element {
  static override properties = {whole: {}, tab: {}};
  whole: WholeCase | undefined;
  tab: 'filings' | 'dates' = 'filings';
  private readonly dates = new Loading<Dates>(this);
  /** The ID of the deadline whose form to request more time is open. */
  private asking = '';
  private isBusy = false;
  /** The request for more time that was last scrolled to, because the address names it. */
  private broughtIn = '';

  /** Scrolls to the request that a user came to decide, since many deadlines may stand above it. */
  protected override updated(): void {
    const named = new URLSearchParams(location.search).get('request') ?? '';
    const found = this.tab === 'dates' && named !== this.broughtIn ? this.querySelector<HTMLElement>(`#request-${CSS.escape(named)}`) : null;
    if (found) {
      this.broughtIn = named;
      found.scrollIntoView({block: 'center'});
      if (!document.activeElement?.matches('input, textarea, select')) {
        found.focus({preventScroll: true});
      }
    }
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('tab') && !changed.has('whole')) {
      return;
    }
    if (changed.has('tab')) {
      this.refused = undefined;
    }
    if (this.tab === 'dates') {
      void this.dates.start(() => this.readDates());
    }
  }

  private get caseID(): string {
    return this.whole?.one.caseID ?? '';
  }

  private async readDates(): Promise<Dates> {
    const caseID = this.caseID;
    const [extensions, hearings] = await Promise.all([readAll(listDeadlineExtensions, {caseID}, page => page.extensions), readAll(listHearings, {caseID}, page => page.hearings)]);
    await loadNames(extensions.map(one => one.requestedBy));
    return {extensions, hearings};
  }

  override render() {
    return html`${this.refused ? problem(this.refused) : nothing}${this.whole ? this[this.tab === 'filings' ? 'filings' : 'times'](this.whole) : nothing}`;
  }

  private filings({filings, actions, one}: WholeCase) {
    const may = actions.filter(action => action.action === 'file');
    const replyTo = new URLSearchParams(location.search).get('replyTo');
    const number = (this.whole?.entries.findIndex(entry => entry.entryID === replyTo) ?? -1) + 1;
    const required = new Set(one.timetable.phases.find(phase => phase.phaseID === one.phaseID)?.documents.filter(each => each.required).map(each => each.documentID));
    return html`<section>${filings.length === 0 ? html`<div class="notice"><h2>${t.filings.none}</h2><p>${t.filings.noneHelp}</p></div>`
      : html`<ul class="register">${filings.map(filing => html`<li><a href=${addressOf('cases', one.caseID, 'filings', filing.filingID)}>${filing.title || documentName(filing.documentID)}</a>
          <p class="small soft"><span class="mark ${filing.state === 'rejected' ? 'bad' : filing.state === 'submitted' ? 'warn' : ''}">${t.filings.states[filing.state]}</span>
          <span class="party">${partyName(filing.partyID)}</span> · ${t.filings.changed(moment(filing.updated))}</p></li>`)}</ul>`}</section>
      <section><h2 class="heading">${number > 0 ? t.filings.answer(String(number)) : t.filings.may}</h2>${may.length === 0 ? html`<p class="soft">${reasonNotToAdd(one) ?? t.filings.mayNothing}</p>`
        : html`<ul class="register">${may.map(action => html`<li><a href=${addressOf('cases', one.caseID, 'filings', `new-${action.documentID ?? ''}`) + (number > 0 ? location.search : '')}>${documentName(action.documentID ?? '')}</a>
          <p class="small soft">${[required.has(action.documentID ?? '') ? t.filings.required : '', action.quotaLeft !== undefined ? t.filings.left(action.quotaLeft) : '', action.deadline ? t.filing.lateMark(longDay(dueDay(action.deadline, one.timetable.timeZone))) : '']
            .filter(text => text !== '').join(' · ')}</p></li>`)}</ul>`}</section>`;
  }

  private times({deadlines, one}: WholeCase) {
    const zone = one.timetable.timeZone;
    const sides = this.sides();
    const decides = sides.some(party => party === 'caseManager' || party === 'arbitrator');
    const writes = decides && one.status === 'open';
    return html`<section><h2 class="heading">${t.dates.deadlines}</h2>${deadlines.length === 0 ? html`<p class="soft">${t.dates.none}</p>` : html`<ul class="register">
        ${repeat([...deadlines].sort((first, second) => dueDay(first, zone).localeCompare(dueDay(second, zone))), deadline => deadline.deadlineID, deadline => html`<li>
          <p><strong>${documentName(deadline.documentID)}</strong> <span class="party">${partyName(deadline.partyID)}</span> · <time datetime=${dueDay(deadline, zone)}>${longDay(dueDay(deadline, zone))}</time>
            <span class="mark ${{open: '', met: 'good', missed: 'bad'}[deadline.status]}">${t.dates.status[deadline.status]}</span></p>
          <p class="small soft">${explainDate(deadline, zone)} ${t.dates.endsAt(until(deadline, zone))}</p>
          ${deadline.status === 'open' && sides.includes(deadline.partyID) && one.status === 'open' ? this.askForTime(deadline) : nothing}</li>`)}</ul>`}</section>
      ${this.dates.render(({extensions, hearings}) => html`
        ${extensions.length === 0 ? nothing : html`<section><h2 class="heading">${t.dates.extensions}</h2><ul class="register">${repeat(extensions, each => each.extensionID, each => this.extension(each, decides))}</ul></section>`}
        <section><h2 class="heading">${t.dates.hearings}</h2>${writes ? html`<p><button type="button" @click=${() => this.hearingDialogs?.schedule()}>${t.hearing.schedule}</button></p>` : nothing}${hearings.length === 0 ? html`<p class="soft">${t.dates.noHearing}</p>` : html`<ul class="register">${hearings.map(hearing => html`<li>
          <h3>${hearing.title} ${hearing.status === 'cancelled' ? html`<span class="mark bad">${t.dates.cancelled}</span>` : nothing}</h3>
          <p>${inZone(hearing.start, hearing.timeZone)} · ${t.dates.minutes(hearing.durationMinutes)}${hearing.place ? ` · ${hearing.place}` : ''}</p>
          ${hearing.link ? html`<p><a href=${hearing.link} target="_blank" rel="noopener noreferrer">${hearing.link}</a></p>` : nothing}
          ${hearing.agenda ? html`<p class="soft">${hearing.agenda}</p>` : nothing}
          ${hearing.reason ? html`<p class="soft">${t.hearing.because(hearing.reason)}</p>` : nothing}
          ${writes && hearing.status === 'scheduled' ? html`<p class="row"><button type="button" class="bare" aria-label=${`${t.hearing.move}: ${hearing.title}`}
            @click=${() => this.attempt(() => this.hearingDialogs?.change(hearing))}>${t.hearing.move}</button>
            <button type="button" class="bare" aria-label=${`${t.hearing.cancel}: ${hearing.title}`} @click=${() => this.attempt(() => this.hearingDialogs?.cancel(hearing))}>${t.hearing.cancel}</button></p>` : nothing}</li>`)}</ul>`}</section>`)}
      ${writes ? html`<acp-hearing .caseID=${this.caseID} @changed=${() => this.dispatchEvent(new Event('changed'))}></acp-hearing>` : nothing}`;
  }

  private get hearingDialogs() {
    return this.querySelector('acp-hearing');
  }

  private askForTime(deadline: Cases.Deadline) {
    if (this.asking !== deadline.deadlineID) {
      return html`<p><button type="button" class="bare" @click=${() => { this.asking = deadline.deadlineID; this.requestUpdate(); }}>${t.dates.ask}</button></p>`;
    }
    return html`<form class="inset" @submit=${(event: SubmitEvent) => this.send(event, deadline)}>
      <div class="field"><label for="until">${t.dates.until}</label><input id="until" name="until" type="date" ${keepInput(`more-time-until.${deadline.deadlineID}`)} required min=${dueDay(deadline, this.timeZone)}></div>
      <div class="field"><label for="reason">${t.dates.reason}</label><textarea id="reason" name="reason" ${keepInput(`more-time.${deadline.deadlineID}`)} required maxlength="2000" aria-describedby="reason-help"></textarea><p class="help" id="reason-help">${t.dates.reasonHelp}</p></div>
      <p class="row"><button class="main">${t.dates.send}</button><button type="button" @click=${() => { this.asking = ''; this.requestUpdate(); }}>${t.cancel}</button></p></form>`;
  }

  private send(event: SubmitEvent, deadline: Cases.Deadline): void {
    event.preventDefault();
    const form = new FormData(event.target as HTMLFormElement);
    const end = lastInstantOfDay(String(form.get('until')), this.timeZone);
    void this.change(async () => {
      await ask(requestDeadlineExtension, {caseID: this.caseID, deadlineID: deadline.deadlineID, until: end.toISOString(), reason: String(form.get('reason'))});
      this.asking = '';
      dropInput(`more-time.${deadline.deadlineID}`, `more-time-until.${deadline.deadlineID}`);
      announce(t.dates.asked);
    });
  }

  private extension(one: Cases.DeadlineExtension, decides: boolean) {
    const deadline = this.whole?.deadlines.find(each => each.deadlineID === one.deadlineID);
    return html`<li id=${`request-${one.extensionID}`} tabindex="-1"><p><strong>${t.dates.wants(partyName(one.partyID), documentName(deadline?.documentID ?? ''), day(dayIn(one.until, this.timeZone)))}</strong>
        <span class="mark ${one.state === 'granted' ? 'good' : one.state === 'refused' ? 'bad' : ''}">${t.dates.states[one.state]}</span></p>
      <p>${t.quoted(one.reason)}</p><p class="small soft">${t.dates.by(personName(one.requestedBy), moment(one.requested))}${one.decisionReason ? ` · ${one.decisionReason}` : ''}</p>
      ${decides && one.state === 'open' && !this.sides().includes(one.partyID) ? html`<form class="inset" @submit=${(event: SubmitEvent) => this.decide(event, one)}>
        <div class="field"><label for=${`why-${one.extensionID}`}>${t.dates.decision}</label><textarea id=${`why-${one.extensionID}`} name="reason" ${keepInput(`decision.${one.extensionID}`)} required maxlength="2000"></textarea></div>
        <div class="field"><label for=${`until-${one.extensionID}`}>${t.dates.grantUntil}</label><input id=${`until-${one.extensionID}`} name="until" type="date" value=${dayIn(one.until, this.timeZone)} required></div>
        <p class="row"><button class="main" value="granted">${t.dates.grant}</button><button value="refused">${t.dates.refuse}</button></p></form>` : leftoverInput(this, `decision.${one.extensionID}`)}
      ${one.state === 'open' && this.sides().includes(one.partyID) ? html`<p><button type="button" class="bare" @click=${() => this.takeBack(one)}>${t.dates.withdraw}</button></p>` : nothing}</li>`;
  }

  private takeBack(one: Cases.DeadlineExtension): void {
    void this.change(async () => {
      await ask(withdrawDeadlineExtension, {caseID: this.caseID, extensionID: one.extensionID});
      announce(t.dates.withdrawn);
    });
  }

  private decide(event: SubmitEvent, one: Cases.DeadlineExtension): void {
    event.preventDefault();
    const granted = (event.submitter as HTMLButtonElement).value === 'granted';
    const form = new FormData(event.target as HTMLFormElement);
    const reason = String(form.get('reason'));
    const chosen = String(form.get('until'));
    const until = chosen === dayIn(one.until, this.timeZone) ? one.until : lastInstantOfDay(chosen, this.timeZone).toISOString();
    void this.change(async () => {
      await ask(decideDeadlineExtension, {caseID: this.caseID, extensionID: one.extensionID, granted, reason, ...granted ? {until} : {}});
      dropInput(`decision.${one.extensionID}`);
      announce(t.dates.decided);
    });
  }

  /**
   * The time zone of the case, in which its days begin and end. A node of an earlier release does not return it; then the zone of the browser is
   * used.
   */
  private get timeZone(): string {
    return this.whole?.one.timetable.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  }

  private sides(): string[] {
    return this.whole?.one.participants.filter(one => one.userID === currentUser.id && !one.isObserver).map(one => one.partyID) ?? [];
  }

  /** Carries out a change. If the platform refuses, the input of the form stays. */
  private async change(act: () => Promise<void>): Promise<void> {
    // A second click does nothing, because the platform would refuse to do the same again.
    if (this.isBusy) {
      return;
    }
    this.isBusy = true;
    try {
      await this.attempt(async () => {
        await act();
        this.dispatchEvent(new Event('changed'));
      });
    } finally {
      this.isBusy = false;
    }
  }
}

customElements.define('acp-case-rest', CaseRest);
