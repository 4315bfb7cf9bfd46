import {html, nothing} from 'lit';
import {parties} from '../../parts/names.js';
import {t} from '../../texts/texts.js';

/** How a new filing shall be sealed when it is docketed. */
export interface Seal {
  readonly isOn: boolean;
  readonly visibleTo: string[];
  readonly reason: string;
}

/** The choice of no seal. */
export const NO_SEAL: Seal = {isOn: false, visibleTo: [], reason: ''};

const TRIBUNAL = ['caseManager', 'arbitrator'];

/** Whether the seal cannot be sent yet, because its reason is missing. */
export const lacksReason = (seal: Seal): boolean => seal.isOn && seal.reason.trim() === '';

/** The choice of a seal for a new filing. A draft cannot be sealed later. */
export function sealing({isOn, visibleTo, reason}: Seal, own: string, isWrong: boolean, set: (to: Partial<Seal>) => void) {
  return html`<section><label class="choice"><input type="checkbox" .checked=${isOn} @change=${(event: Event) => set({isOn: (event.target as HTMLInputElement).checked})}>${t.seal.fromStart}</label>
    ${isOn ? html`<p class="small soft">${t.seal.fromStartHelp}</p>
      <fieldset><legend>${t.seal.visibleTo}</legend>${parties().filter(one => one.id !== own && !TRIBUNAL.includes(one.id)).map(one => html`<label class="choice"><input type="checkbox" .checked=${visibleTo.includes(one.id)}
        @change=${(event: Event) => set({visibleTo: [...visibleTo.filter(id => id !== one.id), ...(event.target as HTMLInputElement).checked ? [one.id] : []]})}>${one.displayName}</label>`)}</fieldset>
      <div class="field"><label for="from-start-reason">${t.seal.why}</label><textarea id="from-start-reason" .value=${reason} maxlength="2000" aria-required="true" aria-invalid=${isWrong ? 'true' : nothing}
        aria-describedby=${isWrong ? 'from-start-help from-start-wrong' : 'from-start-help'} @input=${(event: Event) => set({reason: (event.target as HTMLTextAreaElement).value})}></textarea>
        <p class="help" id="from-start-help">${t.seal.reasonHelp}</p>${isWrong ? html`<p class="wrong" id="from-start-wrong">${t.filing.required}</p>` : nothing}</div>` : nothing}</section>`;
}
