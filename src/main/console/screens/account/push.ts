import {html, nothing} from 'lit';
import {ask} from '../../api/call.js';
import {type Push, listVapidKeys, listWebPushSubscriptions, subscribeToWebPush, unsubscribeFromWebPush} from '../../api/contracts.js';
import {moment} from '../../parts/dates.js';
import {Element, Loading, announce, problem} from '../../parts/element.js';
import {t} from '../../texts/texts.js';

type Hindrance = keyof typeof t.push.cannot;

interface Standing {
  /** The reason why this browser cannot receive push messages at all. */
  hindrance: Hindrance | undefined;
  vapidKey: string;
  /** The subscription of this browser; undefined if it has none or belongs to another user. */
  mine: Push.WebPushSubscription | undefined;
  others: Push.WebPushSubscription[];
}

const WORKER = '/console/service-worker.js';
const SCOPE = '/console/';

interface ScriptPolicies {
  createPolicy(name: string, rules: {createScriptURL: (address: string) => string}): {createScriptURL: (address: string) => string};
}

/** The address of the service worker, which is the only script that the page may load besides its own (Trusted Types). */
const worker: string = ((): string => {
  const policies = (window as {trustedTypes?: ScriptPolicies}).trustedTypes;
  return policies ? policies.createPolicy('acp-worker', {createScriptURL: () => WORKER}).createScriptURL(WORKER) : WORKER;
})();

/** Turns push messages in this browser on and off, or shows why it cannot receive them. */
class PushSection extends Element {
  private readonly standing = new Loading<Standing>(this);
  private hindrance: Hindrance | undefined;
  private isBusy = false;

  override connectedCallback(): void {
    super.connectedCallback();
    void this.standing.start(() => this.read());
  }

  protected override updated(): void {
    if (this.standing.isKnown) {
      this.dispatchEvent(new Event('known'));
    }
  }

  private async read(): Promise<Standing> {
    const {subscriptions} = await ask(listWebPushSubscriptions, {limit: 200});
    const endpoint = await browserSubscription().then(one => one?.endpoint);
    const mine = subscriptions.find(one => one.endpoint === endpoint);
    const key = (await ask(listVapidKeys, {limit: 200})).keys.find(one => one.active);
    return {hindrance: hindranceHere() ?? (key ? undefined : 'noKey'), vapidKey: key?.vapidKey ?? '', mine, others: subscriptions.filter(one => one !== mine)};
  }

  override render() {
    return html`<section><h2 class="heading">${t.push.name}</h2><p class="soft">${t.push.help}</p>
      ${this.refused ? problem(this.refused) : nothing}
      ${this.standing.render(standing => html`${this.here(standing)}
        ${standing.others.length === 0 ? nothing : html`<h3>${t.push.others}</h3><ul class="register">${standing.others.map(one => html`<li><p>${t.push.at(new URL(one.endpoint).host, moment(one.created))}</p>
          <p><button type="button" class="bare" aria-label=${`${t.push.end}: ${t.push.at(new URL(one.endpoint).host, moment(one.created))}`} @click=${() => this.end(one)}>${t.push.end}</button></p></li>`)}</ul>`}`)}</section>`;
  }

  private here(standing: Standing) {
    const hindrance = this.hindrance ?? standing.hindrance;
    const state = standing.mine ? html`<p>${t.push.isOn} ${t.push.stays}</p><p><button type="button" ?disabled=${this.isBusy} @click=${() => this.turnOff(standing)}>${t.push.off}</button></p>`
      : hindrance && hindrance === standing.hindrance ? nothing : html`<p>${t.push.isOff}</p><p><button type="button" ?disabled=${this.isBusy} @click=${() => this.turnOn(standing)}>${t.push.on}</button></p>`;
    return html`${hindrance ? html`<p class="notice warn" role="status">${t.push.cannot[hindrance]}</p>` : nothing}${state}`;
  }

  private turnOn(standing: Standing): Promise<void> {
    return this.carryOut(async () => {
      if (await Notification.requestPermission() !== 'granted') {
        this.hindrance = 'refused';
        return;
      }
      const subscription = await subscribe(standing.vapidKey);
      if (typeof subscription === 'string') {
        this.hindrance = subscription;
        return;
      }
      await ask(subscribeToWebPush, {vapidKey: standing.vapidKey, subscription: subscription.toJSON() as Push.BrowserSubscription});
      announce(t.push.turnedOn);
    });
  }

  private turnOff(standing: Standing): Promise<void> {
    return this.carryOut(async () => {
      if (standing.mine) {
        await ask(unsubscribeFromWebPush, {subscriptionID: standing.mine.subscriptionID});
      }
      await browserSubscription().then(one => one?.unsubscribe());
      announce(t.push.turnedOff);
    });
  }

  private end(one: Push.WebPushSubscription): Promise<void> {
    return this.carryOut(async () => {
      await ask(unsubscribeFromWebPush, {subscriptionID: one.subscriptionID});
      announce(t.push.ended);
    });
  }

  private async carryOut(act: () => Promise<void>): Promise<void> {
    this.isBusy = true;
    this.hindrance = undefined;
    this.requestUpdate();
    try {
      await this.attempt(act);
      await this.standing.again();
    } finally {
      this.isBusy = false;
      this.requestUpdate();
    }
  }
}

function hindranceHere(): Hindrance | undefined {
  if (!window.isSecureContext) {
    return 'insecure';
  }
  return 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window ? Notification.permission === 'denied' ? 'denied' : undefined : 'unsupported';
}

async function browserSubscription(): Promise<PushSubscription | null> {
  const registration = 'serviceWorker' in navigator ? await navigator.serviceWorker.getRegistration(SCOPE) : undefined;
  return registration?.pushManager?.getSubscription() ?? null;
}

/** Subscribes this browser with the platform's key. Returns the reason if the browser has no push service or refuses. */
async function subscribe(vapidKey: string): Promise<PushSubscription | Hindrance> {
  const registration = await navigator.serviceWorker.register(worker, {scope: SCOPE});
  await active(registration);
  const known = await registration.pushManager.getSubscription();
  try {
    return await registration.pushManager.subscribe({userVisibleOnly: true, applicationServerKey: vapidKey});
  } catch (failed) {
    if (failed instanceof DOMException && failed.name === 'InvalidStateError' && known) {
      // The existing subscription has a key that the platform no longer uses.
      await known.unsubscribe();
      return registration.pushManager.subscribe({userVisibleOnly: true, applicationServerKey: vapidKey});
    }
    if (failed instanceof DOMException && (failed.name === 'AbortError' || failed.name === 'NotSupportedError')) {
      return 'noService';
    }
    if (failed instanceof DOMException && failed.name === 'NotAllowedError') {
      return 'refused';
    }
    throw failed;
  }
}

function active(registration: ServiceWorkerRegistration): Promise<void> {
  const beginning = registration.installing ?? registration.waiting;
  return registration.active || !beginning ? Promise.resolve() : new Promise(resolve => beginning.addEventListener('statechange', () => beginning.state === 'activated' && resolve()));
}

customElements.define('acp-push', PushSection);
