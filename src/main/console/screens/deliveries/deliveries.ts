import {html, nothing} from 'lit';
import {ask} from '../../api/call.js';
import {type Webhooks, createWebhookUrl, deleteWebhookUrl, disableWebhookUrl, enableWebhookUrl, listWebhookDeliveries, listWebhookUrls, redeliverWebhooks, rotateWebhookSecret, testWebhookUrl,
  viewWebhookUrl} from '../../api/contracts.js';
import {confirmAct} from '../../parts/confirm-dialog.js';
import {moment, number} from '../../parts/dates.js';
import {envelope, findEvent, kindName} from '../../parts/delivered-event.js';
import {Element, Loading, announce, problem} from '../../parts/element.js';
import {onChanges} from '../../parts/event-stream.js';
import {dropInput, keepInput} from '../../parts/keep-input.js';
import {deliveriesHead} from '../../parts/screen-headings.js';
import {showSecret} from '../../parts/secret-dialog.js';
import {organization} from '../../parts/session.js';
import {localTime} from '../../parts/zones.js';
import {t} from '../../texts/texts.js';

type Filter = 'all' | Webhooks.WebhookDeliveryState;
const FILTERS: Filter[] = ['all', 'failed', 'pending', 'delivered', 'cancelled'];
const USUAL_KIND: Webhooks.EventKind = 'docket_filing';
const TEST = 'test';
/** The key under which the browser keeps a new URL until it is registered. */
const URL_KEY = 'webhook-url';
const REDELIVERED_MAX = 10_000;
const PAGE = 50;
/** After an act, the deliveries are read again after each of these pauses, in milliseconds, as long as an attempt is expected soon. */
const LOOKS = [1000, 2000, 4000, 8000, 15_000];
/** An attempt is expected soon if it is due within this time. */
const SOON_MILLIS = 10_000;

interface Page {
  deliveries: Webhooks.WebhookDelivery[];
  next: string | null;
}

/** The webhook URLs of the organization, the deliveries to them, the responses of their servers, and buttons to send deliveries again. */
class DeliveriesScreen extends Element {
  private readonly urls = new Loading<Webhooks.WebhookUrlView[]>(this);
  private readonly page = new Loading<Page>(this);
  private filter: Filter = 'all';
  /** The URL whose deliveries are shown; empty for all URLs. */
  private to = '';
  /** The response to the latest test, by URL. */
  private readonly tested = new Map<string, string>();
  /** The body that was sent, by delivery ID, or a sentence why it cannot be shown. */
  private readonly sent = new Map<string, string>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private unfollow: (() => void) | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    if (organization()) {
      void this.urls.start(async () => Promise.all((await ask(listWebhookUrls, {})).urls.map(one => ask(viewWebhookUrl, {url: one.url}))));
      void this.show('all');
      this.unfollow = onChanges(null, kinds => kinds.has('delivery') ? this.readShown() : undefined);
    }
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.timer);
    this.unfollow?.();
  }

  private show(filter: Filter): Promise<void> {
    this.filter = filter;
    return this.page.start(() => this.read(null, PAGE));
  }

  private more(next: string): void {
    const before = this.page.value?.deliveries ?? [];
    void this.page.start(async () => {
      const read = await this.read(next, PAGE);
      return {deliveries: [...before, ...read.deliveries], next: read.next};
    });
  }

  private async read(cursor: string | null, limit: number): Promise<Page> {
    const read = await ask(listWebhookDeliveries, {state: this.filter === 'all' ? null : this.filter, url: this.to || null, cursor, limit});
    return {deliveries: read.deliveries, next: read.nextCursor};
  }

  private readonly may = (): boolean => organization()?.isAdministrator ?? false;

  override render() {
    return html`${deliveriesHead('deliveries')}
      ${this.refused ? problem(this.refused) : nothing}
      ${organization() ? html`<div class="day"><section><h2 class="heading">${t.deliveries.urls}</h2>${this.urls.render(urls => html`${urls.length === 0 ? html`<p class="soft">${t.deliveries.noUrl}</p>`
        : html`<ul class="register">${urls.map(one => this.url(one))}</ul>`}
        ${this.may() ? this.adding() : html`<p class="small soft">${t.deliveries.onlyRead}</p>`}`)}</section>
      <section ?hidden=${!this.urls.isKnown}><h2 class="heading">${t.deliveries.sent}</h2>${this.which()}
        ${this.page.render(page => page.deliveries.length === 0 ? html`<p class="soft">${t.deliveries.nothing}</p>` : html`<ul class="register">${page.deliveries.map(one => this.delivery(one))}</ul>
          ${page.next ? html`<p><button type="button" @click=${() => page.next && this.more(page.next)}>${t.more}</button></p>` : nothing}`)}</section></div>`
        : html`<p class="notice warn">${t.deliveries.noOrganization}</p>`}`;
  }

  private adding() {
    return html`<form class="inset" @submit=${this.register}><div class="field"><label for="url">${t.deliveries.add}</label><input id="url" name="url" type="url" ${keepInput(URL_KEY)} required maxlength="2000" autocomplete="off" aria-describedby="url-help">
        <p class="help" id="url-help">${t.deliveries.addHelp}</p></div>
      <details><summary>${t.deliveries.kinds}</summary>${kinds([USUAL_KIND])}</details><p><button>${t.deliveries.register}</button></p></form>`;
  }

  private which() {
    const urls = this.urls.value ?? [];
    return html`<div class="tabs" role="group" aria-label=${t.deliveries.which}>${FILTERS.map(one => html`<button type="button" class="tab" aria-pressed=${this.filter === one}
        @click=${() => this.show(one)}>${t.deliveries.states[one]}</button>`)}</div>
      ${urls.length < 2 ? nothing : html`<div class="field"><label for="to">${t.deliveries.to}</label><select id="to" @change=${(event: Event) => {
        this.to = (event.target as HTMLSelectElement).value;
        void this.show(this.filter);
      }}><option value="">${t.deliveries.toAll}</option>${urls.map(one => html`<option value=${one.url} ?selected=${this.to === one.url}>${one.url}</option>`)}</select></div>`}`;
  }

  private url(one: Webhooks.WebhookUrlView) {
    const act = (name: string, does: () => unknown) => html`<button type="button" class="bare" aria-label=${`${name}: ${one.url}`} @click=${does}>${name}</button>`;
    return html`<li><p><strong>${one.url}</strong> <span class="mark ${one.enabled ? 'good' : 'bad'}">${one.enabled ? t.deliveries.enabled : t.deliveries.disabled}</span></p>
      ${one.enabled ? nothing : html`<div class="notice bad"><p>${t.deliveries.stopped(one.disabledAt ? moment(one.disabledAt) : '', one.disabledReason ?? '')}</p>${this.may() ? html`<p>${t.deliveries.stoppedHelp}</p>
        <button type="button" class="main" aria-label=${`${t.deliveries.enable}: ${one.url}`} @click=${() => this.enable(one)}>${t.deliveries.enable}</button>` : nothing}</div>`}
      <p class="small soft">${one.events.map(kindName).join(', ')} · ${t.deliveries.since(moment(one.created))}</p>
      ${this.may() ? html`<p class="row">${one.enabled ? act(t.deliveries.missed, () => this.askMissed(one)) : nothing}
        ${act(t.deliveries.test, () => this.test(one))}${act(t.deliveries.changeKinds, () => this.askKinds(one))}${act(t.deliveries.rotate, () => this.askRotate(one))}
        ${one.enabled ? act(t.deliveries.disable, () => this.askDisable(one)) : nothing}${act(t.deliveries.remove, () => this.askRemove(one))}</p>` : nothing}
      <p class="small" role="status">${this.tested.get(one.url) ?? ''}</p></li>`;
  }

  private test(one: Webhooks.WebhookUrlView): Promise<void> {
    return this.attempt(async () => {
      this.tested.set(one.url, await ask(testWebhookUrl, {url: one.url}));
      await this.page.again();
    });
  }

  /** Enables a URL. Events that it missed are not sent by themselves, so the user is asked at once whether to send them. */
  private enable(one: Webhooks.WebhookUrlView): Promise<void> {
    return this.change(async () => {
      await ask(enableWebhookUrl, {url: one.url});
      announce(t.deliveries.enabledNow);
      await this.askMissed(one);
    });
  }

  /** Asks from which time on missed events are sent. Suggests the time of the last successful delivery. */
  private askMissed(one: Webhooks.WebhookUrlView): Promise<void> {
    return this.attempt(async () => {
      const last = (await ask(listWebhookDeliveries, {url: one.url, state: 'delivered', limit: 20})).deliveries.find(each => each.event !== TEST)?.attempts.at(-1)?.at;
      const since = localTime(new Date(last ?? one.created), Intl.DateTimeFormat().resolvedOptions().timeZone);
      confirmAct({title: t.deliveries.missedTitle, says: [one.url, t.deliveries.missedSays, last ? t.deliveries.lastArrived(moment(last)) : t.deliveries.neverArrived], act: t.deliveries.missedAct,
        fields: html`<div class="field"><label for="missed-since">${t.deliveries.missedSince}</label><input id="missed-since" name="since" type="datetime-local" required .value=${since}></div>`,
        does: async said => {
          const {redelivered} = await ask(redeliverWebhooks, {url: one.url, since: new Date(String(said.get('since'))).toISOString()});
          announce(redelivered === 0 ? t.deliveries.missedNothing : redelivered === REDELIVERED_MAX ? t.deliveries.missedMost(number(redelivered)) : t.deliveries.missedSent(redelivered));
          void this.look();
        }});
    });
  }

  private askKinds(one: Webhooks.WebhookUrlView): void {
    confirmAct({title: t.deliveries.changeKinds, says: [one.url, t.deliveries.changeKindsSays], act: t.deliveries.changeKindsAct, fields: kinds(one.events), does: async said => {
      await ask(createWebhookUrl, {url: one.url, events: said.getAll('kind') as Webhooks.EventKind[]});
      announce(t.deliveries.kindsChanged);
      void this.look();
    }});
  }

  private askRotate(one: Webhooks.WebhookUrlView): void {
    const key = crypto.randomUUID();
    confirmAct({title: t.deliveries.rotate, says: [one.url, t.deliveries.rotateSays], act: t.deliveries.rotate, does: async () => this.tell(one.url, (await ask(rotateWebhookSecret, {url: one.url}, {key})).secret)});
  }

  private askDisable(one: Webhooks.WebhookUrlView): void {
    confirmAct({title: t.deliveries.disable, says: [one.url, t.deliveries.disableSays], act: t.deliveries.disable, does: async () => {
      await ask(disableWebhookUrl, {url: one.url});
      void this.look();
    }});
  }

  private askRemove(one: Webhooks.WebhookUrlView): void {
    confirmAct({title: t.deliveries.remove, says: [t.deliveries.removeSure(one.url), t.deliveries.removeSays], act: t.deliveries.remove, does: async () => {
      await ask(deleteWebhookUrl, {url: one.url});
      void this.look();
    }});
  }

  private tell(url: string, secret: string): void {
    showSecret({title: t.deliveries.secret, of: url, values: [{name: t.programs.secret, value: secret}], help: t.deliveries.secretHelp});
  }

  private delivery(one: Webhooks.WebhookDelivery) {
    const last = one.attempts.at(-1);
    const {deliveryID} = one;
    return html`<li><p><strong>${kindName(one.event)}</strong> <span class="mark ${{delivered: 'good', failed: 'bad', pending: 'warn', cancelled: ''}[one.state]}">${t.deliveries.states[one.state]}</span></p>
      <p class="small soft">${one.url} · <span class="mono">${one.eventID}</span></p>
      <p>${last ? this.said(last) : t.deliveries.notYet}${one.nextAttemptAt ? ` ${t.deliveries.again(moment(one.nextAttemptAt))}` : ''}</p>
      ${one.attempts.length > 0 ? html`<details><summary>${t.deliveries.attempts(one.attempts.length)}</summary><ol class="plain">${one.attempts.map(each => html`<li><p class="small"><time datetime=${each.at}>${moment(each.at)}</time> ·
        ${this.said(each)} ${t.deliveries.took(number(each.durationMillis))}</p>${each.response ? html`<pre class="mono" tabindex="0" aria-label=${t.deliveries.response}>${each.response}</pre>` : nothing}</li>`)}</ol></details>` : nothing}
      ${one.event === TEST ? html`<p class="small soft">${t.deliveries.sample}</p>` : html`<details @toggle=${(event: Event) => (event.target as HTMLDetailsElement).open && this.open(one)}><summary>${t.deliveries.payload}</summary>
        ${this.sent.has(deliveryID) ? html`<pre class="mono" tabindex="0" aria-label=${t.deliveries.payload}>${this.sent.get(deliveryID)}</pre>` : nothing}</details>`}
      ${one.state === 'pending' || one.event === TEST || !this.may() || !this.isOpen(one.url) ? nothing : html`<p><button type="button" class="bare" aria-label=${`${t.deliveries.redeliver}: ${kindName(one.event)}, ${one.eventID}`} @click=${() => this.change(async () => {
        await ask(redeliverWebhooks, {deliveryID});
        announce(t.deliveries.redelivered);
      })}>${t.deliveries.redeliver}</button></p>`}</li>`;
  }

  /** Whether deliveries to a URL can be sent again. They cannot if the URL was deleted or disabled. */
  private isOpen(url: string): boolean {
    return this.urls.value?.some(one => one.url === url && one.enabled) ?? false;
  }

  private open(one: Webhooks.WebhookDelivery): Promise<void> {
    return this.attempt(async () => {
      const event = await findEvent(one);
      this.sent.set(one.deliveryID, event ? envelope(event) : t.deliveries.payloadOld);
    });
  }

  private said(one: Webhooks.WebhookDeliveryAttempt): string {
    return one.status === undefined ? t.deliveries.failed(one.error ?? '') : t.deliveries.answered(String(one.status));
  }

  private register(event: SubmitEvent): void {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const said = new FormData(form);
    void this.change(async () => {
      const made = await ask(createWebhookUrl, {url: String(said.get('url')), events: said.getAll('kind') as Webhooks.EventKind[]});
      if (made.secret) {
        this.tell(made.url, made.secret);
      }
      dropInput(URL_KEY);
      form.reset();
    });
  }

  private change(act: () => Promise<unknown>): Promise<void> {
    return this.attempt(async () => {
      await act();
      await this.look();
    });
  }

  private async readShown(): Promise<void> {
    const shown = Math.max(PAGE, Math.min(200, this.page.value?.deliveries.length ?? PAGE));
    await Promise.all([this.urls.again(), this.page.start(() => this.read(null, shown))]);
  }

  /** Reads the deliveries now, and some more times while an attempt is expected soon. */
  private async look(round = 0): Promise<void> {
    clearTimeout(this.timer);
    await this.readShown();
    const pause = LOOKS[round];
    if (pause && this.isConnected && this.page.value?.deliveries.some(one => one.state === 'pending' && (one.nextAttemptAt === null || Date.parse(one.nextAttemptAt) - Date.now() < SOON_MILLIS))) {
      this.timer = setTimeout(() => void this.look(round + 1), pause);
    }
  }
}

/** Check boxes for the kinds of events, with these checked. If none is checked, the platform uses the usual kind. */
const kinds = (chosen: string[]) => html`<fieldset><legend class="unseen">${t.deliveries.kinds}</legend>${Object.keys(t.events.kinds).map(kind => html`<label class="choice">
  <input type="checkbox" name="kind" value=${kind} ?checked=${chosen.includes(kind)}>${kindName(kind)}</label>`)}</fieldset>`;

customElements.define('acp-deliveries', DeliveriesScreen);
