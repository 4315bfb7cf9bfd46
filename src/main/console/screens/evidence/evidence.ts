import {html, nothing, type PropertyValues} from 'lit';
import {ask} from '../../api/call.js';
import {type Main, createEvidenceUpload, listEvidenceUploads} from '../../api/contracts.js';
import {reasonNotToAdd} from '../../parts/case-role.js';
import {moment, size} from '../../parts/dates.js';
import {Element, Loading, announce, refusalText} from '../../parts/element.js';
import {exhibitNumbers} from '../../parts/exhibits.js';
import {type PendingUpload, pendingUpload, sendFile, uploadProgress} from '../../parts/file-upload.js';
import {evidenceName, evidenceTypes, loadNames, parties, partyName, personName, phaseName, phases} from '../../parts/names.js';
import {addressOf, navigate} from '../../parts/route.js';
import {isShortcut} from '../../parts/shortcuts.js';
import {t} from '../../texts/texts.js';
import type {WholeCase} from '../case/case.js';
import './exhibit.js';

const PAGE = 200;
const DESCRIPTION_LONGEST = 2000;

/** A chosen file with the data of its upload. */
interface Chosen extends PendingUpload {
  readonly id: string;
  categoryID: string;
  description: string;
}

/** Chosen files that were not uploaded yet, by case ID. They are kept while the console is open, also on other screens. */
const waiting = new Map<string, Chosen[]>();

// A browser cannot keep files for a later visit, so it asks before the page is left, on every screen.
window.addEventListener('beforeunload', event => {
  if ([...waiting.values()].some(chosen => chosen.length > 0)) {
    event.preventDefault();
  }
});

const namedTypes: Record<string, string> = {
  'application/pdf': 'PDF', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'Word (.docx)',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'Excel (.xlsx)', 'message/rfc822': 'EML', 'text/plain': 'TXT', 'video/quicktime': 'MOV', 'audio/mpeg': 'MP3',
};
const typeName = (contentType: string): string => namedTypes[contentType] ?? (contentType.split('/')[1] ?? contentType).toUpperCase();

interface Evidence {
  all: Main.EvidenceUpload[];
  numbers: Map<string, string>;
}

function grouped<T>(all: T[], key: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    groups.set(key(one), [...groups.get(key(one)) ?? [], one]);
  }
  return groups;
}

/** The evidence of a case by party and phase, the open exhibit beside it, and a form to add files. */
class EvidenceScreen extends Element {
  static override properties = {whole: {}, item: {}};
  whole: WholeCase | undefined;
  /** The ID of the open exhibit. */
  item = '';
  private readonly list = new Loading<Evidence>(this);
  private readFor = '';
  private isSending = false;
  /** Whether the open exhibit gets the focus once it is shown, because it was opened by a key. */
  private takesFocus = false;
  private readonly onKey = (event: KeyboardEvent) => this.key(event);

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener('keydown', this.onKey);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener('keydown', this.onKey);
  }

  protected override updated(): void {
    const open = this.querySelector<HTMLAnchorElement>('.docket [aria-current] a');
    if (this.takesFocus && open?.pathname === location.pathname) {
      this.takesFocus = false;
      open.scrollIntoView({block: 'nearest'});
      open.focus();
    }
  }

  /** The keys j and k open the next and the previous exhibit. */
  private key(event: KeyboardEvent): void {
    if (!isShortcut(event) || !'jk'.includes(event.key)) {
      return;
    }
    const all = [...this.querySelectorAll<HTMLAnchorElement>('.docket li a')];
    const here = all.findIndex(one => one.closest('[aria-current]'));
    const next = all[here < 0 ? 0 : here + (event.key === 'j' ? 1 : -1)];
    if (next) {
      this.takesFocus = true;
      navigate(next.pathname);
    }
  }

  private toExhibit(): void {
    this.querySelector<HTMLElement>('.beside')?.focus();
  }

  private toList(): void {
    this.querySelector<HTMLElement>('.docket [aria-current] a')?.focus();
  }

  private get caseID(): string {
    return this.whole?.one.caseID ?? '';
  }

  private get chosen(): Chosen[] {
    return waiting.get(this.caseID) ?? [];
  }

  private set chosen(all: Chosen[]) {
    waiting.set(this.caseID, all);
    this.requestUpdate();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (this.whole && changed.has('whole')) {
      if (this.readFor !== this.caseID) {
        this.readFor = this.caseID;
        this.list.clear();
      }
      // The case was read again: other users may have added exhibits, and a later phase may show more of them.
      const {caseID} = this;
      void this.list.start(() => this.read(caseID));
    }
  }

  private async read(caseID: string): Promise<Evidence> {
    const all: Main.EvidenceUpload[] = [];
    for (;;) {
      const {uploads} = await ask(listEvidenceUploads, {caseID, limit: PAGE, afterUploadID: all.at(-1)?.uploadID ?? null});
      all.push(...uploads);
      if (uploads.length === 0) {
        const [numbers] = await Promise.all([exhibitNumbers(caseID, all), loadNames(all.map(one => one.userID))]);
        return {all, numbers};
      }
    }
  }

  override render() {
    const {whole} = this;
    if (!whole) {
      return nothing;
    }
    const may = whole.actions.some(one => one.action === 'upload');
    return html`<div class="reading ${this.item ? 'one' : ''}"><div class="evidence">
        ${may || this.chosen.length > 0 ? this.adding() : html`<p class="soft">${reasonNotToAdd(whole.one) ?? t.evidence.over(phaseName(whole.one.phaseID))}</p>`}
        ${this.list.render(({all, numbers}) => all.length === 0 ? html`<div class="notice"><h2>${t.evidence.none}</h2><p>${t.evidence.noneHelp}</p></div>` : this.sides(all, numbers))}</div>
      <div class="beside" role="region" tabindex="-1" aria-label=${t.evidence.beside}>${this.item ? html`<button type="button" class="until-focus small" @click=${this.toList}>${t.evidence.toList}</button><p class="back"><a href=${addressOf('cases', this.caseID, 'evidence')}>${t.evidence.back}</a></p><acp-exhibit .caseID=${this.caseID} .uploadID=${this.item}></acp-exhibit>`
        : html`<p class="soft choose">${t.evidence.choose}</p>`}</div></div>`;
  }

  private sides(all: Main.EvidenceUpload[], numbers: Map<string, string>) {
    const byParty = grouped(all, one => one.partyID);
    const known = parties().map(party => party.id);
    return html`${[...known, ...[...byParty.keys()].filter(id => !known.includes(id))].map(partyID => {
      const uploads = byParty.get(partyID);
      return uploads ? html`<section><h2 class="heading">${partyName(partyID)}</h2>${this.phasesOf(uploads, numbers)}</section>` : nothing;
    })}`;
  }

  private phasesOf(uploads: Main.EvidenceUpload[], numbers: Map<string, string>) {
    const byPhase = grouped(uploads, one => one.phaseID);
    const inOrder = phases().map(phase => phase.id).filter(id => byPhase.has(id));
    return inOrder.map(phaseID => html`<h3 class="small soft phase">${phaseName(phaseID)}</h3><ol class="docket">${byPhase.get(phaseID)?.map(one => this.line(one, numbers.get(one.uploadID) ?? ''))}</ol>`);
  }

  private line(one: Main.EvidenceUpload, number: string) {
    const name = personName(one.userID);
    return html`<li aria-current=${this.item === one.uploadID ? 'true' : nothing}><span class="numeral" aria-hidden="true">${number}</span>
      <div><a href=${addressOf('cases', this.caseID, 'evidence', one.uploadID)}><span class="unseen">${t.evidence.exhibit} ${number}, </span>${one.description.trim() || evidenceName(one.categoryID)}</a>
      <p class="small soft">${evidenceName(one.categoryID)} · ${typeName(one.contentType)}${name ? ` · ${name}` : ''} · <time datetime=${one.created}>${moment(one.created)}</time></p>
      ${this.item === one.uploadID ? html`<button type="button" class="until-focus small" @click=${this.toExhibit}>${t.evidence.toExhibit(number)}</button>` : nothing}</div></li>`;
  }

  // ---- adding

  private adding() {
    const {chosen} = this;
    return html`<details class="adding" ?open=${chosen.length > 0}><summary>${t.evidence.add}</summary>
      <p class="small soft">${t.evidence.who}</p>
      <div class="drop" @dragover=${(event: DragEvent) => event.preventDefault()} @drop=${this.dropped}>
        <label for="exhibits">${t.filing.drop} <span class="like">${t.filing.choose}</span></label>
        <input id="exhibits" class="unseen" type="file" multiple @change=${this.picked} aria-describedby="exhibits-help">
        <p class="help small soft" id="exhibits-help">${t.evidence.dropHelp}</p></div>
      ${chosen.length === 0 ? nothing : html`<form class="filing" novalidate @submit=${this.send}><ul class="register">${chosen.map(one => this.row(one))}</ul>
        <p class="row"><button class="main" ?disabled=${this.isSending}>${t.evidence.send(chosen.length)}</button></p></form>`}</details>`;
  }

  private row(one: Chosen) {
    const wrong = one.refused || this.wrongWith(one);
    const isGoing = one.share !== undefined;
    const described = wrong ? `${one.id}-wrong` : nothing;
    return html`<li class="chosen"><p><strong>${one.file.name}</strong> <span class="small soft">${size(one.file.size)}</span></p>
      <div class="field"><label for=${`${one.id}-kind`}>${t.evidence.category}<span class="unseen">: ${one.file.name}</span></label>
        <select id=${`${one.id}-kind`} aria-describedby=${described} aria-invalid=${wrong ? 'true' : nothing} ?disabled=${isGoing} @change=${(event: Event) => this.changed(one, {categoryID: (event.target as HTMLSelectElement).value})}>
          ${evidenceTypes().map(kind => html`<option value=${kind.id} ?selected=${kind.id === one.categoryID}>${kind.displayName}</option>`)}</select></div>
      <div class="field"><label for=${`${one.id}-what`}>${t.evidence.description}<span class="unseen">: ${one.file.name}</span></label>
        <input id=${`${one.id}-what`} maxlength=${DESCRIPTION_LONGEST} autocomplete="off" .value=${one.description} ?disabled=${isGoing} @input=${(event: Event) => this.changed(one, {description: (event.target as HTMLInputElement).value})}></div>
      ${wrong ? html`<p class="wrong" id=${`${one.id}-wrong`} role="alert">${wrong}</p>` : nothing}
      ${isGoing ? html`<p class="row">${uploadProgress(one)}</p>`
        : html`<p><button type="button" class="bare" aria-label=${`${t.filing.remove}: ${one.file.name}`} @click=${() => { this.chosen = this.chosen.filter(each => each !== one); }}>${t.filing.remove}</button></p>`}</li>`;
  }

  /**
   * What is wrong with a file, before it is uploaded; empty if nothing. A file whose type the browser does not know is checked only by the platform.
   */
  private wrongWith(one: Chosen): string {
    if (one.file.size === 0) {
      return t.evidence.isEmpty;
    }
    const kind = evidenceTypes().find(each => each.id === one.categoryID);
    return kind && one.file.type && !kind.contentTypes.includes(one.file.type) ? t.evidence.notOfThis(kind.displayName, kind.contentTypes.map(typeName).join(', ')) : '';
  }

  private changed(one: Chosen, to: Partial<Chosen>): void {
    Object.assign(one, to, {refused: '', key: crypto.randomUUID()});
    this.requestUpdate();
  }

  private picked(event: Event): void {
    const input = event.target as HTMLInputElement;
    this.take([...input.files ?? []]);
    input.value = '';
  }

  private dropped(event: DragEvent): void {
    event.preventDefault();
    this.take([...event.dataTransfer?.files ?? []]);
  }

  /** Adds files. Each gets the category of the previous file if that accepts its type, otherwise the first one that does. The user can change it. */
  private take(files: File[]): void {
    const last = this.chosen.at(-1)?.categoryID;
    const takes = (id: string, type: string) => evidenceTypes().find(one => one.id === id)?.contentTypes.includes(type);
    this.chosen = [...this.chosen, ...files.map(file => ({
      ...pendingUpload(file), id: `chosen-${crypto.randomUUID()}`, description: '',
      categoryID: last && takes(last, file.type) ? last : evidenceTypes().find(one => one.contentTypes.includes(file.type))?.id ?? 'other',
    }))];
  }

  /** Uploads one file after the other, so that they are numbered in their order on the screen. */
  private async send(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const {caseID} = this;
    this.isSending = true;
    let sent = 0;
    for (const one of this.chosen.filter(each => this.wrongWith(each) === '')) {
      sent += await this.sendOne(caseID, one) ? 1 : 0;
    }
    this.isSending = false;
    if (sent > 0) {
      announce(t.evidence.sent(sent));
      await this.list.again();
    }
    this.requestUpdate();
    await this.updateComplete;
    this.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }

  private async sendOne(caseID: string, one: Chosen): Promise<boolean> {
    const form = new FormData();
    form.append('caseID', caseID);
    form.append('categoryID', one.categoryID);
    form.append('description', one.description.trim());
    form.append('file', one.file);
    const failed = await sendFile(createEvidenceUpload, form, one, () => this.requestUpdate());
    if (failed) {
      one.refused = failed.isSilence ? t.evidence.silence : refusalText(failed);
    } else {
      waiting.set(caseID, (waiting.get(caseID) ?? []).filter(each => each !== one));
    }
    this.requestUpdate();
    return !failed;
  }
}

customElements.define('acp-evidence', EvidenceScreen);
