import { type CaseClosedEvent, CaseClosedEventFromJSON } from '../models/CaseClosedEvent.js';
import { type CaseCreatedEvent, CaseCreatedEventFromJSON } from '../models/CaseCreatedEvent.js';
import { type DeadlineExtendedEvent, DeadlineExtendedEventFromJSON } from '../models/DeadlineExtendedEvent.js';
import { type DocketFilingEvent, DocketFilingEventFromJSON } from '../models/DocketFilingEvent.js';
import { type EntrySealedEvent, EntrySealedEventFromJSON } from '../models/EntrySealedEvent.js';
import { type EntryUnsealedEvent, EntryUnsealedEventFromJSON } from '../models/EntryUnsealedEvent.js';
import type { EventKind } from '../models/EventKind.js';
import { type FilingRejectedEvent, FilingRejectedEventFromJSON } from '../models/FilingRejectedEvent.js';
import { type FilingSubmittedEvent, FilingSubmittedEventFromJSON } from '../models/FilingSubmittedEvent.js';
import { type FilingWithdrawnEvent, FilingWithdrawnEventFromJSON } from '../models/FilingWithdrawnEvent.js';
import { type HearingCancelledEvent, HearingCancelledEventFromJSON } from '../models/HearingCancelledEvent.js';
import { type HearingChangedEvent, HearingChangedEventFromJSON } from '../models/HearingChangedEvent.js';
import { type HearingScheduledEvent, HearingScheduledEventFromJSON } from '../models/HearingScheduledEvent.js';
import { type ParticipantAddedEvent, ParticipantAddedEventFromJSON } from '../models/ParticipantAddedEvent.js';
import { type ParticipantRemovedEvent, ParticipantRemovedEventFromJSON } from '../models/ParticipantRemovedEvent.js';
import { type PhaseChangedEvent, PhaseChangedEventFromJSON } from '../models/PhaseChangedEvent.js';
import { type WebhookEvent, WebhookEventFromJSON } from '../models/WebhookEvent.js';

const TOLERANCE_SECONDS = 300;
const PREFIX = "whsec_";
/** The platform sends as many signatures as there are live secrets, two. */
const SIGNATURES_MAX = 20;

interface EventModels {
  docket_filing: DocketFilingEvent;
  case_created: CaseCreatedEvent;
  phase_changed: PhaseChangedEvent;
  case_closed: CaseClosedEvent;
  filing_submitted: FilingSubmittedEvent;
  filing_rejected: FilingRejectedEvent;
  filing_withdrawn: FilingWithdrawnEvent;
  participant_added: ParticipantAddedEvent;
  participant_removed: ParticipantRemovedEvent;
  entry_sealed: EntrySealedEvent;
  entry_unsealed: EntryUnsealedEvent;
  deadline_extended: DeadlineExtendedEvent;
  hearing_scheduled: HearingScheduledEvent;
  hearing_changed: HearingChangedEvent;
  hearing_cancelled: HearingCancelledEvent;
}

/** A kind that is added to the contract does not compile until it is added here. */
const readers: { [kind in `${EventKind}`]: (json: unknown) => EventModels[kind] } = {
  docket_filing: DocketFilingEventFromJSON,
  case_created: CaseCreatedEventFromJSON,
  phase_changed: PhaseChangedEventFromJSON,
  case_closed: CaseClosedEventFromJSON,
  filing_submitted: FilingSubmittedEventFromJSON,
  filing_rejected: FilingRejectedEventFromJSON,
  filing_withdrawn: FilingWithdrawnEventFromJSON,
  participant_added: ParticipantAddedEventFromJSON,
  participant_removed: ParticipantRemovedEventFromJSON,
  entry_sealed: EntrySealedEventFromJSON,
  entry_unsealed: EntryUnsealedEventFromJSON,
  deadline_extended: DeadlineExtendedEventFromJSON,
  hearing_scheduled: HearingScheduledEventFromJSON,
  hearing_changed: HearingChangedEventFromJSON,
  hearing_cancelled: HearingCancelledEventFromJSON,
};

/**
 * A webhook whose signature holds. `id` is the same at every attempt: store those that were processed. `sandbox` says whether the case
 * runs by a clock of its own. `kind` is `"other"` for a kind that is newer than this client, and for tests.
 */
export type Webhook = { id: string; sandbox: boolean } & (
  { [kind in keyof EventModels]: { kind: kind; event: EventModels[kind] } }[keyof EventModels] | { kind: "other"; event: WebhookEvent });

/** What is wrong with a webhook: a header is missing or malformed, its time, no signature holds, or it is signed and no event. */
export type WebhookProblem = "headers" | "time" | "signature" | "body";

/** A webhook that is not to be believed: answer 401, and process nothing. */
export class WebhookError extends Error {
  constructor(readonly problem: WebhookProblem, message: string, options?: { cause: unknown }) {
    super(message);
    this.name = "WebhookError";
    if (options) Object.defineProperty(this, "cause", { value: options.cause, configurable: true });
  }
}

/** Headers as `fetch` has them, or as Node.js has them. */
export type WebhookHeaders = Headers | { [name: string]: string | string[] | undefined };

/** Verifies webhooks (Standard Webhooks, `v1`) and reads them, in this order. */
export class WebhookVerifier {
  readonly #keys: Uint8Array<ArrayBuffer>[];
  readonly #toleranceSeconds: number;
  readonly #now: () => number;

  /**
   * A verifier for webhooks of a URL with this secret; during a rotation, with any of these.
   *
   * @param options by how much a timestamp may be before or after now, 300 s unless told; and a clock, in milliseconds
   * @throws TypeError when there is no secret, or one that is not `whsec_` and base64
   */
  constructor(secrets: string | readonly string[], options: { toleranceSeconds?: number; now?: () => number } = {}) {
    this.#keys = (typeof secrets === "string" ? [secrets] : secrets).map(key);
    if (this.#keys.length === 0) throw new TypeError("secrets: at least one");
    this.#toleranceSeconds = options.toleranceSeconds ?? TOLERANCE_SECONDS;
    this.#now = options.now ?? Date.now;
  }

  /**
   * Verifies a request and reads its event.
   *
   * @param body the bytes as they came, or their text
   * @throws WebhookError when the request is not to be believed
   */
  async verify(headers: WebhookHeaders, body: Uint8Array | ArrayBuffer | string): Promise<Webhook> {
    const id = header(headers, "webhook-id");
    const timestamp = header(headers, "webhook-timestamp");
    const signatures = header(headers, "webhook-signature");
    if (!id || !timestamp || !signatures) throw new WebhookError("headers", "webhook-id, webhook-timestamp and webhook-signature are required");
    if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookError("headers", "webhook-timestamp: seconds since 1970");
    const off = Math.abs(this.#now() / 1000 - Number(timestamp));
    if (off > this.#toleranceSeconds) throw new WebhookError("time", `signed ${Math.floor(off)} s before or after now`);
    const bytes = typeof body === "string" ? new TextEncoder().encode(body) : new Uint8Array(body);
    if (!await this.#signed(`${id}.${timestamp}.`, bytes, signatures)) throw new WebhookError("signature", "no signature holds");
    return { id, sandbox: header(headers, "webhook-sandbox") === "true", ...read(bytes) };
  }

  async #signed(prefix: string, body: Uint8Array, signatures: string): Promise<boolean> {
    const head = new TextEncoder().encode(prefix);
    const signed = new Uint8Array(head.length + body.length);
    signed.set(head);
    signed.set(body, head.length);
    const given = signatures.split(" ").slice(0, SIGNATURES_MAX).flatMap((one) => one.startsWith("v1,") ? [decoded(one.slice(3))] : []);
    let holds = false;
    for (const bytes of this.#keys) {
      const imported = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
      for (const signature of given) {
        // Compares in constant time.
        if (signature && await crypto.subtle.verify("HMAC", imported, signature, signed)) holds = true;
      }
    }
    return holds;
  }
}

function key(secret: string): Uint8Array<ArrayBuffer> {
  const bytes = secret.startsWith(PREFIX) ? decoded(secret.slice(PREFIX.length)) : undefined;
  // The message has nothing of the secret.
  if (!bytes?.length) throw new TypeError(`secret: ${PREFIX} and base64`);
  return bytes;
}

function decoded(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function header(headers: WebhookHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const [, value] = Object.entries(headers).find(([given]) => given.toLowerCase() === name) ?? [];
  return Array.isArray(value) ? value[0] : value;
}

function read(body: Uint8Array): { kind: "other"; event: WebhookEvent } {
  try {
    const json = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body)) as { event: string; data: unknown };
    if (typeof json.event !== "string" || typeof json.data !== "object" || json.data === null) throw new TypeError("event and data are missing");
    const kind = Object.prototype.hasOwnProperty.call(readers, json.event) ? json.event as `${EventKind}` : undefined;
    // Which model belongs to which kind is said by the type of the readers.
    return (kind ? { kind, event: readers[kind](json) } : { kind: "other", event: WebhookEventFromJSON(json) }) as { kind: "other"; event: WebhookEvent };
  } catch (cause) {
    throw new WebhookError("body", "the body is signed, and is no event", { cause });
  }
}
