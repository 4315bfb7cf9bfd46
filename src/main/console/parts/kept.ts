/** What a person has written and the platform does not have yet: kept in this browser until it is saved, or until they sign out. */
const PREFIX = 'acp.draft.';
const WORDS_LONGEST = 80;

export interface KeptDraft {
  title: string;
  fields: Record<string, string>;
  /** The revision that it was written upon. */
  etag: string | null;
  at: string;
  /** Where in the console it was written. */
  place?: string | undefined;
  /** What it was written upon, where that is known. */
  base?: {title: string; fields: Record<string, unknown>} | undefined;
  /** The request that begins it, when it was sent and no answer has come. */
  begun?: {key: string; sent: object} | undefined;
  /** How it shall be sealed from its first moment on the docket. */
  sealed?: {isOn: boolean; visibleTo: string[]; reason: string} | undefined;
}

const tell = (): unknown => window.dispatchEvent(new Event('acp-kept'));

export function keepDraft(userID: string, filingID: string, draft: KeptDraft): boolean {
  try {
    const place = keptDraft(userID, filingID)?.place ?? location.pathname + location.search;
    localStorage.setItem(PREFIX + userID + '.' + filingID, JSON.stringify({...draft, place}));
    tell();
    return true;
  } catch {
    // Full, or refused by the browser: whoever asks says so beside the text.
    return false;
  }
}

export function keptDraft(userID: string, filingID: string): KeptDraft | undefined {
  const kept = localStorage.getItem(PREFIX + userID + '.' + filingID);
  return kept ? JSON.parse(kept) as KeptDraft : undefined;
}

export function dropDraft(userID: string, filingID: string): void {
  localStorage.removeItem(PREFIX + userID + '.' + filingID);
  tell();
}

/** Names of what is kept of this person. */
const ofPerson = (userID: string): string[] => Object.keys(localStorage).filter(key => key.startsWith(`${PREFIX}${userID}.`));

export interface Unsent {
  /** As {@link dropDraft} takes it. */
  readonly key: string;
  /** The title, or the first words. */
  readonly words: string;
  readonly draft: KeptDraft;
}

/** What this person has written and the platform does not have, the newest first. */
export function unsent(userID: string): Unsent[] {
  return ofPerson(userID).map(name => ({key: name.slice(`${PREFIX}${userID}.`.length), draft: JSON.parse(localStorage.getItem(name) ?? '{}') as KeptDraft}))
      .map(({key, draft}) => ({key, draft, words: draft.title || Object.values(draft.fields ?? {}).find(value => value.trim() !== '')?.slice(0, WORDS_LONGEST) || '…'}))
      .sort((one, other) => (other.draft.at ?? '').localeCompare(one.draft.at ?? ''));
}

export const keptWords = (userID: string): string[] => unsent(userID).map(one => one.words);

const ASIDE = 'aside.';

/** Keeps what this person wrote into a filing and gave up for another version of it, until they discard it. */
export function putAside(userID: string, filingID: string, draft: KeptDraft): void {
  keepDraft(userID, `${ASIDE}${filingID}.${draft.at}`, draft);
}

/** What was put aside of a filing. */
export const aside = (userID: string, filingID: string): Unsent[] => unsent(userID).filter(one => one.key.startsWith(`${ASIDE}${filingID}.`));

/** Forgets what this person has written, and nothing of others who use this browser. */
export function forgetDrafts(userID: string): void {
  ofPerson(userID).forEach(key => localStorage.removeItem(key));
}

const VISIT = 'acp.visit.';
const PAUSE_MILLIS = 30 * 60_000;
/** So much earlier than this browser's clock says: one that is ahead shows an entry twice rather than never. */
const SLACK_MILLIS = 5 * 60_000;

interface Visits {
  /** When the visit before this one ended; null in the first visit with this browser. */
  before: string | null;
  last: string;
}

/**
 * When this person last looked at their day with this browser, before this visit; null when they never did. A visit ends when they have
 * not looked for half an hour. That they look now is kept.
 */
export function lastVisit(userID: string): string | null {
  const kept = localStorage.getItem(VISIT + userID);
  const visits = kept ? JSON.parse(kept) as Visits : undefined;
  const goesOn = visits && Date.now() - Date.parse(visits.last) < PAUSE_MILLIS;
  const before = !visits ? null : goesOn ? visits.before : visits.last;
  try {
    localStorage.setItem(VISIT + userID, JSON.stringify({before, last: new Date(Date.now() - SLACK_MILLIS).toISOString()} satisfies Visits));
  } catch {
    // Full, or refused by the browser: the next visit shows more than what is new.
  }
  return before;
}
