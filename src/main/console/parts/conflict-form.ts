import {html, nothing} from 'lit';
import {live} from 'lit/directives/live.js';
import {t} from '../texts/texts.js';

/** Whose version of a field is kept. */
export type Version = 'theirs' | 'mine';

/** A field with two versions. `before` is the value that both are based on; undefined if it is no longer known. */
export interface Difference {
  readonly id: string;
  readonly name: string;
  readonly before: string | undefined;
  readonly theirs: string;
  readonly mine: string;
}

/** Chooses the version of each field that only one of the two users changed. Other choices stay as they are. */
export function chooseOneSidedChanges(differences: Difference[], chosen: Map<string, Version>): Map<string, Version> {
  for (const {id, before, theirs, mine} of differences) {
    if (before === mine || before === theirs) {
      chosen.set(id, before === mine ? 'theirs' : 'mine');
    }
  }
  return chosen;
}

/** What the form for choosing between two versions shows and does. */
export interface Versions {
  readonly title: string;
  readonly help: string;
  readonly differences: Difference[];
  /** The choice for each field, by field ID. The form adds to it. */
  readonly chosen: Map<string, Version>;
  /** Saves the chosen version of each field. */
  readonly save: (event: SubmitEvent) => void;
  readonly keepMine: () => void;
  readonly takeTheirs: () => void;
  /** Formats a value. */
  readonly shown?: (one: Difference, value: string) => string;
}

/** A form that shows both versions of each differing field and the value before, and in which the user chooses between them. */
export function conflictForm({title, help, differences, chosen, save, keepMine, takeTheirs, shown = (_, value) => value}: Versions) {
  const words = (one: Difference, value: string) => html`<span class="version">${value ? shown(one, value) : t.filing.empty}</span>`;
  const choice = (one: Difference, version: Version, name: string) => html`<label class="choice"><input type="radio" name=${`version-${one.id}`} value=${version} required .checked=${live(chosen.get(one.id) === version)}
    @change=${() => chosen.set(one.id, version)}><span><span class="heading">${name}</span> ${words(one, one[version])}</span></label>`;
  return html`<div class="notice warn conflict"><div role="alert"><h2>${title}</h2><p>${help}</p></div>
    <form @submit=${save}>${differences.map(one => html`<fieldset><legend>${one.name}</legend>
      ${one.before === undefined ? nothing : html`<p><span class="heading">${t.filing.before}</span> ${words(one, one.before)}</p>`}
      ${choice(one, 'theirs', t.filing.theirs)}${choice(one, 'mine', t.filing.yours)}</fieldset>`)}
    <p class="row"><button class="main">${t.filing.saveChosen}</button><button type="button" @click=${keepMine}>${t.filing.keepMine}</button><button type="button" @click=${takeTheirs}>${t.filing.takeTheirs}</button></p></form></div>`;
}
