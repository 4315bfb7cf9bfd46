import {html, nothing} from 'lit';
import {ifDefined} from 'lit/directives/if-defined.js';
import {live} from 'lit/directives/live.js';
import type {Cases} from '../../api/contracts.js';
import {number} from '../../parts/dates.js';
import {t} from '../../texts/texts.js';

type Field = Cases.SchemaField;

/** A longer text has a field of several lines. */
const LINE_CHARACTERS_MAX = 300;

interface Control {
  readonly type: string;
  readonly mode?: string;
}

/** The input control of each type of field. */
const CONTROLS: Record<Exclude<Field['type'], 'boolean' | 'text' | 'address'>, Control> = {
  city: {type: 'text'}, state: {type: 'text'}, zipcode: {type: 'text'},
  currency: {type: 'text', mode: 'decimal'}, decimal: {type: 'text', mode: 'decimal'}, integer: {type: 'text', mode: 'numeric'}, year: {type: 'text', mode: 'numeric'},
  month: {type: 'text'}, date: {type: 'date'}, time: {type: 'time'},
  email: {type: 'email', mode: 'email'}, phone: {type: 'tel', mode: 'tel'}, url: {type: 'url', mode: 'url'},
};

/** The value of a field, its problem, and what happens when the user types or leaves it. */
export interface Written {
  readonly value: string;
  readonly wrong: string;
  readonly write: (value: string) => void;
  readonly leave: () => void;
}

/** A field of a form, as its schema says: label, help text, control, and below it what is wrong. */
export function field(one: Field, {value, wrong, write, leave}: Written) {
  const id = `field-${one.id}`;
  const form = one.type === 'boolean' ? '' : t.filing.form[one.type] ?? (one.maxLength > LINE_CHARACTERS_MAX ? t.filing.characters(number(one.maxLength)) : '');
  // If the problem is the same sentence as the help text, the sentence is shown once.
  const help = form === wrong ? '' : form;
  const described = [help ? `${id}-help` : '', wrong ? `${id}-wrong` : ''].filter(part => part !== '').join(' ') || undefined;
  const under = html`${help ? html`<p class="help" id=${`${id}-help`}>${help}</p>` : nothing}${wrong ? html`<p class="wrong" id=${`${id}-wrong`}>${wrong}</p>` : nothing}`;
  const name = html`${one.displayName}${one.required ? nothing : html` <span class="soft small">(${t.filing.optional})</span>`}`;
  if (one.type === 'boolean') {
    return html`<fieldset class="field" id=${id} tabindex="-1" aria-describedby=${ifDefined(described)}><legend>${name}</legend><div class="row">
      ${[['true', t.filing.yes], ['false', t.filing.no], ['', t.filing.notSaid]].filter(([code]) => code !== '' || !one.required).map(([code, text]) => html`<label class="choice">
        <input type="radio" name=${id} .checked=${live(value === code)} @change=${() => { write(code as string); leave(); }}>${text}</label>`)}</div>${under}</fieldset>`;
  }
  const typed = (event: Event) => write((event.target as HTMLInputElement).value);
  const invalid = wrong ? 'true' : nothing;
  if (one.type === 'address' || one.type === 'text' && one.maxLength > LINE_CHARACTERS_MAX) {
    return html`<div class="field"><label for=${id}>${name}</label><textarea id=${id} .value=${live(value)} @input=${typed} @blur=${leave} aria-invalid=${invalid} aria-required=${one.required ? 'true' : nothing}
      aria-describedby=${ifDefined(described)}></textarea>${under}</div>`;
  }
  const control: Control = one.type === 'text' ? {type: 'text'} : CONTROLS[one.type];
  return html`<div class="field"><label for=${id}>${name}</label><input id=${id} type=${control.type} inputmode=${ifDefined(control.mode)} autocomplete="off" .value=${live(value)} @input=${typed} @blur=${leave}
    aria-invalid=${invalid} aria-required=${one.required ? 'true' : nothing} aria-describedby=${ifDefined(described)}>${under}</div>`;
}
