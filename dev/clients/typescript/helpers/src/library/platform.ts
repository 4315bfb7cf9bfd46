import { Configuration } from '../runtime.js';
import type { Credentials, CredentialsTransport } from './credentials.js';
import { PlatformError } from './errors.js';
import { RetryPolicy, pauses, retryAfterSeconds } from './retries.js';

/** What takes longest is the draft of an award, 280 s at most. */
const ANSWER_SECONDS_MAX = 300;
const PASSING = new Set([408, 500, 502, 503, 504]);
/** What proves by its body who calls. */
const WITHOUT_TOKEN = /^\/auth\/(authenticate\/[^/]+|sessions\/refresh|clients\/token|oauth\/token)$/;

/** What Node.js and Bun say where no connection could be made. */
const UNREACHED = new Set(["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT", "ConnectionRefused"]);
/** Takes no key, so it is not repeated: each call occupies a browser. */
const KEYLESS = "/api/service-of-notice/attachments/create";

/** What a platform may be told beside its address and credentials. */
export interface PlatformOptions {
  /** When calls are repeated. */
  retries?: RetryPolicy;
  /** For how long an attempt may be without an answer; 300 unless told. */
  answerSecondsMax?: number;
  /** What sends; the `fetch` of the runtime unless told. */
  fetch?: typeof fetch;
}

/** One attempt: its body is made anew each time. @internal */
export interface Attempt {
  path: string;
  init: RequestInit;
  /** Sends in place of `fetch`. */
  by?: (url: string, init: RequestInit) => Promise<Response>;
  answerSecondsMax?: number;
}

/**
 * A platform, and by what it is called: every API class is made of one, `new CasesApi(platform)`. Its calls send an access token that is
 * renewed in time, send an `Idempotency-Key` with each POST, and are repeated as its `RetryPolicy` says: after 429, always, and where the
 * runtime says that there was no connection (Node.js and Bun do, browsers do not); without an
 * answer, after 408, 500, 502, 503, 504 and `idempotency.in-flight`: a GET, and a POST that has a key; after 401, once, with a renewed token.
 * An answer other than 2xx is a `PlatformError`.
 */
export class Platform extends Configuration {
  readonly #url: string;
  readonly #tokens: Credentials | undefined;
  readonly #retries: RetryPolicy;
  readonly #options: PlatformOptions;

  /**
   * A platform at the address of its host, such as `https://cases.example.org`.
   *
   * @param credentials undefined for calls without any, such as filling templates
   */
  constructor(url: string, credentials?: Credentials, options: PlatformOptions = {}) {
    const { protocol, href } = new URL(url);
    if (protocol !== "https:" && protocol !== "http:") throw new TypeError("url: http or https and a host");
    const basePath = href.replace(/\/$/, "");
    super({
      basePath,
      fetchApi: (input, init) => this.send({ path: String(input).slice(basePath.length), init: init ?? {} }),
      // What is thrown here is what the caller gets; the generated code would put it into an error of its own.
      middleware: [{ onError: async ({ error }) => { throw error; } }],
    });
    this.#url = basePath;
    this.#tokens = credentials;
    this.#retries = options.retries ?? new RetryPolicy();
    this.#options = options;
    credentials?.belongTo(basePath);
  }

  /** The present access token, renewed if need be: for what is not called through this client, such as an event stream. */
  async bearerToken(): Promise<string> {
    if (!this.#tokens) throw new Error("this platform is called without credentials");
    return this.#tokens.accessToken(this.#transport());
  }

  #transport(): CredentialsTransport {
    return { url: this.#url, fetch: this.#options.fetch ?? fetch };
  }

  /** Sends, renews, repeats. @internal */
  async send({ path, init, by, answerSecondsMax }: Attempt): Promise<Response> {
    const transport = this.#transport();
    const headers = new Headers(init.headers);
    const tokens = WITHOUT_TOKEN.test(path) || headers.has("Authorization") ? undefined : this.#tokens;
    const post = init.method === "POST";
    if (post && tokens && path !== KEYLESS && !headers.has("Idempotency-Key")) headers.set("Idempotency-Key", uuid());
    const again = !(init.body instanceof ReadableStream);
    const safe = again && (init.method === "GET" || post && headers.has("Idempotency-Key"));
    let token = await tokens?.accessToken(transport);
    let renewed = !again;
    const begun = performance.now();
    for (let attempt = 1; ; attempt++) {
      if (token !== undefined) headers.set("Authorization", `Bearer ${token}`);
      let response: Response;
      try {
        response = await bounded(by ?? transport.fetch, this.#url + path, { ...init, headers },
          answerSecondsMax ?? this.#options.answerSecondsMax ?? ANSWER_SECONDS_MAX);
      } catch (noAnswer) {
        if (init.signal?.aborted || !(safe || again && unreached(noAnswer))
          || !await pauses(this.#retries, attempt, undefined, begun, init.signal)) throw noAnswer;
        continue;
      }
      if (response.ok) return response;
      if (response.status === 401 && tokens && token !== undefined && !renewed) {
        await response.body?.cancel();
        token = await tokens.accessTokenAfter(token, transport);
        renewed = true;
        attempt--;
        continue;
      }
      const inFlight = response.status === 409 && response.headers.get("Error-Code") === "idempotency.in-flight";
      const passes = response.status === 429 && again || safe && (inFlight || PASSING.has(response.status));
      if (!passes || !await pauses(this.#retries, attempt, retryAfterSeconds(response.headers.get("Retry-After")), begun, init.signal)) {
        throw new PlatformError(response, await response.text());
      }
      await response.body?.cancel();
    }
  }
}

/** Sends once, and gives up when there is no answer in time or the caller wants none. */
async function bounded(by: (url: string, init: RequestInit) => Promise<Response>, url: string, init: RequestInit, seconds: number): Promise<Response> {
  const stop = new AbortController();
  const stopped = () => stop.abort(init.signal?.reason);
  if (init.signal?.aborted) stopped();
  init.signal?.addEventListener("abort", stopped, { once: true });
  const timer = setTimeout(() => stop.abort(new DOMException(`no answer within ${seconds} s`, "TimeoutError")), seconds * 1000);
  try {
    return await by(url, { ...init, signal: stop.signal });
  } finally {
    clearTimeout(timer);
  }
}

/** Whether there was no connection, so that nothing was done. Browsers give no reason, so there it is never sure. */
function unreached(noAnswer: unknown): boolean {
  const { code, cause } = Object(noAnswer) as { code?: unknown; cause?: unknown };
  return UNREACHED.has(String(code)) || UNREACHED.has(String((Object(cause) as { code?: unknown }).code));
}

/** `crypto.randomUUID` is missing where a page comes without TLS. */
function uuid(): string {
  const hex = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte, i) =>
    (i === 6 ? byte & 0x0f | 0x40 : i === 8 ? byte & 0x3f | 0x80 : byte).toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
