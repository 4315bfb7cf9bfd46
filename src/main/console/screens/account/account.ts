import {html, nothing} from 'lit';
import {live} from 'lit/directives/live.js';
import {ask} from '../../api/call.js';
import {type Alerts, type Cases, type Identity, createCalendarFeed, listCalendarFeeds, listSessions, revokeCalendarFeed, revokeSession, updateAlertPreferences, viewAlertPreferences} from '../../api/contracts.js';
import {confirmAct} from '../../parts/confirm-dialog.js';
import {moment} from '../../parts/dates.js';
import {Element, Loading, announce, problem} from '../../parts/element.js';
import {onChangesWhileConnected} from '../../parts/event-stream.js';
import {dropInput, keepInput} from '../../parts/keep-input.js';
import {currentUser, leaveBy} from '../../parts/session.js';
import {t} from '../../texts/texts.js';
import './push.js';

/** The key under which the browser keeps the name of a new calendar feed until it is made. */
const FEED_KEY = 'calendar-feed';

/** The sessions, alerts and calendar feeds of this user. */
class AccountScreen extends Element {
  private readonly sessions = new Loading<Identity.Session[]>(this);
  private readonly alerts = new Loading<Alerts.AlertPreferences>(this);
  private readonly feeds = new Loading<Cases.CalendarFeed[]>(this);
  /** The address of a new calendar feed. It is shown once and not stored. */
  private address = '';
  private isPushKnown = false;
  private addressOf = '';

  constructor() {
    super();
    onChangesWhileConnected(this, ['session'], () => this.sessions.again());
  }

  override connectedCallback(): void {
    super.connectedCallback();
    document.title = `${t.account.name} – ${t.brand}`;
    void this.sessions.start(async () => (await ask(listSessions, {limit: 200})).sessions.sort((one, other) => Number(other.current) - Number(one.current) || other.lastUsed.localeCompare(one.lastUsed)));
    void this.feeds.start(async () => (await ask(listCalendarFeeds, {limit: 200})).feeds);
    void this.alerts.start(() => ask(viewAlertPreferences, {all: true}));
  }

  override render() {
    return html`<div class="top"><h1>${t.account.name}</h1><p class="soft">${currentUser.email}</p></div>
      ${this.refused ? problem(this.refused) : nothing}
      <div class="day"><section><h2 class="heading">${t.account.alerts}</h2><p class="soft">${t.account.alertsHelp}</p>
        ${this.alerts.render(alerts => html`<ul class="plain">${(Object.keys(t.account.kinds) as (keyof Alerts.AlertPreferences)[]).map(kind => html`<li><label class="choice">
          <input type="checkbox" .checked=${live(alerts[kind] ?? true)} @change=${(event: Event) => this.prefer(kind, (event.target as HTMLInputElement).checked)}>${t.account.kinds[kind]}</label></li>`)}</ul>`)}</section>
      <acp-push ?hidden=${!this.alerts.isKnown} @known=${() => { this.isPushKnown = true; this.requestUpdate(); }}></acp-push>
      ${this.calendars()}
      <section ?hidden=${!this.isAboveSessions}><h2 class="heading">${t.account.sessions}</h2><p class="soft">${t.account.sessionsHelp}</p>
        ${this.sessions.render(sessions => html`<ul class="register">${sessions.map(one => html`<li>
          <p><strong>${one.address}</strong> ${one.current ? html`<span class="mark good">${t.account.here}</span>` : nothing}</p>
          <p class="small soft">${t.account.session(one.provider, moment(one.created), moment(one.lastUsed))}</p>
          ${one.current ? nothing : html`<p><button type="button" class="bare" aria-label=${`${t.account.end}: ${one.address}, ${moment(one.created)}`} @click=${() => this.end(one)}>${t.account.end}</button></p>`}</li>`)}</ul>
          <p><button type="button" @click=${this.endAll}>${t.account.endAll}</button></p>`)}</section></div>`;
  }

  /** Whether everything above the calendar feeds was loaded, so that they do not move any more. */
  private get isAboveFeeds(): boolean {
    return this.alerts.isKnown && this.isPushKnown;
  }

  private get isAboveSessions(): boolean {
    return this.isAboveFeeds && this.feeds.isKnown;
  }

  private calendars() {
    return html`<section ?hidden=${!this.isAboveFeeds}><h2 class="heading">${t.feeds.name}</h2><p class="soft">${t.feeds.help}</p>
      ${this.address ? html`<div class="notice good" role="status"><h3>${t.feeds.address}</h3><p class="mono">${this.address}</p><p>${t.feeds.addressHelp}</p>
        <p class="row"><button type="button" class="main" @click=${this.copy}>${t.feeds.copy}</button><button type="button" @click=${this.forget}>${t.feeds.kept}</button></p></div>` : nothing}
      ${this.feeds.render(feeds => html`${feeds.length === 0 ? html`<p class="soft">${t.feeds.none}</p>` : html`<ul class="register">${feeds.map(one => html`<li><p><strong>${one.name ?? t.feeds.unnamed}</strong></p>
          <p class="small soft">${t.feeds.made(moment(one.created))}</p>
          <p><button type="button" class="bare" aria-label=${`${t.feeds.revoke}: ${one.name ?? t.feeds.unnamed}, ${moment(one.created)}`} @click=${() => this.revoke(one)}>${t.feeds.revoke}</button></p></li>`)}</ul>`}
        <form class="inset" @submit=${this.make}><div class="field"><label for="feed-name">${t.feeds.called} <span class="soft small">(${t.filing.optional})</span></label>
          <input id="feed-name" name="name" ${keepInput(FEED_KEY)} maxlength="100" autocomplete="off" aria-describedby="feed-name-help"><p class="help" id="feed-name-help">${t.feeds.calledHelp}</p></div>
          <p><button>${t.feeds.make}</button></p></form>`)}</section>`;
  }

  private make(event: SubmitEvent): void {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    void this.attempt(async () => {
      const made = await ask(createCalendarFeed, {name: String(new FormData(form).get('name')).trim() || null});
      this.address = made.url;
      this.addressOf = made.feedID;
      dropInput(FEED_KEY);
      form.reset();
      await this.feeds.again();
    });
  }

  private copy(): Promise<void> {
    return navigator.clipboard.writeText(this.address).then(() => announce(t.feeds.copied), () => announce(t.feeds.notCopied));
  }

  private forget(): void {
    this.address = '';
    this.requestUpdate();
  }

  private revoke(one: Cases.CalendarFeed): void {
    confirmAct({title: t.feeds.revokeTitle(one.name ?? t.feeds.unnamed), says: t.feeds.revokeSays, act: t.feeds.revoke, does: async () => {
      await ask(revokeCalendarFeed, {feedID: one.feedID});
      if (this.addressOf === one.feedID) {
        this.address = '';
      }
      announce(t.feeds.revoked);
      void this.feeds.again();
    }});
  }

  private prefer(kind: keyof Alerts.AlertPreferences, wanted: boolean): Promise<void> {
    return this.attempt(async () => {
      await ask(updateAlertPreferences, {[kind]: wanted});
      this.alerts.value = {...this.alerts.value, [kind]: wanted} as Alerts.AlertPreferences;
      announce(t.account.kept);
    });
  }

  private end(one: Identity.Session): Promise<void> {
    return this.attempt(async () => {
      await ask(revokeSession, {sessionID: one.sessionID});
      announce(t.account.ended);
      await this.sessions.again();
    });
  }

  private endAll(): Promise<void> {
    return leaveBy(() => ask(revokeSession, {all: true}), act => this.attempt(act));
  }
}

customElements.define('acp-account', AccountScreen);
