import {html, nothing} from 'lit';
import {Problem, ask} from '../../api/call.js';
import {type Alerts, type Identity, listSessions, revokeSession, updateAlertPreferences, viewAlertPreferences} from '../../api/contracts.js';
import {moment} from '../../parts/dates.js';
import {Element, Loading, problem, say} from '../../parts/element.js';
import {forgetDrafts} from '../../parts/kept.js';
import {me} from '../../parts/session.js';
import {t} from '../../texts/texts.js';

/** Where this person is signed in, and of what they are told. */
class AccountScreen extends Element {
  private readonly sessions = new Loading<Identity.Session[]>(this);
  private readonly alerts = new Loading<Alerts.AlertPreferences>(this);
  private refused: Problem | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    document.title = `${t.account.name} – ${t.brand}`;
    void this.sessions.start(async () => (await ask(listSessions, {limit: 200})).sessions.sort((one, other) => Number(other.current) - Number(one.current) || other.lastUsed.localeCompare(one.lastUsed)));
    void this.alerts.start(() => ask(viewAlertPreferences, {all: true}));
  }

  override render() {
    return html`<div class="top"><h1>${t.account.name}</h1><p class="soft">${me.email}</p></div>
      ${this.refused ? problem(this.refused) : nothing}
      <div class="day"><section><h2 class="heading">${t.account.alerts}</h2><p class="soft">${t.account.alertsHelp}</p>
        ${this.alerts.render(alerts => html`<ul class="plain">${(Object.keys(t.account.kinds) as (keyof Alerts.AlertPreferences)[]).map(kind => html`<li><label class="choice">
          <input type="checkbox" .checked=${alerts[kind] ?? true} @change=${(event: Event) => this.prefer(kind, (event.target as HTMLInputElement).checked)}>${t.account.kinds[kind]}</label></li>`)}</ul>`)}</section>
      <section><h2 class="heading">${t.account.sessions}</h2><p class="soft">${t.account.sessionsHelp}</p>
        ${this.sessions.render(sessions => html`<ul class="register">${sessions.map(one => html`<li>
          <p><strong>${one.address}</strong> ${one.current ? html`<span class="mark good">${t.account.here}</span>` : nothing}</p>
          <p class="small soft">${t.account.session(one.provider, moment(one.created), moment(one.lastUsed))}</p>
          ${one.current ? nothing : html`<p><button type="button" class="bare" aria-label=${`${t.account.end}: ${one.address}, ${moment(one.created)}`} @click=${() => this.end(one)}>${t.account.end}</button></p>`}</li>`)}</ul>
          <p><button type="button" @click=${this.endAll}>${t.account.endAll}</button></p>`)}</section></div>`;
  }

  private prefer(kind: keyof Alerts.AlertPreferences, wanted: boolean): Promise<void> {
    return this.attempt(async () => {
      await ask(updateAlertPreferences, {[kind]: wanted});
      say(t.account.kept);
    });
  }

  private end(one: Identity.Session): Promise<void> {
    return this.attempt(async () => {
      await ask(revokeSession, {sessionID: one.sessionID});
      say(t.account.ended);
      await this.sessions.again();
    });
  }

  private endAll(): Promise<void> {
    return this.attempt(async () => {
      await ask(revokeSession, {all: true});
      forgetDrafts();
      location.assign('/console');
    });
  }

  private async attempt(act: () => Promise<void>): Promise<void> {
    this.refused = undefined;
    try {
      await act();
    } catch (failed) {
      if (!(failed instanceof Problem)) {
        throw failed;
      }
      this.refused = failed;
    }
    this.requestUpdate();
  }
}

customElements.define('acp-account', AccountScreen);
