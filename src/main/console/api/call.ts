import type {Operation} from './contracts.js';

/**
 * A request that did not succeed: the HTTP status, the error code, the sentence of the platform, and the request ID with which support finds it in
 * the log.
 */
export class Problem extends Error {
  /** @param afterSeconds the `Retry-After` of the response, in seconds; 0 without one */
  constructor(readonly status: number, readonly code: string, readonly sentence: string, readonly requestID: string, readonly afterSeconds = 0) {
    super(sentence);
  }

  /** Whether no response came, because the network or the platform is down. */
  get isSilence(): boolean {
    return this.status === 0;
  }

  /** Whether a later attempt may succeed: too many requests (429), or the platform cannot answer at the moment (503). */
  get isBusy(): boolean {
    return this.status === 429 || this.status === 503;
  }
}

/** The value of a response and the revision that it has. */
export interface Answer<A> {
  readonly value: A;
  /** The entity tag, for the `If-Match` of a later write; null if the response has none. */
  readonly etag: string | null;
}

/** What a request has besides its body. */
export interface Terms {
  /** The entity tag of the revision that a write is based on. The platform refuses the write if there is a newer one. */
  ifMatch?: string | null;
  /** The idempotency key. All attempts of one write use the same key, so that the platform carries it out only once. */
  key?: string;
  signal?: AbortSignal;
  /** Called with the number of bytes of a file that were received so far. */
  progress?: (bytes: number) => void;
}

const ATTEMPTS_MAX = 4;
const PAUSE_SECONDS_MAX = 20;
const BLOB_BYTES = 8_000_000;

/** How far the clock of the platform is ahead of the clock of this computer, by the latest response with a `Date`; negative if it is behind. */
let aheadMillis = 0;
/** A `Date` has whole seconds, and the response took time to arrive, so a smaller difference counts as none. */
const SAME_CLOCK_MILLIS = 5000;

/** The time of the platform, if its responses have a `Date` (a proxy adds it); otherwise the time of this computer. */
export const now = (): Date => new Date(Date.now() + aheadMillis);

function setClock(answered: Response): void {
  const ahead = Date.parse(answered.headers.get('Date') ?? '') - Date.now();
  if (!Number.isNaN(ahead)) {
    aheadMillis = Math.abs(ahead) < SAME_CLOCK_MILLIS ? 0 : ahead;
  }
}

/** The error code for a request of a page that shows another user than the session has, because somebody else has signed in in another tab. */
export const ANOTHER_USER = 'session.another-user';
/** The error code for a request of a page that shows another organization than the session has, because it was changed in another tab. */
const ANOTHER_ORGANIZATION = 'session.another-organization';
/** The headers that name the user and the organization that the page shows. Every request has them. */
let acting: Record<string, string> = {};
let another: () => void = () => undefined;
let renewal: Promise<void> | null = null;
let renew: () => Promise<void> = () => Promise.reject(new Error('no sign-in yet'));
let tellBusy: () => void = () => undefined;

/**
 * Sets how a user is asked to sign in again after the session has ended. The promise is fulfilled when there is a session again; then the request is
 * repeated.
 */
export function signInAgainBy(ask: () => Promise<void>): void {
  renew = ask;
}

/**
 * Sets the user and the organization that the page shows. From now on the platform refuses each request whose session has another user or, where it
 * matters, another organization.
 */
export function actAs(userID: string, organizationID: string | null): void {
  acting = {'Acting-User': userID, 'Acting-Organization': organizationID ?? 'none'};
}

/** Sets how the page is ended when the session has another user or another organization, because of what was done in another tab. */
export function whenAnother(end: () => void): void {
  another = end;
}

/** Lets no further request start. Requests that are made from now on wait until the browser has left the page. */
export function stopAsking(): void {
  renewal = new Promise(() => undefined);
}

/** Sets how a user is told that the platform is busy and that the request is repeated after a pause. */
export function tellWhenBusy(tell: () => void): void {
  tellBusy = tell;
}

/**
 * Repeats an act after the user has signed in again, and after a pause while the platform is busy. While the user is asked to sign in, further
 * requests wait, because they would be refused.
 *
 * @throws Problem if the act is refused for another reason, is refused again after a sign-in, or is refused as busy 4 times
 */
async function withRetries<R>(act: () => Promise<R>): Promise<R> {
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

/**
 * Sends a request and returns the value of the response.
 *
 * @throws Problem if the platform refuses or does not answer
 */
export async function ask<Q, A>(operation: Operation<Q, A>, sent: Q, terms: Terms = {}): Promise<A> {
  return (await askWithRevision(operation, sent, terms)).value;
}

/** The writes that wait for a response, by path, body and `If-Match`. */
const underWay = new Map<string, Promise<unknown>>();

/**
 * Like {@link ask}, but also returns the revision. A write that equals one still waiting for its response is not sent: both callers get the same
 * response, so that a double click writes once.
 */
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
  return withRetries(async () => {
    const response = await send(operation.path, sent, terms);
    if (!response.ok) {
      throw await problemOf(response);
    }
    const value = (operation.answers === 'file' ? await fileOf(response, terms.progress) : await response.json()) as A;
    return {value, etag: response.headers.get('ETag')};
  });
}

/** Like {@link ask}, but without retries and without asking the user to sign in. Shows whether there is a session. */
export async function askOnce<Q, A>(operation: Operation<Q, A>, sent: Q): Promise<A> {
  const response = await send(operation.path, sent, {});
  if (!response.ok) {
    throw await problemOf(response);
  }
  return await response.json() as A;
}

/** Sends a GET request to a public operation. The HTTP cache is not used. */
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

/**
 * Reads a file of any length. Every 8 MB are handed to the browser as a blob, which it can store outside the memory of the page.
 *
 * @throws Problem if the connection ends before the file is complete
 */
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

/**
 * Uploads a form with a file.
 *
 * @param progress called with the share that was sent, from 0 to 1
 * @throws Problem if the platform refuses or does not answer
 */
export function upload<A>(operation: Operation<FormData, A>, form: FormData, progress: (share: number) => void, terms: Terms = {}): Promise<A> {
  return withRetries(() => uploadOnce(operation, form, progress, terms));
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

/** The sentence of an error. The body is a JSON string, but a proxy may answer with something else, of which the first 300 characters are used. */
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
