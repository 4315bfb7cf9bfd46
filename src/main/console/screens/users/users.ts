import {html, nothing, type PropertyValues} from 'lit';
import {Problem, ask} from '../../api/call.js';
import {type Identity, disableUser, enableUser, findUser, listPermissions, listSessions, revokePermission, revokeSession} from '../../api/contracts.js';
import {confirmAct, reasonField, reasonOf} from '../../parts/confirm-dialog.js';
import {moment} from '../../parts/dates.js';
import {Element, Loading, announce, problem} from '../../parts/element.js';
import {onChangesWhileConnected} from '../../parts/event-stream.js';
import {dropInput} from '../../parts/keep-input.js';
import {loadNames, personName} from '../../parts/names.js';
import {permissionName} from '../../parts/permissions.js';
import {addressOf, navigate} from '../../parts/route.js';
import {administrationHead, forAdministrators} from '../../parts/screen-headings.js';
import {currentUser, isAdministrator} from '../../parts/session.js';
import {t} from '../../texts/texts.js';

interface Person {
  userID: string;
  sessions: Identity.Session[];
  permissions: Identity.HeldPermission[];
}

const NOT_FOUND = 'user.not-found';
/** The email addresses by which users were found, by user ID. Kept in memory, because no operation returns the address of a user. */
const emails = new Map<string, string>();

/** Here administrators of the platform find a user by email, see the user's sessions and permissions, and end the user's access. */
class UsersScreen extends Element {
  static override properties = {userID: {}};
  userID = '';
  private readonly person = new Loading<Person>(this);
  private nobody = '';

  constructor() {
    super();
    onChangesWhileConnected(this, ['user', 'session', 'permission'], () => this.person.again());
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('userID') && this.userID && isAdministrator()) {
      this.refused = undefined;
      this.person.clear();
      void this.person.start(() => this.read());
    }
  }

  private async read(): Promise<Person> {
    const {userID} = this;
    const [sessions, permissions] = await Promise.all([ask(listSessions, {userID, limit: 200}), ask(listPermissions, {userID, limit: 200}), loadNames([userID])]);
    return {userID, sessions: sessions.sessions.sort((one, other) => other.lastUsed.localeCompare(one.lastUsed)), permissions: permissions.permissions};
  }

  private get name(): string {
    return personName(this.userID) || (emails.get(this.userID) ?? this.userID);
  }

  override render() {
    return forAdministrators(() => html`${administrationHead('people')}${this.refused ? problem(this.refused) : nothing}
      <div class="day">${this.userID ? this.one() : this.finding()}</div>`);
  }

  private finding() {
    return html`<section><h2 class="heading">${t.users.find}</h2><form class="inset" @submit=${this.find}><div class="field"><label for="user-email">${t.users.email}</label>
      <input id="user-email" name="email" type="email" required maxlength="254" autocomplete="off" aria-describedby="user-email-help"><p class="help" id="user-email-help">${t.users.emailHelp}</p></div>
      <p><button class="main">${t.users.findIt}</button></p></form><p role="status">${this.nobody}</p></section>`;
  }

  private find(event: SubmitEvent): void {
    event.preventDefault();
    const email = String(new FormData(event.target as HTMLFormElement).get('email')).trim();
    this.nobody = '';
    void this.attempt(async () => {
      try {
        const {userID} = await ask(findUser, {email});
        emails.set(userID, email);
        navigate(addressOf('administration', 'people', userID));
      } catch (failed) {
        if (!(failed instanceof Problem && failed.code === NOT_FOUND)) {
          throw failed;
        }
        this.nobody = t.users.nobody(email);
      }
    });
  }

  private one() {
    return this.person.render(person => html`<section><h2>${this.name}</h2>
        <dl class="facts">${emails.has(person.userID) ? html`<dt>${t.users.email}</dt><dd>${emails.get(person.userID)}</dd>` : nothing}<dt>${t.users.id}</dt><dd class="mono">${person.userID}</dd></dl>
        <p><a href=${addressOf('administration')}>${t.users.back}</a></p></section>
      <section><h2 class="heading">${t.users.access}</h2>${person.userID === currentUser.id ? html`<p class="soft">${t.users.yourself}</p>` : html`<p class="soft">${t.users.accessHelp}</p>
        <p class="row"><button type="button" class="main" @click=${() => this.askDisable(person)}>${t.users.disable}</button>
          <button type="button" @click=${() => this.change(() => ask(enableUser, {userID: person.userID}), t.users.enabled(this.name))}>${t.users.enable}</button></p>`}</section>
      <section><h2 class="heading">${t.users.sessions}</h2>${person.sessions.length === 0 ? html`<p class="soft">${t.users.noSessions}</p>` : html`<ul class="register">${person.sessions.map(one => html`<li>
          <p><strong>${one.address || t.users.noAddress}</strong> ${one.current ? html`<span class="mark good">${t.account.here}</span>` : nothing}</p>
          <p class="small soft">${t.users.session(one.provider, moment(one.created), moment(one.lastUsed))}</p>
          ${one.current ? nothing : html`<p><button type="button" class="bare" aria-label=${`${t.users.end}: ${one.address}, ${moment(one.created)}`}
            @click=${() => this.change(() => ask(revokeSession, {sessionID: one.sessionID}), t.users.ended)}>${t.users.end}</button></p>`}</li>`)}</ul>
        ${person.userID === currentUser.id ? nothing : html`<p><button type="button" @click=${() => this.askEndAll(person)}>${t.users.endAll}</button></p>`}`}</section>
      <section><h2 class="heading">${t.users.permissions}</h2>${person.permissions.length === 0 ? html`<p class="soft">${t.users.noPermissions}</p>` : html`<ul class="register">${person.permissions.map(one => html`<li>
          <p><strong>${permissionName(one.permission)}</strong></p><p class="small soft"><span class="mono">${one.permission}</span> · ${t.permissions.since(moment(one.since))}</p>
          ${person.userID === currentUser.id ? nothing : html`<p><button type="button" class="bare" aria-label=${`${t.permissions.revoke}: ${permissionName(one.permission)}`} @click=${() => this.askRevoke(one)}>${t.permissions.revoke}</button></p>`}</li>`)}</ul>`}</section>`);
  }

  private askDisable(person: Person): void {
    confirmAct({title: t.users.disableTitle(this.name), says: t.users.disableSays(person.sessions.length), act: t.users.disable, fields: reasonField(t.users.reason, t.users.reasonHelp, `end.${person.userID}`),
      does: async said => {
        await this.done(ask(disableUser, {userID: person.userID, reason: reasonOf(said)}), t.users.disabled(this.name));
        dropInput(`end.${person.userID}`);
      }});
  }

  private askEndAll(person: Person): void {
    confirmAct({title: t.users.endAllTitle(this.name), says: t.users.endAllSays(person.sessions.length), act: t.users.endAll,
      does: () => this.done(ask(revokeSession, {userID: person.userID}), t.users.allEnded)});
  }

  private askRevoke(one: Identity.HeldPermission): void {
    confirmAct({title: t.permissions.revokeTitle(permissionName(one.permission), this.name), says: t.permissions.revokeSays, act: t.permissions.revoke,
      does: () => this.done(ask(revokePermission, {userID: this.userID, permission: one.permission}), t.permissions.revoked)});
  }

  private async done(act: Promise<unknown>, sentence: string): Promise<void> {
    await act;
    announce(sentence);
    void this.person.again();
  }

  private change(act: () => Promise<unknown>, sentence: string): Promise<void> {
    return this.attempt(() => this.done(act(), sentence));
  }
}

customElements.define('acp-users', UsersScreen);
