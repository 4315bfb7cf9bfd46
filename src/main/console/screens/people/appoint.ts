import {html, nothing, type PropertyValues} from 'lit';
import {ask} from '../../api/call.js';
import {addParticipant, findUser} from '../../api/contracts.js';
import {Element, announce, problem} from '../../parts/element.js';
import {dropInput, isInputKept, keepInput} from '../../parts/keep-input.js';
import {loadSchemas, parties} from '../../parts/names.js';
import {t} from '../../texts/texts.js';

/** The keys under which the browser keeps the input of the form until it is sent. */
const CASE_KEY = 'appointment.case';
const EMAIL_KEY = 'appointment.email';

/** A form by which a super administrator adds a case manager or another participant to any case, also without taking part in it. */
class Appoint extends Element {
  static override properties = {chosen: {}};
  /** The case that was chosen in a list. Each choice is a new object, so that choosing the same case again has an effect. */
  chosen: {caseID: string} | undefined;
  private isReady = false;
  /** Whether input was kept when the screen was opened. The form is open then, so that the user sees it. */
  private readonly isKept = isInputKept(CASE_KEY, EMAIL_KEY);

  override connectedCallback(): void {
    super.connectedCallback();
    void loadSchemas().then(() => {
      this.isReady = true;
      this.requestUpdate();
    });
  }

  /** After a case was chosen, only the person is missing, so the form is opened at the email field. */
  protected override updated(changed: PropertyValues<this>): void {
    const details = this.querySelector('details');
    if (changed.has('chosen') && this.chosen && details) {
      details.open = true;
      this.querySelectorAll<HTMLInputElement>('#appoint-case').forEach(one => {
        one.value = this.chosen?.caseID ?? '';
        one.dispatchEvent(new Event('input', {bubbles: true}));
      });
      const email = this.querySelector<HTMLElement>('#appoint-email');
      email?.scrollIntoView({block: 'center'});
      email?.focus();
    }
  }

  override render() {
    return html`<details class="adding" ?open=${this.isKept}><summary>${t.appoint.name}</summary><form class="inset" @submit=${this.send}><p class="soft">${t.appoint.help}</p>${this.refused ? problem(this.refused) : nothing}
      <div class="field"><label for="appoint-case">${t.appoint.inCase}</label><input id="appoint-case" name="caseID" ${keepInput(CASE_KEY)} required maxlength="200" autocomplete="off" aria-describedby="appoint-case-help"><p class="help" id="appoint-case-help">${t.appoint.inCaseHelp}</p></div>
      <div class="field"><label for="appoint-email">${t.people.email}</label><input id="appoint-email" name="email" type="email" ${keepInput(EMAIL_KEY)} required maxlength="254" autocomplete="off"></div>
      <div class="field"><label for="appoint-party">${t.people.as}</label><select id="appoint-party" name="partyID">${this.isReady ? parties().map(one => html`<option value=${one.id} ?selected=${one.id === 'caseManager'}>${one.displayName}</option>`) : nothing}</select></div>
      <p><button class="main">${t.appoint.send}</button></p></form></details>`;
  }

  private send(event: SubmitEvent): void {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const values = new FormData(form);
    void this.attempt(async () => {
      const email = String(values.get('email'));
      // The case can be given by its ID or by the address of its screen.
      const caseID = /cases\/([^/?#]+)/.exec(String(values.get('caseID')))?.[1] ?? String(values.get('caseID')).trim();
      const {userID} = await ask(findUser, {email});
      await ask(addParticipant, {caseID, userID, partyID: String(values.get('partyID')), isPrimary: true});
      dropInput(CASE_KEY, EMAIL_KEY);
      form.reset();
      this.dispatchEvent(new CustomEvent('changed'));
      announce(t.appoint.done(email));
    });
  }
}

customElements.define('acp-appoint', Appoint);
