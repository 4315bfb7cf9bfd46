import {html, nothing, type PropertyValues} from 'lit';
import {ask} from '../../api/call.js';
import {type Main, downloadEvidenceUpload, viewEvidenceUpload} from '../../api/contracts.js';
import {exactly, size} from '../../parts/dates.js';
import {Element, Loading, problem} from '../../parts/element.js';
import {openFile} from '../../parts/files.js';
import {evidenceName, loadNames, partyName, personName, phaseName} from '../../parts/names.js';
import {isShown} from '../../parts/viewer.js';
import '../../parts/viewer.js';
import {t} from '../../texts/texts.js';

/** A larger file is downloaded only when the user clicks. */
const READ_AT_ONCE_BYTES = 20_000_000;

/** An exhibit with its file. */
class ExhibitPanel extends Element {
  static override properties = {caseID: {}, uploadID: {}};
  caseID = '';
  uploadID = '';
  private readonly exhibit = new Loading<Main.EvidenceUploadView>(this);
  private file: Blob | undefined;
  private holds: boolean | undefined;
  private bytes: number | undefined;

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('uploadID') && this.uploadID) {
      this.exhibit.clear();
      this.file = undefined;
      this.holds = undefined;
      this.bytes = undefined;
      this.refused = undefined;
      void this.exhibit.start(() => this.read());
    }
  }

  private async read(): Promise<Main.EvidenceUploadView> {
    const {caseID, uploadID} = this;
    const one = await ask(viewEvidenceUpload, {caseID, uploadID});
    await loadNames([one.userID]);
    this.dispatchEvent(new CustomEvent('seen', {detail: one}));
    if (isShown(one.contentType) && one.bytes <= READ_AT_ONCE_BYTES) {
      void this.attempt(() => this.take(one));
    }
    return one;
  }

  /** Downloads the file and checks whether it has the hash that was recorded at its upload. */
  private async take(one: Main.EvidenceUploadView): Promise<Blob> {
    const file = await ask(downloadEvidenceUpload, {caseID: this.caseID, uploadID: one.uploadID}, {progress: bytes => {
      this.bytes = bytes;
      this.requestUpdate();
    }});
    const typed = new Blob([file], {type: one.contentType});
    this.bytes = undefined;
    if (one.uploadID === this.uploadID) {
      this.file = typed;
      const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer()));
      this.holds = [...hash].map(each => each.toString(16).padStart(2, '0')).join('') === one.sha256;
      this.requestUpdate();
    }
    return typed;
  }

  override render() {
    return html`<article class="panel">${this.exhibit.render(one => this.panel(one))}</article>`;
  }

  private panel(one: Main.EvidenceUploadView) {
    const name = personName(one.userID);
    return html`<header><h2><span class="numeral">${one.exhibitNumber}</span>, ${one.description.trim() || evidenceName(one.categoryID)}</h2>
        <p class="soft"><time datetime=${one.created}>${exactly(one.created)}</time></p></header>
      <p class="row"><button type="button" @click=${() => this.attempt(async () => openFile(this.file ?? await this.take(one), one.fileName))}>${isShown(one.contentType) ? t.evidence.open : t.evidence.download(size(one.bytes))}</button></p>
      ${this.refused ? problem(this.refused) : nothing}
      ${this.file && isShown(one.contentType) ? html`<acp-viewer .file=${this.file} .name=${one.exhibitNumber}></acp-viewer>` : nothing}
      ${this.bytes !== undefined ? html`<p class="row"><progress max=${one.bytes} .value=${this.bytes} aria-label=${one.fileName}></progress></p>` : nothing}
      <dl class="facts">
        <dt>${t.evidence.by}</dt><dd><span class="party">${partyName(one.partyID)}</span>${name ? ` · ${name}` : ''}</dd>
        <dt>${t.evidence.category}</dt><dd>${evidenceName(one.categoryID)}</dd>
        <dt>${t.evidence.phase}</dt><dd>${phaseName(one.phaseID)}</dd>
        <dt>${t.evidence.file}</dt><dd>${one.fileName} <span class="small soft">${size(one.bytes)}</span></dd>
        <dt>${t.case.record}</dt><dd>${this.holds === undefined ? t.evidence.notRead : this.holds ? html`<span title=${t.evidence.listedHelp}>✓ ${t.evidence.listed}</span>` : html`<strong class="late">${t.evidence.altered}</strong>`} · <span class="mono" title=${one.sha256}>${one.sha256.slice(0, 8)}…${one.sha256.slice(-6)}</span></dd></dl>`;
  }
}

customElements.define('acp-exhibit', ExhibitPanel);
