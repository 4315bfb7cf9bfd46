import { type TokenSet, TokenSetFromJSON } from '../models/TokenSet.js';
import { PlatformError, SessionEndedError } from './errors.js';
import { RetryPolicy, pauses, retryAfterSeconds } from './retries.js';

/** The platform takes a refresh token a second time for 10 s; a repetition begins early enough to arrive by then. */
const RENEWAL = new RetryPolicy({ attempts: 5, totalSeconds: 8, firstPauseSeconds: 0.25, pauseSecondsMax: 2 });
const ATTEMPT_MILLIS_MAX = 20_000;
/** A token is renewed when less than a tenth of its life is left, and no more than this. */
const LEFT_SECONDS_MAX = 60;

type Source = { idToken: string; provider: string } | { refreshToken: string } | { clientID: string; clientSecret: string };

/** An access token until it should be renewed; `unstored` until `onTokens` has taken the set. */
interface Held {
  accessToken: string;
  renewAtMillis: number;
  unstored: TokenSet | undefined;
}

/** How credentials reach their platform. */
export interface CredentialsTransport {
  url: string;
  fetch: typeof fetch;
}

/**
 * By what a `Platform` calls: a person's tokens, or those of a machine client. The first call that needs a token gets one; later ones
 * renew it. Callers who need a new token at once share one renewal. For one platform.
 */
export class Credentials {
  #source: Source;
  #held: Held | undefined;
  #ended: SessionEndedError | undefined;
  #underWay: Promise<Held> | undefined;
  #url: string | undefined;
  #onTokens: (tokens: TokenSet) => void | Promise<void> = () => {};
  #now: () => number = Date.now;

  private constructor(source: Source) {
    this.#source = source;
  }

  /** A person, by an ID token of an identity provider that the platform knows by this name. */
  static signIn(provider: string, idToken: string): Credentials {
    return new Credentials({ provider, idToken });
  }

  /** A person who signed in before, by the refresh token that `onTokens` got last. */
  static resume(refreshToken: string): Credentials {
    return new Credentials({ refreshToken });
  }

  /** A machine client: for servers alone, because its secret does not belong into a page. */
  static machine(clientID: string, clientSecret: string): Credentials {
    return new Credentials({ clientID, clientSecret });
  }

  /**
   * Has each new token set stored before a call uses it. When that fails, the calls that need the tokens fail with the same error, and
   * the next call offers the same set again.
   */
  onTokens(store: (tokens: TokenSet) => void | Promise<void>): this {
    this.#onTokens = store;
    return this;
  }

  /** By which clock, in milliseconds, a token's life is measured; the system's unless told. */
  clock(now: () => number): this {
    this.#now = now;
    return this;
  }

  /** @internal */
  belongTo(url: string): void {
    if (this.#url !== undefined && this.#url !== url) throw new Error(`these credentials belong to the platform at ${this.#url}`);
    this.#url = url;
  }

  /** The present access token, renewed if need be. @internal */
  async accessToken(transport: CredentialsTransport): Promise<string> {
    if (this.#ended) throw this.#ended;
    const held = this.#held;
    if (held && this.#fresh(held) && !held.unstored) return held.accessToken;
    this.#underWay ??= this.#renew(transport).finally(() => { this.#underWay = undefined; });
    return (await this.#underWay).accessToken;
  }

  /** The token to go on with after an answer of 401 with this one. @internal */
  accessTokenAfter(refused: string, transport: CredentialsTransport): Promise<string> {
    if (this.#held?.accessToken === refused) this.#held = { ...this.#held, renewAtMillis: -Infinity };
    return this.accessToken(transport);
  }

  #fresh(held: Held): boolean {
    return this.#now() < held.renewAtMillis;
  }

  async #renew(transport: CredentialsTransport): Promise<Held> {
    let held = this.#held;
    if (!held || !this.#fresh(held)) this.#held = held = await this.#exchange(transport);
    if (held.unstored) await this.#onTokens(held.unstored);
    return this.#held = { ...held, unstored: undefined };
  }

  async #exchange(transport: CredentialsTransport): Promise<Held> {
    const source = this.#source;
    const asked = this.#now();
    const response = await send(transport, source);
    const body = await response.text();
    if (!response.ok) {
      if (response.status !== 401 || !("refreshToken" in source)) throw new PlatformError(response, body);
      throw this.#ended = new SessionEndedError(response, body);
    }
    const json = JSON.parse(body);
    if ("clientID" in source) return held(json.access_token, json.expires_in, asked, undefined);
    const tokens = TokenSetFromJSON(json);
    this.#source = { refreshToken: tokens.refreshToken };
    return held(tokens.accessToken, tokens.validForSeconds, asked, tokens);
  }
}

function held(accessToken: string, seconds: number, askedMillis: number, unstored: TokenSet | undefined): Held {
  return { accessToken, renewAtMillis: askedMillis + (seconds - Math.min(seconds / 10, LEFT_SECONDS_MAX)) * 1000, unstored };
}

async function send({ url, fetch }: CredentialsTransport, source: Source): Promise<Response> {
  const begun = performance.now();
  for (let attempt = 1; ; attempt++) {
    let response: Response | undefined;
    try {
      response = await fetch(...request(url, source));
      if (response.status !== 408 && response.status !== 429 && response.status < 500) return response;
    } catch (noAnswer) {
      if (!await pauses(RENEWAL, attempt, undefined, begun)) throw noAnswer;
      continue;
    }
    if (!await pauses(RENEWAL, attempt, retryAfterSeconds(response.headers.get("Retry-After")), begun)) return response;
    await response.body?.cancel();
  }
}

function request(url: string, source: Source): [string, RequestInit] {
  const init = { method: "POST", signal: AbortSignal.timeout(ATTEMPT_MILLIS_MAX) };
  if ("clientID" in source) {
    // RFC 6749, section 2.3.1: both are form-encoded before they are joined.
    const encoded = (text: string) => new URLSearchParams([["", text]]).toString().slice(1);
    const headers = { Authorization: "Basic " + btoa(`${encoded(source.clientID)}:${encoded(source.clientSecret)}`), Accept: "application/json" };
    return [`${url}/auth/oauth/token`, { ...init, headers, body: new URLSearchParams({ grant_type: "client_credentials" }) }];
  }
  const headers = { "Content-Type": "application/json", Accept: "application/json" };
  if ("idToken" in source) {
    return [`${url}/auth/authenticate/${encodeURIComponent(source.provider)}`, { ...init, headers, body: JSON.stringify({ idToken: source.idToken }) }];
  }
  return [`${url}/auth/sessions/refresh`, { ...init, headers, body: JSON.stringify({ refreshToken: source.refreshToken }) }];
}
