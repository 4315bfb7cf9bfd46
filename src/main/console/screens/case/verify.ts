import {ask, get} from '../../api/call.js';
import {type Main, issueFilingReceipt, listPublicKeys} from '../../api/contracts.js';

/** The fields that the content hash of an entry covers, in version 2 of the canonical form. */
const CONTENT = ['documentID', 'enteredAt', 'fields', 'files', 'filingID', 'organizationID', 'parentEntryID', 'partyID', 'phaseID', 'rootEntryID', 'salt', 'supersedes', 'title', 'userID'];

/**
 * The result of a check. `redacted`: the hash is correct for the original files, which the receipt names, but some were replaced. `unknown`: an older
 * version of the form, or an entry without its salt.
 */
export type Verdict = 'holds' | 'redacted' | 'broken' | 'unknown';

/** Checks the hash of an entry by computing it from the content that is shown. */
export async function verifyEntry(caseID: string, entry: Main.DocketEntryView): Promise<Verdict> {
  if (entry.version !== 2 || !entry.salt) {
    return 'unknown';
  }
  if (await holdsWith(caseID, entry, entry.files.map(one => one.sha256))) {
    return 'holds';
  }
  if (entry.files.length === 0) {
    return 'broken';
  }
  const receipt = await verifyReceipt(caseID, entry);
  return 'files' in receipt && await holdsWith(caseID, entry, receipt.files) ? 'redacted' : 'broken';
}

async function holdsWith(caseID: string, entry: Main.DocketEntryView, files: string[]): Promise<boolean> {
  const all: Record<string, unknown> = {...entry, files};
  const contentHash = await sha256(canonical(Object.fromEntries(CONTENT.map(name => [name, all[name] ?? null]))));
  const link = {version: entry.version, caseID, number: entry.number, entryID: entry.entryID, previousHash: entry.previousHash, contentHash};
  return contentHash === entry.contentHash && await sha256(canonical(link)) === entry.hash;
}

/** The fields that the content hash of a filing covers, in its receipt. */
const FILED = ['documentID', 'fields', 'parentEntryID', 'supersedes', 'title'] as const;

interface Receipt {
  filingID: string;
  caseID: string;
  entryID?: string;
  entryHash?: string;
  contentHash: string;
  files: string[];
  submittedAt: string;
}

/**
 * Why a receipt is not valid: it was signed with a key that is not published, its signature is wrong, or it belongs to other content than is shown.
 */
export type Wrong = 'key' | 'signature' | 'content';

/**
 * Checks the receipt of an entry. Returns when it says that the filing was submitted and the hashes of its files, or why it is not valid.
 *
 * @throws Problem if the platform refuses or does not answer
 */
export async function verifyReceipt(caseID: string, entry: Main.DocketEntryView): Promise<{submittedAt: string; files: string[]} | {wrong: Wrong}> {
  const [{receipt}, {keys}] = await Promise.all([ask(issueFilingReceipt, {caseID, filingID: entry.filingID}), get(listPublicKeys)]);
  const [header = '', payload = '', signature = ''] = receipt.split('.');
  const kid = parsed<{kid?: string}>(header)?.kid;
  const jwk = keys.find(one => one.kid === kid);
  if (!jwk) {
    return {wrong: 'key'};
  }
  const said = parsed<Receipt>(payload);
  const signed = bytes(signature);
  const key = await crypto.subtle.importKey('jwk', jwk as JsonWebKey, {name: 'ECDSA', namedCurve: 'P-256'}, false, ['verify']);
  if (!said || !signed || !await crypto.subtle.verify({name: 'ECDSA', hash: 'SHA-256'}, key, signed, new TextEncoder().encode(`${header}.${payload}`))) {
    return {wrong: 'signature'};
  }
  const contentHash = await sha256(canonical(Object.fromEntries(FILED.map(name => [name, entry[name] ?? null]))));
  const isOfIt = said.filingID === entry.filingID && said.caseID === caseID && said.entryID === entry.entryID && said.entryHash === entry.hash && said.contentHash === contentHash;
  return isOfIt ? {submittedAt: said.submittedAt, files: said.files} : {wrong: 'content'};
}

/** Decodes base64url; undefined for other text. */
function bytes(base64url: string): Uint8Array<ArrayBuffer> | undefined {
  return /^[A-Za-z0-9_-]*$/.test(base64url) && base64url.length % 4 !== 1 ? Uint8Array.from(atob(base64url.replace(/-/g, '+').replace(/_/g, '/')), one => one.charCodeAt(0)) : undefined;
}

/** Decodes a JSON part of a receipt; undefined for other text. */
function parsed<T>(base64url: string): T | undefined {
  const read = bytes(base64url);
  try {
    return read && JSON.parse(new TextDecoder().decode(read)) as T;
  } catch {
    return undefined;
  }
}

/** The canonical form of RFC 8785: no blanks, members in the order of their UTF-16 code units. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) {
    return `[${value.map(canonical).join(',')}]`;
  }
  if (value !== null && typeof value === 'object') {
    return `{${Object.entries(value).sort(([one], [other]) => one < other ? -1 : 1).map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`;
  }
  return JSON.stringify(value);
}

async function sha256(plain: string): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(plain)));
  return [...hash].map(one => one.toString(16).padStart(2, '0')).join('');
}
