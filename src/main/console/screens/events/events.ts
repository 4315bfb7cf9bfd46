import {html, nothing} from 'lit';
import {ask} from '../../api/call.js';
import {type Cases, type Webhooks, listCases, listEvents} from '../../api/contracts.js';
import {moment, number} from '../../parts/dates.js';
import {envelope, kindName} from '../../parts/delivered-event.js';
import {Element, Loading} from '../../parts/element.js';
import {addressOf} from '../../parts/route.js';
import {deliveriesHead} from '../../parts/screen-headings.js';
import {organization} from '../../parts/session.js';
import {t} from '../../texts/texts.js';

interface Log {
  events: Webhooks.SequencedEvent[];
  /** The sequence number before which older events are; 0 if there are none. */
  before: number;
}

const PAGE = 50;

/** The log of events in the organization's cases, as they are sent to its servers, the newest first. */
class EventsScreen extends Element {
  private readonly log = new Loading<Log>(this);
  private titles: Promise<Map<string, Cases.ArbitrationCase>> | undefined;
  private cases = new Map<string, Cases.ArbitrationCase>();
  private kind: Webhooks.EventKind | '' = '';

  override connectedCallback(): void {
    super.connectedCallback();
    if (organization()) {
      this.begin();
    }
  }

  private begin(): void {
    void this.log.start(() => this.read(Number.MAX_SAFE_INTEGER, []));
  }

  private async read(beforeSequence: number, after: Webhooks.SequencedEvent[]): Promise<Log> {
    this.titles ??= ask(listCases, {limit: 200}).then(read => new Map(read.cases.map(one => [one.caseID, one])), failed => {
      this.titles = undefined;
      throw failed;
    });
    const [read, cases] = await Promise.all([ask(listEvents, {beforeSequence, event: this.kind || null, limit: PAGE}), this.titles]);
    this.cases = cases;
    return {events: [...after, ...read.events], before: read.events.length === 0 ? 0 : read.nextSequence};
  }

  override render() {
    return html`${deliveriesHead('events')}
      ${organization() ? html`<div class="row ends"><div class="field"><label for="kind">${t.events.which}</label><select id="kind" @change=${this.choose}><option value="">${t.events.all}</option>
          ${Object.entries(t.events.kinds).map(([kind, name]) => html`<option value=${kind}>${name}</option>`)}</select></div>
        <button type="button" @click=${() => this.begin()}>${t.events.again}</button></div>
      ${this.log.render(log => log.events.length === 0 ? html`<div class="notice"><h2>${t.events.none}</h2><p>${t.events.noneHelp}</p></div>` : html`<ol class="log">${log.events.map(one => this.event(one))}</ol>
        ${log.before > 1 ? html`<p><button type="button" @click=${() => this.log.start(() => this.read(log.before, log.events))}>${t.more}</button></p>` : nothing}`)}`
        : html`<p class="notice warn">${t.deliveries.noOrganization}</p>`}`;
  }

  private choose(event: Event): void {
    this.kind = (event.target as HTMLSelectElement).value as Webhooks.EventKind | '';
    this.begin();
  }

  private event(one: Webhooks.SequencedEvent) {
    const inCase = this.cases.get(String(one.data['caseID']));
    return html`<li><span class="numeral" aria-label=${t.events.number(number(one.sequence))}>${number(one.sequence)}</span><div><p><strong>${kindName(one.event)}</strong></p>
      <p class="small soft">${inCase ? html`<a href=${addressOf('cases', inCase.caseID)}>${inCase.title}</a> · ` : nothing}<time datetime=${one.timestamp}>${moment(one.timestamp)}</time></p>
      <details><summary>${t.events.read}</summary><pre class="mono" tabindex="0" aria-label=${t.events.read}>${envelope(one)}</pre></details></div></li>`;
  }
}

customElements.define('acp-events', EventsScreen);
