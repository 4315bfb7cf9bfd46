import {html, nothing} from 'lit';
import {ask} from '../../api/call.js';
import {type Webhooks, createWebhookUrl, deleteWebhookUrl, disableWebhookUrl, enableWebhookUrl, listWebhookDeliveries, listWebhookUrls, redeliverWebhooks, rotateWebhookSecret, testWebhookUrl,
  viewWebhookUrl} from '../../api/contracts.js';
import {moment, number} from '../../parts/dates.js';
import {Element, Loading, problem, say} from '../../parts/element.js';
import {t} from '../../texts/texts.js';

type Filter = 'all' | Webhooks.WebhookDeliveryState;
const FILTERS: Filter[] = ['all', 'failed', 'pending', 'delivered', 'cancelled'];

interface Page {
  deliveries: Webhooks.WebhookDelivery[];
  next: string | null;
}

/** The URLs of this person's organization, what was delivered to them, what their servers answered, and the way to send it again. */
class DeliveriesScreen extends Element {
  private readonly urls = new Loading<Webhooks.WebhookUrlView[]>(this);
  private readonly page = new Loading<Page>(this);
  private filter: Filter = 'all';
  /** Shown once, and kept nowhere. */
  private secret: {url: string; value: string} | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    document.title = `${t.deliveries.name} – ${t.brand}`;
    void this.urls.start(async () => Promise.all((await ask(listWebhookUrls, {})).urls.map(one => ask(viewWebhookUrl, {url: one.url}))));
    void this.show('all');
  }

  private show(filter: Filter): Promise<void> {
    this.filter = filter;
    return this.page.start(() => this.read(null));
  }

  private async read(cursor: string | null): Promise<Page> {
    const read = await ask(listWebhookDeliveries, {state: this.filter === 'all' ? null : this.filter, cursor, limit: 50});
    return {deliveries: [...cursor ? this.page.value?.deliveries ?? [] : [], ...read.deliveries], next: read.nextCursor};
  }

  override render() {
    return html`<div class="top"><h1>${t.deliveries.name}</h1><p class="soft">${t.deliveries.lead}</p></div>
      ${this.refused ? problem(this.refused) : nothing}
      ${this.secret ? html`<div class="notice good" role="status"><h2>${t.deliveries.secret}</h2><p class="small">${this.secret.url}</p><p class="mono">${this.secret.value}</p><p>${t.deliveries.secretHelp}</p>
        <button type="button" @click=${() => { this.secret = undefined; this.requestUpdate(); }}>${t.deliveries.secretKept}</button></div>` : nothing}
      <div class="day"><section><h2 class="heading">${t.deliveries.urls}</h2>${this.urls.render(urls => html`${urls.length === 0 ? html`<p class="soft">${t.deliveries.noUrl}</p>`
        : html`<ul class="register">${urls.map(one => this.url(one))}</ul>`}
        <form class="inset" @submit=${this.register}><div class="field"><label for="url">${t.deliveries.add}</label><input id="url" name="url" type="url" required maxlength="2000" autocomplete="off" aria-describedby="url-help">
          <p class="help" id="url-help">${t.deliveries.addHelp}</p></div><p><button>${t.deliveries.register}</button></p></form>`)}</section>
      <section><h2 class="heading">${t.deliveries.sent}</h2><div class="tabs" role="group" aria-label=${t.deliveries.which}>${FILTERS.map(one => html`<button type="button" class="tab" aria-pressed=${this.filter === one}
          @click=${() => this.show(one)}>${t.deliveries.states[one]}</button>`)}</div>
        ${this.page.render(page => page.deliveries.length === 0 ? html`<p class="soft">${t.deliveries.nothing}</p>` : html`<ul class="register">${page.deliveries.map(one => this.delivery(one))}</ul>
          ${page.next ? html`<p><button type="button" @click=${() => this.page.start(() => this.read(page.next))}>${t.more}</button></p>` : nothing}`)}</section></div>`;
  }

  private url(one: Webhooks.WebhookUrlView) {
    const act = (name: string, does: () => Promise<unknown>) => html`<button type="button" class="bare" aria-label=${`${name}: ${one.url}`} @click=${() => this.change(does)}>${name}</button>`;
    return html`<li><p><strong>${one.url}</strong> <span class="mark ${one.enabled ? 'good' : 'bad'}">${one.enabled ? t.deliveries.enabled : t.deliveries.disabled}</span></p>
      ${one.disabledReason ? html`<p class="late">${one.disabledReason}${one.disabledAt ? `, ${moment(one.disabledAt)}` : ''}</p>` : nothing}
      <p class="small soft">${one.events.join(', ')} · ${t.deliveries.since(moment(one.created))}</p>
      <p class="row">${act(t.deliveries.test, () => ask(testWebhookUrl, {url: one.url}).then(() => say(t.deliveries.tested)))}
        ${one.enabled ? act(t.deliveries.disable, () => ask(disableWebhookUrl, {url: one.url})) : act(t.deliveries.enable, () => ask(enableWebhookUrl, {url: one.url}))}
        ${act(t.deliveries.rotate, async () => { this.secret = {url: one.url, value: (await ask(rotateWebhookSecret, {url: one.url})).secret}; })}
        ${act(t.deliveries.remove, async () => confirm(t.deliveries.removeSure(one.url)) && ask(deleteWebhookUrl, {url: one.url}))}</p></li>`;
  }

  private delivery(one: Webhooks.WebhookDelivery) {
    const last = one.attempts.at(-1);
    return html`<li><p><strong>${one.event}</strong> <span class="mark ${{delivered: 'good', failed: 'bad', pending: 'warn', cancelled: ''}[one.state]}">${t.deliveries.states[one.state]}</span></p>
      <p class="small soft">${one.url} · <span class="mono">${one.eventID}</span></p>
      <p>${last ? this.said(last) : t.deliveries.notYet}${one.nextAttemptAt ? ` ${t.deliveries.again(moment(one.nextAttemptAt))}` : ''}</p>
      ${one.attempts.length > 0 ? html`<details><summary>${t.deliveries.attempts(one.attempts.length)}</summary><ol class="plain">${one.attempts.map(each => html`<li><p class="small"><time datetime=${each.at}>${moment(each.at)}</time> ·
        ${this.said(each)} ${t.deliveries.took(number(each.durationMillis))}</p>${each.response ? html`<pre class="mono">${each.response}</pre>` : nothing}</li>`)}</ol></details>` : nothing}
      ${one.state === 'pending' ? nothing : html`<p><button type="button" class="bare" aria-label=${`${t.deliveries.redeliver}: ${one.event}, ${one.eventID}`} @click=${() => this.change(async () => {
        await ask(redeliverWebhooks, {deliveryID: one.deliveryID});
        say(t.deliveries.redelivered);
      })}>${t.deliveries.redeliver}</button></p>`}</li>`;
  }

  private said(one: Webhooks.WebhookDeliveryAttempt): string {
    return one.status === undefined ? t.deliveries.failed(one.error ?? '') : t.deliveries.answered(String(one.status));
  }

  private register(event: SubmitEvent): void {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    void this.change(async () => {
      const made = await ask(createWebhookUrl, {url: String(new FormData(form).get('url'))});
      this.secret = made.secret ? {url: made.url, value: made.secret} : undefined;
      form.reset();
    });
  }

  private change(act: () => Promise<unknown>): Promise<void> {
    return this.attempt(async () => {
      await act();
      await Promise.all([this.urls.again(), this.page.again()]);
    });
  }
}

customElements.define('acp-deliveries', DeliveriesScreen);
