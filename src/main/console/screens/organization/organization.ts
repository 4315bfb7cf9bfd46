import {html, nothing} from 'lit';
import {ask} from '../../api/call.js';
import {type Identity, createOrganization, createOrganizationInvitation, grantOrganizationAdministrator, leaveOrganization, listOrganizationInvitations, listOrganizationMembers, removeOrganizationMember,
  revokeOrganizationAdministrator, revokeOrganizationInvitation} from '../../api/contracts.js';
import {confirmAct} from '../../parts/confirm-dialog.js';
import {day, localDay} from '../../parts/dates.js';
import {Element, Loading, announce, problem} from '../../parts/element.js';
import {onChanges} from '../../parts/event-stream.js';
import {dropInput, keepInput} from '../../parts/keep-input.js';
import {loadNames, personName} from '../../parts/names.js';
import {organizationHead} from '../../parts/screen-headings.js';
import {currentUser, organization, organizations, reloadSession, reloadSessionQuietly, switchOrganization} from '../../parts/session.js';
import {t} from '../../texts/texts.js';

/** The key under which the browser keeps the name of a new organization until it is created. */
const NAME_KEY = 'organization-name';
const invitedAs = (one: Identity.Organization): string => `member-invitation.${one.organizationID}`;

interface Members {
  all: Identity.OrganizationMember[];
  next: string | null;
}

/** The members and invitations of the organization for which the session acts, and the other organizations of this user. */
class OrganizationScreen extends Element {
  private readonly members = new Loading<Members>(this);
  private readonly invitations = new Loading<Identity.OrganizationInvitation[]>(this);
  private foundKey = crypto.randomUUID();
  /** The ID of the organization whose members were read. */
  private readFor = '';
  private unfollow: (() => void) | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    void this.begin();
    this.unfollow = onChanges(null, kinds => this.happened(kinds));
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.unfollow?.();
  }

  /** Reads the organization again after others invited somebody, joined, left, or changed its administrators. */
  private async happened(kinds: Set<string>): Promise<void> {
    if (kinds.has('member')) {
      await reloadSessionQuietly();
    }
    if (kinds.has('member') || kinds.has('invitation')) {
      await this.begin();
    }
  }

  private async begin(): Promise<void> {
    const one = organization();
    if (this.readFor !== one?.organizationID) {
      this.readFor = one?.organizationID ?? '';
      this.members.clear();
      this.invitations.clear();
    }
    this.requestUpdate();
    await Promise.all([
      one ? this.members.start(() => this.read(one.organizationID, null)) : undefined,
      one?.isAdministrator ? this.invitations.start(async () => {
        const {invitations} = await ask(listOrganizationInvitations, {organizationID: one.organizationID, limit: 200});
        await loadNames(invitations.map(each => each.invitedBy));
        return invitations;
      }) : undefined]);
  }

  private async read(organizationID: string, cursor: string | null): Promise<Members> {
    const read = await ask(listOrganizationMembers, {organizationID, cursor, limit: 200});
    await loadNames(read.members.map(one => one.userID));
    return {all: [...cursor ? this.members.value?.all ?? [] : [], ...read.members], next: read.nextCursor};
  }

  override render() {
    const one = organization();
    return html`${organizationHead('members')}
      ${this.refused ? problem(this.refused) : nothing}
      <div class="day">
        ${one ? html`<section><h2 class="heading">${t.organization.members}</h2>${this.members.render(members => html`<ul class="register">${members.all.map(each => this.member(one, each, members))}</ul>
          ${members.next ? html`<p><button type="button" @click=${() => this.members.start(() => this.read(one.organizationID, members.next))}>${t.more}</button></p>` : nothing}`)}</section>` : nothing}
        ${one?.isAdministrator ? this.invite(one) : nothing}
        ${this.memberships()}
      </div>`;
  }

  private member(one: Identity.Organization, member: Identity.OrganizationMember, members: Members) {
    const isMe = member.userID === currentUser.id;
    const name = personName(member.userID) || t.organization.unnamed(member.userID);
    const others = members.all.some(each => each.isAdministrator && each.userID !== currentUser.id) || members.next !== null;
    const named = {organizationID: one.organizationID, userID: member.userID};
    const act = (label: string, does: () => unknown) => html`<button type="button" class="bare" aria-label=${`${label}: ${name}`} @click=${does}>${label}</button>`;
    return html`<li><p><strong>${name}</strong> ${isMe ? html`<span class="mark good">${t.organization.you}</span>` : nothing} ${member.isAdministrator ? html`<span class="mark">${t.organization.administrator}</span>` : nothing}</p>
      <p class="small soft">${t.organization.since(day(localDay(member.since)))}</p>
      <p class="row">${one.isAdministrator && !member.isAdministrator ? act(t.organization.makeAdministrator, () => this.change(() => ask(grantOrganizationAdministrator, named), t.organization.madeAdministrator(name))) : nothing}
        ${one.isAdministrator && member.isAdministrator && (!isMe || others) ? act(t.organization.makeMember, () => this.askDemote(one, member, name)) : nothing}
        ${one.isAdministrator && !isMe ? act(t.organization.remove, () => this.askRemove(one, member, name)) : nothing}
        ${isMe ? member.isAdministrator && !others ? html`<span class="small soft">${t.organization.only}</span>` : act(t.organization.leave, () => this.askLeave(one)) : nothing}</p></li>`;
  }

  private askDemote(one: Identity.Organization, member: Identity.OrganizationMember, name: string): void {
    confirmAct({title: t.organization.makeMemberTitle(name), says: t.organization.makeMemberSays(one.name), act: t.organization.makeMember, does: async () => {
      await ask(revokeOrganizationAdministrator, {organizationID: one.organizationID, userID: member.userID});
      await this.changed(t.organization.madeMember(name));
    }});
  }

  private askRemove(one: Identity.Organization, member: Identity.OrganizationMember, name: string): void {
    confirmAct({title: t.organization.removeTitle(name), says: t.organization.removeSays(one.name), act: t.organization.remove, does: async () => {
      await ask(removeOrganizationMember, {organizationID: one.organizationID, userID: member.userID});
      await this.changed(t.organization.removed(name));
    }});
  }

  private askLeave(one: Identity.Organization): void {
    confirmAct({title: t.organization.leaveTitle(one.name), says: t.organization.leaveSays(one.name), act: t.organization.leave, does: async () => {
      await ask(leaveOrganization, {organizationID: one.organizationID});
      await this.changed(t.organization.left(one.name));
    }});
  }

  private invite(one: Identity.Organization) {
    return html`<section ?hidden=${!this.members.isKnown}><h2 class="heading">${t.organization.invite}</h2><p class="soft">${t.organization.inviteHelp}</p>
      <form class="inset" @submit=${(event: SubmitEvent) => this.sendInvitation(event, one)}><div class="field"><label for="member-email">${t.people.email}</label>
        <input id="member-email" name="email" type="email" ${keepInput(invitedAs(one))} required maxlength="254" autocomplete="off"></div>
        <label class="choice"><input type="checkbox" name="administrator">${t.organization.asAdministrator}</label>
        <p><button class="main">${t.people.send}</button></p></form>
      ${this.invitations.render(all => all.length === 0 ? nothing : html`<h3>${t.people.open}</h3><ul class="register">${all.map(each => html`<li><p><strong>${each.email ?? t.organization.byId}</strong></p>
        <p class="small soft">${t.organization.invitedBy(personName(each.invitedBy), day(localDay(each.expires)))}</p>
        <p><button type="button" class="bare" aria-label=${`${t.people.revoke}: ${each.email ?? ''}`} @click=${() => this.change(() => ask(revokeOrganizationInvitation, {invitationID: each.invitationID}), t.people.revoked)}>${t.people.revoke}</button></p></li>`)}</ul>`)}</section>`;
  }

  private sendInvitation(event: SubmitEvent, one: Identity.Organization): void {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const said = new FormData(form);
    const email = String(said.get('email')).trim();
    void this.change(async () => {
      await ask(createOrganizationInvitation, {organizationID: one.organizationID, email, isAdministrator: said.has('administrator')});
      dropInput(invitedAs(one));
      form.reset();
    }, t.people.sent(email));
  }

  /** All organizations of this user, and a form to create one. */
  private memberships() {
    const one = organization();
    const isKnown = (!one || this.members.isKnown) && (!one?.isAdministrator || this.invitations.isKnown);
    return html`<section ?hidden=${!isKnown}><h2 class="heading">${t.organization.yours}</h2>${organizations.length === 0 ? html`<p class="soft">${t.organization.none}</p>` : html`<ul class="register">${organizations.map(one => html`<li>
        <p><strong>${one.name}</strong> ${one.organizationID === currentUser.organizationID ? html`<span class="mark good">${t.organization.acting}</span>` : nothing} ${one.isAdministrator ? html`<span class="mark">${t.organization.administrator}</span>` : nothing}</p>
        ${one.organizationID === currentUser.organizationID ? nothing : html`<p><button type="button" class="bare" aria-label=${`${t.organization.actFor}: ${one.name}`} @click=${() => this.attempt(() => switchOrganization(one.organizationID))}>${t.organization.actFor}</button></p>`}</li>`)}</ul>`}
      <form class="inset" @submit=${this.found}><div class="field"><label for="organization-name">${t.organization.found}</label>
        <input id="organization-name" name="name" ${keepInput(NAME_KEY)} required maxlength="100" autocomplete="organization" aria-describedby="organization-name-help"><p class="help" id="organization-name-help">${t.organization.foundHelp}</p></div>
        <p><button>${t.organization.foundIt}</button></p></form></section>`;
  }

  private found(event: SubmitEvent): void {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const name = String(new FormData(form).get('name')).trim();
    void this.change(async () => {
      await ask(createOrganization, {name}, {key: this.foundKey});
      this.foundKey = crypto.randomUUID();
      dropInput(NAME_KEY);
      form.reset();
    }, t.organization.founded(name));
  }

  private change(act: () => Promise<unknown>, done: string): Promise<void> {
    return this.attempt(async () => {
      await act();
      await this.changed(done);
    });
  }

  private async changed(done: string): Promise<void> {
    await reloadSession();
    announce(done);
    void this.begin();
  }
}

customElements.define('acp-organization', OrganizationScreen);
