import {html, nothing, type PropertyValues} from 'lit';
import {t} from '../texts/texts.js';
import {Element} from './element.js';

const TEXT_CHARACTERS_MAX = 200_000;
const PICTURES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];

/** Whether files of this type are shown in the page. Other files can only be downloaded. */
export function isShown(contentType: string): boolean {
  return contentType === 'application/pdf' ? navigator.pdfViewerEnabled : PICTURES.includes(contentType) || contentType.startsWith('text/') || contentType === 'application/json' || contentType === 'message/rfc822';
}

/** Shows a file in the page: a PDF in the browser's viewer, a picture, or text. HTML is shown as its source text, so that its scripts do not run. */
class Viewer extends Element {
  static override properties = {file: {}, name: {}};
  file: Blob | undefined;
  name = '';
  private address = '';
  private text = '';
  private isCut = false;
  private isBroken = false;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.forget();
  }

  private forget(): void {
    if (this.address) {
      URL.revokeObjectURL(this.address);
    }
    this.address = '';
    this.text = '';
    this.isBroken = false;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('file')) {
      this.forget();
      if (this.file?.type === 'application/pdf') {
        this.address = URL.createObjectURL(this.file);
      } else if (this.file && !PICTURES.includes(this.file.type)) {
        void this.read(this.file);
      }
    }
  }

  private async read(file: Blob): Promise<void> {
    const text = await file.slice(0, TEXT_CHARACTERS_MAX).text();
    if (file === this.file) {
      this.text = text;
      this.isCut = file.size > TEXT_CHARACTERS_MAX;
      this.requestUpdate();
    }
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has('file') && this.file && PICTURES.includes(this.file.type)) {
      void this.paint(this.file);
    }
  }

  private async paint(file: Blob): Promise<void> {
    const canvas = this.querySelector('canvas');
    try {
      const picture = await createImageBitmap(file);
      if (canvas && file === this.file) {
        canvas.width = picture.width;
        canvas.height = picture.height;
        canvas.getContext('2d')?.drawImage(picture, 0, 0);
      }
    } catch {
      // The browser cannot decode the picture, which is shown as a message.
      this.isBroken = true;
      this.requestUpdate();
    }
  }

  override render() {
    if (!this.file) {
      return nothing;
    }
    if (this.isBroken) {
      return html`<p class="soft">${t.viewer.broken}</p>`;
    }
    if (this.address) {
      return html`<div class="sheet"><iframe title=${t.case.pdf(this.name)} src=${`${this.address}#toolbar=0&navpanes=0&view=FitH`}></iframe></div>`;
    }
    return PICTURES.includes(this.file.type) ? html`<canvas class="shown" role="img" aria-label=${t.viewer.picture(this.name)}></canvas>`
      : html`<pre class="shown" tabindex="0" aria-label=${t.viewer.text(this.name)}>${this.text}</pre>${this.isCut ? html`<p class="small soft">${t.viewer.cut}</p>` : nothing}`;
  }
}

customElements.define('acp-viewer', Viewer);
