import {html, nothing, type PropertyValues} from 'lit';
import {ask} from '../../api/call.js';
import {type Cases, type Main, listHearings, listMailTypes, listNotices, proveNotice} from '../../api/contracts.js';
import {reasonNotToAdd} from '../../parts/case-role.js';
import {inZone, moment} from '../../parts/dates.js';
import {Element, Loading, problem} from '../../parts/element.js';
import {saveFile} from '../../parts/files.js';
import {addressOf, replaceAddress} from '../../parts/route.js';
import {t} from '../../texts/texts.js';
import type {WholeCase} from '../case/case.js';
import './serve.js';

/** The notices of a case and what is needed to serve another one. */
export interface Served {
  notices: Main.Notice[];
  mailTypes: Cases.MailType[];
  hearings: Cases.Hearing[];
}

const PAGE = 200;

/** Service of notice: the notices of a case, their recipients and proofs, and a form to serve one. */
class NoticesScreen extends Element {
  static override properties = {whole: {}};
  whole: WholeCase | undefined;
  private readonly served = new Loading<Served>(this);
  private readFor = '';
  private isServing = false;
  /** Whether everything in the form above the notices was loaded. */
  private isFormKnown = false;
  private proving = '';

  override connectedCallback(): void {
    super.connectedCallback();
    window.addEventListener('acp-route', this.follow);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener('acp-route', this.follow);
  }

  private readonly follow = () => {
    this.isServing ||= this.named !== '';
    this.requestUpdate();
  };

  private get caseID(): string {
    return this.whole?.one.caseID ?? '';
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (this.whole && changed.has('whole')) {
      if (this.readFor !== this.caseID) {
        this.readFor = this.caseID;
        this.served.clear();
        this.isServing = this.named !== '';
      }
      const {caseID} = this;
      void this.served.start(() => this.read(caseID));
    }
  }

  /** The entry or hearing that the address names, such as `entry:5`; empty if there is none. */
  private get named(): string {
    const query = new URLSearchParams(location.search);
    return query.has('entry') ? `entry:${query.get('entry') ?? ''}` : query.has('hearing') ? `hearing:${query.get('hearing') ?? ''}` : '';
  }

  private async read(caseID: string): Promise<Served> {
    const notices: Main.Notice[] = [];
    const [{mailTypes}, {hearings}] = await Promise.all([ask(listMailTypes, {}), ask(listHearings, {caseID, limit: PAGE})]);
    let cursor: string | null = null;
    do {
      const page: Main.NoticeList = await ask(listNotices, {caseID, limit: PAGE, cursor});
      notices.push(...page.notices);
      cursor = page.nextCursor;
    } while (cursor);
    return {notices: notices.reverse(), mailTypes, hearings};
  }

  override render() {
    const {whole} = this;
    if (!whole) {
      return nothing;
    }
    const why = reasonNotToAdd(whole.one) ?? (whole.entries.length === 0 && this.served.value?.hearings.length === 0 ? t.notices.nothingToServe : undefined);
    return html`${this.refused ? problem(this.refused) : nothing}
      ${this.served.render(served => html`
        ${why ? html`<p class="soft">${why}</p>` : this.isServing
          ? html`<acp-serve .whole=${whole} .served=${served} .named=${this.named} @known=${() => { this.isFormKnown = true; this.requestUpdate(); }} @done=${this.done} @left=${this.leave}></acp-serve>`
          : html`<p><button type="button" @click=${() => { this.isServing = true; this.requestUpdate(); }}>${t.notices.serve}</button></p>`}
        <section ?hidden=${this.isServing && !why && !this.isFormKnown}><h2 class="heading">${t.notices.name}</h2>${served.notices.length === 0 ? html`<p class="soft">${t.notices.none}</p>` : html`<p class="small soft" id="proves">${t.notices.proves}</p><ul class="register">${served.notices.map(one => this.notice(one, served, whole))}</ul>`}</section>`)}`;
  }

  private notice(one: Main.Notice, {mailTypes, hearings}: Served, whole: WholeCase) {
    const index = whole.entries.findIndex(each => each.entryID === one.entryID);
    const hearing = hearings.find(each => each.hearingID === one.hearingID);
    const what = one.entryID ? t.notices.entry(String(index + 1), whole.entries[index]?.title ?? '') : hearing ? `${hearing.title}, ${inZone(hearing.start, hearing.timeZone)}` : t.dates.hearings;
    const sent = one.recipients.map(each => each.sentAt).filter(at => at !== null).sort()[0];
    return html`<li><h3>${one.entryID ? html`<a href=${addressOf('cases', this.caseID, 'docket', one.entryID)}>${what}</a>` : what}</h3>
      <p class="small soft">${mailTypes.find(each => each.id === one.mailType)?.displayName ?? one.mailType}${sent ? ` · ${t.notices.sent(moment(sent))}` : ''}</p>
      <ul class="recipients">${one.recipients.map(each => this.recipient(each))}</ul>
      <p><button type="button" class="bare" ?disabled=${this.proving === one.noticeID} aria-describedby="proves" aria-label=${`${t.notices.proof}: ${what}`} @click=${() => this.prove(one)}>${this.proving === one.noticeID ? t.notices.proving : t.notices.proof}</button></p></li>`;
  }

  private recipient(one: Main.NoticeDelivery) {
    const [kind, words] = one.failedAt ? ['bad', t.notices.failed(moment(one.failedAt))] : one.deliveredAt ? ['good', t.notices.delivered(moment(one.deliveredAt))]
      : one.sentAt ? ['warn', t.notices.underWay] : ['', t.notices.waits];
    return html`<li><strong>${one.email}</strong> <span class="mark ${kind}">${words}</span>${one.reason ? html`<span class="small soft">${this.why(one, one.reason)}</span>` : nothing}</li>`;
  }

  private why(one: Main.NoticeDelivery, reason: string): string {
    // For a held email, the sentence does not say that there is another attempt.
    const held = t.notices.held[reason];
    return held ?? (one.failedAt ? reason : t.notices.triedAgain(reason));
  }

  private async prove(one: Main.Notice): Promise<void> {
    this.proving = one.noticeID;
    this.requestUpdate();
    await this.attempt(async () => saveFile(await ask(proveNotice, {caseID: this.caseID, noticeID: one.noticeID}), `proof-of-service-${one.noticeID}.pdf`));
    this.proving = '';
    this.requestUpdate();
  }

  private async done(): Promise<void> {
    this.leave();
    await this.served.again();
  }

  private leave(): void {
    this.isServing = false;
    this.isFormKnown = false;
    replaceAddress(addressOf('cases', this.caseID, 'notices'));
    this.requestUpdate();
  }
}

customElements.define('acp-notices', NoticesScreen);
