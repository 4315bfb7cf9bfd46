import {html, nothing, type PropertyValues} from 'lit';
import {ask} from '../../api/call.js';
import {type Cases, createNoticeAttachment} from '../../api/contracts.js';
import {number} from '../../parts/dates.js';
import {Element, problem} from '../../parts/element.js';
import {t} from '../../texts/texts.js';

/**
 * A picture and the section of it that is sent. `near` is the magnification, from the whole picture (0) to one pixel for each pixel (1). `across` and
 * `down` are the position, from one edge (0) to the other (1).
 */
export interface Picture {
  source: ImageBitmap;
  name: string;
  near: number;
  across: number;
  down: number;
}

interface Section {
  left: number;
  top: number;
  width: number;
  height: number;
  /** The factor by which the section is scaled. */
  scale: number;
}

const BYTES_MAX = 4 * 1024 * 1024;
const JPEG_QUALITY = 0.9;
const STEP = 0.01;

/** The section of a picture that is sent. A picture is never enlarged, because that would show nothing more. */
function sectionOf({source, near, across, down}: Picture, area: Cases.MailTypeImageField): Section {
  const whole = Math.min(1, area.pixelWidth / source.width, area.pixelHeight / source.height);
  const scale = whole + (1 - whole) * near;
  const width = Math.min(source.width, area.pixelWidth / scale);
  const height = Math.min(source.height, area.pixelHeight / scale);
  return {left: (source.width - width) * across, top: (source.height - height) * down, width, height, scale};
}

function draw(canvas: HTMLCanvasElement, picture: Picture, area: Cases.MailTypeImageField): void {
  const {left, top, width, height, scale} = sectionOf(picture, area);
  canvas.width = Math.max(1, Math.min(area.pixelWidth, Math.round(width * scale)));
  canvas.height = Math.max(1, Math.min(area.pixelHeight, Math.round(height * scale)));
  canvas.getContext('2d')?.drawImage(picture.source, left, top, width, height, 0, 0, canvas.width, canvas.height);
}

/** The section as a Base64 image: PNG, or JPEG if the PNG has more than 4 MiB. */
export async function imageOf(picture: Picture, area: Cases.MailTypeImageField): Promise<string> {
  const canvas = document.createElement('canvas');
  draw(canvas, picture, area);
  const png = await blobOf(canvas, 'image/png');
  const image = png.size <= BYTES_MAX ? png : await blobOf(canvas, 'image/jpeg');
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(image);
  });
}

function blobOf(canvas: HTMLCanvasElement, type: string): Promise<Blob> {
  return new Promise((resolve, reject) => canvas.toBlob(blob => blob ? resolve(blob) : reject(new Error(`no ${type}`)), type, JPEG_QUALITY));
}

/** A picture for an area of a letter, from a file or from the capture of a web page, cut to the pixels of the area. */
class PictureArea extends Element {
  static override properties = {area: {}, mailType: {}, picture: {}};
  area: Cases.MailTypeImageField | undefined;
  mailType = '';
  picture: Picture | undefined;
  private wrong = '';
  private page = '';
  private isCapturing = false;
  private dragged: {x: number; y: number} | undefined;

  protected override updated(changed: PropertyValues<this>): void {
    const canvas = this.querySelector('canvas');
    if (canvas && this.picture && this.area) {
      draw(canvas, this.picture, this.area);
    }
    if (changed.has('area')) {
      this.wrong = '';
    }
  }

  override render() {
    const {area, picture} = this;
    if (!area) {
      return nothing;
    }
    const id = `picture-${area.id}`;
    return html`<fieldset class="area"><legend>${area.displayName} <span class="soft small">(${t.filing.optional})</span></legend>
      <p class="help small soft">${area.description} ${t.notices.atMost(number(area.pixelWidth), number(area.pixelHeight))}</p>
      ${picture ? this.cutting(area, picture) : html`<div class="drop" @dragover=${(event: DragEvent) => event.preventDefault()} @drop=${this.dropped}>
          <label for=${id}>${t.notices.drop} <span class="like">${t.notices.choose}</span></label>
          <input id=${id} class="unseen" type="file" accept="image/png,image/jpeg,image/webp" @change=${this.picked} aria-describedby=${this.wrong ? `${id}-wrong` : nothing}></div>
        <div class="row apart"><div class="field grow"><label for=${`${id}-page`}>${t.notices.capture}<span class="unseen">: ${area.displayName}</span></label>
          <input id=${`${id}-page`} type="url" maxlength="500" autocomplete="off" placeholder="https://" .value=${this.page} @input=${(event: Event) => { this.page = (event.target as HTMLInputElement).value; }} @keydown=${this.entered}></div>
          <button type="button" ?disabled=${this.isCapturing} @click=${this.capture}>${this.isCapturing ? t.notices.capturing : t.notices.captureIt}</button></div>`}
      ${this.wrong ? html`<p class="wrong" id=${`${id}-wrong`} role="alert">${this.wrong}</p>` : nothing}
      ${this.refused ? problem(this.refused) : nothing}</fieldset>`;
  }

  private cutting(area: Cases.MailTypeImageField, picture: Picture) {
    const {width, height} = sectionOf(picture, area);
    const isLarger = picture.source.width > area.pixelWidth || picture.source.height > area.pixelHeight;
    const slider = (name: string, field: 'near' | 'across' | 'down') => html`<label class="choice"><span>${name}</span>
      <input type="range" min="0" max="1" step=${STEP} .value=${String(picture[field])} @input=${(event: Event) => this.cut({[field]: Number((event.target as HTMLInputElement).value)})}></label>`;
    return html`<canvas class="shown" role="img" aria-label=${t.notices.shows(area.displayName, picture.name)} @pointerdown=${this.grab} @pointermove=${this.drag} @pointerup=${this.drop} @pointercancel=${this.drop}></canvas>
      <p class="small soft" role="status">${t.notices.section(number(picture.source.width), number(picture.source.height), number(Math.round(width)), number(Math.round(height)))}</p>
      ${isLarger ? html`<div class="sliders">${slider(t.notices.near, 'near')}${width < picture.source.width ? slider(t.notices.across, 'across') : nothing}${height < picture.source.height ? slider(t.notices.down, 'down') : nothing}</div>` : nothing}
      <p><button type="button" class="bare" aria-label=${`${t.notices.another}: ${area.displayName}`} @click=${() => this.tell(undefined)}>${t.notices.another}</button></p>`;
  }

  private tell(picture: Picture | undefined): void {
    this.picture = picture;
    this.dispatchEvent(new CustomEvent('picture', {detail: picture}));
  }

  private cut(to: Partial<Picture>): void {
    if (this.picture) {
      this.tell({...this.picture, ...to});
    }
  }

  private grab(event: PointerEvent): void {
    (event.target as HTMLElement).setPointerCapture(event.pointerId);
    this.dragged = {x: event.clientX, y: event.clientY};
  }

  /** Moves the picture with the pointer. */
  private drag(event: PointerEvent): void {
    const {area, picture, dragged} = this;
    if (!area || !picture || !dragged) {
      return;
    }
    const canvas = event.target as HTMLCanvasElement;
    const {width, height} = sectionOf(picture, area);
    const move = (position: number, pixels: number, shown: number, section: number, all: number) =>
      all > section ? Math.min(1, Math.max(0, position - pixels * section / shown / (all - section))) : position;
    this.dragged = {x: event.clientX, y: event.clientY};
    this.cut({across: move(picture.across, event.clientX - dragged.x, canvas.clientWidth, width, picture.source.width), down: move(picture.down, event.clientY - dragged.y, canvas.clientHeight, height, picture.source.height)});
  }

  private drop(): void {
    this.dragged = undefined;
  }

  private picked(event: Event): void {
    const input = event.target as HTMLInputElement;
    void this.take(input.files?.[0], input.files?.[0]?.name ?? '');
    input.value = '';
  }

  private dropped(event: DragEvent): void {
    event.preventDefault();
    void this.take(event.dataTransfer?.files[0], event.dataTransfer?.files[0]?.name ?? '');
  }

  private async take(file: Blob | undefined, name: string): Promise<void> {
    if (!file) {
      return;
    }
    this.wrong = '';
    try {
      this.tell({source: await createImageBitmap(file), name, near: 0, across: 0, down: 0});
    } catch {
      // This browser cannot decode the file as a picture.
      this.wrong = t.notices.noPicture(name);
    }
    this.requestUpdate();
  }

  /** Enter captures the page and does not send the notice. */
  private entered(event: KeyboardEvent): void {
    if (event.key === 'Enter') {
      event.preventDefault();
      void this.capture();
    }
  }

  private async capture(): Promise<void> {
    const url = this.page.trim();
    this.wrong = /^https?:\/\//.test(url) && URL.canParse(url) ? '' : t.filing.form['url'] ?? '';
    this.requestUpdate();
    if (this.wrong) {
      return;
    }
    this.isCapturing = true;
    await this.attempt(async () => this.take(await ask(createNoticeAttachment, {mailType: this.mailType, url}), url));
    this.isCapturing = false;
    this.requestUpdate();
  }
}

customElements.define('acp-picture', PictureArea);
