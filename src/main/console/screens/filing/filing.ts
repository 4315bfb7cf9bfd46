import {html, nothing, type PropertyValues} from 'lit';
import {type Answer, Problem, ask, askWithRevision} from '../../api/call.js';
import {type Cases, type Main, approveDocument, checkDocument, createFiling, downloadFilingFile, listCaseActions, rejectDocument, removeFilingFile, submitDocument, updateFiling, updateFilingFile, uploadFilingFile, viewCase, viewFiling,
  withdrawDocument} from '../../api/contracts.js';
import {askBack} from '../../parts/ask-back.js';
import {longDay, size, time} from '../../parts/dates.js';
import {dueDay, why} from '../../parts/deadlines.js';
import {Element, Loading, problem, say, whyRefused} from '../../parts/element.js';
import {fieldNames, fieldsOf, sectionsOf} from '../../parts/fields.js';
import {openFile} from '../../parts/files.js';
import {aside, dropDraft, keepDraft, keptDraft, putAside} from '../../parts/kept.js';
import {follow, notLiveSince} from '../../parts/live.js';
import {forgetWords, keeps, leftWords} from '../../parts/keeps.js';
import {documentName, documentOf, meet, parties, partyName, personName, readSchemas} from '../../parts/names.js';
import {sideIn} from '../../parts/part.js';
import {at, go, goInstead} from '../../parts/route.js';
import {me} from '../../parts/session.js';
import {type Sending, going, sendFile, sending} from '../../parts/sending.js';
import {type Difference, type Version, chooseUndisputed, versions} from '../../parts/versions.js';
import {t} from '../../texts/texts.js';
import {field} from './field.js';
import {filled, sent, wrongWith} from './values.js';

interface Seen {
  one: Cases.ArbitrationCase;
  actions: Cases.CaseAction[];
  /** Not there before the first words are saved. */
  filing: Main.Filing | undefined;
}

const NEW = 'new-';
const SAVE_AFTER_MILLIS = 800;
/** While the platform does not answer or is busy. */
const SAVE_AGAIN_AFTER_MILLIS = 4000;
const STALE = 'filing.stale';
/** Kinds of changes that affect no filing. */
const ELSEWHERE = new Set(['evidence', 'notice', 'hearing', 'invitation', 'delivery', 'member']);
/** Kinds of changes that affect who can decide on a filing. */
const WHO_DECIDES = new Set<string>(['participant', 'participant_added', 'participant_removed']);
/** The period in which an open draft is read again while changes by others do not arrive by the stream. */
const LOOK_EVERY_MILLIS = 5000;
/** Who does not answer for so long is asked again. */
const LOOK_MILLIS_MAX = 20_000;
const IN_FLIGHT = 'idempotency.in-flight';

/** The request that begins a draft, with the key by which the platform knows it again. */
interface Begun {
  readonly key: string;
  readonly sent: Main.CreateFilingRequest;
}

interface Seal {
  readonly isOn: boolean;
  readonly visibleTo: string[];
  readonly reason: string;
}

const NO_SEAL: Seal = {isOn: false, visibleTo: [], reason: ''};
const TRIBUNAL = ['caseManager', 'arbitrator'];

/** What a filing says, beside its files. */
type Words = Pick<Main.Filing, 'title' | 'fields'>;

/** Whether both say the same; a blank value is none. */
function areSame(one: Words, other: Words): boolean {
  const ids = [...Object.keys(one.fields), ...Object.keys(other.fields)];
  return one.title === other.title && ids.every(id => String(one.fields[id] ?? '') === String(other.fields[id] ?? ''));
}

type Saved = {kind: 'saved'; at: string} | {kind: 'saving' | 'notKept' | 'clean'} | {kind: 'unsaved'; isSilent?: boolean};

/** A filing, from its first word to the docket: written here, or read and decided. */
class FilingScreen extends Element {
  static override properties = {caseID: {}, filingID: {}, place: {}};
  caseID = '';
  filingID = '';
  /** Where in a case it stands: among the filings, or as the award beside what was shown, where it can be drafted before its phase. */
  place: 'filings' | 'award' = 'filings';
  private readonly seen = new Loading<Seen>(this);
  private values: Record<string, string> = {};
  private called = '';
  private etag: string | null = null;
  /** What the revision says that is written upon; undefined when that is not known any more. */
  private base: Words | undefined;
  private saved: Saved = {kind: 'clean'};
  /** Whether it is read aloud that it is saved: the first time, and after it could not be saved; not each time. */
  private tellsSaved = true;
  private restored = false;
  private left = new Set<string>();
  private wantsAll = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private unfollow: (() => void) | undefined;
  private looking: ReturnType<typeof setInterval> | undefined;
  private saving: Promise<void> = Promise.resolve();
  private check: Main.DocumentCheck | undefined;
  /** What another wrote into it meanwhile, and of each field that differs whose version shall stand, where that is chosen. */
  private conflict: {theirs: Main.Filing; etag: string | null; chosen: Map<string, Version>} | undefined;
  /** In what state somebody else has put the draft that is being written. */
  private overtaken: Main.Filing['state'] | undefined;
  /** Files that are not with the filing yet, in the order in which they were chosen. */
  private uploads: Sending[] = [];
  private adding: Promise<void> = Promise.resolve();
  /** While a filing is submitted or decided. */
  private isDeciding = false;
  /** Others did something while it was submitted or decided: what was read then may be older. */
  private happenedMeanwhile = false;
  /** What was sent last to decide, while nobody answered it. */
  private unanswered: {what: string; key: string} | undefined;
  /** Why it shall be rejected. */
  private reason = '';
  /** The file whose title is being written. */
  private renaming = '';
  /** Of a filing that is not there yet: a draft is not sealed afterwards. */
  private seal = NO_SEAL;
  /** What was sent to begin it, while it is not known whether it came: it is sent once more, as it was, so that there is one draft. */
  private begun: Begun | undefined;
  /** The entries that the address names, when one came here: a draft that one has left is saved while the address is that of another place. */
  private address = new URLSearchParams();
  private isFollowing = false;

  /** What shall be sealed from the start is not sent before it can be. */
  private get sealLacks(): boolean {
    return !this.seen.value?.filing && this.seal.isOn && this.seal.reason.trim() === '';
  }

  /** A filing that is not there yet is named by its case, its document type, and what it answers or replaces. */
  private get keptAs(): string {
    const beside = ['replyTo', 'supersedes'].flatMap(name => this.address.has(name) ? `.${name}-${this.address.get(name)}` : []).join('');
    return this.filingID.startsWith(NEW) ? `${this.caseID}.${this.filingID}${beside}` : this.filingID;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    window.addEventListener('online', this.retry);
    window.addEventListener('beforeunload', this.warn);
    this.looking = setInterval(() => {
      if (notLiveSince() !== null && document.visibilityState === 'visible' && this.isOpen && !this.isFollowing) {
        void this.follow();
      }
    }, LOOK_EVERY_MILLIS);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener('online', this.retry);
    window.removeEventListener('beforeunload', this.warn);
    clearInterval(this.looking);
    this.unfollow?.();
    this.unfollow = undefined;
    if (this.saved.kind === 'unsaved') {
      clearTimeout(this.timer);
      void this.save();
    }
  }

  private readonly retry = () => {
    if (this.saved.kind === 'unsaved') {
      void this.save();
    }
  };

  /** What could be kept nowhere is not left without a question. */
  private readonly warn = (event: BeforeUnloadEvent) => {
    if (this.saved.kind === 'notKept' || this.uploads.length > 0) {
      event.preventDefault();
    }
  };

  protected override willUpdate(changed: PropertyValues<this>): void {
    if ((changed.has('filingID') || changed.has('caseID')) && this.filingID && this.seen.value?.filing?.filingID !== this.filingID) {
      this.seen.clear();
      this.address = new URLSearchParams(location.search);
      this.begun = undefined;
      this.values = {};
      this.called = '';
      this.seal = NO_SEAL;
      this.left.clear();
      this.wantsAll = false;
      this.conflict = undefined;
      this.overtaken = undefined;
      this.check = undefined;
      this.base = undefined;
      this.reason = '';
      this.uploads = [];
      this.unfollow?.();
      this.unfollow = follow(this.caseID, kinds => [...kinds].every(kind => ELSEWHERE.has(kind)) ? undefined : this.follow([...kinds].some(kind => WHO_DECIDES.has(kind))));
      void this.seen.start(() => this.read());
    }
  }

  /** Whether it can still be written. */
  private get isOpen(): boolean {
    const state = this.seen.value?.filing?.state;
    return state === 'draft' || state === 'rejected';
  }

  /** What others did to it appears by itself; what is written here stays. When it cannot be read now, it is read with the next event. */
  private async follow(withCase = false): Promise<void> {
    this.isFollowing = true;
    try {
      if (this.seen.problem && !this.seen.value) {
        await this.seen.again();
      } else {
        await this.readAnew();
        await (withCase && this.readCase());
      }
    } catch (failed) {
      if (!(failed instanceof Problem)) {
        throw failed;
      }
    } finally {
      this.isFollowing = false;
      this.requestUpdate();
    }
  }

  /** Read beside what is being saved, and taken up after it, unless that has changed it. */
  private async readAnew(): Promise<void> {
    const {caseID} = this;
    const before = this.seen.value?.filing;
    const isOut = () => {
      this.happenedMeanwhile ||= this.isDeciding;
      return this.seen.value?.filing !== before || this.conflict || this.overtaken || this.isDeciding || !this.isConnected;
    };
    if (!before || isOut()) {
      return;
    }
    const {value, etag} = await askWithRevision(viewFiling, {caseID, filingID: before.filingID}, {signal: AbortSignal.timeout(LOOK_MILLIS_MAX)});
    await this.inTurn(async () => {
      if (!isOut() && (etag !== this.etag || value.state !== before.state)) {
        await this.learn(before, value, etag);
      }
    });
  }

  /** Reads who takes part now: somebody may have come who can decide. */
  private async readCase(): Promise<void> {
    const {caseID} = this;
    const one = await ask(viewCase, {caseID});
    if (this.seen.value && caseID === this.caseID) {
      this.seen.value = {...this.seen.value, one};
    }
  }

  private async learn(before: Main.Filing, value: Main.Filing, etag: string | null): Promise<void> {
    const wasOpen = before.state === 'draft' || before.state === 'rejected';
    const isOpen = value.state === 'draft' || value.state === 'rejected';
    if (wasOpen && !isOpen && (this.saved.kind === 'unsaved' || this.saved.kind === 'notKept')) {
      this.overtaken = value.state;
      return;
    }
    if (wasOpen && isOpen) {
      this.takeUp(value, etag);
      if (!this.conflict) {
        say(t.filing.changedByOther);
      }
    }
    const [one, actions] = await Promise.all([ask(viewCase, {caseID: this.caseID}), ask(listCaseActions, {caseID: this.caseID})]);
    await meet([value.userID, ...value.decidedBy ? [value.decidedBy] : []]);
    this.forgetLostAnswer(before, value);
    if (!isOpen) {
      this.etag = etag;
    } else if (!wasOpen) {
      // It was rejected: further input is based on that revision.
      this.take(value, etag);
    }
    this.seen.value = {one, actions: actions.actions, filing: value};
    if (isOpen) {
      await this.look(value.filingID);
    }
  }

  /** If an answer was lost but the filing shows that the request was carried out, the user is not asked to repeat it. */
  private forgetLostAnswer(before: Main.Filing | undefined, value: Main.Filing | undefined): void {
    if (this.refused?.isSilence && before?.state !== value?.state) {
      this.refused = undefined;
      this.unanswered = undefined;
    }
  }

  /** The entry that this filing answers. */
  private get answers(): string | null {
    return this.seen.value?.filing?.parentEntryID ?? this.address.get('replyTo');
  }

  /** The entry of the same side in whose place this one shall stand. */
  private get replaces(): string | null {
    return this.seen.value?.filing?.supersedes ?? this.address.get('supersedes');
  }

  private get documentID(): string {
    return this.seen.value?.filing?.documentID ?? this.filingID.slice(NEW.length);
  }

  private async read(): Promise<Seen> {
    const caseID = this.caseID;
    const isNew = this.filingID.startsWith(NEW);
    const [one, actions, filing] = await Promise.all([ask(viewCase, {caseID}), ask(listCaseActions, {caseID}),
      isNew ? undefined : askWithRevision(viewFiling, {caseID, filingID: this.filingID}), readSchemas()]);
    if (filing) {
      this.take(filing.value, filing.etag);
      await meet([filing.value.userID, ...filing.value.decidedBy ? [filing.value.decidedBy] : []]);
    }
    const kept = keptDraft(me.id, this.keptAs);
    if (kept && (isNew || filing?.value.state === 'draft' || filing?.value.state === 'rejected')) {
      this.values = kept.fields;
      this.called = kept.title;
      this.seal = kept.sealed ?? NO_SEAL;
      this.begun = kept.begun as Begun | undefined;
      if (kept.etag && kept.etag !== this.etag) {
        this.etag = kept.etag;
        this.base = kept.base as Words | undefined;
      }
      this.restored = true;
      this.saved = {kind: 'unsaved'};
      this.later();
    }
    document.title = `${filing?.value.title || documentName(filing?.value.documentID ?? this.filingID.slice(NEW.length))} – ${one.title}`;
    const seen = {one, actions: actions.actions, filing: filing?.value};
    if (filing && (filing.value.state === 'draft' || filing.value.state === 'rejected')) {
      void this.look(filing.value.filingID);
    }
    return seen;
  }

  private take(filing: Main.Filing, etag: string | null): void {
    this.etag = etag;
    this.base = filing;
    this.values = Object.fromEntries(Object.entries(filing.fields).map(([id, value]) => [id, String(value ?? '')]));
    this.called = filing.title === documentName(filing.documentID) ? '' : filing.title;
  }

  private async look(filingID: string): Promise<void> {
    this.check = await ask(checkDocument, {caseID: this.caseID, filingID});
    this.requestUpdate();
  }

  // ---- writing

  private write(id: string, value: string): void {
    this.values = {...this.values, [id]: value};
    this.touched();
  }

  private touched(): void {
    this.keep();
    this.later();
    this.requestUpdate();
  }

  private keep(): void {
    const kept = keepDraft(me.id, this.keptAs, {title: this.called, fields: this.values, etag: this.etag, at: new Date().toISOString(), sealed: this.seal.isOn ? this.seal : undefined, begun: this.begun,
      base: this.base && {title: this.base.title, fields: this.base.fields}});
    this.tellsSaved &&= this.saved.kind !== 'saved';
    this.saved = {kind: kept ? 'unsaved' : 'notKept'};
  }

  /** What can be sent of what is written here: a value that would be refused stays as the platform has it. */
  private get words(): Words {
    const wrong = this.wrong(false).map(({one}) => one.id);
    const fields = Object.fromEntries(Object.entries(filled(fieldsOf(this.documentID), this.values)).filter(([id]) => !wrong.includes(id)));
    const before = Object.fromEntries(wrong.map(id => [id, this.base?.fields[id]]).filter(([, value]) => value !== undefined));
    return {title: this.called.trim() || documentName(this.documentID), fields: {...fields, ...before}};
  }

  private later(millis = SAVE_AFTER_MILLIS): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.save(), millis);
  }

  private wrong(whole: boolean): {one: Cases.SchemaField; wrong: string}[] {
    return fieldsOf(this.documentID).map(one => ({one, wrong: wrongWith(one, this.values[one.id] ?? '', whole)})).filter(each => each.wrong !== '');
  }

  /** One after the other: each writes upon the revision of the one before. */
  private async save(): Promise<void> {
    clearTimeout(this.timer);
    await this.inTurn(() => this.saveNow());
  }

  private async inTurn(act: () => Promise<void>): Promise<void> {
    const done = this.saving.then(act);
    // Whoever waits for this one learns of its failure; the next ones go on.
    this.saving = done.catch(() => undefined);
    await done;
  }

  private async saveNow(): Promise<void> {
    if (this.saved.kind !== 'unsaved' && this.saved.kind !== 'notKept' || this.conflict || this.overtaken || this.sealLacks) {
      return;
    }
    const {caseID, values, called, words} = this;
    const isPartial = this.wrong(false).length > 0;
    if (isPartial && this.base && areSame(this.base, words)) {
      return;
    }
    const before = this.filingID;
    const keptBefore = this.keptAs;
    this.saved = {kind: 'saving'};
    this.requestUpdate();
    try {
      const {value, etag} = this.seen.value?.filing
        ? await askWithRevision(updateFiling, {caseID, filingID: this.seen.value.filing.filingID, ...words}, {ifMatch: this.etag})
        : await this.create(words, called);
      this.etag = etag;
      this.base = value;
      this.refused = undefined;
      if (this.seen.value) {
        this.seen.value = {...this.seen.value, filing: value};
      }
      dropDraft(me.id, keptBefore);
      if (before !== value.filingID && this.isConnected) {
        this.filingID = value.filingID;
        goInstead(at('cases', caseID, this.place, value.filingID));
      }
      const isWhole = !this.begun || JSON.stringify(this.begun.sent.fields) === JSON.stringify(words.fields) && this.begun.sent.title === (called.trim() || null);
      this.begun = undefined;
      if (isWhole && values === this.values && called === this.called) {
        if (isPartial) {
          this.keep();
        } else {
          this.saved = {kind: 'saved', at: new Date().toISOString()};
        }
      } else {
        this.touched();
      }
      await this.look(value.filingID);
    } catch (failed) {
      await this.notSaved(failed);
    }
    this.requestUpdate();
  }

  /** Begins it with these words, or with those of an attempt of which no answer came; the seal is that of now in any case. */
  private create(words: Words, called: string): Promise<Answer<Main.Filing>> {
    const sent: Begun['sent'] = {caseID: this.caseID, documentID: this.documentID, parentEntryID: this.answers, ...this.replaces ? {supersedes: this.replaces} : {}, fields: words.fields, title: called.trim() || null,
      ...this.seal.isOn ? {sealed: {visibleTo: this.seal.visibleTo, reason: this.seal.reason.trim()}} : {}};
    if (!this.begun || JSON.stringify(this.begun.sent.sealed) !== JSON.stringify(sent.sealed)) {
      this.begun = {key: crypto.randomUUID(), sent};
      const {saved} = this;
      this.keep();
      this.saved = saved;
    }
    return askWithRevision(createFiling, this.begun.sent, {key: this.begun.key});
  }

  /** The platform refused to begin it: what is sent next is another request. */
  private isNotBegun(): void {
    if (this.begun) {
      this.begun = undefined;
      this.keep();
    }
  }

  private async notSaved(failed: unknown): Promise<void> {
    if (!(failed instanceof Problem)) {
      throw failed;
    }
    this.saved = {kind: 'unsaved', isSilent: failed.isSilence};
    if (failed.isSilence || failed.isBusy) {
      this.refused = failed.isSilence ? undefined : failed;
      if (this.isConnected) {
        this.later(SAVE_AGAIN_AFTER_MILLIS);
      }
    } else if (failed.status === 409 || failed.code === STALE) {
      if (failed.code !== IN_FLIGHT) {
        this.isNotBegun();
      }
      await this.compare(failed);
    } else {
      this.isNotBegun();
      this.refused = failed;
    }
  }

  /** Somebody else was there first: what they did is shown beside what is written here. */
  private async compare(failed: Problem): Promise<void> {
    const filing = this.seen.value?.filing;
    if (!filing) {
      this.refused = failed;
      return;
    }
    await this.attempt(async () => {
      const theirs = await askWithRevision(viewFiling, {caseID: this.caseID, filingID: filing.filingID});
      if (theirs.value.state !== 'draft' && theirs.value.state !== 'rejected') {
        this.overtaken = theirs.value.state;
      } else if (failed.code === STALE) {
        this.takeUp(theirs.value, theirs.etag);
      } else {
        this.refused = failed;
      }
    });
  }

  /** Takes up a newer revision. When another wrote in it what differs from what stands here, both are shown; its files are simply there. */
  private takeUp(theirs: Main.Filing, etag: string | null): void {
    const isSame = areSame(theirs, this.words);
    if (this.base && areSame(theirs, this.base) || isSame) {
      this.etag = etag;
      this.base = theirs;
      if (this.saved.kind === 'unsaved' || this.saved.kind === 'notKept') {
        this.touched();
      }
    } else if (this.saved.kind === 'clean' || this.saved.kind === 'saved') {
      this.take(theirs, etag);
    } else {
      const chosen = this.conflict?.chosen ?? new Map<string, Version>();
      this.conflict = {theirs, etag, chosen};
      chooseUndisputed(this.differences(theirs), chosen);
    }
    if (this.seen.value) {
      this.seen.value = {...this.seen.value, filing: theirs};
    }
  }

  private keepMine(): void {
    this.etag = this.conflict?.etag ?? null;
    this.base = this.conflict?.theirs;
    this.conflict = undefined;
    this.touched();
    void this.save();
  }

  /** Fields of which another wrote something else than stands here; that of the title has no ID. */
  private differences(theirs: Main.Filing): Difference[] {
    const {base} = this;
    const fields = fieldsOf(this.documentID).map(one => ({id: one.id, name: one.displayName, before: base && String(base.fields[one.id] ?? ''), theirs: String(theirs.fields[one.id] ?? ''), mine: sent(one, this.values[one.id] ?? '')}));
    return [{id: '', name: t.filing.title, before: base?.title, theirs: theirs.title, mine: this.words.title}, ...fields].filter(one => one.theirs !== one.mine);
  }

  /** Each field as it was chosen; what is not taken of this person's words is put aside. */
  private saveChosen(event: SubmitEvent): void {
    event.preventDefault();
    const {conflict} = this;
    if (!conflict) {
      return;
    }
    const taken = this.differences(conflict.theirs).filter(one => conflict.chosen.get(one.id) === 'theirs');
    this.putAside(taken);
    for (const one of taken) {
      if (one.id === '') {
        this.called = one.theirs === documentName(this.documentID) ? '' : one.theirs;
      } else {
        this.values = {...this.values, [one.id]: one.theirs};
      }
    }
    this.keepMine();
  }

  private putAside(given: Difference[]): void {
    // What stood there before was typed by nobody now.
    const lost = given.filter(one => one.mine !== '' && one.mine !== one.before);
    if (lost.length > 0) {
      putAside(me.id, this.filingID, {title: lost.find(one => one.id === '')?.mine ?? '', fields: Object.fromEntries(lost.filter(one => one.id !== '').map(one => [one.id, one.mine])), etag: null, at: new Date().toISOString()});
    }
  }

  private asides() {
    return aside(me.id, this.filingID).map(({key, draft}) => html`<div class="notice"><h2>${t.filing.aside}</h2><dl class="facts">${draft.title ? html`<dt>${t.filing.title}</dt><dd>${draft.title}</dd>` : nothing}${fieldNames(this.documentID, draft.fields).map(one => html`<dt>${one.name}</dt><dd>${one.value}</dd>`)}</dl>
      <p><button type="button" @click=${() => { dropDraft(me.id, key); this.requestUpdate(); }}>${t.filing.forget}</button></p></div>`);
  }

  private takeTheirs(): void {
    if (this.conflict) {
      this.putAside(this.differences(this.conflict.theirs));
      this.take(this.conflict.theirs, this.conflict.etag);
      this.conflict = undefined;
      this.saved = {kind: 'clean'};
      dropDraft(me.id, this.filingID);
      void this.look(this.filingID);
      this.requestUpdate();
    }
  }

  // ---- files

  private add(files: File[]): void {
    this.uploads = [...this.uploads, ...files.map(sending)];
    void this.sendFiles();
  }

  /** One after the other, so that they stand in the order in which they were chosen; what was refused waits to be tried again. */
  private async sendFiles(again?: Sending): Promise<void> {
    if (again) {
      again.refused = '';
    }
    this.requestUpdate();
    const done = this.adding.then(async () => {
      for (const one of this.uploads.filter(each => each.refused === '')) {
        await this.sendOne(one);
      }
    });
    this.adding = done.catch(() => undefined);
    await done;
  }

  private async sendOne(one: Sending): Promise<void> {
    // A filing that is not there yet has to be, before it carries a file.
    if (!this.seen.value?.filing) {
      this.saved = {kind: 'unsaved'};
      await this.save();
    }
    const filing = this.seen.value?.filing;
    if (!filing) {
      one.refused = this.sealLacks ? `${t.seal.why}: ${t.filing.required}` : (this.refused && whyRefused(this.refused)) || t.problem.silence;
      this.requestUpdate();
      return;
    }
    const form = new FormData();
    form.append('caseID', this.caseID);
    form.append('filingID', filing.filingID);
    form.append('file', one.file);
    const failed = await sendFile(uploadFilingFile, form, one, () => this.requestUpdate());
    if (failed) {
      one.refused = failed.isSilence ? t.problem.silence : whyRefused(failed);
      this.requestUpdate();
      return;
    }
    this.uploads = this.uploads.filter(each => each !== one);
    await this.attempt(() => this.refresh());
  }

  /** What the platform has now, without what is being written here. */
  private refresh(): Promise<void> {
    return this.inTurn(async () => {
      const filingID = this.seen.value?.filing?.filingID;
      if (filingID && !this.conflict) {
        const {value, etag} = await askWithRevision(viewFiling, {caseID: this.caseID, filingID});
        this.takeUp(value, etag);
        await this.look(filingID);
      }
    });
  }

  private rename(one: Main.FilingFile): void {
    this.renaming = one.fileID;
    this.requestUpdate();
    void this.updateComplete.then(() => this.querySelector<HTMLInputElement>('li input.grow')?.focus());
  }

  /** Enter keeps the title and does not submit the filing. */
  private titleKey(event: KeyboardEvent, filing: Main.Filing, one: Main.FilingFile): void {
    if (event.key === 'Enter') {
      event.preventDefault();
      this.retitle(filing, one, event.target as HTMLInputElement);
    } else if (event.key === 'Escape') {
      this.renaming = '';
      this.requestUpdate();
    }
  }

  private retitle(filing: Main.Filing, one: Main.FilingFile, {value}: HTMLInputElement): void {
    this.renaming = '';
    void this.changeFile(filing, one, {title: value.trim() || one.fileName});
  }

  private changeFile(filing: Main.Filing, one: Main.FilingFile, to: {title?: string; position?: number}): Promise<void> {
    return this.attempt(async () => {
      await ask(updateFilingFile, {caseID: this.caseID, filingID: filing.filingID, fileID: one.fileID, ...to});
      await this.refresh();
    });
  }

  private removeFile(filing: Main.Filing, one: Main.FilingFile): Promise<void> {
    return this.attempt(async () => {
      await ask(removeFilingFile, {caseID: this.caseID, filingID: filing.filingID, fileID: one.fileID});
      say(t.filing.removed);
      await this.refresh();
    });
  }

  // ---- deciding

  private async submit(event: Event): Promise<void> {
    event.preventDefault();
    if (this.isDeciding) {
      return;
    }
    this.wantsAll = true;
    this.refused = undefined;
    if (this.sealLacks) {
      this.requestUpdate();
      this.querySelector<HTMLElement>('#from-start-reason')?.focus();
      return;
    }
    if (this.wrong(true).length > 0) {
      this.requestUpdate();
      await this.updateComplete;
      this.querySelector<HTMLElement>('#problems')?.focus();
      return;
    }
    await this.alone(async () => {
      await this.adding;
      if (this.saved.kind === 'clean' && !this.seen.value?.filing) {
        this.saved = {kind: 'unsaved'};
      }
      await this.save();
      const filing = this.seen.value?.filing;
      if (!filing || this.conflict || this.overtaken || this.refused || this.saved.kind === 'unsaved') {
        return;
      }
      if (this.uploads.length > 0) {
        this.querySelector<HTMLElement>('li.refused button')?.focus();
        return;
      }
      await this.attempt(async () => {
        await this.once(`submit ${filing.filingID} ${this.etag}`, key => ask(submitDocument, {caseID: this.caseID, filingID: filing.filingID}, {ifMatch: this.etag, key}));
        say(t.filing.submitted);
        await this.seen.again();
      });
      await this.whenStale();
    });
  }

  /** What another wrote meanwhile is shown below why this was refused. */
  private async whenStale(): Promise<void> {
    const {refused} = this;
    if (refused?.code === STALE) {
      await this.attempt(() => this.refresh());
      this.refused ??= refused;
      this.requestUpdate();
    }
  }

  /** While it runs, no other begins. */
  private async alone(act: () => Promise<void>): Promise<void> {
    if (this.isDeciding) {
      return;
    }
    this.isDeciding = true;
    this.requestUpdate();
    try {
      await act();
    } finally {
      this.isDeciding = false;
      this.requestUpdate();
    }
    if (this.happenedMeanwhile) {
      this.happenedMeanwhile = false;
      if (this.isOpen) {
        await this.follow();
      } else {
        const {refused} = this;
        const before = this.seen.value?.filing;
        await this.attempt(() => this.seen.again());
        this.refused ??= refused;
        this.forgetLostAnswer(before, this.seen.value?.filing);
        this.requestUpdate();
      }
    }
  }

  /** When nobody answered, the same is sent with the same key, so that it is carried out once. */
  private async once(what: string, act: (key: string) => Promise<unknown>): Promise<void> {
    const sent = this.unanswered?.what === what ? this.unanswered : {what, key: crypto.randomUUID()};
    this.unanswered = sent;
    try {
      await act(sent.key);
      this.unanswered = undefined;
    } catch (failed) {
      if (failed instanceof Problem && !failed.isSilence) {
        this.unanswered = undefined;
      }
      throw failed;
    }
  }

  private withdraw(filing: Main.Filing): void {
    askBack({title: t.filing.withdrawTitle, says: [t.filing.withdrawSays], act: t.filing.withdraw, does: async () => {
      await ask(withdrawDocument, {caseID: this.caseID, filingID: filing.filingID});
      dropDraft(me.id, filing.filingID);
      say(t.filing.withdrawn);
      go(at('cases', this.caseID, 'filings'));
    }});
  }

  /** What another did first is shown, beside why this is refused. */
  private decide(act: () => Promise<void>): Promise<void> {
    return this.alone(async () => {
      await this.attempt(act);
      if (this.refused?.status === 409) {
        await this.seen.again();
      }
    });
  }

  private approve(filing: Main.Filing): Promise<void> {
    return this.decide(async () => {
      await this.once(`approve ${filing.filingID}`, key => ask(approveDocument, {caseID: this.caseID, filingID: filing.filingID}, {key}));
      say(t.filing.approved);
      await this.seen.again();
    });
  }

  private reject(event: SubmitEvent, filing: Main.Filing): Promise<void> {
    event.preventDefault();
    const {reason} = this;
    return this.decide(async () => {
      await this.once(`reject ${filing.filingID} ${reason}`, key => ask(rejectDocument, {caseID: this.caseID, filingID: filing.filingID, reason}, {key}));
      this.reason = '';
      forgetWords(`rejection.${filing.filingID}`);
      say(t.filing.rejected);
      await this.seen.again();
    });
  }

  protected override updated(): void {
    this.dispatchEvent(new Event('shown', {bubbles: true}));
  }

  // ---- what one sees

  override render() {
    return this.seen.render(seen => {
      const mayEdit = !seen.filing || seen.actions.some(one => one.action === 'edit' && one.filingID === seen.filing?.filingID) || this.isFresh(seen.filing);
      return html`${this.place === 'award' ? nothing : html`<div class="top"><p class="small"><a href=${at('cases', this.caseID)}>${seen.one.title}</a> · <a href=${at('cases', this.caseID, 'filings')}>${t.case.tabs.filings}</a></p>
          <h1>${seen.filing?.title || documentName(this.documentID)}</h1><p class="soft">${documentOf(this.documentID)?.description ?? ''}</p>
          ${this.answers ? html`<p><a href=${at('cases', this.caseID, 'docket', this.answers)}>${t.filing.answers}</a></p>` : nothing}
          ${this.replaces ? html`<p><a href=${at('cases', this.caseID, 'docket', this.replaces)}>${t.filing.replaces}</a></p>` : nothing}</div>`}
        ${this.refused ? problem(this.refused) : nothing}
        ${!seen.filing && this.place !== 'award' && !seen.actions.some(one => one.action === 'file' && one.documentID === this.documentID) ? html`<p class="notice warn">${t.case.notNow}</p>` : mayEdit && (!seen.filing || seen.filing.state === 'draft' || seen.filing.state === 'rejected') ? this.form(seen) : this.reading(seen)}`;
    });
  }

  /** Made here a moment ago: the actions that were read do not name it yet. */
  private isFresh(filing: Main.Filing): boolean {
    return filing.userID === me.id && (filing.state === 'draft' || filing.state === 'rejected');
  }

  private state() {
    const words = this.saved.kind === 'saved' ? t.filing.saved(time(this.saved.at)) : this.saved.kind === 'saving' ? t.filing.saving : this.saved.kind === 'unsaved' ? this.saved.isSilent ? t.filing.silent : t.filing.unsaved
      : this.saved.kind === 'notKept' ? t.filing.notKept : '';
    this.tellsSaved ||= this.isUnsafe;
    const isRead = this.isUnsafe || this.saved.kind === 'saved' && this.tellsSaved;
    return html`<p class="small soft saved" role="status" aria-live=${isRead ? 'polite' : 'off'}>${words}</p>`;
  }

  /** What is written may be lost, or is not saved before the platform answers. */
  private get isUnsafe(): boolean {
    return this.saved.kind === 'notKept' || this.saved.kind === 'unsaved' && this.saved.isSilent === true;
  }

  private form({one, filing}: Seen) {
    const problems = this.wantsAll ? this.wrong(true) : [];
    return html`${filing?.state === 'rejected' ? html`<div class="notice bad"><h2>${t.filing.rejectedBecause}</h2><p>${filing.reason ?? ''}</p></div>` : nothing}
      ${this.restored ? html`<p class="notice warn" role="status">${t.filing.restored}</p>` : nothing}
      ${this.conflict ? versions({title: t.filing.conflict, help: t.filing.conflictHelp, differences: this.differences(this.conflict.theirs), chosen: this.conflict.chosen,
        save: event => this.saveChosen(event), keepMine: () => this.keepMine(), takeTheirs: () => this.takeTheirs()}) : nothing}
      ${filing ? this.asides() : nothing}
      ${this.overtaken ? html`<div class="notice warn" role="alert"><h2>${t.filing.overtaken(t.filings.states[this.overtaken])}</h2><p>${t.filing.overtakenHelp}</p></div>` : nothing}
      ${problems.length > 0 ? html`<div class="notice bad" id="problems" tabindex="-1" role="group" aria-labelledby="problems-title" aria-describedby="problems-list"><h2 id="problems-title">${t.filing.problems}</h2><ul id="problems-list">${problems.map(({one, wrong}) =>
        html`<li><a href=${`#field-${one.id}`} @click=${(event: Event) => this.lead(event, one.id)}>${one.displayName}</a>: ${wrong}</li>`)}</ul></div>` : nothing}
      <form class="filing" novalidate @submit=${this.submit}>
        ${!filing ? this.sealing(sideIn(one)) : filing.sealed ? html`<p><span class="mark seal">${t.case.sealed}</span> ${t.seal.isSealed} ${t.quoted(filing.sealed.reason)}</p>` : nothing}
        ${sectionsOf(this.documentID).map(section => html`<section><h2>${section.displayName}</h2><p class="soft">${section.description}</p>
          ${section.fields.map(one => field(one, {value: this.values[one.id] ?? '', wrong: this.wantsAll || this.left.has(one.id) ? wrongWith(one, this.values[one.id] ?? '', this.wantsAll) : '',
            write: value => this.write(one.id, value), leave: () => { this.left.add(one.id); this.requestUpdate(); }}))}</section>`)}
        <section><h2>${t.filing.files}</h2>${this.files(filing)}</section>
        <section><div class="field"><label for="filing-title">${t.filing.title} <span class="soft small">(${t.filing.optional})</span></label>
          <input id="filing-title" maxlength="200" autocomplete="off" .value=${this.called} @input=${(event: InputEvent) => { this.called = (event.target as HTMLInputElement).value; this.touched(); }} aria-describedby="filing-title-help">
          <p class="help" id="filing-title-help">${t.filing.titleHelp}</p></div></section>
        <section class="ending"><h2>${t.filing.check}</h2>
          <p class="row"><button class="main" aria-describedby="filing-check" ?disabled=${this.isDeciding}>${t.filing.submit}</button>${filing ? html`<button type="button" @click=${() => this.withdraw(filing)}>${t.filing.withdraw}</button>` : nothing}</p>
          <div class="checked" id="filing-check">${this.checked()}</div>${this.state()}</section>
      </form>`;
  }

  private sealing(mine: string) {
    const {isOn, visibleTo, reason} = this.seal;
    const wrong = this.wantsAll && this.sealLacks;
    const set = (to: Partial<Seal>) => {
      this.seal = {...this.seal, ...to};
      this.touched();
    };
    return html`<section><label class="choice"><input type="checkbox" .checked=${isOn} @change=${(event: Event) => set({isOn: (event.target as HTMLInputElement).checked})}>${t.seal.fromStart}</label>
      ${isOn ? html`<p class="small soft">${t.seal.fromStartHelp}</p>
        <fieldset><legend>${t.seal.visibleTo}</legend>${parties().filter(one => one.id !== mine && !TRIBUNAL.includes(one.id)).map(one => html`<label class="choice"><input type="checkbox" .checked=${visibleTo.includes(one.id)}
          @change=${(event: Event) => set({visibleTo: [...visibleTo.filter(id => id !== one.id), ...(event.target as HTMLInputElement).checked ? [one.id] : []]})}>${one.displayName}</label>`)}</fieldset>
        <div class="field"><label for="from-start-reason">${t.seal.why}</label><textarea id="from-start-reason" .value=${reason} maxlength="2000" aria-required="true" aria-invalid=${wrong ? 'true' : nothing}
          aria-describedby=${wrong ? 'from-start-help from-start-wrong' : 'from-start-help'} @input=${(event: Event) => set({reason: (event.target as HTMLTextAreaElement).value})}></textarea>
          <p class="help" id="from-start-help">${t.seal.reasonHelp}</p>${wrong ? html`<p class="wrong" id="from-start-wrong">${t.filing.required}</p>` : nothing}</div>` : nothing}</section>`;
  }

  /** Below the buttons, which stay where they are while what it says changes with each draft that is saved. */
  private checked() {
    const {check} = this;
    if (!check) {
      return nothing;
    }
    return html`${check.allowed ? html`<p><span class="mark good">${t.filing.ready}</span></p>` : html`<p>${t.filing.cannot}</p><ul class="plain">${check.problems.map(one => html`<li>${this.named(one)}</li>`)}</ul>`}
      <p class="soft">${check.approvedBy ? t.filing.approval(partyName(check.approvedBy)) : t.filing.noApproval}</p>${this.nobodyDecides(check.approvedBy)}
      ${check.deadline ? html`<p class="soft">${t.filing.lateMark(longDay(dueDay(check.deadline)))} ${why(check.deadline)}</p>` : nothing}`;
  }

  /** Said where nobody takes part who could approve it. */
  private nobodyDecides(approver: string | null) {
    const participants = this.seen.value?.one.participants ?? [];
    return approver === null || participants.some(one => one.partyID === approver && !one.isObserver) ? nothing
      : html`<p class="notice warn">${approver === 'caseManager' ? t.filing.noManager : t.filing.nobodyOf(partyName(approver))}</p>`;
  }

  /** Who decides on documents of this type in the phase in which it was submitted. */
  private approver({one, filing}: Seen): string | null {
    const phase = one.timetable.phases.find(each => each.phaseID === filing?.phaseID);
    return phase?.documents.find(each => each.documentID === filing?.documentID)?.approvedBy ?? null;
  }

  /** The platform names a field by its pointer; people know it by its label. */
  private named(sentence: string): unknown {
    const found = /^\/?fields\/([^:]+): (.*)$/.exec(sentence);
    const one = found && fieldsOf(this.documentID).find(each => each.id === found[1]);
    return one ? html`<a href=${`#field-${one.id}`} @click=${(event: Event) => this.lead(event, one.id)}>${one.displayName}</a>: ${wrongWith(one, this.values[one.id] ?? '', true) || found[2]}` : t.checks[sentence] ?? sentence;
  }

  private lead(event: Event, id: string): void {
    event.preventDefault();
    const found = this.querySelector<HTMLElement>(`#field-${CSS.escape(id)}`);
    found?.scrollIntoView({block: 'center'});
    (found?.querySelector<HTMLElement>('input') ?? found)?.focus();
  }

  private files(filing: Main.Filing | undefined) {
    return html`<ul class="files">${filing?.files.map((one, index) => html`<li><p class="row">${this.renaming === one.fileID ? html`<input class="grow" maxlength="200" aria-label=${t.filing.fileTitle} .value=${one.title} @keydown=${(event: KeyboardEvent) => this.titleKey(event, filing, one)}>
          <button type="button" @click=${(event: Event) => this.retitle(filing, one, (event.target as HTMLElement).previousElementSibling as HTMLInputElement)}>${t.filing.keepTitle}</button>`
        : html`<button type="button" class="bare" @click=${() => this.open(filing, one)}>${one.title}</button>`}
        <span class="small soft">${one.pages ? `${t.case.pages(one.pages)}, ` : ''}${size(one.bytes)}</span></p>
        <p class="row acts">${this.renaming === one.fileID ? nothing : html`${index > 0 ? html`<button type="button" class="bare small" aria-label=${`${t.filing.earlier}: ${one.title}`} @click=${() => this.changeFile(filing, one, {position: index})}>${t.filing.earlier}</button>` : nothing}
        ${index < filing.files.length - 1 ? html`<button type="button" class="bare small" aria-label=${`${t.filing.later}: ${one.title}`} @click=${() => this.changeFile(filing, one, {position: index + 2})}>${t.filing.later}</button>` : nothing}
        <button type="button" class="bare small" aria-label=${`${t.filing.rename}: ${one.title}`} @click=${() => this.rename(one)}>${t.filing.rename}</button>`}
        <button type="button" class="bare small" aria-label=${`${t.filing.remove}: ${one.title}`} @click=${() => this.removeFile(filing, one)}>${t.filing.remove}</button></p></li>`)}
      ${this.uploads.map(one => html`<li class="row ${one.refused ? 'refused' : ''}"><span>${one.file.name}</span> ${one.refused ? html`<span class="wrong" role="alert">${one.refused}</span>
        <button type="button" aria-label=${`${t.problem.again}: ${one.file.name}`} @click=${() => void this.sendFiles(one)}>${t.problem.again}</button>
        <button type="button" class="bare" aria-label=${`${t.filing.remove}: ${one.file.name}`} @click=${() => { this.uploads = this.uploads.filter(each => each !== one); this.requestUpdate(); }}>${t.filing.remove}</button>`
        : one.share === undefined ? html`<span class="small soft">${t.filing.fileWaits}</span>` : going(one)}</li>`)}</ul>
      <div class="drop" @dragover=${(event: DragEvent) => event.preventDefault()} @drop=${this.dropped}>
        <label for="files">${t.filing.drop} <span class="like">${t.filing.choose}</span></label>
        <input id="files" class="unseen" type="file" multiple @change=${(event: Event) => { const input = event.target as HTMLInputElement; this.add([...input.files ?? []]); input.value = ''; }} aria-describedby="files-help">
        <p class="help small soft" id="files-help">${t.filing.filesHelp}</p></div>`;
  }

  private dropped(event: DragEvent): void {
    event.preventDefault();
    this.add([...event.dataTransfer?.files ?? []]);
  }

  private open(filing: Main.Filing, one: Main.FilingFile): Promise<void> {
    return this.attempt(async () => openFile(await ask(downloadFilingFile, {caseID: this.caseID, filingID: filing.filingID, fileID: one.fileID}), one.fileName));
  }

  /** What was written here when somebody else had decided of the draft already. */
  private leftOver(filing: Main.Filing) {
    const kept = keptDraft(me.id, filing.filingID);
    return kept ? html`<div class="notice warn"><h2>${t.filing.leftOver}</h2><dl class="facts">${fieldNames(filing.documentID, kept.fields).map(one => html`<dt>${one.name}</dt><dd>${one.value}</dd>`)}</dl>
      <p><button type="button" @click=${() => { dropDraft(me.id, filing.filingID); this.requestUpdate(); }}>${t.filing.forget}</button></p></div>` : nothing;
  }

  private reading(seen: Seen) {
    const {filing, actions} = seen;
    if (!filing) {
      return nothing;
    }
    // What may be done was asked for beside the filing, which somebody may have withdrawn between the two answers.
    const may = (action: Cases.CaseAction['action']) => filing.state === 'submitted' && actions.some(one => one.action === action && one.filingID === filing.filingID);
    const name = personName(filing.userID);
    return html`<div class="reading-filing">
      <p><span class="mark ${filing.state === 'docketed' ? 'good' : filing.state === 'submitted' ? 'warn' : ''}">${t.filings.states[filing.state]}</span> <span class="party">${partyName(filing.partyID)}</span>${name ? ` · ${name}` : ''}</p>
      ${filing.state === 'docketed' && filing.entryID ? html`<p class="notice good">${t.filing.onDocket} <a href=${at('cases', this.caseID, 'docket', filing.entryID)}>${t.filing.seeEntry}</a></p>` : nothing}
      ${filing.state === 'submitted' ? this.nobodyDecides(this.approver(seen)) : nothing}
      ${filing.state === 'withdrawn' ? html`<p class="notice">${t.filing.gone}</p>` : nothing}
      ${this.leftOver(filing)}
      ${filing.state === 'rejected' ? html`<div class="notice bad"><h2>${t.filing.rejectedBecause}</h2><p>${filing.reason ?? ''}</p></div>` : nothing}
      <dl class="facts">${fieldNames(filing.documentID, filing.fields).map(one => html`<dt>${one.name}</dt><dd>${one.value}</dd>`)}
        <dt>${t.filing.files}</dt><dd>${filing.files.length === 0 ? t.case.noFiles : html`<ul>${filing.files.map(one => html`<li><button type="button" class="bare" @click=${() => this.open(filing, one)}>${one.title}</button>
          <span class="small soft">${one.pages ? `${t.case.pages(one.pages)}, ` : ''}${size(one.bytes)}</span></li>`)}</ul>`}</dd></dl>
      ${may('approve') || may('reject') ? html`<section class="ending"><h2>${t.filing.decide}</h2>
        <p class="row"><button type="button" class="main" ?disabled=${this.isDeciding} @click=${() => this.approve(filing)}>${t.filing.approve}</button></p>
        <form class="filing" @submit=${(event: SubmitEvent) => this.reject(event, filing)}><div class="field"><label for="reject-reason">${t.filing.rejectReason}</label>
          <textarea id="reject-reason" name="reason" ${keeps(`rejection.${filing.filingID}`)} required maxlength="2000" aria-describedby="reject-help" .value=${this.reason} @input=${(event: Event) => { this.reason = (event.target as HTMLTextAreaElement).value; }}></textarea><p class="help" id="reject-help">${t.filing.rejectHelp}</p></div>
          <p class="row"><button ?disabled=${this.isDeciding}>${t.filing.reject}</button></p></form></section>` : leftWords(this, `rejection.${filing.filingID}`)}
      ${may('withdraw') ? html`<p><button type="button" @click=${() => this.withdraw(filing)}>${t.filing.withdraw}</button></p>` : nothing}</div>`;
  }
}

customElements.define('acp-filing', FilingScreen);
