/** What a person has written and the platform does not have yet: kept in this browser until it is saved, or until they sign out. */
const PREFIX = 'acp.draft.';
const WORDS_LONGEST = 80;

export interface KeptDraft {
  title: string;
  fields: Record<string, string>;
  /** The revision that it was written upon. */
  etag: string | null;
  at: string;
  /** The request that begins it, when it was sent and no answer has come. */
  begun?: {key: string; sent: object} | undefined;
  /** How it shall be sealed from its first moment on the docket. */
  sealed?: {isOn: boolean; visibleTo: string[]; reason: string} | undefined;
}

export function keepDraft(userID: string, filingID: string, draft: KeptDraft): boolean {
  try {
    localStorage.setItem(PREFIX + userID + '.' + filingID, JSON.stringify(draft));
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
}

/** Names of what is kept of this person. */
const ofPerson = (userID: string): string[] => Object.keys(localStorage).filter(key => key.startsWith(`${PREFIX}${userID}.`));

/** What this person has written and not saved, by the titles or the first words. */
export function keptWords(userID: string): string[] {
  return ofPerson(userID).map(key => JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<KeptDraft>)
      .map(draft => draft.title || Object.values(draft.fields ?? {}).find(value => value.trim() !== '')?.slice(0, WORDS_LONGEST) || '…');
}

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
