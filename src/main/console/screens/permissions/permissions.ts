import {html, nothing} from 'lit';
import {Problem, ask} from '../../api/call.js';
import {type Identity, findUser, grantPermission, listMachineClients, listPermissions, revokePermission} from '../../api/contracts.js';
import {confirmAct} from '../../parts/confirm-dialog.js';
import {moment} from '../../parts/dates.js';
import {Element, Loading, announce, problem} from '../../parts/element.js';
import {onChangesWhileConnected} from '../../parts/event-stream.js';
import {dropInput, keepInput} from '../../parts/keep-input.js';
import {loadNames, personName} from '../../parts/names.js';
import {PERMISSIONS, permissionName} from '../../parts/permissions.js';
import {addressOf} from '../../parts/route.js';
import {administrationHead, forAdministrators} from '../../parts/screen-headings.js';
import {currentUser, isAdministrator} from '../../parts/session.js';
import {t} from '../../texts/texts.js';

interface Held {
  all: Identity.HeldPermission[];
  programs: Map<string, string>;
  next: string | null;
}

/** The key under which the browser keeps the email address of a user until the permission is granted. */
const GRANT_KEY = 'grant';
const NOT_FOUND = 'user.not-found';

/** The permissions of users and machine clients. */
class PermissionsScreen extends Element {
  private readonly held = new Loading<Held>(this);
  private permission = '';
  private nobody = '';
  private isGranting = false;

  constructor() {
    super();
    onChangesWhileConnected(this, ['permission', 'client'], () => this.readShown());
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (isAdministrator()) {
      this.begin();
    }
  }

  private begin(): Promise<void> {
    return this.held.start(() => this.read(null));
  }

  /** Reads as many items as are shown, from the first one. */
  private readShown(): Promise<void> {
    const shown = this.held.value?.all.length ?? 0;
    return this.held.start(async () => {
      let read = await this.read(null);
      while (read.next !== null && read.all.length < shown) {
        read = await this.read(read.next, read);
      }
      return read;
    });
  }

  private async read(cursor: string | null, before = cursor ? this.held.value : undefined): Promise<Held> {
    const [read, programs] = await Promise.all([ask(listPermissions, {permission: this.permission || null, cursor, limit: 200}), before?.programs ?? this.readPrograms()]);
    await loadNames(read.permissions.flatMap(one => one.userID ?? []));
    return {all: [...before?.all ?? [], ...read.permissions], programs, next: read.nextCursor};
  }

  private async readPrograms(): Promise<Map<string, string>> {
    return new Map((await ask(listMachineClients, {limit: 200})).clients.map(one => [one.clientID, one.name]));
  }

  override render() {
    return forAdministrators(() => html`${administrationHead('permissions')}${this.refused ? problem(this.refused) : nothing}
      <div class="day"><section><h2 class="heading">${t.permissions.held}</h2>
        <div class="field"><label for="which">${t.permissions.which}</label><select id="which" @change=${this.choose}><option value="">${t.permissions.all}</option>${PERMISSIONS.map(one => html`<option value=${one}>${permissionName(one)}</option>`)}</select></div>
        ${this.held.render(held => held.all.length === 0 ? html`<p class="soft">${t.permissions.none}</p>` : html`<ul class="register">${held.all.map(one => this.one(one, held))}</ul>
          ${held.next ? html`<p><button type="button" @click=${() => this.held.start(() => this.read(held.next))}>${t.more}</button></p>` : nothing}`)}</section>
      ${this.held.isKnown ? this.granting() : nothing}</div>`);
  }

  private granting() {
    return html`<section><h2 class="heading">${t.permissions.grant}</h2><p class="soft">${t.permissions.onlyPeople}</p><form class="inset" @submit=${this.grant}>
        <div class="field"><label for="grant-email">${t.users.email}</label><input id="grant-email" name="email" type="email" ${keepInput(GRANT_KEY)} required maxlength="254" autocomplete="off" aria-describedby="grant-email-help"><p class="help" id="grant-email-help">${t.users.emailHelp}</p></div>
        <div class="field"><label for="grant-permission">${t.permissions.what}</label><select id="grant-permission" name="permission">${[...PERMISSIONS].reverse().map(one => html`<option value=${one}>${permissionName(one)}</option>`)}</select></div>
        <p><button class="main" aria-disabled=${this.isGranting ? 'true' : nothing}>${t.permissions.grantIt}</button></p></form><p role="status">${this.nobody}</p></section>`;
  }

  private one(one: Identity.HeldPermission, held: Held) {
    const name = one.userID ? personName(one.userID) || one.userID : held.programs.get(one.clientID ?? '') ?? one.clientID ?? '';
    return html`<li><p><strong>${permissionName(one.permission)}</strong> <span class="small soft mono">${one.permission}</span></p>
      <p>${one.userID ? t.permissions.person : t.permissions.program}: <a href=${one.userID ? addressOf('administration', 'people', one.userID) : addressOf('administration', 'programs')}>${name}</a> <span class="small soft">· ${t.permissions.since(moment(one.since))}</span></p>
      ${one.userID && one.userID !== currentUser.id ? html`<p><button type="button" class="bare" aria-label=${`${t.permissions.revoke}: ${permissionName(one.permission)}, ${name}`} @click=${() => this.askRevoke(one, name)}>${t.permissions.revoke}</button></p>` : nothing}</li>`;
  }

  private choose(event: Event): void {
    this.permission = (event.target as HTMLSelectElement).value;
    void this.begin();
  }

  private askRevoke(one: Identity.HeldPermission, name: string): void {
    confirmAct({title: t.permissions.revokeTitle(permissionName(one.permission), name), says: t.permissions.revokeSays, act: t.permissions.revoke, does: async () => {
      await ask(revokePermission, {userID: one.userID ?? '', permission: one.permission});
      announce(t.permissions.revoked);
      void this.begin();
    }});
  }

  private grant(event: SubmitEvent): void {
    event.preventDefault();
    if (this.isGranting) {
      return;
    }
    this.isGranting = true;
    const form = event.target as HTMLFormElement;
    const said = new FormData(form);
    const email = String(said.get('email')).trim();
    this.nobody = '';
    void this.attempt(async () => {
      let userID: string;
      try {
        ({userID} = await ask(findUser, {email}));
      } catch (failed) {
        if (failed instanceof Problem && failed.code === NOT_FOUND) {
          this.nobody = t.users.nobody(email);
          return;
        }
        throw failed;
      }
      await ask(grantPermission, {userID, permission: String(said.get('permission'))});
      dropInput(GRANT_KEY);
      form.reset();
      announce(t.permissions.granted);
      await this.begin();
    }).finally(() => {
      this.isGranting = false;
      this.requestUpdate();
    });
  }
}

customElements.define('acp-permissions', PermissionsScreen);
