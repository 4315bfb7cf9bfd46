import {type Answer, Problem, askWithRevision} from '../../api/call.js';
import {type Cases, type Main, createFiling, updateFiling, viewFiling} from '../../api/contracts.js';
import {type Difference, type Version, chooseOneSidedChanges} from '../../parts/conflict-form.js';
import {dropDraft, keepDraft, keepGivenUpInput, keptDraft} from '../../parts/draft-storage.js';
import {fieldsOf} from '../../parts/fields.js';
import {documentName} from '../../parts/names.js';
import {currentUser} from '../../parts/session.js';
import {t} from '../../texts/texts.js';
import {NO_SEAL, type Seal, lacksReason} from './seal.js';
import {filled, sent, wrongWith} from './values.js';

const SAVE_AFTER_MILLIS = 800;
/** The pause before the next attempt while the platform is busy or does not answer. */
const SAVE_AGAIN_AFTER_MILLIS = 4000;
/** The error code for a write that is based on an older revision. */
export const STALE = 'filing.stale';
const IN_FLIGHT = 'idempotency.in-flight';

/** Title and fields of a filing, without its files. */
type Content = Pick<Main.Filing, 'title' | 'fields'>;

/** The request that creates a draft, with its idempotency key. */
interface Begun {
  readonly key: string;
  readonly sent: Main.CreateFilingRequest;
}

/** How far the input is saved. `notKept`: not even in this browser. `isSilent`: because the platform does not answer. */
type Saved = {kind: 'saved'; at: string} | {kind: 'saving' | 'notKept' | 'clean'} | {kind: 'unsaved'; isSilent?: boolean};

/** Whether the filing can still be written. */
export const isOpen = (filing: Main.Filing | undefined): boolean => filing?.state === 'draft' || filing?.state === 'rejected';

/** What a draft needs from the screen on which it is written. */
export interface DraftScreen {
  readonly caseID: string;
  readonly filingID: string;
  readonly documentID: string;
  /** The entries that the filing answers and replaces. */
  readonly answers: string | null;
  readonly replaces: string | null;
  /** The name under which input is kept in this browser. */
  readonly keptAs: string;
  readonly isConnected: boolean;
  /** The filing as the platform has it; undefined until it is created. */
  readonly filing: Main.Filing | undefined;
  /** Why the platform refused the last attempt. */
  refused: Problem | undefined;
  /** Shows another revision of the filing. */
  show(filing: Main.Filing): void;
  /** Shows the address of the filing, which was created. */
  showAddress(filingID: string): void;
  /** Asks the platform again what is missing before the filing can be submitted. */
  checkAgain(filingID: string): Promise<void>;
  attempt(act: () => Promise<unknown>): Promise<void>;
  requestUpdate(): void;
}

/** Whether both have the same title and fields. A blank value counts as none. */
function areSame(one: Content, other: Content): boolean {
  const ids = [...Object.keys(one.fields), ...Object.keys(other.fields)];
  return one.title === other.title && ids.every(id => String(one.fields[id] ?? '') === String(other.fields[id] ?? ''));
}

/**
 * The input of a user for a filing. Input is kept in this browser at once, and saved to the platform after a pause. If somebody else saved another
 * revision meanwhile, the differing fields are kept as a conflict until the user has chosen.
 */
export class Draft {
  values: Record<string, string> = {};
  title = '';
  seal = NO_SEAL;
  /** The entity tag of the revision on which the input is based. */
  etag: string | null = null;
  saved: Saved = {kind: 'clean'};
  /** Whether the input comes from an earlier visit of the page. */
  isRestored = false;
  /** A revision by somebody else, and for each differing field whose version to keep, if that is chosen. */
  conflict: {theirs: Main.Filing; etag: string | null; chosen: Map<string, Version>} | undefined;
  /** The state to which somebody else has brought the filing while it was being written. */
  overtaken: Main.Filing['state'] | undefined;
  /** The content of the revision on which the input is based, if it is known. */
  private base: Content | undefined;
  /** The request that creates the filing, while its outcome is not known. It is repeated unchanged, so that only one filing is created. */
  private begun: Begun | undefined;
  /** Whether a screen reader reads the next "saved": the first one, and the first one after a failure. */
  private isSavedRead = true;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private saving: Promise<void> = Promise.resolve();

  constructor(private readonly screen: DraftScreen) {}

  /** Begins with another filing. Input that is not saved stays in this browser. */
  clear(): void {
    clearTimeout(this.timer);
    this.values = {};
    this.title = '';
    this.seal = NO_SEAL;
    this.etag = null;
    this.base = undefined;
    this.begun = undefined;
    this.saved = {kind: 'clean'};
    this.isRestored = false;
    this.conflict = undefined;
    this.overtaken = undefined;
  }

  /** Continues with this revision. */
  take(filing: Main.Filing, etag: string | null): void {
    this.etag = etag;
    this.base = filing;
    this.values = Object.fromEntries(Object.entries(filing.fields).map(([id, value]) => [id, String(value ?? '')]));
    this.title = filing.title === documentName(filing.documentID) ? '' : filing.title;
  }

  /** Continues with the input that is kept in this browser, if there is any. */
  restore(): void {
    const kept = keptDraft(currentUser.id, this.screen.keptAs);
    if (!kept) {
      return;
    }
    this.values = kept.fields;
    this.title = kept.title;
    this.seal = kept.sealed ?? NO_SEAL;
    this.begun = kept.begun as Begun | undefined;
    if (kept.etag && kept.etag !== this.etag) {
      this.etag = kept.etag;
      this.base = kept.base as Content | undefined;
    }
    this.isRestored = true;
    this.saved = {kind: 'unsaved'};
    this.saveLater();
  }

  // ---- input

  write(id: string, value: string): void {
    this.values = {...this.values, [id]: value};
    this.touched();
  }

  setTitle(title: string): void {
    this.title = title;
    this.touched();
  }

  setSeal(to: Partial<Seal>): void {
    this.seal = {...this.seal, ...to};
    this.touched();
  }

  /** Fields whose input would be refused. Missing ones are among them only if the filing is to be submitted. */
  wrong(isSubmitted: boolean): {one: Cases.SchemaField; wrong: string}[] {
    return fieldsOf(this.screen.documentID).map(one => ({one, wrong: wrongWith(one, this.values[one.id] ?? '', isSubmitted)})).filter(each => each.wrong !== '');
  }

  /** Whether the filing cannot be created yet, because its seal has no reason. */
  get lacksReasonOfSeal(): boolean {
    return !this.screen.filing && lacksReason(this.seal);
  }

  /** Whether the platform does not have all input. */
  get isUnsaved(): boolean {
    return this.saved.kind === 'unsaved' || this.saved.kind === 'notKept';
  }

  /** Whether input may be lost, or is not saved until the platform answers. */
  private get isUnsafe(): boolean {
    return this.saved.kind === 'notKept' || this.saved.kind === 'unsaved' && this.saved.isSilent === true;
  }

  /** Whether a screen reader reads how far the input is saved. */
  get isRead(): boolean {
    return this.isUnsafe || this.saved.kind === 'saved' && this.isSavedRead;
  }

  private touched(): void {
    this.keep();
    this.saveLater();
    this.screen.requestUpdate();
  }

  private keep(): void {
    const isKept = keepDraft(currentUser.id, this.screen.keptAs, {title: this.title, fields: this.values, etag: this.etag, at: new Date().toISOString(), sealed: this.seal.isOn ? this.seal : undefined, begun: this.begun,
      base: this.base && {title: this.base.title, fields: this.base.fields}});
    this.isSavedRead = !isKept || this.isSavedRead && this.saved.kind !== 'saved';
    this.saved = {kind: isKept ? 'unsaved' : 'notKept'};
  }

  /** The input that can be saved. A field whose input would be refused keeps the value that the platform has. */
  private get content(): Content {
    const wrong = this.wrong(false).map(({one}) => one.id);
    const fields = Object.fromEntries(Object.entries(filled(fieldsOf(this.screen.documentID), this.values)).filter(([id]) => !wrong.includes(id)));
    const before = Object.fromEntries(wrong.map(id => [id, this.base?.fields[id]]).filter(([, value]) => value !== undefined));
    return {title: this.title.trim() || documentName(this.screen.documentID), fields: {...fields, ...before}};
  }

  // ---- saving

  private saveLater(millis = SAVE_AFTER_MILLIS): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.save(), millis);
  }

  /** Saves the input now, if it is not saved. */
  async save(): Promise<void> {
    clearTimeout(this.timer);
    await this.inTurn(() => this.saveNow());
  }

  /** Creates the filing if it does not exist, even without input. */
  async create(): Promise<void> {
    if (!this.screen.filing) {
      this.saved = {kind: 'unsaved'};
      await this.save();
    }
  }

  /** One request after the other, because each is based on the revision that the previous one made. */
  async inTurn(act: () => Promise<void>): Promise<void> {
    const done = this.saving.then(act);
    // A failure goes to the caller; the next request is sent nevertheless.
    this.saving = done.catch(() => undefined);
    await done;
  }

  private async saveNow(): Promise<void> {
    if (!this.isUnsaved || this.conflict || this.overtaken || this.lacksReasonOfSeal) {
      return;
    }
    const {screen, values, title, content} = this;
    const isPartial = this.wrong(false).length > 0;
    if (isPartial && this.base && areSame(this.base, content)) {
      return;
    }
    const before = screen.filingID;
    const keptBefore = screen.keptAs;
    this.saved = {kind: 'saving'};
    screen.requestUpdate();
    try {
      const {value, etag} = screen.filing
        ? await askWithRevision(updateFiling, {caseID: screen.caseID, filingID: screen.filing.filingID, ...content}, {ifMatch: this.etag})
        : await this.begin(content, title);
      this.etag = etag;
      this.base = value;
      screen.refused = undefined;
      screen.show(value);
      dropDraft(currentUser.id, keptBefore);
      if (before !== value.filingID && screen.isConnected) {
        screen.showAddress(value.filingID);
      }
      const isWhole = !this.begun || JSON.stringify(this.begun.sent.fields) === JSON.stringify(content.fields) && this.begun.sent.title === (title.trim() || null);
      this.begun = undefined;
      if (isWhole && values === this.values && title === this.title) {
        if (isPartial) {
          this.keep();
        } else {
          this.saved = {kind: 'saved', at: new Date().toISOString()};
        }
      } else {
        this.touched();
      }
      await screen.checkAgain(value.filingID);
    } catch (failed) {
      await this.notSaved(failed);
    }
    screen.requestUpdate();
  }

  /** Creates the filing. If an earlier request got no answer, it is repeated, unless the seal was changed since. */
  private begin(content: Content, title: string): Promise<Answer<Main.Filing>> {
    const {caseID, documentID, answers, replaces} = this.screen;
    const request: Begun['sent'] = {caseID, documentID, parentEntryID: answers, ...replaces ? {supersedes: replaces} : {}, fields: content.fields, title: title.trim() || null,
      ...this.seal.isOn ? {sealed: {visibleTo: this.seal.visibleTo, reason: this.seal.reason.trim()}} : {}};
    if (!this.begun || JSON.stringify(this.begun.sent.sealed) !== JSON.stringify(request.sealed)) {
      this.begun = {key: crypto.randomUUID(), sent: request};
      const {saved} = this;
      this.keep();
      this.saved = saved;
    }
    return askWithRevision(createFiling, this.begun.sent, {key: this.begun.key});
  }

  /** The platform refused to create the filing, so the next request gets another key. */
  private notBegun(): void {
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
    this.isSavedRead ||= failed.isSilence;
    if (failed.isSilence || failed.isBusy) {
      this.screen.refused = failed.isSilence ? undefined : failed;
      if (this.screen.isConnected) {
        this.saveLater(SAVE_AGAIN_AFTER_MILLIS);
      }
    } else if (failed.status === 409 || failed.code === STALE) {
      if (failed.code !== IN_FLIGHT) {
        this.notBegun();
      }
      await this.compare(failed);
    } else {
      this.notBegun();
      this.screen.refused = failed;
    }
  }

  // ---- revisions by others

  /** Reads what somebody else has done with the filing, because of which saving was refused. */
  private async compare(failed: Problem): Promise<void> {
    const {caseID, filing} = this.screen;
    if (!filing) {
      this.screen.refused = failed;
      return;
    }
    await this.screen.attempt(async () => {
      const theirs = await askWithRevision(viewFiling, {caseID, filingID: filing.filingID});
      if (!isOpen(theirs.value)) {
        this.overtaken = theirs.value.state;
      } else if (failed.code === STALE) {
        this.takeUp(theirs.value, theirs.etag);
      } else {
        this.screen.refused = failed;
      }
    });
  }

  /** Continues with a newer revision. Where its content differs from unsaved input, this is a conflict. */
  takeUp(theirs: Main.Filing, etag: string | null): void {
    if (this.base && areSame(theirs, this.base) || areSame(theirs, this.content)) {
      this.etag = etag;
      this.base = theirs;
      if (this.isUnsaved) {
        this.touched();
      }
    } else if (this.saved.kind === 'clean' || this.saved.kind === 'saved') {
      this.take(theirs, etag);
    } else {
      const chosen = this.conflict?.chosen ?? new Map<string, Version>();
      this.conflict = {theirs, etag, chosen};
      chooseOneSidedChanges(this.differences(theirs), chosen);
    }
    this.screen.show(theirs);
  }

  /** Fields whose value in the other revision differs from the input. The title has an empty ID. */
  differences(theirs: Main.Filing): Difference[] {
    const {base} = this;
    const fields = fieldsOf(this.screen.documentID).map(one => ({id: one.id, name: one.displayName, before: base && String(base.fields[one.id] ?? ''), theirs: String(theirs.fields[one.id] ?? ''),
      mine: sent(one, this.values[one.id] ?? '')}));
    return [{id: '', name: t.filing.title, before: base?.title, theirs: theirs.title, mine: this.content.title}, ...fields].filter(one => one.theirs !== one.mine);
  }

  /** Ends the conflict with the own version of each field. */
  keepMine(): void {
    this.etag = this.conflict?.etag ?? null;
    this.base = this.conflict?.theirs;
    this.conflict = undefined;
    this.touched();
    void this.save();
  }

  /** Ends the conflict with the chosen version of each field. Own input that was not chosen is put aside. */
  keepChosen(): void {
    const {conflict} = this;
    if (!conflict) {
      return;
    }
    const taken = this.differences(conflict.theirs).filter(one => conflict.chosen.get(one.id) === 'theirs');
    this.putAside(taken);
    for (const one of taken) {
      if (one.id === '') {
        this.title = one.theirs === documentName(this.screen.documentID) ? '' : one.theirs;
      } else {
        this.values = {...this.values, [one.id]: one.theirs};
      }
    }
    this.keepMine();
  }

  /** Ends the conflict with the other revision. All own input is put aside. */
  keepTheirs(): void {
    const {conflict, screen} = this;
    if (conflict) {
      this.putAside(this.differences(conflict.theirs));
      this.take(conflict.theirs, conflict.etag);
      this.conflict = undefined;
      this.saved = {kind: 'clean'};
      dropDraft(currentUser.id, screen.filingID);
      void screen.checkAgain(screen.filingID);
      screen.requestUpdate();
    }
  }

  private putAside(given: Difference[]): void {
    // A value that was already there is not input.
    const lost = given.filter(one => one.mine !== '' && one.mine !== one.before);
    if (lost.length > 0) {
      keepGivenUpInput(currentUser.id, this.screen.filingID, {title: lost.find(one => one.id === '')?.mine ?? '', fields: Object.fromEntries(lost.filter(one => one.id !== '').map(one => [one.id, one.mine])), etag: null, at: new Date().toISOString()});
    }
  }
}
