import {html, nothing} from 'lit';
import {Problem, ask, askWithRevision} from '../../api/call.js';
import {type Cases, cancelHearing, createHearing, updateHearing, viewHearing} from '../../api/contracts.js';
import {type Difference, type Version, chooseOneSidedChanges, conflictForm} from '../../parts/conflict-form.js';
import {inZone, longDay} from '../../parts/dates.js';
import {dropDraft, keepDraft, keptDraft} from '../../parts/draft-storage.js';
import {Element, announce, problem} from '../../parts/element.js';
import {dropInput, keepInput} from '../../parts/keep-input.js';
import {currentUser} from '../../parts/session.js';
import {instantOf, localTime} from '../../parts/zones.js';
import {t} from '../../texts/texts.js';

type Field = 'title' | 'day' | 'time' | 'durationMinutes' | 'timeZone' | 'place' | 'link' | 'agenda';
type Values = Record<Field, string>;
type Wrong = Partial<Record<Field | 'reason', string>>;

const FIELDS: Field[] = ['title', 'day', 'time', 'durationMinutes', 'timeZone', 'place', 'link', 'agenda'];
const MINUTES_MAX = 20_160;
/** The longest inputs, in characters, as in the contracts. */
const LONGEST: Partial<Record<Field, number>> = {title: 200, place: 500, link: 2000, agenda: 4000};
const REASON_LONGEST = 2000;
const STALE = 'hearing.stale';

const here = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;
const empty = (): Values => ({title: '', day: '', time: '', durationMinutes: '60', timeZone: here(), place: '', link: '', agenda: ''});

function valuesOf(one: Cases.Hearing): Values {
  const [day, time] = localTime(new Date(one.start), one.timeZone).split('T') as [string, string];
  return {title: one.title, day, time, durationMinutes: String(one.durationMinutes), timeZone: one.timeZone, place: one.place ?? '', link: one.link ?? '', agenda: one.agenda ?? ''};
}

/** Dialogs to schedule, change and cancel a hearing. Input is kept in this browser until it is sent. */
class HearingDialogs extends Element {
  static override properties = {caseID: {}};
  caseID = '';
  private values = empty();
  private wrong: Wrong = {};
  private hearing: Cases.Hearing | undefined;
  private etag: string | null = null;
  /** The values of the revision on which the input is based; undefined if they are no longer known. */
  private base: Values | undefined;
  /** The version of each field to keep, while another user has changed the same hearing; undefined without a conflict. */
  private chosen: Map<string, Version> | undefined;
  /** The idempotency key, the same for each attempt to send the same input. */
  private key = crypto.randomUUID();
  private isBusy = false;
  /** The names of the time zones that this browser knows. */
  private zones: string[] = [];

  schedule(): void {
    this.hearing = undefined;
    this.etag = null;
    this.base = undefined;
    this.chosen = undefined;
    this.values = {...empty(), ...keptDraft(currentUser.id, this.keptAs)?.fields};
    this.show('#hearing-form');
  }

  /** Opens the dialog to change a hearing, after reading its current revision. */
  async change(one: Cases.Hearing): Promise<void> {
    await this.read(one);
    const kept = keptDraft(currentUser.id, this.keptAs);
    this.chosen = undefined;
    this.base = valuesOf(this.hearing ?? one);
    this.values = {...this.base, ...kept?.fields};
    if (kept && kept.etag !== this.etag) {
      // The kept input is based on another revision.
      this.base = kept.base?.fields as Values | undefined;
      this.compare();
    }
    this.show('#hearing-form');
  }

  async cancel(one: Cases.Hearing): Promise<void> {
    await this.read(one);
    this.show('#hearing-cancel');
  }

  /** The fields whose value in the platform's revision differs from the input. */
  private differences(): Difference[] {
    const theirs = this.hearing && valuesOf(this.hearing);
    return theirs ? FIELDS.map(id => ({id, name: t.hearing.fields[id], before: this.base?.[id], theirs: theirs[id], mine: this.values[id]})).filter(one => one.theirs !== one.mine) : [];
  }

  /** Starts a conflict if the platform's revision differs from the input. */
  private compare(): void {
    const differences = this.differences();
    this.chosen = differences.length > 0 ? chooseOneSidedChanges(differences, new Map()) : undefined;
    if (!this.chosen && this.hearing) {
      this.base = valuesOf(this.hearing);
    }
  }

  /** Ends the conflict with the chosen version of each field. The input is then based on the platform's revision. */
  private choose(version: (one: Difference) => Version | undefined): void {
    for (const one of this.differences().filter(each => version(each) === 'theirs')) {
      this.values[one.id as Field] = one.theirs;
    }
    this.base = this.hearing && valuesOf(this.hearing);
    this.chosen = undefined;
    this.keep();
    this.requestUpdate();
  }

  private saveChosen(version: (one: Difference) => Version | undefined): void {
    this.choose(version);
    this.sendWritten();
  }

  private takeTheirs(): void {
    dropDraft(currentUser.id, this.keptAs);
    this.close();
  }

  private async read(one: Cases.Hearing): Promise<void> {
    const {value, etag} = await askWithRevision(viewHearing, {caseID: this.caseID, hearingID: one.hearingID});
    this.hearing = value;
    this.etag = etag;
  }

  /** The key under which this browser keeps the input. */
  private get keptAs(): string {
    return `hearing.${this.caseID}.${this.hearing?.hearingID ?? 'new'}`;
  }

  private show(dialog: string): void {
    this.wrong = {};
    this.refused = undefined;
    this.key = crypto.randomUUID();
    this.zones = [...new Set(['UTC', this.values.timeZone, here(), ...Intl.supportedValuesOf('timeZone')])].sort();
    this.requestUpdate();
    void this.updateComplete.then(() => this.querySelector<HTMLDialogElement>(dialog)?.showModal());
  }

  private close(): void {
    this.querySelectorAll('dialog').forEach(one => one.close());
  }

  override render() {
    const start = this.start();
    return html`<dialog id="hearing-form" aria-labelledby="hearing-form-title">${this.chosen ? this.choosing(this.chosen) : html`<form novalidate @submit=${this.send}>
        <h2 id="hearing-form-title">${this.hearing ? t.hearing.change : t.hearing.schedule}</h2><p class="soft">${t.hearing.told}</p>
        ${this.refused ? problem(this.refused) : nothing}
        ${this.input('title', 'text')}
        <div class="row apart">${this.input('day', 'date')}${this.input('time', 'time')}${this.input('durationMinutes', 'number')}</div>
        <div class="field"><label for="hearing-timeZone">${t.hearing.fields.timeZone}</label>
          <select id="hearing-timeZone" aria-describedby="hearing-when" .value=${this.values.timeZone} @change=${(event: Event) => this.written('timeZone', event)}>
            ${this.zones.map(zone => html`<option value=${zone} ?selected=${zone === this.values.timeZone}>${zone}</option>`)}</select>
          <p class="help" id="hearing-when" role="status">${start ? this.said(start) : t.hearing.zoneHelp}</p></div>
        ${this.input('place', 'text')}${this.input('link', 'url')}
        <div class="field"><label for="hearing-agenda">${t.hearing.fields.agenda} <span class="soft small">(${t.filing.optional})</span></label>
          <textarea id="hearing-agenda" .value=${this.values.agenda} aria-invalid=${this.wrong.agenda ? 'true' : nothing} aria-describedby=${this.wrong.agenda ? 'hearing-agenda-wrong' : nothing}
            @input=${(event: Event) => this.written('agenda', event)} @blur=${() => this.left('agenda')}></textarea>${this.error('agenda')}</div>
        <p class="row"><button class="main" ?disabled=${this.isBusy}>${this.hearing ? t.hearing.send : t.hearing.schedule}</button>
          <button type="button" @click=${this.close}>${t.cancel}</button></p></form>`}</dialog>
      <dialog id="hearing-cancel" aria-labelledby="hearing-cancel-title"><form novalidate @submit=${this.sendCancellation}>
        <h2 id="hearing-cancel-title">${t.hearing.cancelTitle(this.hearing?.title ?? '')}</h2>
        <p>${this.hearing ? inZone(this.hearing.start, this.hearing.timeZone) : nothing}</p><p class="soft">${t.hearing.cancelHelp}</p>
        ${this.refused ? problem(this.refused) : nothing}
        <div class="field"><label for="hearing-reason">${t.dates.reason}</label><textarea id="hearing-reason" name="reason" ${this.hearing ? keepInput(`cancellation.${this.hearing.hearingID}`) : nothing} aria-invalid=${this.wrong.reason ? 'true' : nothing}
          aria-describedby=${this.wrong.reason ? 'hearing-reason-wrong' : nothing}></textarea>${this.error('reason')}</div>
        <p class="row"><button class="main" ?disabled=${this.isBusy}>${t.hearing.cancel}</button><button type="button" @click=${this.close}>${t.hearing.keep}</button></p></form></dialog>`;
  }

  private choosing(chosen: Map<string, Version>) {
    return html`<h2 id="hearing-form-title" class="unseen">${t.hearing.change}</h2>${conflictForm({title: t.hearing.conflict, help: t.hearing.conflictHelp, differences: this.differences(), chosen,
      save: event => {
        event.preventDefault();
        this.saveChosen(one => chosen.get(one.id));
      }, keepMine: () => this.saveChosen(() => 'mine'), takeTheirs: () => this.takeTheirs(), shown: (one, value) => one.id === 'day' ? longDay(value) : value})}`;
  }

  private input(field: Field, type: string) {
    const isOptional = field === 'place' || field === 'link';
    return html`<div class="field"><label for=${`hearing-${field}`}>${t.hearing.fields[field]}${isOptional ? html` <span class="soft small">(${t.filing.optional})</span>` : nothing}</label>
      <input id=${`hearing-${field}`} type=${type} autocomplete="off" .value=${this.values[field]} aria-required=${isOptional ? nothing : 'true'} aria-invalid=${this.wrong[field] ? 'true' : nothing}
        aria-describedby=${this.wrong[field] ? `hearing-${field}-wrong` : nothing} @input=${(event: Event) => this.written(field, event)} @blur=${() => this.left(field)}>${this.error(field)}</div>`;
  }

  private error(field: Field | 'reason') {
    return this.wrong[field] ? html`<p class="wrong" id=${`hearing-${field}-wrong`}>${this.wrong[field]}</p>` : nothing;
  }

  /** The start in the time zone of the hearing, and also in the zone of the browser if that is another one. */
  private said(start: Date): string {
    const {timeZone} = this.values;
    const there = inZone(start.toISOString(), timeZone);
    return timeZone === here() ? `${there}.` : t.hearing.whereYouAre(there, inZone(start.toISOString(), here()));
  }

  private start(): Date | undefined {
    const {day, time, timeZone} = this.values;
    return day && time ? instantOf(timeZone, `${day}T${time.slice(0, 5)}`) : undefined;
  }

  private written(field: Field, event: Event): void {
    this.values[field] = (event.target as HTMLInputElement).value;
    this.keep();
    // Whether a time exists depends on the day and the time zone too, so all wrong fields are checked again.
    this.wrong = this.checked(FIELDS.filter(one => this.wrong[one]));
    this.requestUpdate();
  }

  private keep(): void {
    keepDraft(currentUser.id, this.keptAs, {title: this.values.title, fields: this.values, etag: this.etag, at: new Date().toISOString(), base: this.base && {title: this.base.title, fields: this.base}});
  }

  /** Checks a field that the user has left. An empty field is reported only when the form is sent. */
  private left(field: Field): void {
    if (this.values[field] !== '') {
      this.wrong = {...this.wrong, [field]: this.check(field)};
      this.requestUpdate();
    }
  }

  private checked(fields: Field[]): Wrong {
    return Object.fromEntries(fields.map(field => [field, this.check(field)]).filter(([, wrong]) => wrong));
  }

  private check(field: Field): string | undefined {
    const value = this.values[field].trim();
    const longest = LONGEST[field];
    if (longest && [...value].length > longest) {
      return t.filing.tooLong(String(longest));
    }
    switch (field) {
      case 'title': case 'day': return value === '' ? t.filing.required : undefined;
      case 'time': return value === '' ? t.filing.required : this.values.day && !this.start() ? t.hearing.skipped : undefined;
      case 'durationMinutes': return /^\d+$/.test(value) && Number(value) >= 1 && Number(value) <= MINUTES_MAX ? undefined : t.hearing.minutes(String(MINUTES_MAX));
      case 'link': return value === '' || value.startsWith('https://') && URL.canParse(value) ? undefined : t.filing.form['url'];
      default: return undefined;
    }
  }

  private send(event: SubmitEvent): void {
    event.preventDefault();
    this.sendWritten();
  }

  private sendWritten(): void {
    this.wrong = this.checked(FIELDS);
    const start = this.start();
    const first = FIELDS.find(field => this.wrong[field]);
    if (first || !start) {
      this.requestUpdate();
      void this.updateComplete.then(() => this.querySelector<HTMLElement>(`#hearing-${first ?? 'time'}`)?.focus());
      return;
    }
    const {title, durationMinutes, timeZone, place, link, agenda} = this.values;
    const told = {caseID: this.caseID, title: title.trim(), start: start.toISOString(), durationMinutes: Number(durationMinutes), timeZone,
      place: place.trim() || null, link: link.trim() || null, agenda: agenda.trim() || null};
    const {hearing} = this;
    void this.carryOut(async terms => {
      if (hearing) {
        await this.uponSeen(hearing, () => ask(updateHearing, {...told, hearingID: hearing.hearingID}, {...terms, ifMatch: this.etag}), () => this.compare());
        announce(t.hearing.changed);
      } else {
        await ask(createHearing, told, terms);
        announce(t.hearing.scheduled);
      }
      dropDraft(currentUser.id, this.keptAs);
    });
  }

  private sendCancellation(event: SubmitEvent): void {
    event.preventDefault();
    const reason = String(new FormData(event.target as HTMLFormElement).get('reason')).trim();
    this.wrong = reason === '' ? {reason: t.filing.required} : [...reason].length > REASON_LONGEST ? {reason: t.filing.tooLong(String(REASON_LONGEST))} : {};
    this.requestUpdate();
    const {hearing} = this;
    if (this.wrong.reason || !hearing) {
      this.querySelector<HTMLElement>('#hearing-reason')?.focus();
      return;
    }
    void this.carryOut(async terms => {
      await this.uponSeen(hearing, () => ask(cancelHearing, {caseID: this.caseID, hearingID: hearing.hearingID, reason}, {...terms, ifMatch: this.etag}));
      (event.target as HTMLFormElement).reset();
      dropInput(`cancellation.${hearing.hearingID}`);
      announce(t.hearing.cancelled);
    });
  }

  /**
   * Writes to the revision that the user has seen. If another user has changed it meanwhile, the new revision is read before the problem is shown.
   */
  private async uponSeen(one: Cases.Hearing, write: () => Promise<unknown>, isChanged?: () => void): Promise<void> {
    try {
      await write();
    } catch (failed) {
      if (failed instanceof Problem && failed.code === STALE) {
        await this.read(one);
        isChanged?.();
      }
      throw failed;
    }
  }

  private async carryOut(write: (terms: {key: string}) => Promise<void>): Promise<void> {
    this.isBusy = true;
    this.requestUpdate();
    try {
      await this.attempt(async () => {
        await write({key: this.key});
        this.close();
        this.dispatchEvent(new Event('changed'));
      });
      if (this.refused && !this.refused.isSilence) {
        this.key = crypto.randomUUID();
      }
    } finally {
      this.isBusy = false;
      this.requestUpdate();
    }
  }
}

customElements.define('acp-hearing', HearingDialogs);

declare global {
  interface HTMLElementTagNameMap {
    'acp-hearing': HearingDialogs;
  }
}
