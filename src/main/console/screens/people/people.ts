import {html, nothing, type PropertyValues} from 'lit';
import {repeat} from 'lit/directives/repeat.js';
import {ask} from '../../api/call.js';
import {type Cases, createCaseInvitation, listCaseInvitations, listOrganizationProfiles, removeParticipant, restrictParticipant, revokeCaseInvitation} from '../../api/contracts.js';
import {participantOf, partyOf} from '../../parts/case-role.js';
import {confirmAct} from '../../parts/confirm-dialog.js';
import {day, localDay, number} from '../../parts/dates.js';
import {Element, Loading, announce, problem} from '../../parts/element.js';
import {dropInput, keepInput} from '../../parts/keep-input.js';
import {MANY_PEOPLE, parties, partyName, personName} from '../../parts/names.js';
import {currentUser} from '../../parts/session.js';
import {t} from '../../texts/texts.js';
import type {WholeCase} from '../case/case.js';


/** The participants of a case, what each of them may do, and invitations. */
class PeopleScreen extends Element {
  static override properties = {whole: {}};
  whole: WholeCase | undefined;
  private readonly invitations = new Loading<Cases.CaseInvitation[]>(this);
  private isSending = false;
  /** The name to search for, in lower case. */
  private wanted = '';
  private readonly organizations = new Loading<Map<string, string>>(this);

  protected override willUpdate(changed: PropertyValues<this>): void {
    const {whole} = this;
    if (!changed.has('whole') || !whole) {
      return;
    }
    if (this.may('addParticipant')) {
      void this.invitations.start(async () => (await ask(listCaseInvitations, {caseID: this.caseID, limit: 200})).invitations);
    }
    const ids = [...new Set(whole.one.participants.flatMap(one => one.organizationID ?? []))];
    if (ids.length > 0 && this.organizations.value === undefined) {
      void this.organizations.start(async () => new Map((await ask(listOrganizationProfiles, {organizationIDs: ids})).profiles.map(one => [one.id, one.name])));
    }
  }

  private get caseID(): string {
    return this.whole?.one.caseID ?? '';
  }

  /** The key under which the browser keeps the email address of an invitation until it is sent. */
  private get invitedAs(): string {
    return `invitation.${this.caseID}`;
  }

  private may(action: Cases.CaseActionKind): boolean {
    return this.whole?.actions.some(one => one.action === action) ?? false;
  }

  override render() {
    const {whole} = this;
    if (!whole) {
      return nothing;
    }
    // Participants are shown with their organization, so they wait for its name; otherwise their lines would grow.
    if (whole.one.participants.some(one => one.organizationID) && !this.organizations.isKnown) {
      return this.organizations.render(() => nothing);
    }
    return html`${this.refused ? problem(this.refused) : nothing}
      ${whole.one.participants.length < MANY_PEOPLE ? nothing : html`<div class="field"><label for="find-person">${t.people.find}</label>
        <input id="find-person" type="search" autocomplete="off" .value=${this.wanted} @input=${(event: Event) => { this.wanted = (event.target as HTMLInputElement).value.trim().toLowerCase(); this.requestUpdate(); }}></div>`}
      ${parties().map(party => this.side(party, whole.one))}
      ${this.may('addParticipant') ? this.inviting() : html`<p class="soft">${whole.one.status === 'closed' ? t.may.closed : t.people.whoInvites}</p>`}`;
  }

  /** The participants of a party. Each keeps its element when another is removed, so that the focus stays where it is. */
  private side(party: Cases.SchemaParty, one: Cases.ArbitrationCase) {
    const isMany = one.participants.length >= MANY_PEOPLE;
    const side = one.participants.filter(each => each.partyID === party.id);
    const members = isMany && this.wanted !== '' ? side.filter(each => personName(each.userID).toLowerCase().includes(this.wanted)) : side;
    if (members.length === 0 && side.length > 0) {
      return nothing;
    }
    return html`<section><h2 class="heading">${party.displayName}${isMany && side.length > 0 ? html` <span class="numeral">${number(side.length)}</span>` : nothing}</h2>${members.length === 0 ? html`<p class="soft">${t.people.nobody}</p>` : html`<ul class="register">${repeat(members, each => each.userID, each => this.person(each, one))}</ul>`}</section>`;
  }

  private person(each: Cases.Participant, one: Cases.ArbitrationCase) {
    const name = personName(each.userID) || t.case.somebody;
    const about = [each.organizationID ? this.organizations.value?.get(each.organizationID) ?? '' : '', each.isPrimary ? t.people.primary : '', each.isObserver ? t.people.observer : '', each.mayFile ? '' : t.people.mayNotFile];
    const isManager = partyOf(one) === 'caseManager' && one.status === 'open';
    const isLast = each.partyID === 'claimant' && each.isPrimary && one.participants.filter(other => other.partyID === 'claimant' && other.isPrimary).length === 1;
    const removes = this.may('removeParticipant') && (isManager || participantOf(one)?.isPrimary && each.partyID === partyOf(one));
    return html`<li><p><strong>${name}</strong> <span class="small soft">${about.filter(text => text !== '').join(' · ')}</span></p>
      ${removes || isManager ? html`<p class="row small">
        ${isManager && !each.isObserver && each.userID !== currentUser.id ? html`<button type="button" class="bare" aria-label=${`${each.mayFile ? t.people.restrict : t.people.letFile}: ${name}`} @click=${() => this.restrict(each, name)}>${each.mayFile ? t.people.restrict : t.people.letFile}</button>` : nothing}
        ${!removes ? nothing : isLast ? html`<span class="soft">${t.people.last}</span>`
          : html`<button type="button" class="bare" aria-label=${`${t.people.remove}: ${name}`} @click=${() => this.expel(each, name)}>${t.people.remove}</button>`}</p>` : nothing}</li>`;
  }

  private restrict(each: Cases.Participant, name: string): void {
    const act = async () => {
      await ask(restrictParticipant, {caseID: this.caseID, userID: each.userID, mayFile: !each.mayFile});
      announce(each.mayFile ? t.people.restricted(name) : t.people.mayFileAgain(name));
    };
    if (each.mayFile) {
      confirmAct({title: t.people.restrictTitle(name), says: [t.people.restrictSays], act: t.people.restrict, does: () => this.carryOut(act)});
    } else {
      void this.change(act);
    }
  }

  private expel(each: Cases.Participant, name: string): void {
    const isMe = each.userID === currentUser.id;
    confirmAct({title: isMe ? t.people.leaveTitle : t.people.removeTitle(name), says: [isMe ? t.people.leaveSays : t.people.removeSays], act: t.people.remove, does: () => this.carryOut(async () => {
      await ask(removeParticipant, {caseID: this.caseID, userID: each.userID, partyID: each.partyID});
      announce(t.people.removed(name));
    })});
  }

  // ---- invitations

  private inviting() {
    return html`<section><h2 class="heading">${t.people.invite}</h2><form class="inset" @submit=${this.invite}>
        <div class="field"><label for="email">${t.people.email}</label><input id="email" name="email" type="email" ${keepInput(this.invitedAs)} required maxlength="254" autocomplete="off"></div>
        <div class="field"><label for="party">${t.people.as}</label><select id="party" name="party">${this.invitable().map(party => html`<option value=${party.id}>${party.displayName}</option>`)}</select></div>
        <label class="choice"><input type="checkbox" name="primary">${t.people.asPrimary}</label><label class="choice"><input type="checkbox" name="observer">${t.people.asObserver}</label>
        <p class="row"><button class="main" aria-disabled=${this.isSending ? 'true' : nothing}>${t.people.send}</button></p></form>
      ${this.invitations.render(open => open.length === 0 ? nothing : html`<h3>${t.people.open}</h3><ul class="register">${repeat(open, each => each.invitationID, each => html`<li><p><strong>${each.email ?? ''}</strong> <span class="party">${partyName(each.partyID)}</span></p>
        <p class="row small soft">${t.people.expires(day(localDay(each.expires)))}<button type="button" class="bare" aria-label=${`${t.people.renew}: ${each.email ?? ''}`} aria-disabled=${this.isSending ? 'true' : nothing} @click=${() => this.renew(each)}>${t.people.renew}</button><button type="button" class="bare" aria-label=${`${t.people.revoke}: ${each.email ?? ''}`} @click=${() => this.revoke(each)}>${t.people.revoke}</button></p></li>`)}</ul>`)}</section>`;
  }

  /** The parties to which this user can invite: all for the case manager, otherwise only the user's own party. */
  private invitable(): Cases.SchemaParty[] {
    const side = this.whole ? partyOf(this.whole.one) : '';
    return side === 'caseManager' ? parties() : parties().filter(party => party.id === side);
  }

  private invite(event: SubmitEvent): void {
    event.preventDefault();
    const element = event.target as HTMLFormElement;
    const form = new FormData(element);
    const {invitedAs} = this;
    void this.send({email: String(form.get('email')), partyID: String(form.get('party')), isPrimary: form.has('primary'), isObserver: form.has('observer')}).then(isSent => {
      if (isSent) {
        dropInput(invitedAs);
        element.reset();
      }
    });
  }

  /** Sends an invitation again, which extends it and sends another email. */
  private renew({email, partyID, isPrimary, isObserver}: Cases.CaseInvitation): void {
    void this.send({email: email ?? '', partyID, isPrimary, isObserver});
  }

  /** Sends an invitation. Returns whether it was sent. */
  private async send(invitation: Pick<Cases.CreateCaseInvitationRequest, 'email' | 'partyID' | 'isPrimary' | 'isObserver'>): Promise<boolean> {
    if (this.isSending) {
      return false;
    }
    this.isSending = true;
    let isSent = false;
    await this.change(async () => {
      await ask(createCaseInvitation, {caseID: this.caseID, ...invitation});
      isSent = true;
      announce(t.people.sent(invitation.email));
    });
    this.isSending = false;
    this.requestUpdate();
    return isSent;
  }

  private revoke(one: Cases.CaseInvitation): void {
    void this.change(async () => {
      await ask(revokeCaseInvitation, {invitationID: one.invitationID});
      announce(t.people.revoked);
    });
  }

  /** Carries out a change. If the platform refuses, the input of the form stays. */
  private change(act: () => Promise<void>): Promise<void> {
    return this.attempt(() => this.carryOut(act));
  }

  private async carryOut(act: () => Promise<void>): Promise<void> {
    await act();
    this.dispatchEvent(new Event('changed'));
  }
}

customElements.define('acp-people', PeopleScreen);
