import {ask} from '../../api/call.js';
import {type Main, issueFilingReceipt, listPublicKeys} from '../../api/contracts.js';

/** What the hash of the content of an entry covers, in version 2 of the canonical form. */
const CONTENT = ['documentID', 'enteredAt', 'fields', 'files', 'filingID', 'organizationID', 'parentEntryID', 'partyID', 'phaseID', 'rootEntryID', 'salt', 'supersedes', 'title', 'userID'];

/** `redacted`: it holds with the files that the receipt names, in whose place others are shown. */
export type Verdict = 'holds' | 'redacted' | 'broken' | 'unknown';

/** Whether an entry has the hash that the docket has for it, computed here from what is shown. */
export async function verifyEntry(caseID: string, entry: Main.DocketEntryView): Promise<Verdict> {
  if (entry.version !== 2 || !entry.salt) {
    return 'unknown';
  }
  if (await holdsWith(caseID, entry, entry.files.map(one => one.sha256))) {
    return 'holds';
  }
  const filed = entry.files.length > 0 ? (await verifyReceipt(caseID, entry)).files : undefined;
  return filed && await holdsWith(caseID, entry, filed) ? 'redacted' : 'broken';
}

async function holdsWith(caseID: string, entry: Main.DocketEntryView, files: string[]): Promise<boolean> {
  const all: Record<string, unknown> = {...entry, files};
  const contentHash = await sha256(canonical(Object.fromEntries(CONTENT.map(name => [name, all[name] ?? null]))));
  const link = {version: entry.version, caseID, number: entry.number, entryID: entry.entryID, previousHash: entry.previousHash, contentHash};
  return contentHash === entry.contentHash && await sha256(canonical(link)) === entry.hash;
}

/** What the hash of the content of a filing covers, in its receipt. */
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

/** When the receipt of an entry says that it was submitted, and the hashes of its files; undefined when no published key signed it, or when it is of something else than is shown. */
export async function verifyReceipt(caseID: string, entry: Main.DocketEntryView): Promise<{receipt: string; submittedAt: string | undefined; files: string[] | undefined}> {
  const [{receipt}, keys] = await Promise.all([
    ask(issueFilingReceipt, {caseID, filingID: entry.filingID}),
    fetch(listPublicKeys.path).then(answer => answer.json()) as Promise<{keys: (JsonWebKey & {kid: string})[]}>,
  ]);
  const [header = '', payload = '', signature = ''] = receipt.split('.');
  const {kid} = JSON.parse(text(header)) as {kid: string};
  const jwk = keys.keys.find(one => one.kid === kid);
  if (!jwk) {
    return {receipt, submittedAt: undefined, files: undefined};
  }
  const key = await crypto.subtle.importKey('jwk', {kty: jwk.kty, crv: jwk.crv, x: jwk.x, y: jwk.y} as JsonWebKey, {name: 'ECDSA', namedCurve: 'P-256'}, false, ['verify']);
  const holds = await crypto.subtle.verify({name: 'ECDSA', hash: 'SHA-256'}, key, bytes(signature), new TextEncoder().encode(`${header}.${payload}`));
  const said = JSON.parse(text(payload)) as Receipt;
  const contentHash = await sha256(canonical(Object.fromEntries(FILED.map(name => [name, entry[name] ?? null]))));
  const isOfIt = said.filingID === entry.filingID && said.caseID === caseID && said.entryID === entry.entryID && said.entryHash === entry.hash && said.contentHash === contentHash;
  return holds && isOfIt ? {receipt, submittedAt: said.submittedAt, files: said.files} : {receipt, submittedAt: undefined, files: undefined};
}

function bytes(base64url: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64url.replace(/-/g, '+').replace(/_/g, '/')), one => one.charCodeAt(0));
}

const text = (base64url: string): string => new TextDecoder().decode(bytes(base64url));

/** RFC 8785: members in the order of their UTF-16 code units, no blanks. */
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
