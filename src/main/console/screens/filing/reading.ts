import {type LitElement, html, nothing} from 'lit';
import type {Cases, Main} from '../../api/contracts.js';
import {dropDraft, keptDraft} from '../../parts/draft-storage.js';
import {fieldNames} from '../../parts/fields.js';
import {keepInput, leftoverInput} from '../../parts/keep-input.js';
import {partyName, personName} from '../../parts/names.js';
import {addressOf} from '../../parts/route.js';
import {currentUser} from '../../parts/session.js';
import {t} from '../../texts/texts.js';

/** A filing that is only read, and what the reader can do with it. */
export interface Reading {
  readonly filing: Main.Filing;
  readonly actions: Cases.CaseAction[];
  readonly files: unknown;
  /** A warning if no participant could decide; otherwise nothing. */
  readonly nobodyDecides: unknown;
  /** The reason of a rejection, as typed. */
  readonly reason: string;
  readonly isDeciding: boolean;
  readonly setReason: (reason: string) => void;
  readonly approve: () => void;
  readonly reject: (event: SubmitEvent) => void;
  readonly withdraw: () => void;
}

/** The name under which the reason of a rejection is kept in this browser. */
export const rejectionOf = (filing: Main.Filing): string => `rejection.${filing.filingID}`;

/** Shows a filing to readers, with the form for a decision to those who may decide. */
export function reading(host: LitElement, {filing, actions, files, nobodyDecides, reason, isDeciding, setReason, approve, reject, withdraw}: Reading) {
  // The actions were read at the same time as the filing, which somebody may have withdrawn between the two responses.
  const may = (action: Cases.CaseAction['action']) => filing.state === 'submitted' && actions.some(one => one.action === action && one.filingID === filing.filingID);
  const name = personName(filing.userID);
  return html`<div class="reading-filing">
    <p><span class="mark ${filing.state === 'docketed' ? 'good' : filing.state === 'submitted' ? 'warn' : ''}">${t.filings.states[filing.state]}</span> <span class="party">${partyName(filing.partyID)}</span>${name ? ` · ${name}` : ''}</p>
    ${filing.state === 'docketed' && filing.entryID ? html`<p class="notice good">${t.filing.onDocket} <a href=${addressOf('cases', filing.caseID, 'docket', filing.entryID)}>${t.filing.seeEntry}</a></p>` : nothing}
    ${filing.state === 'submitted' ? nobodyDecides : nothing}
    ${filing.state === 'withdrawn' ? html`<p class="notice">${t.filing.gone}</p>` : nothing}
    ${leftOver(host, filing)}
    ${filing.state === 'rejected' ? rejected(filing) : nothing}
    <dl class="facts">${fieldNames(filing.documentID, filing.fields).map(one => html`<dt>${one.name}</dt><dd>${one.value}</dd>`)}
      <dt>${t.filing.files}</dt><dd>${files}</dd></dl>
    ${may('approve') || may('reject') ? html`<section class="ending"><h2>${t.filing.decide}</h2>
      <p class="row"><button type="button" class="main" ?disabled=${isDeciding} @click=${approve}>${t.filing.approve}</button></p>
      <form class="filing" @submit=${reject}><div class="field"><label for="reject-reason">${t.filing.rejectReason}</label>
        <textarea id="reject-reason" name="reason" ${keepInput(rejectionOf(filing))} required maxlength="2000" aria-describedby="reject-help" .value=${reason} @input=${(event: Event) => setReason((event.target as HTMLTextAreaElement).value)}></textarea><p class="help" id="reject-help">${t.filing.rejectHelp}</p></div>
        <p class="row"><button ?disabled=${isDeciding}>${t.filing.reject}</button></p></form></section>` : leftoverInput(host, rejectionOf(filing))}
    ${may('withdraw') ? html`<p><button type="button" @click=${withdraw}>${t.filing.withdraw}</button></p>` : nothing}</div>`;
}

/** Why the filing was rejected. */
export const rejected = (filing: Main.Filing) => html`<div class="notice bad"><h2>${t.filing.rejectedBecause}</h2><p>${filing.reason ?? ''}</p></div>`;

/** Input that was not saved before somebody else decided on the draft. */
function leftOver(host: LitElement, filing: Main.Filing) {
  const kept = keptDraft(currentUser.id, filing.filingID);
  return kept ? html`<div class="notice warn"><h2>${t.filing.leftOver}</h2><dl class="facts">${fieldNames(filing.documentID, kept.fields).map(one => html`<dt>${one.name}</dt><dd>${one.value}</dd>`)}</dl>
    <p><button type="button" @click=${() => { dropDraft(currentUser.id, filing.filingID); host.requestUpdate(); }}>${t.filing.forget}</button></p></div>` : nothing;
}
