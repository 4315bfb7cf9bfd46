import {html, nothing} from 'lit';
import {live} from 'lit/directives/live.js';
import {ask, upload} from '../../api/call.js';
import {type Main, downloadFilingFile, redactDocketEntry, sealDocketEntry, unsealDocketEntry} from '../../api/contracts.js';
import {Element, announce, problem, refusalText} from '../../parts/element.js';
import {saveFile} from '../../parts/files.js';
import {dropInput, keepInput} from '../../parts/keep-input.js';
import {parties, partyName} from '../../parts/names.js';
import {t} from '../../texts/texts.js';

const REASON_LONGEST = 2000;
const TRIBUNAL = ['caseManager', 'arbitrator'];
/** The dialogs of {@link SealActs}. */
export type SealDialog = 'seal' | 'unseal' | 'redact';

/**
 * Dialogs to seal and unseal an entry of the docket, for the case manager and the arbitrators, and to replace a file of it by a redacted one, for the
 * case manager. Input stays while the entry is open.
 */
export class SealActs extends Element {
  static override properties = {caseID: {}, entry: {}, mayRedact: {}};
  caseID = '';
  entry: Main.DocketEntryView | undefined;
  mayRedact = false;
  private visibleTo = new Set<string>();
  private reasons: Record<SealDialog, string> = {seal: '', unseal: '', redact: ''};
  /**
   * The entry and seal from which the choice of parties was filled. Only the reason is kept in this browser, so the parties are filled in again after
   * a reload.
   */
  private filledFor = '';
  private fileID = '';
  private file: File | undefined;
  private share: number | undefined;
  private wrong: {reason?: string; file?: string} = {};
  private isBusy = false;
  private key = crypto.randomUUID();

  async show(dialog: SealDialog): Promise<void> {
    await this.updateComplete;
    const {entry} = this;
    this.wrong = {};
    this.refused = undefined;
    this.key = crypto.randomUUID();
    if (dialog === 'seal' && entry && this.filledFor !== `${entry.entryID} ${entry.sealed?.at ?? ''}`) {
      this.filledFor = `${entry.entryID} ${entry.sealed?.at ?? ''}`;
      this.visibleTo = new Set(entry.sealed?.visibleTo);
      this.reasons.seal ||= entry.sealed?.reason ?? '';
    }
    this.fileID ||= entry?.files[0]?.fileID ?? '';
    this.requestUpdate();
    await this.updateComplete;
    this.querySelector<HTMLDialogElement>(`#${dialog}-dialog`)?.showModal();
  }

  private close(): void {
    this.querySelectorAll('dialog').forEach(one => one.close());
  }

  override render() {
    const {entry} = this;
    if (!entry) {
      return nothing;
    }
    return html`${this.dialog('seal', t.seal.sealTitle(entry.number), html`<p>${t.seal.sealHelp(partyName(entry.partyID))}</p>
        <fieldset><legend>${t.seal.visibleTo}</legend>${parties().filter(one => one.id !== entry.partyID && !TRIBUNAL.includes(one.id)).map(one => html`<label class="choice"><input type="checkbox" .checked=${live(this.visibleTo.has(one.id))}
          @change=${(event: Event) => this.tick(one.id, (event.target as HTMLInputElement).checked)}>${one.displayName}</label>`)}</fieldset>`, t.seal.sealIt)}
      ${this.dialog('unseal', t.seal.unsealTitle(entry.number), html`<p>${t.seal.unsealHelp}</p>`, t.seal.unsealIt)}
      ${this.mayRedact ? this.dialog('redact', t.seal.redactTitle(entry.number), this.redaction(entry), t.seal.redactIt) : nothing}`;
  }

  private dialog(name: SealDialog, title: string, more: unknown, act: string) {
    const {reason} = this.wrong;
    return html`<dialog id=${`${name}-dialog`} aria-labelledby=${`${name}-title`}><form novalidate @submit=${(event: SubmitEvent) => this.send(event, name)}>
      <h2 id=${`${name}-title`}>${title}</h2>${this.refused ? problem(this.refused) : nothing}${more}
      <div class="field"><label for=${`${name}-reason`}>${t.dates.reason}</label><textarea id=${`${name}-reason`} ${keepInput(`${name}.${this.entry?.entryID ?? ''}`)} .value=${this.reasons[name]} aria-required="true" aria-invalid=${reason ? 'true' : nothing}
        aria-describedby=${reason ? `${name}-reason-help ${name}-reason-wrong` : `${name}-reason-help`} @input=${(event: Event) => this.wroteReason(name, (event.target as HTMLTextAreaElement).value)}></textarea>
        <p class="help" id=${`${name}-reason-help`}>${name === 'seal' ? t.seal.reasonHelp : t.seal.reasonKept}</p>${reason ? html`<p class="wrong" id=${`${name}-reason-wrong`}>${reason}</p>` : nothing}</div>
      <p class="row"><button class="main" ?disabled=${this.isBusy}>${act}</button><button type="button" @click=${this.close}>${t.cancel}</button></p></form></dialog>`;
  }

  private wroteReason(name: SealDialog, value: string): void {
    this.reasons[name] = value;
    if (this.wrong.reason && value.trim() !== '') {
      this.wrong = {...this.wrong, reason: ''};
      this.requestUpdate();
    }
  }

  private redaction(entry: Main.DocketEntryView) {
    const {file} = this.wrong;
    return html`<p>${t.seal.redactHelp}</p>
      <div class="field"><label for="redact-which">${t.seal.which}</label><select id="redact-which" @change=${(event: Event) => { this.fileID = (event.target as HTMLSelectElement).value; this.requestUpdate(); }}>
        ${entry.files.map(one => html`<option value=${one.fileID} ?selected=${one.fileID === this.fileID}>${one.title}</option>`)}</select>
        <p><button type="button" class="bare" @click=${() => this.readOriginal(entry)}>${t.seal.original}</button></p></div>
      <div class="field"><span class="label" id="redact-file-label">${t.seal.file}</span><div class="drop" @dragover=${(event: DragEvent) => event.preventDefault()} @drop=${this.dropped}>
        <label for="redact-file">${this.file ? this.file.name : html`${t.seal.drop} <span class="like">${t.seal.choose}</span>`}</label>
        <input id="redact-file" class="unseen" type="file" aria-labelledby="redact-file-label" aria-describedby=${file ? 'redact-file-wrong' : nothing} @change=${this.picked}></div>
        ${file ? html`<p class="wrong" id="redact-file-wrong" role="alert">${file}</p>` : nothing}
        ${this.share === undefined ? nothing : html`<p class="row"><progress max="1" .value=${this.share} aria-label=${this.file?.name ?? ''}></progress><span class="small soft">${t.filing.sent(Math.round(this.share * 100))}</span></p>`}</div>`;
  }

  private tick(partyID: string, isOn: boolean): void {
    if (isOn) {
      this.visibleTo.add(partyID);
    } else {
      this.visibleTo.delete(partyID);
    }
  }

  private picked(event: Event): void {
    this.take((event.target as HTMLInputElement).files?.[0]);
    (event.target as HTMLInputElement).value = '';
  }

  private dropped(event: DragEvent): void {
    event.preventDefault();
    this.take(event.dataTransfer?.files[0]);
  }

  private take(file: File | undefined): void {
    this.file = file ?? this.file;
    this.wrong = {...this.wrong, file: ''};
    this.key = crypto.randomUUID();
    this.requestUpdate();
  }

  /** Downloads the original of a file, for the case manager only. If the file was not redacted, it is the original itself. */
  private readOriginal(entry: Main.DocketEntryView): Promise<void> {
    const one = entry.files.find(each => each.fileID === this.fileID);
    return this.attempt(async () => {
      const named = {caseID: this.caseID, filingID: entry.filingID, fileID: this.fileID};
      try {
        saveFile(await ask(downloadFilingFile, {...named, original: true}), one?.fileName ?? 'original');
      } catch (failed) {
        if (!isNotRedacted(failed)) {
          throw failed;
        }
        saveFile(await ask(downloadFilingFile, named), one?.fileName ?? 'original');
      }
    });
  }

  private async send(event: SubmitEvent, name: SealDialog): Promise<void> {
    event.preventDefault();
    const {caseID, entry} = this;
    const reason = this.reasons[name].trim();
    this.wrong = {
      ...reason === '' ? {reason: t.filing.required} : [...reason].length > REASON_LONGEST ? {reason: t.filing.tooLong(String(REASON_LONGEST))} : {},
      ...name === 'redact' && !this.file ? {file: t.seal.noFile} : {},
    };
    this.requestUpdate();
    if (!entry || this.wrong.reason || this.wrong.file) {
      await this.updateComplete;
      this.querySelector<HTMLElement>(this.wrong.file ? '#redact-file' : `#${name}-reason`)?.focus();
      return;
    }
    const named = {caseID, entryID: entry.entryID, reason};
    this.isBusy = true;
    await this.attempt(async () => {
      const terms = {key: this.key};
      switch (name) {
        case 'seal': await ask(sealDocketEntry, {...named, visibleTo: [...this.visibleTo]}, terms); break;
        case 'unseal': await ask(unsealDocketEntry, named, terms); break;
        case 'redact': await this.redact(named, terms); break;
      }
      this.reasons[name] = '';
      dropInput(`${name}.${entry.entryID}`);
      this.close();
      announce(name === 'seal' ? t.seal.sealed : name === 'unseal' ? t.seal.unsealed : t.seal.redacted);
      this.dispatchEvent(new CustomEvent('changed', {bubbles: true}));
    });
    this.isBusy = false;
    this.share = undefined;
    if (this.refused && !this.refused.isSilence) {
      this.key = crypto.randomUUID();
    }
    // A problem with the file is shown at the file.
    if (name === 'redact' && this.refused && this.refused.sentence.startsWith('file: ')) {
      this.wrong = {file: refusalText(this.refused).replace('file: ', '')};
      this.refused = undefined;
    }
    this.requestUpdate();
  }

  private async redact(named: {caseID: string; entryID: string; reason: string}, terms: {key: string}): Promise<void> {
    const form = new FormData();
    for (const [name, value] of Object.entries({...named, fileID: this.fileID})) {
      form.append(name, value);
    }
    form.append('file', this.file as File);
    await upload(redactDocketEntry, form, share => {
      this.share = share;
      this.requestUpdate();
    }, terms);
    this.file = undefined;
  }
}

const isNotRedacted = (failed: unknown): boolean => failed instanceof Error && 'code' in failed && failed.code === 'file.not-found';

customElements.define('acp-seal', SealActs);
