import {html, nothing, type PropertyValues} from 'lit';
import {Problem, ask} from '../../api/call.js';
import {type Main, downloadFilingFile, renderDocketEntry, viewDocketEntry} from '../../api/contracts.js';
import {exactly, moment, size} from '../../parts/dates.js';
import {Element, Loading, problem} from '../../parts/element.js';
import {fieldNames} from '../../parts/fields.js';
import {openFile} from '../../parts/files.js';
import {loadScript} from '../../parts/load-script.js';
import {loadNames, partyName, personName} from '../../parts/names.js';
import {addressOf} from '../../parts/route.js';
import {t} from '../../texts/texts.js';
import type {SealActs, SealDialog} from '../seal/seal.js';
import type {Verdict} from './verify.js';

/** The script is loaded after the entry, because it is needed only to check it. */
const VERIFY = () => import('./verify.js');

const heading = (number: number, title: string) => html`<h2>${t.case.no} <span class="numeral">${number}</span>, ${title}</h2>`;

/** An entry of the docket: its document, fields and files, and whether its hash is correct. */
class EntryPanel extends Element {
  static override properties = {caseID: {}, entryID: {}, number: {}, called: {}, mayReply: {}, replaceable: {}, mayServe: {}, maySeal: {}, mayRedact: {}, seals: {}};
  caseID = '';
  entryID = '';
  /** Number and title from the list of the docket, shown if the content of the entry is sealed. */
  number = 0;
  called = '';
  mayReply = false;
  /** Types of documents with which this user can replace an entry of the same party. */
  replaceable: {side: string; documentIDs: string[]} = {side: '', documentIDs: []};
  mayServe = false;
  maySeal = false;
  mayRedact = false;
  /** Changes when seals have changed, so that the entry is read again. */
  seals = 0;
  private readonly entry = new Loading<Main.DocketEntryView>(this);
  private verdict: Verdict | undefined;
  /** Why the hash could not be checked. */
  private unchecked: Problem | undefined;
  private document = '';
  /** Why the document cannot be shown. */
  private unrendered: Problem | undefined;
  /** The number of times that an entry was read. The response to an older request is ignored. */
  private round = 0;
  private receipt = '';

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('entryID') && this.entryID) {
      this.entry.clear();
      this.verdict = undefined;
      this.receipt = '';
      this.refused = undefined;
      this.forgetDocument();
      void this.entry.start(() => this.read());
    } else if (changed.has('seals') && this.entryID) {
      this.forgetDocument();
      void this.entry.start(() => this.read());
    }
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.forgetDocument();
  }

  private forgetDocument(): void {
    this.unrendered = undefined;
    if (this.document) {
      URL.revokeObjectURL(this.document);
      this.document = '';
    }
  }

  private async read(): Promise<Main.DocketEntryView> {
    const {caseID, entryID} = this;
    const round = ++this.round;
    // If it fails, the check below fails as well and says so.
    const script = loadScript(VERIFY).catch(() => undefined);
    const entry = await ask(viewDocketEntry, {caseID, entryID});
    await loadNames([entry.userID]);
    // The verdict is then part of the first paint. If it came later, it would move the buttons below it.
    await script;
    void this.check(entry, round);
    if (navigator.pdfViewerEnabled && round === this.round) {
      void this.render_(entry);
    }
    return entry;
  }

  private async check(entry: Main.DocketEntryView, round: number): Promise<void> {
    if (round !== this.round) {
      return;
    }
    let verdict: Verdict | undefined;
    let unchecked: Problem | undefined;
    this.verdict = undefined;
    this.unchecked = undefined;
    this.requestUpdate();
    try {
      const {verifyEntry} = await loadScript(VERIFY);
      verdict = await verifyEntry(this.caseID, entry);
    } catch (failed) {
      if (!(failed instanceof Problem)) {
        throw failed;
      }
      unchecked = failed;
    }
    // Meanwhile another entry may have been opened, or this one may have been read again.
    if (round === this.round) {
      this.verdict = verdict;
      this.unchecked = unchecked;
      this.requestUpdate();
    }
  }

  private async render_(entry: Main.DocketEntryView): Promise<void> {
    const isShown = () => entry.entryID === this.entryID && this.isConnected;
    this.unrendered = undefined;
    this.requestUpdate();
    try {
      const pdf = await ask(renderDocketEntry, {caseID: this.caseID, entryID: entry.entryID});
      if (isShown()) {
        this.forgetDocument();
        this.document = URL.createObjectURL(new Blob([pdf], {type: 'application/pdf'}));
      }
    } catch (failed) {
      if (!(failed instanceof Problem)) {
        throw failed;
      }
      if (isShown()) {
        this.unrendered = failed;
      }
    }
    this.requestUpdate();
  }

  override render() {
    return this.entry.problemNotice?.code === 'docket-entry.sealed'
      ? html`<article class="panel"><header>${heading(this.number, this.called)}</header><p><span class="mark seal">${t.case.sealed}</span></p><p>${t.case.sealedText}</p></article>`
      : html`<article class="panel">${this.entry.render(entry => this.panel(entry))}
        ${this.maySeal && this.entry.value ? html`${this.sealing(this.entry.value)}<acp-seal .caseID=${this.caseID} .entry=${this.entry.value} .mayRedact=${this.mayRedact} @changed=${() => this.entry.again()}></acp-seal>` : nothing}</article>`;
  }

  /** Buttons to seal, unseal and redact. The script of their dialogs is loaded when one is clicked, because they are seldom used. */
  private sealing(entry: Main.DocketEntryView) {
    const act = (dialog: SealDialog, name: string) => html`<button type="button" class="bare" @click=${() => this.attempt(async () => {
      await loadScript(() => import('../seal/seal.js'));
      await this.querySelector<SealActs>('acp-seal')?.show(dialog);
    })}>${name}</button>`;
    return html`<p class="row">${act('seal', entry.sealed ? t.seal.change : t.seal.seal)}${entry.sealed ? act('unseal', t.seal.unseal) : nothing}${this.mayRedact && entry.files.length > 0 ? act('redact', t.seal.redact) : nothing}</p>`;
  }

  private panel(entry: Main.DocketEntryView) {
    const name = personName(entry.userID);
    return html`<header>${heading(entry.number, entry.title)}
        <p class="soft">${t.case.entered} <time datetime=${entry.enteredAt}>${exactly(entry.enteredAt)}</time></p>
        ${entry.sealed ? html`<div class="seal-terms"><p><span class="mark seal">${t.case.sealed}</span> ${t.quoted(entry.sealed.reason)}</p>
          <p class="small soft">${t.case.sealedFor([partyName(entry.partyID), ...entry.sealed.visibleTo.map(partyName)])} ${t.case.sealedAt(moment(entry.sealed.at))}</p></div>` : nothing}</header>
      ${navigator.pdfViewerEnabled
        ? this.unrendered ? html`<p class="soft small">${t.viewer.pdfFailed}</p>${problem(this.unrendered, () => this.render_(entry))}` : html`<div class="sheet">${this.document ? html`<iframe title=${t.case.pdf(entry.title)} src=${`${this.document}#toolbar=0&navpanes=0&view=FitH`}></iframe>` : nothing}</div>`
        : html`<p class="soft small">${t.case.noViewer}</p>`}
      <dl class="facts">
        <dt>${t.case.filed}</dt><dd><span class="party">${partyName(entry.partyID)}</span>${name ? ` · ${name}` : ''}</dd>
        <dt>${t.case.files}</dt><dd>${entry.files.length === 0 ? t.case.noFiles : html`<ul>${entry.files.map(one => html`<li>
          <button type="button" class="bare" @click=${() => this.open(downloadFilingFile, {caseID: this.caseID, filingID: entry.filingID, fileID: one.fileID}, one.fileName)}>${one.title}</button>
          <span class="small soft">${one.pages ? `${t.case.pages(one.pages)}, ` : ''}${size(one.bytes)}</span></li>`)}</ul>`}</dd>
        <dt>${t.case.record}</dt><dd>${this.record(entry)}</dd>
      </dl>
      ${Object.keys(entry.fields).length > 0 ? html`<details><summary>${t.case.contents}</summary><dl class="facts">${fieldNames(entry.documentID, entry.fields).map(one =>
        html`<dt>${one.name}</dt><dd>${one.value}</dd>`)}</dl></details>` : nothing}
      <p class="small checked-receipt" role="status">${this.receipt}</p>
      ${this.refused ? problem(this.refused) : nothing}
      <p class="row"><button type="button" @click=${() => this.open(renderDocketEntry, {caseID: this.caseID, entryID: entry.entryID}, `docket-${entry.number}.pdf`)}>${t.case.openPdf}</button>
        <button type="button" @click=${() => this.prove(entry)}>${t.case.receipt}</button>
        ${this.mayServe ? html`<a class="button" href=${`${addressOf('cases', this.caseID, 'notices')}?entry=${encodeURIComponent(entry.entryID)}`}>${t.case.serve}</a>` : nothing}
        ${this.mayReply ? html`<a class="button" href=${`${addressOf('cases', this.caseID, 'filings')}?replyTo=${encodeURIComponent(entry.entryID)}`}>${t.case.reply}</a>` : nothing}
        ${this.replaceable.side === entry.partyID && entry.supersededBy === null && this.replaceable.documentIDs.includes(entry.documentID) ? html`<a class="button" href=${`${addressOf('cases', this.caseID, 'filings', `new-${entry.documentID}`)}?supersedes=${encodeURIComponent(entry.entryID)}`}>${t.case.replace}</a>` : nothing}</p>`;
  }

  private record(entry: Main.DocketEntryView) {
    const hash = html` · <span class="mono" title=${entry.hash}>${entry.hash.slice(0, 8)}…${entry.hash.slice(-6)}</span>`;
    if (this.unchecked) {
      return html`${t.case.unchecked} <button type="button" class="bare" @click=${() => this.check(entry, this.round)}>${t.problem.again}</button>${hash}`;
    }
    switch (this.verdict) {
      case undefined: return html`${t.case.verifying}${hash}`;
      case 'holds': return html`<span title=${t.case.verifiedHelp}>✓ ${t.case.verified}</span>${hash}`;
      case 'redacted': return html`<span title=${t.case.redactedHelp}>✓ ${t.case.redacted}</span>${hash}`;
      case 'broken': return html`<strong class="late">${t.case.notVerified}</strong>${hash}`;
      case 'unknown': return html`${t.case.verifiedLinkOnly}${hash}`;
    }
  }

  private open<Q>(operation: Parameters<typeof ask<Q, Blob>>[0], sent: Q, name: string): Promise<void> {
    return this.attempt(async () => openFile(await ask(operation, sent), name));
  }

  private prove(entry: Main.DocketEntryView): Promise<void> {
    return this.attempt(async () => {
      const {verifyReceipt} = await loadScript(VERIFY);
      const receipt = await verifyReceipt(this.caseID, entry);
      if (entry.entryID === this.entryID) {
        this.receipt = 'wrong' in receipt ? t.case.receiptBroken[receipt.wrong] : t.case.receiptHolds(exactly(receipt.submittedAt));
      }
    });
  }
}

customElements.define('acp-entry', EntryPanel);
