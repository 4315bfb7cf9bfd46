import {html, nothing} from 'lit';
import {ask} from '../../api/call.js';
import {type Main, downloadFilingFile, removeFilingFile, updateFilingFile, uploadFilingFile} from '../../api/contracts.js';
import {size} from '../../parts/dates.js';
import {announce, refusalText} from '../../parts/element.js';
import {type PendingUpload, pendingUpload, sendFile, uploadProgress} from '../../parts/file-upload.js';
import {openFile} from '../../parts/files.js';
import {t} from '../../texts/texts.js';

/** What the files of a filing need from the screen that shows them. */
export interface FilesScreen {
  readonly caseID: string;
  readonly filing: Main.Filing | undefined;
  readonly updateComplete: Promise<boolean>;
  /** Creates the filing if it does not exist yet. Returns the reason if that failed, otherwise an empty text. */
  create(): Promise<string>;
  /** Reads the filing again. */
  refresh(): Promise<void>;
  attempt(act: () => Promise<unknown>): Promise<void>;
  querySelector<E extends HTMLElement>(selector: string): E | null;
  requestUpdate(): void;
}

/** The files of a filing: those that the platform has, and those that are being sent, in the order in which they were chosen. */
export class FilingFiles {
  private uploads: PendingUpload[] = [];
  private adding: Promise<void> = Promise.resolve();
  /** The file whose title is being written. */
  private renaming = '';

  constructor(private readonly screen: FilesScreen) {}

  /** Whether files were chosen that the platform does not have yet. */
  get areUnsent(): boolean {
    return this.uploads.length > 0;
  }

  /** Waits until each chosen file was sent or refused. */
  get sent(): Promise<void> {
    return this.adding;
  }

  clear(): void {
    this.uploads = [];
  }

  open(filing: Main.Filing, one: Main.FilingFile): Promise<void> {
    return this.screen.attempt(async () => openFile(await ask(downloadFilingFile, {caseID: this.screen.caseID, filingID: filing.filingID, fileID: one.fileID}), one.fileName));
  }

  private add(files: File[]): void {
    this.uploads = [...this.uploads, ...files.map(pendingUpload)];
    void this.send();
  }

  /** Sends one file after the other, so that they keep their order. A refused file waits until it is sent again. */
  private async send(again?: PendingUpload): Promise<void> {
    if (again) {
      again.refused = '';
    }
    this.screen.requestUpdate();
    const done = this.adding.then(async () => {
      for (const one of this.uploads.filter(each => each.refused === '')) {
        await this.sendOne(one);
      }
    });
    this.adding = done.catch(() => undefined);
    await done;
  }

  private async sendOne(one: PendingUpload): Promise<void> {
    const why = await this.screen.create();
    const {caseID, filing} = this.screen;
    if (!filing) {
      one.refused = why;
      this.screen.requestUpdate();
      return;
    }
    const form = new FormData();
    form.append('caseID', caseID);
    form.append('filingID', filing.filingID);
    form.append('file', one.file);
    const failed = await sendFile(uploadFilingFile, form, one, () => this.screen.requestUpdate());
    if (failed) {
      one.refused = failed.isSilence ? t.problem.silence : refusalText(failed);
      this.screen.requestUpdate();
      return;
    }
    this.uploads = this.uploads.filter(each => each !== one);
    await this.screen.attempt(() => this.screen.refresh());
  }

  private discard(one: PendingUpload): void {
    this.uploads = this.uploads.filter(each => each !== one);
    this.screen.requestUpdate();
  }

  private rename(one: Main.FilingFile): void {
    this.renaming = one.fileID;
    this.screen.requestUpdate();
    void this.screen.updateComplete.then(() => this.screen.querySelector<HTMLInputElement>('li input.grow')?.focus());
  }

  /** Enter keeps the title and does not submit the filing. */
  private titleKey(event: KeyboardEvent, filing: Main.Filing, one: Main.FilingFile): void {
    if (event.key === 'Enter') {
      event.preventDefault();
      this.retitle(filing, one, event.target as HTMLInputElement);
    } else if (event.key === 'Escape') {
      this.renaming = '';
      this.screen.requestUpdate();
    }
  }

  private retitle(filing: Main.Filing, one: Main.FilingFile, {value}: HTMLInputElement): void {
    this.renaming = '';
    void this.change(filing, one, {title: value.trim() || one.fileName});
  }

  private change(filing: Main.Filing, one: Main.FilingFile, to: {title?: string; position?: number}): Promise<void> {
    return this.screen.attempt(async () => {
      await ask(updateFilingFile, {caseID: this.screen.caseID, filingID: filing.filingID, fileID: one.fileID, ...to});
      await this.screen.refresh();
    });
  }

  private remove(filing: Main.Filing, one: Main.FilingFile): Promise<void> {
    return this.screen.attempt(async () => {
      await ask(removeFilingFile, {caseID: this.screen.caseID, filingID: filing.filingID, fileID: one.fileID});
      announce(t.filing.removed);
      await this.screen.refresh();
    });
  }

  private dropped(event: DragEvent): void {
    event.preventDefault();
    this.add([...event.dataTransfer?.files ?? []]);
  }

  private chosen(input: HTMLInputElement): void {
    this.add([...input.files ?? []]);
    input.value = '';
  }

  /** The files, with what can be done to them while the filing is a draft. */
  editable(filing: Main.Filing | undefined) {
    return html`<ul class="files">${filing?.files.map((one, index) => this.kept(filing, one, index))}${this.uploads.map(one => this.upload(one))}</ul>
      <div class="drop" @dragover=${(event: DragEvent) => event.preventDefault()} @drop=${(event: DragEvent) => this.dropped(event)}>
        <label for="files">${t.filing.drop} <span class="like">${t.filing.choose}</span></label>
        <input id="files" class="unseen" type="file" multiple @change=${(event: Event) => this.chosen(event.target as HTMLInputElement)} aria-describedby="files-help">
        <p class="help small soft" id="files-help">${t.filing.filesHelp}</p></div>`;
  }

  private kept(filing: Main.Filing, one: Main.FilingFile, index: number) {
    const isRenamed = this.renaming === one.fileID;
    const act = (name: string, does: () => unknown) => html`<button type="button" class="bare small" aria-label=${`${name}: ${one.title}`} @click=${does}>${name}</button>`;
    return html`<li><p class="row">${isRenamed ? html`<input class="grow" maxlength="200" aria-label=${t.filing.fileTitle} .value=${one.title} @keydown=${(event: KeyboardEvent) => this.titleKey(event, filing, one)}>
        <button type="button" @click=${(event: Event) => this.retitle(filing, one, (event.target as HTMLElement).previousElementSibling as HTMLInputElement)}>${t.filing.keepTitle}</button>`
      : html`<button type="button" class="bare" @click=${() => this.open(filing, one)}>${one.title}</button>`}
      ${about(one)}</p>
      <p class="row acts">${isRenamed ? nothing : html`${index > 0 ? act(t.filing.earlier, () => this.change(filing, one, {position: index})) : nothing}
      ${index < filing.files.length - 1 ? act(t.filing.later, () => this.change(filing, one, {position: index + 2})) : nothing}
      ${act(t.filing.rename, () => this.rename(one))}`}
      ${act(t.filing.remove, () => this.remove(filing, one))}</p></li>`;
  }

  private upload(one: PendingUpload) {
    return html`<li class="row ${one.refused ? 'refused' : ''}"><span>${one.file.name}</span> ${one.refused ? html`<span class="wrong" role="alert">${one.refused}</span>
      <button type="button" aria-label=${`${t.problem.again}: ${one.file.name}`} @click=${() => void this.send(one)}>${t.problem.again}</button>
      <button type="button" class="bare" aria-label=${`${t.filing.remove}: ${one.file.name}`} @click=${() => this.discard(one)}>${t.filing.remove}</button>`
      : one.share === undefined ? html`<span class="small soft">${t.filing.fileWaits}</span>` : uploadProgress(one)}</li>`;
  }

  /** The files, each to be opened. */
  readable(filing: Main.Filing) {
    return filing.files.length === 0 ? t.case.noFiles
      : html`<ul>${filing.files.map(one => html`<li><button type="button" class="bare" @click=${() => this.open(filing, one)}>${one.title}</button> ${about(one)}</li>`)}</ul>`;
  }
}

const about = (one: Main.FilingFile) => html`<span class="small soft">${one.pages ? `${t.case.pages(one.pages)}, ` : ''}${size(one.bytes)}</span>`;
