/** Storage in this browser for input that the platform does not have yet. It is kept until it is saved or until the user signs out. */
const PREFIX = 'acp.draft.';
const WORDS_LONGEST = 80;

/** The kept input of one filing or one field. */
export interface KeptDraft {
  title: string;
  fields: Record<string, string>;
  /** The entity tag of the revision that the input is based on; null for input that is not based on one. */
  etag: string | null;
  at: string;
  /** The address of the screen with the input. */
  place?: string | undefined;
  /** The content of the revision that the input is based on, if it is known. */
  base?: {title: string; fields: Record<string, unknown>} | undefined;
  /** The request that creates the filing and its idempotency key, while no response has come. */
  begun?: {key: string; sent: object} | undefined;
  /** Whether the entry is sealed from the start, for whom it stays visible, and why. */
  sealed?: {isOn: boolean; visibleTo: string[]; reason: string} | undefined;
}

const tell = (): unknown => window.dispatchEvent(new Event('acp-kept'));

/** Keeps input. Returns false if the browser cannot store it. */
export function keepDraft(userID: string, filingID: string, draft: KeptDraft): boolean {
  try {
    const place = keptDraft(userID, filingID)?.place ?? location.pathname + location.search;
    localStorage.setItem(PREFIX + userID + '.' + filingID, JSON.stringify({...draft, place}));
    tell();
    return true;
  } catch {
    // The storage is full or not allowed. The caller shows that beside the text.
    return false;
  }
}

/** The kept input, or undefined if there is none. */
export function keptDraft(userID: string, filingID: string): KeptDraft | undefined {
  const kept = localStorage.getItem(PREFIX + userID + '.' + filingID);
  return kept ? JSON.parse(kept) as KeptDraft : undefined;
}

/** Removes kept input. */
export function dropDraft(userID: string, filingID: string): void {
  localStorage.removeItem(PREFIX + userID + '.' + filingID);
  tell();
}

/** The storage keys of all kept input of a user. */
const ofPerson = (userID: string): string[] => Object.keys(localStorage).filter(key => key.startsWith(`${PREFIX}${userID}.`));

/** Kept input with the words that name it in a list. */
export interface UnsentInput {
  /** The filing ID, as {@link dropDraft} takes it, or the key of a field. */
  readonly key: string;
  /** The title, or the first words of the input. */
  readonly words: string;
  readonly draft: KeptDraft;
}

/** All kept input of a user, the newest first. */
export function unsentInput(userID: string): UnsentInput[] {
  return ofPerson(userID).map(name => ({key: name.slice(`${PREFIX}${userID}.`.length), draft: JSON.parse(localStorage.getItem(name) ?? '{}') as KeptDraft}))
      .map(({key, draft}) => ({key, draft, words: draft.title || Object.values(draft.fields ?? {}).find(value => value.trim() !== '')?.slice(0, WORDS_LONGEST) || '…'}))
      .sort((one, other) => (other.draft.at ?? '').localeCompare(one.draft.at ?? ''));
}

/** The words that name each kept input of a user. */
export const unsentTitles = (userID: string): string[] => unsentInput(userID).map(one => one.words);

const ASIDE = 'aside.';

/** Keeps input that a user gave up for another version of a filing, until the user discards it. */
export function keepGivenUpInput(userID: string, filingID: string, draft: KeptDraft): void {
  keepDraft(userID, `${ASIDE}${filingID}.${draft.at}`, draft);
}

/** The input of a filing that was kept by {@link keepGivenUpInput}. */
export const givenUpInput = (userID: string, filingID: string): UnsentInput[] => unsentInput(userID).filter(one => one.key.startsWith(`${ASIDE}${filingID}.`));

/** Removes all kept input of a user, but not that of other users of this browser. */
export function dropAllDrafts(userID: string): void {
  ofPerson(userID).forEach(key => localStorage.removeItem(key));
}

const VISIT = 'acp.visit.';
const PAUSE_MILLIS = 30 * 60_000;
/** Subtracted from the clock of this browser. If the clock is ahead of the platform's, a new entry is shown twice rather than never. */
const SLACK_MILLIS = 5 * 60_000;

interface Visits {
  /** When the previous visit ended; null during the first visit with this browser. */
  before: string | null;
  last: string;
}

/**
 * When this user last looked at My day with this browser before the current visit; null during the first visit. A visit ends after half an hour
 * without a look. Also records the current look.
 */
export function recordVisit(userID: string): string | null {
  const kept = localStorage.getItem(VISIT + userID);
  const visits = kept ? JSON.parse(kept) as Visits : undefined;
  const goesOn = visits && Date.now() - Date.parse(visits.last) < PAUSE_MILLIS;
  const before = !visits ? null : goesOn ? visits.before : visits.last;
  try {
    localStorage.setItem(VISIT + userID, JSON.stringify({before, last: new Date(Date.now() - SLACK_MILLIS).toISOString()} satisfies Visits));
  } catch {
    // The storage is full or not allowed. The next visit then shows more entries than the new ones.
  }
  return before;
}
