/** What a person has written and the platform does not have yet: kept in this browser until it is saved, or until they sign out. */
const PREFIX = 'acp.draft.';

export interface KeptDraft {
  title: string;
  fields: Record<string, string>;
  /** The revision that it was written upon. */
  etag: string | null;
  at: string;
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

export function forgetDrafts(): void {
  Object.keys(localStorage).filter(key => key.startsWith(PREFIX)).forEach(key => localStorage.removeItem(key));
}
