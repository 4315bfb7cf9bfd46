import type {Operation} from './contracts.js';

/** Why an operation did not do what it was asked: the platform's own sentence, and what is needed to talk about it. */
export class Problem extends Error {
  /** @param afterSeconds when the platform wants to be asked again; 0 when it does not say */
  constructor(readonly status: number, readonly code: string, readonly sentence: string, readonly requestID: string, readonly afterSeconds = 0) {
    super(sentence);
  }

  /** Nobody answered: no network, or no platform. */
  get isSilence(): boolean {
    return this.status === 0;
  }

  /** Too many requests, or not now: another attempt may do it. */
  get isBusy(): boolean {
    return this.status === 429 || this.status === 503;
  }
}

export interface Answer<A> {
  readonly value: A;
  /** The revision to write upon, as `If-Match` takes it. */
  readonly etag: string | null;
}

export interface Terms {
  /** Revision that a write is based upon. */
  ifMatch?: string | null;
  /** The same for each attempt of one write, so that it is carried out once. */
  key?: string;
  signal?: AbortSignal;
  /** Told how many bytes of a file have come. */
  progress?: (bytes: number) => void;
}

const ATTEMPTS_MAX = 4;
const PAUSE_SECONDS_MAX = 20;
const BLOB_BYTES = 8_000_000;

/** How far the platform's clock is ahead of this computer's, by the last answer that told its time. */
let aheadMillis = 0;
/** An answer tells its time in whole seconds, and has been under way: less than this is no difference. */
const SAME_CLOCK_MILLIS = 5000;

/** The time of the platform, where its answers tell it (`Date`, which a proxy adds); else that of this computer. */
export const now = (): Date => new Date(Date.now() + aheadMillis);

function setClock(answered: Response): void {
  const ahead = Date.parse(answered.headers.get('Date') ?? '') - Date.now();
  if (!Number.isNaN(ahead)) {
    aheadMillis = Math.abs(ahead) < SAME_CLOCK_MILLIS ? 0 : ahead;
  }
}

/** How the platform refuses what a page asks that shows another user than the one who has signed in since, with another tab. */
export const ANOTHER_USER = 'session.another-user';
/** The same where an organization was chosen since, with another tab. */
const ANOTHER_ORGANIZATION = 'session.another-organization';
/** Whom the page shows; sent with every request. */
let acting: Record<string, string> = {};
let another: () => void = () => undefined;
let renewal: Promise<void> | null = null;
let renew: () => Promise<void> = () => Promise.reject(new Error('no sign-in yet'));
let tellBusy: () => void = () => undefined;

/** What asks the person to sign in again when the session has ended; done when the platform knows this person again. The operation then goes on. */
export function signInAgainBy(ask: () => Promise<void>): void {
  renew = ask;
}

/** From now on the platform does nothing that this page asks unless this user is signed in and, where that matters, acts for this organization. */
export function actAs(userID: string, organizationID: string | null): void {
  acting = {'Acting-User': userID, 'Acting-Organization': organizationID ?? 'none'};
}

/** What ends the page when another user has signed in with another tab, or has chosen another organization there. */
export function whenAnother(end: () => void): void {
  another = end;
}

/** Nothing more is asked from this page: what is asked from now on waits until the page has gone. */
export function stopAsking(): void {
  renewal = new Promise(() => undefined);
}

/** What tells the person that the platform is busy and is asked again after a pause. */
export function tellWhenBusy(tell: () => void): void {
  tellBusy = tell;
}

/**
 * Does it again once the person has signed in again, and after a pause when the platform is busy. While the person is asked to sign in,
 * nothing else is tried, since it would be refused.
 */
async function patiently<R>(act: () => Promise<R>): Promise<R> {
  let signedInAgain = false;
  for (let attempt = 1; ; attempt++) {
    await renewal;
    try {
      return await act();
    } catch (failed) {
      if (failed instanceof Problem && (failed.code === ANOTHER_USER || failed.code === ANOTHER_ORGANIZATION)) {
        another();
        await renewal;
      } else if (failed instanceof Problem && failed.status === 401 && !signedInAgain) {
        signedInAgain = true;
        renewal ??= renew().finally(() => { renewal = null; });
        await renewal;
      } else if (failed instanceof Problem && failed.isBusy && attempt < ATTEMPTS_MAX) {
        tellBusy();
        await pause(Math.min(failed.afterSeconds || attempt, PAUSE_SECONDS_MAX));
      } else {
        throw failed;
      }
    }
  }
}

/** Asks an operation; fails with a {@link Problem}. */
export async function ask<Q, A>(operation: Operation<Q, A>, sent: Q, terms: Terms = {}): Promise<A> {
  return (await askWithRevision(operation, sent, terms)).value;
}

/** Writes that are under way, by what was sent. */
const underWay = new Map<string, Promise<unknown>>();

/** The same. A write that is under way already is not sent once more: whoever clicks twice wants it once. */
export function askWithRevision<Q, A>(operation: Operation<Q, A>, sent: Q, terms: Terms = {}): Promise<Answer<A>> {
  if (!operation.isWrite) {
    return answerOf(operation, sent, terms);
  }
  const name = operation.path + JSON.stringify(sent) + (terms.ifMatch ?? '');
  const same = underWay.get(name) as Promise<Answer<A>> | undefined;
  if (same) {
    return same;
  }
  const one = answerOf(operation, sent, terms).finally(() => underWay.delete(name));
  underWay.set(name, one);
  return one;
}

function answerOf<Q, A>(operation: Operation<Q, A>, sent: Q, terms: Terms): Promise<Answer<A>> {
  return patiently(async () => {
    const response = await send(operation.path, sent, terms);
    if (!response.ok) {
      throw await problemOf(response);
    }
    const value = (operation.answers === 'file' ? await fileOf(response, terms.progress) : await response.json()) as A;
    return {value, etag: response.headers.get('ETag')};
  });
}

/** The same without asking to sign in again: whether there is a session at all. */
export async function askOnce<Q, A>(operation: Operation<Q, A>, sent: Q): Promise<A> {
  const response = await send(operation.path, sent, {});
  if (!response.ok) {
    throw await problemOf(response);
  }
  return await response.json() as A;
}

/** Asks one of the operations that are read by GET and that anybody may call; what a cache has of it is not taken. */
export async function get<A>(operation: Operation<Record<string, never>, A>): Promise<A> {
  let response: Response;
  try {
    response = await fetch(operation.path, {cache: 'no-store'});
  } catch {
    throw new Problem(0, 'network', '', '');
  }
  if (!response.ok) {
    throw await problemOf(response);
  }
  return await response.json() as A;
}

async function send(path: string, sent: unknown, terms: Terms): Promise<Response> {
  const headers = new Headers({'Content-Type': 'application/json', ...acting});
  if (terms.ifMatch) {
    headers.set('If-Match', terms.ifMatch);
  }
  if (terms.key) {
    headers.set('Idempotency-Key', terms.key);
  }
  try {
    const answered = await fetch(path, {method: 'POST', headers, body: JSON.stringify(sent ?? {}), credentials: 'same-origin', signal: terms.signal ?? null});
    setClock(answered);
    return answered;
  } catch (failed) {
    if (failed instanceof DOMException && failed.name === 'AbortError') {
      throw failed;
    }
    throw new Problem(0, 'network', '', '');
  }
}

/** Files of any length: what has come is handed to the browser, which keeps it where it has room. Fails when the connection ends before the file does. */
async function fileOf(response: Response, progress: Terms['progress']): Promise<Blob> {
  if (!progress || !response.body) {
    return response.blob();
  }
  const reader = response.body.getReader();
  const blobs: Blob[] = [];
  let chunks: Uint8Array<ArrayBuffer>[] = [];
  let waiting = 0;
  let bytes = 0;
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      chunks.push(read.value);
      waiting += read.value.length;
      bytes += read.value.length;
      if (waiting >= BLOB_BYTES) {
        blobs.push(new Blob(chunks));
        chunks = [];
        waiting = 0;
      }
      progress(bytes);
    }
  } catch (failed) {
    if (failed instanceof DOMException && failed.name === 'AbortError') {
      throw failed;
    }
    throw new Problem(0, 'network', '', response.headers.get('X-Request-Id') ?? '');
  }
  return new Blob([...blobs, ...chunks], {type: response.headers.get('Content-Type') ?? ''});
}

/** Sends a file with what belongs to it, and tells how far it has come. */
export function upload<A>(operation: Operation<FormData, A>, form: FormData, progress: (share: number) => void, terms: Terms = {}): Promise<A> {
  return patiently(() => uploadOnce(operation, form, progress, terms));
}

function uploadOnce<A>(operation: Operation<FormData, A>, form: FormData, progress: (share: number) => void, terms: Terms): Promise<A> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', operation.path);
    if (terms.ifMatch) {
      request.setRequestHeader('If-Match', terms.ifMatch);
    }
    if (terms.key) {
      request.setRequestHeader('Idempotency-Key', terms.key);
    }
    for (const [name, value] of Object.entries(acting)) {
      request.setRequestHeader(name, value);
    }
    request.upload.onprogress = sent => progress(sent.lengthComputable ? sent.loaded / sent.total : 0);
    request.onerror = () => reject(new Problem(0, 'network', '', ''));
    request.onload = () => {
      if (request.status === 200) {
        resolve(JSON.parse(request.responseText) as A);
      } else {
        reject(new Problem(request.status, request.getResponseHeader('Error-Code') ?? '', sentenceOf(request.responseText), request.getResponseHeader('X-Request-Id') ?? '',
            Number(request.getResponseHeader('Retry-After')) || 0));
      }
    };
    request.send(form);
  });
}

async function problemOf(response: Response): Promise<Problem> {
  return new Problem(response.status, response.headers.get('Error-Code') ?? '', sentenceOf(await response.text()), response.headers.get('X-Request-Id') ?? '',
    Number(response.headers.get('Retry-After')) || 0);
}

/** Errors are one JSON string; what is between may answer with something else. */
function sentenceOf(body: string): string {
  try {
    const parsed: unknown = JSON.parse(body);
    return typeof parsed === 'string' ? parsed : body.slice(0, 300);
  } catch {
    return body.slice(0, 300);
  }
}

function pause(seconds: number): Promise<void> {
  return new Promise(resolve => { setTimeout(resolve, seconds * 1000); });
}
