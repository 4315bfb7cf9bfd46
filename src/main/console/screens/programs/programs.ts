import {html, nothing} from 'lit';
import {live} from 'lit/directives/live.js';
import {repeat} from 'lit/directives/repeat.js';
import {ask} from '../../api/call.js';
import {type Identity, createMachineClient, disableMachineClient, enableMachineClient, grantMachineClientPermission, listMachineClients, listOrganizationProfiles, revokeMachineClientPermission,
  rotateMachineClientSecret} from '../../api/contracts.js';
import {confirmAct} from '../../parts/confirm-dialog.js';
import {moment} from '../../parts/dates.js';
import {Element, Loading, announce, problem} from '../../parts/element.js';
import {onChangesWhileConnected} from '../../parts/event-stream.js';
import {dropInput, keepInput} from '../../parts/keep-input.js';
import {PERMISSIONS, permissionName} from '../../parts/permissions.js';
import {administrationHead, forAdministrators, organizationHead} from '../../parts/screen-headings.js';
import {showSecret} from '../../parts/secret-dialog.js';
import {organization, organizations} from '../../parts/session.js';
import {t} from '../../texts/texts.js';

interface Programs {
  all: Identity.MachineClient[];
  names: Map<string, string>;
}

/** If there are more pages than this, the newest clients are missing, because the oldest come first. */
const PAGES_MAX = 20;
const HOUR_SECONDS = 3600;
const OVERLAPS = [0, HOUR_SECONDS, 24 * HOUR_SECONDS, 7 * 24 * HOUR_SECONDS];

/** Machine clients: those of the organization for its administrators, or all of them for administrators of the platform. */
class ProgramsScreen extends Element {
  static override properties = {ofPlatform: {type: Boolean}};
  ofPlatform = false;
  private readonly programs = new Loading<Programs>(this);
  private key = crypto.randomUUID();

  constructor() {
    super();
    onChangesWhileConnected(this, ['client'], () => this.programs.again());
  }

  protected override firstUpdated(): void {
    void this.programs.start(() => this.read());
  }

  private async read(): Promise<Programs> {
    const all: Identity.MachineClient[] = [];
    let cursor: string | null = null;
    for (let page = 0; page < PAGES_MAX && (page === 0 || cursor !== null); page++) {
      const read: Identity.MachineClientList = await ask(listMachineClients, {cursor, limit: 200});
      all.push(...read.clients);
      cursor = read.nextCursor;
    }
    const shown = this.ofPlatform ? all : all.filter(one => one.organizationID === organization()?.organizationID);
    const organizationIDs = [...new Set(shown.map(one => one.organizationID))].filter(one => one !== null);
    const named = this.ofPlatform && organizationIDs.length > 0 ? (await ask(listOrganizationProfiles, {organizationIDs: organizationIDs.slice(0, 1000)})).profiles : [];
    return {all: shown.reverse(), names: new Map(named.map(one => [one.id, one.name]))};
  }

  override render() {
    return this.ofPlatform ? forAdministrators(() => this.screen()) : this.screen();
  }

  private screen() {
    const may = this.ofPlatform || organization()?.isAdministrator;
    return html`${this.ofPlatform ? administrationHead('programs') : organizationHead('programs')}
      ${this.refused ? problem(this.refused) : nothing}
      ${may ? html`<div class="day"><section><h2 class="heading">${t.programs.name}</h2><p class="soft">${t.programs.help}</p>
        ${this.programs.render(programs => programs.all.length === 0 ? html`<p class="soft">${t.programs.none}</p>` : html`<ul class="register">${repeat(programs.all, one => one.clientID, one => this.program(one, programs.names))}</ul>`)}</section>
        ${this.programs.isKnown ? this.making() : nothing}</div>` : html`<p class="notice warn">${t.programs.notYours}</p>`}`;
  }

  private program(one: Identity.MachineClient, names: Map<string, string>) {
    const act = (label: string, does: () => unknown) => html`<button type="button" class="bare" aria-label=${`${label}: ${one.name}`} @click=${does}>${label}</button>`;
    return html`<li><p><strong>${one.name}</strong> ${one.disabled ? html`<span class="mark bad">${t.programs.ended}</span>` : nothing}</p>
      <p class="small soft"><span class="mono">${one.clientID}</span></p>
      <p class="small soft">${[this.ofPlatform ? one.organizationID ? t.programs.actsFor(names.get(one.organizationID) ?? one.organizationID) : t.programs.forNone : '', t.programs.made(moment(one.created)),
        one.lastUsed ? t.programs.used(moment(one.lastUsed)) : t.programs.neverUsed].filter(text => text !== '').join(' · ')}</p>
      ${one.permissions.length > 0 && !this.ofPlatform ? html`<p class="small soft">${one.permissions.map(permissionName).join(' · ')}</p>` : nothing}
      ${this.ofPlatform ? this.permissions(one) : nothing}
      <p class="row">${act(t.programs.rotate, () => this.askRotate(one))}${one.disabled ? act(t.programs.enable, () => this.change(() => ask(enableMachineClient, {clientID: one.clientID}), t.programs.enabled(one.name))) : act(t.programs.end, () => this.askEnd(one))}</p></li>`;
  }

  private permissions(one: Identity.MachineClient) {
    const named = (permission: string) => ({clientID: one.clientID, permission});
    return html`<details><summary>${t.programs.permissions(one.permissions.length)}</summary><ul class="plain">${PERMISSIONS.map(permission => html`<li><label class="choice">
      <input type="checkbox" .checked=${live(one.permissions.includes(permission))} @change=${(event: Event) => {
        const box = event.target as HTMLInputElement;
        void this.change(() => box.checked ? ask(grantMachineClientPermission, named(permission)) : ask(revokeMachineClientPermission, named(permission)), box.checked ? t.permissions.granted : t.permissions.revoked);
      }}>${permissionName(permission)}</label></li>`)}</ul></details>`;
  }

  private making() {
    return html`<section><h2 class="heading">${t.programs.make}</h2><form class="inset" @submit=${this.make}>
      <div class="field"><label for="program-name">${t.programs.called}</label><input id="program-name" name="name" ${keepInput(this.namedAs)} required maxlength="100" autocomplete="off" aria-describedby="program-name-help">
        <p class="help" id="program-name-help">${t.programs.calledHelp}</p></div>
      ${this.ofPlatform ? html`<div class="field"><label for="program-organization">${t.programs.organization}</label><select id="program-organization" name="organization"><option value="">${t.programs.forNone}</option>
          ${organizations.map(one => html`<option value=${one.organizationID}>${one.name}</option>`)}</select></div>
        <fieldset><legend>${t.programs.may}</legend>${PERMISSIONS.map(one => html`<label class="choice"><input type="checkbox" name="permission" value=${one}>${permissionName(one)}</label>`)}</fieldset>` : nothing}
      <p><button class="main">${t.programs.makeIt}</button></p></form></section>`;
  }

  /** The key under which the browser keeps the name of a new machine client until it is created. */
  private get namedAs(): string {
    return `program.${this.ofPlatform ? 'platform' : organization()?.organizationID ?? ''}`;
  }

  private make(event: SubmitEvent): void {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const said = new FormData(form);
    const name = String(said.get('name')).trim();
    void this.attempt(async () => {
      const made = await ask(createMachineClient, {name, permissions: said.getAll('permission').map(String),
        organizationID: this.ofPlatform ? String(said.get('organization')) || null : organization()?.organizationID ?? null}, {key: this.key});
      this.key = crypto.randomUUID();
      dropInput(this.namedAs);
      form.reset();
      showSecret({title: t.programs.secretTitle, of: name, help: t.programs.secretHelp, values: [{name: t.programs.clientID, value: made.clientID}, {name: t.programs.secret, value: made.clientSecret}]});
      await this.programs.again();
    });
  }

  private askRotate(one: Identity.MachineClient): void {
    const key = crypto.randomUUID();
    confirmAct({title: t.programs.rotateTitle(one.name), says: [t.programs.rotateSays], act: t.programs.rotate,
      fields: html`<div class="field"><label for="overlap">${t.programs.overlap}</label><select id="overlap" name="overlap">${OVERLAPS.map(seconds => html`<option value=${seconds}>${t.programs.overlaps(seconds / HOUR_SECONDS)}</option>`)}</select></div>`,
      does: async said => {
        const {clientSecret} = await ask(rotateMachineClientSecret, {clientID: one.clientID, overlapSeconds: Number(said.get('overlap'))}, {key});
        showSecret({title: t.programs.secretTitle, of: one.name, help: t.programs.secretHelp, values: [{name: t.programs.secret, value: clientSecret}]});
      }});
  }

  private askEnd(one: Identity.MachineClient): void {
    confirmAct({title: t.programs.endTitle(one.name), says: t.programs.endSays, act: t.programs.end, does: async () => {
      await ask(disableMachineClient, {clientID: one.clientID});
      announce(t.programs.endedNow(one.name));
      void this.programs.again();
    }});
  }

  private change(act: () => Promise<unknown>, done: string): Promise<void> {
    return this.attempt(async () => {
      try {
        await act();
        announce(done);
      } finally {
        await this.programs.again();
      }
    });
  }
}

customElements.define('acp-programs', ProgramsScreen);
