import {html, nothing, type PropertyValues} from 'lit';
import {Problem, ask} from '../../api/call.js';
import {type Cases, type Main, listMailTypeFields, sendNotice, viewDocketEntry} from '../../api/contracts.js';
import {inZone} from '../../parts/dates.js';
import {dropDraft, keepDraft, keptDraft} from '../../parts/draft-storage.js';
import {Element, announce, problem, refusalText} from '../../parts/element.js';
import {MANY_PEOPLE, parties, partyName, personName} from '../../parts/names.js';
import {currentUser} from '../../parts/session.js';
import {t} from '../../texts/texts.js';
import type {WholeCase} from '../case/case.js';
import {field} from '../filing/field.js';
import {filled, wrongWith} from '../filing/values.js';
import type {Served} from './notices.js';
import {type Picture, imageOf} from './picture.js';

const HEARING_NOTICE = 'hearingNotice';
/** The only field that a user can add to the notice of a hearing. The platform takes the others from the hearing. */
const ADDED_TO_HEARING = 'message';
const ADDRESS = /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/;
/** The maximum of the contract. */
const RECIPIENTS_MAX = 100;
const TRIBUNAL = ['caseManager', 'arbitrator'];

/** Pictures by case, mail type and area. They are kept while the console is open, because a browser cannot keep them for a later visit. */
const pictures = new Map<string, Picture>();

/** The form to serve a notice: the entry or hearing, the kind of mail, and the recipients. */
class ServeForm extends Element {
  static override properties = {whole: {}, served: {}, named: {}};
  whole: WholeCase | undefined;
  served: Served | undefined;
  /** The entry or hearing that is served, as `entry:5` or `hearing:<id>`; empty for the latest entry. */
  named = '';
  private what = '';
  private mailType = '';
  private people = new Set<string>();
  private addresses = '';
  private values: Record<string, string> = {};
  private fields: Cases.SchemaField[] = [];
  /** The entry that is served. It decides who may see its content. */
  private entry: Main.DocketEntryView | undefined;
  private entryProblem: Problem | undefined;
  private left = new Set<string>();
  private wantsAll = false;
  /** Whether reading the fields has finished or failed. What is below them stays hidden until then, because it would move. */
  private areFieldsKnown = false;
  private isWritten = false;
  private isBusy = false;
  private key = crypto.randomUUID();

  private get caseID(): string {
    return this.whole?.one.caseID ?? '';
  }

  private draftName(what: string): string {
    return `notice-${this.caseID}-${what}`;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('named')) {
      this.restore(this.named || `entry:${this.whole?.entries.at(-1)?.entryID ?? ''}`);
    }
  }

  protected override updated(): void {
    if (this.isKnown) {
      this.dispatchEvent(new Event('known'));
    }
  }

  /** Restores the unsent input of a notice of this entry or hearing. */
  private restore(what: string): void {
    const kept = keptDraft(currentUser.id, this.draftName(what))?.fields ?? {};
    this.people = new Set((kept['people'] ?? '').split(' ').filter(id => id !== ''));
    this.addresses = kept['addresses'] ?? '';
    this.mailType = kept['mailType'] ?? '';
    this.values = Object.fromEntries(Object.entries(kept).filter(([name]) => name.startsWith('value.')).map(([name, value]) => [name.slice('value.'.length), value]));
    this.isWritten = false;
    this.choose(what);
  }

  private keep(): void {
    keepDraft(currentUser.id, this.draftName(this.what), {title: '', etag: null, at: new Date().toISOString(), fields: {mailType: this.mailType, people: [...this.people].join(' '), addresses: this.addresses,
      ...Object.fromEntries(Object.entries(this.values).map(([id, value]) => [`value.${id}`, value]))}});
    this.isWritten = true;
    this.key = crypto.randomUUID();
    this.requestUpdate();
  }

  /** Changes to another entry or hearing. Input that was typed goes along. */
  private chooseAnother(what: string): void {
    if (this.isWritten) {
      dropDraft(currentUser.id, this.draftName(this.what));
      this.choose(what);
      this.keep();
    } else {
      this.restore(what);
    }
  }

  private choose(what: string): void {
    this.what = what;
    this.entry = undefined;
    this.entryProblem = undefined;
    const types = this.types();
    if (!types.some(one => one.id === this.mailType)) {
      this.mailType = types.find(one => one.id === 'docketNotice')?.id ?? types[0]?.id ?? '';
    }
    void this.readFields();
    if (what.startsWith('entry:')) {
      void this.readEntry(what.slice('entry:'.length));
    }
    this.requestUpdate();
  }

  private async readEntry(entryID: string): Promise<void> {
    try {
      const entry = await ask(viewDocketEntry, {caseID: this.caseID, entryID});
      if (this.what === `entry:${entryID}`) {
        this.entry = entry;
      }
    } catch (failed) {
      if (!(failed instanceof Problem)) {
        throw failed;
      }
      this.entryProblem = failed;
    }
    this.requestUpdate();
  }

  private async readFields(): Promise<void> {
    const {mailType} = this;
    await this.attempt(async () => {
      const read = this.type?.inputType === 'json' ? (await ask(listMailTypeFields, {mailType})).fields : [];
      if (mailType === this.mailType) {
        this.fields = this.isHearing ? read.filter(one => one.id === ADDED_TO_HEARING) : read;
      }
    });
    this.areFieldsKnown = true;
    this.requestUpdate();
  }

  private get isHearing(): boolean {
    return this.what.startsWith('hearing:');
  }

  private types(): Cases.MailType[] {
    const all = this.served?.mailTypes ?? [];
    return this.isHearing ? all.filter(one => one.id === HEARING_NOTICE) : all;
  }

  private get type(): Cases.MailType | undefined {
    return this.types().find(one => one.id === this.mailType);
  }

  // ---- recipients

  /** The email addresses of recipients outside of the case. They are separated by blanks, lines, commas or semicolons. */
  private get others(): string[] {
    return [...new Set(this.addresses.split(/[\s,;]+/).filter(one => one !== ''))];
  }

  /** Why a participant cannot be a recipient; empty if the participant can. */
  private whyNotOn(one: Cases.Participant): string {
    const {entry} = this;
    return entry?.sealed && one.partyID !== entry.partyID && !TRIBUNAL.includes(one.partyID) && !entry.sealed.visibleTo.includes(one.partyID) ? t.notices.sealedFor : '';
  }

  /** Why nobody outside of the case can be a recipient; empty if they can. */
  private whyNotOutside(): string {
    const {entry, whole} = this;
    if (this.isHearing || !entry || !whole || TRIBUNAL.includes(entry.partyID)) {
      return '';
    }
    if (entry.sealed) {
      return t.notices.sealedFor;
    }
    const rule = whole.one.timetable.phases.find(phase => phase.phaseID === entry.phaseID)?.documents.find(one => one.documentID === entry.documentID);
    return rule && rule.approvedBy === null ? t.notices.notApproved : '';
  }

  private recipients(): Main.NoticeRecipient[] {
    const people = this.whole?.one.participants.filter(one => this.people.has(one.userID) && this.whyNotOn(one) === '') ?? [];
    return [...people.map(one => ({userID: one.userID})), ...this.whyNotOutside() ? [] : this.others.map(email => ({email}))];
  }

  private wrongAddresses(): string {
    const wrong = this.others.filter(one => !ADDRESS.test(one));
    return wrong.length > 0 ? t.notices.noAddress(wrong.join(', ')) : '';
  }

  // ---- view

  override render() {
    const {whole, served} = this;
    if (!whole || !served || this.what === '') {
      return nothing;
    }
    return html`<form novalidate @submit=${this.send}>
      <h2>${t.notices.serve}</h2><p class="soft">${t.notices.serveHelp}</p>
      ${this.refused ? problem(this.inWords(this.refused)) : nothing}
      <div class="field"><label for="serve-what">${t.notices.what}</label><select id="serve-what" aria-describedby=${this.entryProblem ? 'serve-what-wrong' : nothing} @change=${(event: Event) => this.chooseAnother((event.target as HTMLSelectElement).value)}>
        ${[...whole.entries].reverse().map((one, index) => html`<option value=${`entry:${one.entryID}`} ?selected=${this.what === `entry:${one.entryID}`}>${t.notices.entry(String(whole.entries.length - index), one.title)}</option>`)}
        ${served.hearings.filter(one => one.status === 'scheduled').map(one => html`<option value=${`hearing:${one.hearingID}`} ?selected=${this.what === `hearing:${one.hearingID}`}>${one.title}, ${inZone(one.start, one.timeZone)}</option>`)}</select>
        ${this.entryProblem ? html`<p class="wrong" id="serve-what-wrong" role="alert">${refusalText(this.entryProblem)}</p>` : nothing}</div>
      <fieldset><legend>${t.notices.how}</legend>${this.types().map(one => html`<label class="choice"><input type="radio" name="mail-type" .checked=${this.mailType === one.id} @change=${() => { this.mailType = one.id; void this.readFields(); this.keep(); }}>
        <span><strong>${one.displayName}</strong><br><span class="small soft">${one.description}</span></span></label>`)}</fieldset>
      ${this.fields.map(one => field(one, {value: this.values[one.id] ?? '', wrong: this.wantsAll || this.left.has(one.id) ? wrongWith(one, this.values[one.id] ?? '', this.wantsAll) : '',
        write: value => { this.values = {...this.values, [one.id]: value}; this.keep(); }, leave: () => { this.left.add(one.id); this.requestUpdate(); }}))}
      ${this.type?.UserFields.map(area => html`<acp-picture .area=${area} .mailType=${this.mailType} .picture=${pictures.get(this.pictureName(area))} @picture=${(event: CustomEvent<Picture | undefined>) => this.pictured(area, event.detail)}></acp-picture>`)}
      ${this.whom(whole)}
      <p class="row" ?hidden=${!this.isKnown}><button class="main" ?disabled=${this.isBusy}>${t.notices.send(this.recipients().length)}</button><button type="button" @click=${() => this.dispatchEvent(new Event('left'))}>${t.cancel}</button></p></form>`;
  }

  /** Whether everything above the recipients was loaded. */
  private get isKnown(): boolean {
    return this.areFieldsKnown && (!this.what.startsWith('entry:') || this.entry !== undefined || this.entryProblem !== undefined);
  }

  private whom({one}: WholeCase) {
    const outside = this.whyNotOutside();
    const wrong = this.wantsAll || this.left.has('others') ? this.wrongAddresses() : '';
    const nobody = this.wantsAll && this.recipients().length === 0;
    return html`<fieldset id="serve-whom" ?hidden=${!this.isKnown} tabindex="-1" aria-describedby=${nobody ? 'serve-whom-wrong' : this.recipients().length > RECIPIENTS_MAX ? 'serve-whom-many' : nothing}><legend>${t.notices.whom}</legend>
        ${nobody ? html`<p class="wrong" id="serve-whom-wrong" role="alert">${t.notices.nobody}</p>` : nothing}
        ${this.recipients().length > RECIPIENTS_MAX ? html`<p class="wrong" id="serve-whom-many" role="alert">${t.notices.tooMany(RECIPIENTS_MAX)}</p>` : nothing}
        ${one.participants.length < MANY_PEOPLE ? one.participants.map(each => this.person(each)) : parties().map(party => this.side(party, one.participants.filter(each => each.partyID === party.id)))}</fieldset>
      ${outside ? html`<p class="notice warn">${outside}</p>` : html`<div class="field" ?hidden=${!this.isKnown}><label for="serve-others">${t.notices.others} <span class="soft small">(${t.filing.optional})</span></label>
        <textarea id="serve-others" .value=${this.addresses} aria-describedby=${wrong ? 'serve-others-help serve-others-wrong' : 'serve-others-help'} aria-invalid=${wrong ? 'true' : nothing}
          @input=${(event: Event) => { this.addresses = (event.target as HTMLTextAreaElement).value; this.keep(); }} @blur=${() => { this.left.add('others'); this.requestUpdate(); }}></textarea>
        <p class="help" id="serve-others-help">${t.notices.othersHelp}</p>${wrong ? html`<p class="wrong" id="serve-others-wrong">${wrong}</p>` : nothing}</div>`}`;
  }

  private person(each: Cases.Participant) {
    const why = this.whyNotOn(each);
    return html`<label class="choice"><input type="checkbox" .checked=${this.people.has(each.userID) && !why} ?disabled=${why !== ''} @change=${(event: Event) => this.tick(each, (event.target as HTMLInputElement).checked)}>
      <span>${personName(each.userID) || t.case.somebody} <span class="party">${partyName(each.partyID)}</span>${why ? html` <span class="why">${why}</span>` : nothing}</span></label>`;
  }

  /** In a case with many participants, one click selects all of a party. */
  private side(party: Cases.SchemaParty, members: Cases.Participant[]) {
    const able = members.filter(each => this.whyNotOn(each) === '');
    const isWhole = able.every(each => this.people.has(each.userID));
    return html`${able.length < 2 ? nothing : html`<p><button type="button" class="bare" @click=${() => able.forEach(each => this.tick(each, !isWhole))}>${isWhole ? t.notices.noneOf(party.displayName) : t.notices.allOf(party.displayName, able.length)}</button></p>`}
      ${members.map(each => this.person(each))}`;
  }

  private tick(one: Cases.Participant, isOn: boolean): void {
    if (isOn) {
      this.people.add(one.userID);
    } else {
      this.people.delete(one.userID);
    }
    this.keep();
  }

  private pictureName(area: Cases.MailTypeImageField): string {
    return `${this.caseID} ${this.mailType} ${area.id}`;
  }

  private pictured(area: Cases.MailTypeImageField, picture: Picture | undefined): void {
    if (picture) {
      pictures.set(this.pictureName(area), picture);
    } else {
      pictures.delete(this.pictureName(area));
    }
    this.key = crypto.randomUUID();
    this.requestUpdate();
  }

  /** Replaces the index of a recipient in the platform's sentence by the recipient's name. */
  private inWords(refused: Problem): Problem {
    const found = /^recipients\/(\d+)(?:\/\w+)?: (.*)$/.exec(refused.sentence);
    const one = found && this.recipients()[Number(found[1])];
    const name = one?.email ?? (one?.userID ? personName(one.userID) : '');
    return name && found ? new Problem(refused.status, refused.code, `${name}: ${found[2]}`, refused.requestID) : refused;
  }

  private async send(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    this.wantsAll = true;
    const recipients = this.recipients();
    const first = this.fields.find(one => wrongWith(one, this.values[one.id] ?? '', true) !== '');
    const wrong = first ? `#field-${CSS.escape(first.id)}` : recipients.length === 0 || recipients.length > RECIPIENTS_MAX ? '#serve-whom' : this.whyNotOutside() === '' && this.wrongAddresses() ? '#serve-others' : this.entryProblem ? '#serve-what' : '';
    this.requestUpdate();
    if (wrong) {
      await this.updateComplete;
      this.querySelector<HTMLElement>(wrong)?.focus();
      return;
    }
    this.isBusy = true;
    await this.attempt(async () => {
      await ask(sendNotice, await this.notice(recipients), {key: this.key});
      dropDraft(currentUser.id, this.draftName(this.what));
      this.type?.UserFields.forEach(area => pictures.delete(this.pictureName(area)));
      announce(t.notices.served);
      this.dispatchEvent(new Event('done'));
    });
    this.isBusy = false;
    if (this.refused) {
      if (!this.refused.isSilence) {
        this.key = crypto.randomUUID();
      }
      this.requestUpdate();
      await this.updateComplete;
      this.querySelector('.notice.bad')?.scrollIntoView({block: 'center'});
    }
  }

  private async notice(recipients: Main.NoticeRecipient[]): Promise<Main.SendNoticeRequest> {
    const {caseID, mailType} = this;
    const [kind, id = ''] = this.what.split(':');
    const given = this.type?.inputType === 'files'
      ? {images: Object.fromEntries(await Promise.all(this.type.UserFields.flatMap(area => {
          const picture = pictures.get(this.pictureName(area));
          return picture ? [imageOf(picture, area).then(image => [area.id, image] as const)] : [];
        })))}
      : {json: filled(this.fields, Object.fromEntries(this.fields.map(one => [one.id, this.values[one.id] ?? ''])))};
    return {caseID, mailType, recipients, ...given, ...kind === 'entry' ? {entryID: id} : {hearingID: id}};
  }
}

customElements.define('acp-serve', ServeForm);
