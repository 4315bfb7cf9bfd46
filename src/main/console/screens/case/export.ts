import {html, nothing} from 'lit';
import {Problem, ask} from '../../api/call.js';
import {exportCase} from '../../api/contracts.js';
import {size} from '../../parts/dates.js';
import {Element, problem} from '../../parts/element.js';
import {openFile} from '../../parts/files.js';
import {t} from '../../texts/texts.js';

const TOLD_EVERY_MILLIS = 250;

/** Exports a case as one signed archive, which the browser saves after all of it has arrived. */
class CaseExport extends Element {
  static override properties = {caseID: {}};
  caseID = '';
  private bytes = 0;
  private running: AbortController | undefined;
  private done = false;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.running?.abort();
  }

  override render() {
    return html`<button type="button" class="bare" aria-haspopup="dialog" @click=${this.open}>${t.export.name}</button>
      <dialog aria-labelledby="export-title" @close=${() => this.running?.abort()}><form method="dialog">
        <h2 id="export-title">${t.export.name}</h2><p>${t.export.help}</p><p class="small soft">${t.export.verify}</p>
        ${this.refused ? problem(this.refused) : nothing}
        <p role="status">${this.running ? t.export.running(size(this.bytes)) : this.done ? t.export.done(size(this.bytes)) : ''}</p>
        ${this.running ? html`<progress aria-label=${t.export.name}></progress>` : nothing}
        <p class="row">${this.running ? nothing : html`<button type="button" class="main" @click=${this.start}>${this.done || this.refused ? t.export.again : t.export.start}</button>`}
          <button>${this.running ? t.export.stop : t.close}</button></p></form></dialog>`;
  }

  private open(): void {
    this.refused = undefined;
    this.done = false;
    this.requestUpdate();
    this.querySelector('dialog')?.showModal();
  }

  private async start(): Promise<void> {
    const running = new AbortController();
    this.running = running;
    this.refused = undefined;
    this.done = false;
    this.bytes = 0;
    let told = 0;
    this.requestUpdate();
    try {
      const archive = await ask(exportCase, {caseID: this.caseID}, {signal: running.signal, progress: bytes => {
        this.bytes = bytes;
        if (Date.now() - told > TOLD_EVERY_MILLIS) {
          told = Date.now();
          this.requestUpdate();
        }
      }});
      openFile(archive, `case-${this.caseID}.zip`);
      this.done = true;
    } catch (failed) {
      if (failed instanceof Problem) {
        this.refused = failed;
      } else if (!running.signal.aborted) {
        throw failed;
      }
    } finally {
      this.running = undefined;
      this.requestUpdate();
    }
  }
}

customElements.define('acp-export', CaseExport);
