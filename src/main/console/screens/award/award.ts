import {html, nothing, type PropertyValues} from 'lit';
import {ask} from '../../api/call.js';
import {type Ai, type Main, generateAward, listAnalyses, listEvidenceUploads, viewDocketEntry, viewEvidenceUpload} from '../../api/contracts.js';
import {partyOf, reasonNotToAdd} from '../../parts/case-role.js';
import {moment} from '../../parts/dates.js';
import {Element, Loading, announce, problem} from '../../parts/element.js';
import {exhibitNumbers} from '../../parts/exhibits.js';
import {documentName, evidenceName, partyName} from '../../parts/names.js';
import {addressOf} from '../../parts/route.js';
import {t} from '../../texts/texts.js';
import type {WholeCase} from '../case/case.js';
import '../case/entry.js';
import '../evidence/exhibit.js';

const AWARD = 'award';
const PAGE = 200;
const DOCUMENTS_MAX = 200;
const EXHIBITS_MAX = 1000;
const AT_ONCE = 4;
/** Types of files that every model can read. Pictures and recordings are left out. */
const READ_BY_MODELS = ['application/pdf', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'text/plain', 'text/csv', 'text/markdown', 'text/html'];
const CITATION = /\[Exhibit ([^\]]{1,60})\]/g;

interface Exhibit {
  readonly number: string;
  readonly upload: Main.EvidenceUpload;
}

interface Shown {
  exhibits: Exhibit[];
  analyses: Ai.Analysis[];
}

/** Proposals by models, by case ID. They are kept while the console is open. */
const proposals = new Map<string, Ai.AwardResult>();

/** The draft of an award beside the record: the exhibits that it cites, the docket, and the analyses by models. */
class AwardScreen extends Element {
  static override properties = {whole: {}, item: {}};
  whole: WholeCase | undefined;
  /** The ID of the filing that is open; empty for none. */
  item = '';
  private readonly shown = new Loading<Shown>(this);
  private readFor = '';
  private reading: {kind: 'exhibit' | 'entry'; id: string; cite: string} | undefined;
  private cited: string[] = [];
  /** The field in which the user last wrote or clicked. */
  private field: HTMLTextAreaElement | undefined;
  private isAsking = false;
  private key = crypto.randomUUID();

  private get caseID(): string {
    return this.whole?.one.caseID ?? '';
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('item')) {
      this.field = undefined;
      this.cited = [];
    }
    if (this.whole && changed.has('whole')) {
      if (this.readFor !== this.caseID) {
        this.readFor = this.caseID;
        this.shown.clear();
      }
      const {caseID} = this;
      void this.shown.start(() => this.read(caseID));
    }
  }

  private async read(caseID: string): Promise<Shown> {
    const uploads: Main.EvidenceUpload[] = [];
    for (;;) {
      const page = (await ask(listEvidenceUploads, {caseID, limit: PAGE, afterUploadID: uploads.at(-1)?.uploadID ?? null})).uploads;
      uploads.push(...page);
      if (page.length === 0) {
        break;
      }
    }
    const {analyses} = await ask(listAnalyses, {caseID, limit: PAGE});
    const numbers = await exhibitNumbers(caseID, uploads);
    return {exhibits: uploads.map(upload => ({upload, number: numbers.get(upload.uploadID) ?? ''})), analyses};
  }

  override render() {
    const {whole} = this;
    if (!whole) {
      return nothing;
    }
    return html`<div class="reading award"><div @click=${this.wrote} @input=${(event: Event) => { this.wrote(event); this.look(); }} @shown=${this.look}>${this.item
        ? html`<p><a href=${addressOf('cases', this.caseID, 'award')}>${t.award.drafts}</a></p><acp-filing .caseID=${this.caseID} .filingID=${this.item} .place=${'award'}></acp-filing>${this.citations()}` : this.drafts(whole)}</div>
      <div class="beside">${this.reading ? this.reader(this.reading) : this.record(whole)}</div></div>`;
  }

  // ---- writing

  private drafts(whole: WholeCase) {
    const awards = whole.filings.filter(one => one.documentID === AWARD && one.state !== 'withdrawn');
    const writes = partyOf(whole.one) === 'arbitrator' && reasonNotToAdd(whole.one) === undefined;
    return html`<section><p class="soft">${writes ? t.award.lead : t.award.who}</p>
      ${awards.length === 0 ? nothing : html`<ul class="register">${awards.map(one => html`<li><a href=${addressOf('cases', this.caseID, 'award', one.filingID)}>${one.title || documentName(AWARD)}</a>
        <p class="small soft"><span class="mark">${t.filings.states[one.state]}</span> ${t.filings.changed(moment(one.updated))}</p></li>`)}</ul>`}
      ${writes ? html`<p><a class="button main" href=${addressOf('cases', this.caseID, 'award', `new-${AWARD}`)}>${t.award.new}</a></p>
        ${whole.actions.some(one => one.action === 'file' && one.documentID === AWARD) ? nothing : html`<p class="small soft">${t.award.mayNot}</p>`}` : nothing}</section>`;
  }

  /** Remembers the field of a click or an input. Moving through the fields by keyboard does not count. */
  private wrote(event: Event): void {
    if (event.target instanceof HTMLTextAreaElement) {
      this.field = event.target;
    }
  }

  /** Finds the exhibits that the award cites, in the order of its text. */
  private look(): void {
    const texts = [...this.querySelectorAll<HTMLElement>('acp-filing textarea, acp-filing dd')].map(one => one instanceof HTMLTextAreaElement ? one.value : one.innerText);
    const cited = [...new Set(texts.flatMap(text => [...text.matchAll(CITATION)].map(found => found[1] as string)))];
    if (cited.join('\n') !== this.cited.join('\n')) {
      this.cited = cited;
      this.requestUpdate();
    }
  }

  private exhibit(number: string): Exhibit | undefined {
    // If two parties have an exhibit of the same number, a model's citation names the party first.
    return this.shown.value?.exhibits.find(one => one.number === number || `${one.upload.partyID} ${one.number}` === number);
  }

  private citations() {
    return html`<section class="citations" aria-labelledby="citations"><h2 class="heading" id="citations">${t.award.cited}</h2>${this.cited.length === 0 ? html`<p class="soft">${t.award.citesNone}</p>` : html`<ul class="row">${this.cited.map(number => {
      const one = this.exhibit(number);
      return one ? html`<li><button type="button" class="bare" @click=${() => this.openExhibit(one)}>${number}</button></li>` : html`<li class="late">${t.award.unknown(number)}</li>`;
    })}</ul>`}</section>`;
  }

  /** Inserts text into the field in which the user last wrote, as if it had been typed. */
  private put(text: string): void {
    const field = this.field?.isConnected ? this.field : this.querySelector<HTMLTextAreaElement>('acp-filing textarea#field-reasons') ?? undefined;
    if (!field) {
      announce(t.award.where);
      return;
    }
    field.setRangeText(text, field.selectionStart, field.selectionEnd, 'end');
    field.dispatchEvent(new InputEvent('input', {bubbles: true}));
    announce(t.award.taken);
  }

  // ---- reading

  private record(whole: WholeCase) {
    return html`<article class="panel"><header><h2>${t.award.record}</h2></header>
      ${this.shown.render(({exhibits, analyses}) => html`
        ${exhibits.length === 0 && whole.entries.length === 0 ? html`<p class="soft">${t.award.nothing}</p>` : nothing}
        ${exhibits.length === 0 ? nothing : html`<section><h3 class="heading">${t.award.exhibits}</h3><ul class="plain">${exhibits.map(one => html`<li><button type="button" class="bare" @click=${() => this.openExhibit(one)}><span class="numeral">${one.number}</span>, ${one.upload.description.trim() || evidenceName(one.upload.categoryID)}</button>
          <span class="small soft">${partyName(one.upload.partyID)}</span></li>`)}</ul></section>`}
        ${whole.entries.length === 0 ? nothing : html`<section><h3 class="heading">${t.award.entries}</h3><ul class="plain">${whole.entries.map((one, index) => html`<li><button type="button" class="bare" @click=${() => this.open('entry', one.entryID, `${t.case.no} ${index + 1}`)}>
          ${t.case.no} <span class="numeral">${index + 1}</span>, ${one.title}</button></li>`)}</ul></section>`}
        ${this.model(whole, exhibits)}
        <section><h3 class="heading">${t.award.analyses}</h3>${analyses.length === 0 ? html`<p class="soft small">${t.award.noAnalysis}</p>` : analyses.map(one => this.analysis(one, whole))}</section>`)}</article>`;
  }

  private openExhibit(one: Exhibit): void {
    this.open('exhibit', one.upload.uploadID, `[Exhibit ${one.number}]`);
  }

  private open(kind: 'exhibit' | 'entry', id: string, cite: string): void {
    this.reading = {kind, id, cite};
    this.requestUpdate();
    void this.updateComplete.then(() => this.querySelector<HTMLElement>('.reader-acts button')?.focus());
  }

  private reader({kind, id, cite}: {kind: 'exhibit' | 'entry'; id: string; cite: string}) {
    return html`<p class="row reader-acts"><button type="button" class="bare" @click=${() => { this.reading = undefined; this.requestUpdate(); }}>${t.award.closeReading}</button>
        ${this.item && this.querySelector('acp-filing textarea') ? html`<button type="button" title=${t.award.citeHelp} @click=${() => this.put(cite)}>${t.award.cite} ${cite}</button>` : nothing}</p>
      ${kind === 'exhibit' ? html`<acp-exhibit .caseID=${this.caseID} .uploadID=${id}></acp-exhibit>` : html`<acp-entry .caseID=${this.caseID} .entryID=${id}></acp-entry>`}`;
  }

  private analysis(one: Ai.Analysis, whole: WholeCase) {
    const index = whole.entries.findIndex(each => each.entryID === one.entryID);
    const filing = whole.filings.find(each => each.filingID === one.filingID);
    const what = index >= 0 ? `${t.case.no} ${index + 1}, ${whole.entries[index]?.title ?? ''}` : filing?.title || one.filingID;
    return html`<details><summary>${t.award.analysis(what, moment(one.created))} <span class="mark">${t.award.states[one.status] ?? one.status}</span></summary><p class="said-by-model">${one.text ?? ''}</p>${one.model ? html`<p class="small soft">${one.model}</p>` : nothing}</details>`;
  }

  // ---- proposal by a model

  private model(whole: WholeCase, exhibits: Exhibit[]) {
    const proposal = proposals.get(this.caseID);
    if (partyOf(whole.one) !== 'arbitrator') {
      return nothing;
    }
    const left = exhibits.filter(one => !READ_BY_MODELS.includes(one.upload.contentType)).length;
    return html`<section><h3 class="heading">${t.award.proposed}</h3><p class="small soft">${t.award.askHelp} ${left > 0 ? t.award.leftOut(left) : ''}</p>
      ${this.refused ? problem(this.refused) : nothing}
      <p role="status">${this.isAsking ? t.award.asking : ''}</p>
      ${proposal ? html`<dl class="facts"><dt>${t.award.outcome}</dt><dd>${proposal.outcome}</dd><dt>${t.award.reasons}</dt><dd>${proposal.reasons}</dd></dl>
        ${this.item ? html`<p class="row"><button type="button" @click=${() => this.put(proposal.outcome)}>${t.award.take}: ${t.award.outcome}</button><button type="button" @click=${() => this.put(proposal.reasons)}>${t.award.take}: ${t.award.reasons}</button></p>` : nothing}` : nothing}
      <p><button type="button" ?disabled=${this.isAsking} @click=${() => this.askModel(whole, exhibits)}>${t.award.ask}</button></p></section>`;
  }

  private async askModel(whole: WholeCase, exhibits: Exhibit[]): Promise<void> {
    const {caseID} = this;
    this.isAsking = true;
    this.requestUpdate();
    await this.attempt(async () => {
      const entries = await inTurns(whole.entries, ({entryID}) => ask(viewDocketEntry, {caseID, entryID}));
      const documents = entries.flatMap(entry => entry.files).filter(file => READ_BY_MODELS.includes(file.contentType)).slice(0, DOCUMENTS_MAX);
      const read = exhibits.filter(one => READ_BY_MODELS.includes(one.upload.contentType)).slice(0, EXHIBITS_MAX);
      const views = await inTurns(read, ({upload}) => ask(viewEvidenceUpload, {caseID, uploadID: upload.uploadID}));
      proposals.set(caseID, await ask(generateAward, {
        documents: documents.map(({gsUrl, contentType}) => ({gsUrl, contentType})),
        exhibits: views.map(({gsUrl, contentType, exhibitNumber, description, partyID}) => ({gsUrl, contentType, number: exhibitNumber, description, party: partyID})),
      }, {key: this.key}));
    });
    if (!this.refused?.isSilence) {
      this.key = crypto.randomUUID();
    }
    this.isAsking = false;
    this.requestUpdate();
  }
}

/** Calls a function for each item, a few at a time, and returns the results in the order of the items. */
async function inTurns<A, B>(all: A[], does: (one: A) => Promise<B>): Promise<B[]> {
  const done: B[] = [];
  for (let first = 0; first < all.length; first += AT_ONCE) {
    done.push(...await Promise.all(all.slice(first, first + AT_ONCE).map(does)));
  }
  return done;
}

customElements.define('acp-award', AwardScreen);
