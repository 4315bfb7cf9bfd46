import {html, nothing} from 'lit';
import {ask, get} from '../../api/call.js';
import {type Identity, type Push, createVapidKey, listPublicKeys, listVapidKeys, withdrawKey} from '../../api/contracts.js';
import {confirmAct, reasonField, reasonOf} from '../../parts/confirm-dialog.js';
import {moment} from '../../parts/dates.js';
import {Element, Loading, announce, problem} from '../../parts/element.js';
import {onChangesWhileConnected} from '../../parts/event-stream.js';
import {dropInput} from '../../parts/keep-input.js';
import {administrationHead, forAdministrators} from '../../parts/screen-headings.js';
import {currentUser, isAdministrator} from '../../parts/session.js';
import {t} from '../../texts/texts.js';

/** The keys with which the platform signs, and those with which browsers subscribe to push messages. */
class KeysScreen extends Element {
  private readonly keys = new Loading<Identity.PublicKey[]>(this);
  private readonly pushKeys = new Loading<Push.VapidKey[]>(this);

  constructor() {
    super();
    onChangesWhileConnected(this, ['key'], () => Promise.all([this.keys.again(), this.pushKeys.again()]));
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (isAdministrator()) {
      void this.keys.start(async () => (await get(listPublicKeys)).keys);
      void this.pushKeys.start(async () => (await ask(listVapidKeys, {limit: 200})).keys);
    }
  }

  override render() {
    return forAdministrators(() => html`${administrationHead('keys')}${this.refused ? problem(this.refused) : nothing}
      <div class="day"><section><h2 class="heading">${t.signingKeys.name}</h2><p class="soft">${t.signingKeys.help}</p>
        ${this.keys.render(keys => html`<ul class="register">${keys.map((one, index) => html`<li><p>${t.signingKeys.id} <span class="mono">${one.kid}</span> ${index === 0 ? html`<span class="mark good">${t.signingKeys.newest}</span>` : nothing}</p>
          <p><button type="button" class="bare" aria-label=${`${t.signingKeys.withdraw}: ${one.kid}`} @click=${() => this.askWithdraw(one)}>${t.signingKeys.withdraw}</button></p></li>`)}</ul>`)}</section>
      <section ?hidden=${!this.keys.isKnown}><h2 class="heading">${t.signingKeys.push}</h2><p class="soft">${t.signingKeys.pushHelp}</p>
        ${this.pushKeys.render(keys => keys.length === 0 ? html`<p class="soft">${t.signingKeys.pushNone}</p>` : html`<ul class="register">${keys.map(one => html`<li><p><span class="mono">${one.vapidKey}</span> ${one.active ? html`<span class="mark good">${t.signingKeys.pushActive}</span>` : nothing}</p>
          <p class="small soft">${t.signingKeys.pushMade(moment(one.created))}</p></li>`)}</ul>`)}
        ${currentUser.permissions.includes('push.keys.creator') ? html`<p ?hidden=${!this.pushKeys.isKnown}><button type="button" @click=${this.make}>${t.signingKeys.make}</button></p>` : html`<p class="small soft">${t.signingKeys.makeWithout}</p>`}</section></div>`);
  }

  private askWithdraw(one: Identity.PublicKey): void {
    confirmAct({title: t.signingKeys.withdrawTitle, says: [`${t.signingKeys.id} ${one.kid}`, ...t.signingKeys.withdrawSays], act: t.signingKeys.withdraw, fields: reasonField(t.signingKeys.reason, t.signingKeys.reasonHelp, `key.${one.kid}`), does: async said => {
      await ask(withdrawKey, {kid: one.kid, reason: reasonOf(said)});
      dropInput(`key.${one.kid}`);
      announce(t.signingKeys.withdrawn);
      void this.keys.again();
    }});
  }

  private make(): Promise<void> {
    return this.attempt(async () => {
      await ask(createVapidKey, {});
      announce(t.signingKeys.made);
      await this.pushKeys.again();
    });
  }
}

customElements.define('acp-keys', KeysScreen);
