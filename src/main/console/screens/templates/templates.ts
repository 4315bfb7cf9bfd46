import {html, nothing} from 'lit';
import {ask, upload} from '../../api/call.js';
import {type Pdfs, fillPdfTemplate, listPdfTemplates, uploadPdfTemplate} from '../../api/contracts.js';
import {confirmAct} from '../../parts/confirm-dialog.js';
import {number} from '../../parts/dates.js';
import {Element, Loading, announce, problem} from '../../parts/element.js';
import {onChangesWhileConnected} from '../../parts/event-stream.js';
import {openFile} from '../../parts/files.js';
import {documentName, documents, loadSchemas} from '../../parts/names.js';
import {administrationHead, forAdministrators} from '../../parts/screen-headings.js';
import {isAdministrator} from '../../parts/session.js';
import {t} from '../../texts/texts.js';

/** The bound of pages. It is low, because an institution has at most one template for each type of document. */
const PAGES_MAX = 10;

/** The PDF templates of the types of documents, with their fields and a preview, and a form to replace one. */
class TemplatesScreen extends Element {
  private readonly templates = new Loading<Pdfs.PdfTemplate[]>(this);
  private shown: {documentID: string; address: string} | undefined;
  private share: number | undefined;

  constructor() {
    super();
    onChangesWhileConnected(this, ['template'], () => this.templates.again());
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (isAdministrator()) {
      void this.templates.start(() => this.read());
    }
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.forget();
  }

  private async read(): Promise<Pdfs.PdfTemplate[]> {
    const all: Pdfs.PdfTemplate[] = [];
    let cursor: string | null = null;
    for (let page = 0; page < PAGES_MAX && (page === 0 || cursor !== null); page++) {
      const read: Pdfs.PdfTemplateList = await ask(listPdfTemplates, {cursor, limit: 200});
      all.push(...read.templates);
      cursor = read.nextCursor;
    }
    await loadSchemas();
    return all;
  }

  private forget(): void {
    if (this.shown) {
      URL.revokeObjectURL(this.shown.address);
      this.shown = undefined;
    }
  }

  override render() {
    return forAdministrators(() => html`${administrationHead('templates')}${this.refused ? problem(this.refused) : nothing}
      ${this.templates.render(templates => html`<div class="day"><section>${navigator.pdfViewerEnabled ? nothing : html`<p class="small soft">${t.templates.noViewer}</p>`}${templates.length === 0 ? html`<p class="soft">${t.templates.none}</p>` : html`<ul class="register">${templates.map(one => this.one(one))}</ul>`}</section>
        ${this.uploading()}</div>`)}`);
  }

  private one(one: Pdfs.PdfTemplate) {
    const name = documentName(one.documentID);
    const isShown = this.shown?.documentID === one.documentID;
    return html`<li><h2>${name}</h2><p class="small soft mono">${one.documentID}</p>
      <details><summary>${t.templates.fields(one.placeholders.length)}</summary><ul class="plain">${one.placeholders.map(field => html`<li class="small"><span class="mono">${field.name}</span> · ${t.templates.types[field.type] ?? field.type}${field.maxLength ? ` · ${t.templates.most(number(field.maxLength))}` : ''}</li>`)}</ul></details>
      <p><button type="button" class="bare" aria-label=${`${isShown ? t.close : t.templates.preview}: ${name}`} @click=${() => isShown ? this.hide() : this.show(one)}>${isShown ? t.close : t.templates.preview}</button></p>
      ${isShown ? html`<div class="sheet"><iframe title=${t.templates.blank(name)} src=${`${this.shown?.address}#toolbar=0&navpanes=0&view=FitH`}></iframe></div>` : nothing}</li>`;
  }

  private hide(): void {
    this.forget();
    this.requestUpdate();
  }

  private show(one: Pdfs.PdfTemplate): Promise<void> {
    return this.attempt(async () => {
      const pdf = new Blob([await ask(fillPdfTemplate, {documentID: one.documentID})], {type: 'application/pdf'});
      this.forget();
      if (navigator.pdfViewerEnabled) {
        this.shown = {documentID: one.documentID, address: URL.createObjectURL(pdf)};
      } else {
        openFile(pdf, `${one.documentID}.pdf`);
      }
    });
  }

  private uploading() {
    return html`<section><h2 class="heading">${t.templates.upload}</h2><form class="inset" @submit=${this.send}>
      <div class="field"><label for="template-document">${t.templates.document}</label><select id="template-document" name="documentID">${documents().map(one => html`<option value=${one.id}>${one.displayName}</option>`)}</select></div>
      <div class="field"><label for="template-file">${t.templates.file}</label><input id="template-file" name="file" type="file" accept="application/pdf" required aria-describedby="template-file-help"><p class="help" id="template-file-help">${t.templates.fileHelp}</p></div>
      ${this.share === undefined ? nothing : html`<progress value=${this.share} aria-label=${t.templates.send}></progress>`}
      <p><button class="main" ?disabled=${this.share !== undefined}>${t.templates.send}</button></p></form></section>`;
  }

  private send(event: SubmitEvent): void {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const said = new FormData(form);
    const documentID = String(said.get('documentID'));
    const name = documentName(documentID);
    // In the order of the contract, in which the fields come before the file.
    const body = new FormData();
    body.set('documentID', documentID);
    body.set('file', said.get('file') as File);
    const carryOut = async () => {
      this.share = 0;
      this.requestUpdate();
      try {
        await upload(uploadPdfTemplate, body, share => {
          this.share = share;
          this.requestUpdate();
        });
        form.reset();
        announce(t.templates.uploaded(name));
      } finally {
        this.share = undefined;
        this.requestUpdate();
      }
      this.forget();
      void this.templates.again();
    };
    if (this.templates.value?.some(one => one.documentID === documentID)) {
      confirmAct({title: t.templates.replaceTitle(name), says: t.templates.replaceSays, act: t.templates.replace, does: carryOut});
    } else {
      void this.attempt(carryOut);
    }
  }
}

customElements.define('acp-templates', TemplatesScreen);
