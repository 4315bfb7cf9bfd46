import {html, nothing} from 'lit';
import {live} from 'lit/directives/live.js';
import {t} from '../texts/texts.js';

export type Version = 'theirs' | 'mine';

/** A field of which two versions were written; `before` is undefined where it is not known any more. */
export interface Difference {
  readonly id: string;
  readonly name: string;
  readonly before: string | undefined;
  readonly theirs: string;
  readonly mine: string;
}

/** Whose version of each field shall stand. What only one of both changed is chosen already; what was chosen before stays so. */
export function chooseUndisputed(differences: Difference[], chosen: Map<string, Version>): Map<string, Version> {
  for (const {id, before, theirs, mine} of differences) {
    if (before === mine || before === theirs) {
      chosen.set(id, before === mine ? 'theirs' : 'mine');
    }
  }
  return chosen;
}

export interface Versions {
  readonly title: string;
  readonly help: string;
  readonly differences: Difference[];
  /** Filled as it is chosen. */
  readonly chosen: Map<string, Version>;
  /** Carries out what was chosen. */
  readonly save: (event: SubmitEvent) => void;
  readonly keepMine: () => void;
  readonly takeTheirs: () => void;
  /** How a value is shown. */
  readonly shown?: (one: Difference, value: string) => string;
}

/** Each field of which two versions were written, with what it said before: one chooses between them. */
export function versions({title, help, differences, chosen, save, keepMine, takeTheirs, shown = (_, value) => value}: Versions) {
  const words = (one: Difference, value: string) => html`<span class="version">${value ? shown(one, value) : t.filing.empty}</span>`;
  const choice = (one: Difference, version: Version, name: string) => html`<label class="choice"><input type="radio" name=${`version-${one.id}`} value=${version} required .checked=${live(chosen.get(one.id) === version)}
    @change=${() => chosen.set(one.id, version)}><span><span class="heading">${name}</span> ${words(one, one[version])}</span></label>`;
  return html`<div class="notice warn conflict"><div role="alert"><h2>${title}</h2><p>${help}</p></div>
    <form @submit=${save}>${differences.map(one => html`<fieldset><legend>${one.name}</legend>
      ${one.before === undefined ? nothing : html`<p><span class="heading">${t.filing.before}</span> ${words(one, one.before)}</p>`}
      ${choice(one, 'theirs', t.filing.theirs)}${choice(one, 'mine', t.filing.yours)}</fieldset>`)}
    <p class="row"><button class="main">${t.filing.saveChosen}</button><button type="button" @click=${keepMine}>${t.filing.keepMine}</button><button type="button" @click=${takeTheirs}>${t.filing.takeTheirs}</button></p></form></div>`;
}
