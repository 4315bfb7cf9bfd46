import { type ErrorCode, ErrorCodeFromJSON } from '../models/ErrorCode.js';
import { ResponseError } from '../runtime.js';
import { retryAfterSeconds } from './retries.js';

const REASON_MAX = 2_000;

/** A refusal by the platform. Programs go by `errorCode`, which never changes; `reason` is for people. */
export class PlatformError extends ResponseError {
  /** The HTTP status. */
  readonly status: number;
  /** The stable name of the error. A code that is newer than this client is none of `ErrorCode`; undefined where there is none. */
  readonly errorCode: ErrorCode | undefined;
  /** The header `Error-Code` as it came (`error` of an answer by RFC 6749). */
  readonly errorCodeText: string | undefined;
  /** One sentence for people, at most 2,000 characters. */
  readonly reason: string | undefined;
  /** By this an operator finds the call in the log. */
  readonly requestID: string | undefined;
  /** After how many seconds the call may be repeated, where the answer says so. */
  readonly retryAfterSeconds: number | undefined;

  /** Reads a refusal; `body` is the text that the response had, which can be read from `response` again. */
  constructor(response: Response, body: string) {
    const parsed = parse(body);
    const oauth = typeof parsed?.error === "string" ? parsed.error : undefined;
    const code = oauth ?? response.headers.get("Error-Code") ?? undefined;
    const reason = (parsed?.error_description ?? parsed?.detail ?? parsed?.title ?? oauth ?? parsed?.text ?? body).slice(0, REASON_MAX) || undefined;
    const request = response.headers.get("X-Request-Id") ?? undefined;
    super(again(response, body), String(response.status) + (code ? ` ${code}` : "") + (reason ? `: ${reason}` : "") + (request ? ` (request ${request})` : ""));
    Object.defineProperty(this, "name", { value: new.target.name, configurable: true });
    this.status = response.status;
    this.errorCodeText = code;
    this.errorCode = code === undefined ? undefined : ErrorCodeFromJSON(code);
    this.reason = reason;
    this.requestID = request;
    this.retryAfterSeconds = retryAfterSeconds(response.headers.get("Retry-After"));
  }
}

/** The platform takes the refresh token no more: the person has to sign in again. Every later call with these credentials fails so. */
export class SessionEndedError extends PlatformError {}

/** The response with a body that has not been read. */
function again(response: Response, body: string): Response {
  const bodyless = response.status === 204 || response.status === 205 || response.status === 304;
  const copy = new Response(bodyless ? null : body, { status: response.status, statusText: response.statusText, headers: response.headers });
  Object.defineProperty(copy, "url", { value: response.url });
  return copy;
}

/** A sentence as `text`, or the members of an error by RFC 6749 or RFC 9457. */
function parse(body: string): { [member: string]: string | undefined } | undefined {
  if (!/^["{]/.test(body)) return undefined;
  try {
    const json: unknown = JSON.parse(body);
    if (typeof json === "string") return { text: json };
    return Object.fromEntries(Object.entries(json as object).filter(([, value]) => typeof value === "string"));
  } catch {
    return undefined;
  }
}
