import {ask} from '../api/call.js';
import {type Webhooks, listEvents} from '../api/contracts.js';
import {t} from '../texts/texts.js';

/** How far back an event is looked for, by its kind: pages of 1000, the first one shorter. */
const PAGES_MAX = 6;
const FIRST_PAGE = 200;
const PAGE = 1000;
/** More than one search finds. */
const KEPT_MAX = 6000;

/** Those that were found, the oldest finding first. */
const found = new Map<string, Webhooks.SequencedEvent>();

/** The event of a delivery, out of the log of events; undefined when it is not among the newest ones of its kind. */
export async function eventOf(delivery: Webhooks.WebhookDelivery): Promise<Webhooks.SequencedEvent | undefined> {
  let beforeSequence = Number.MAX_SAFE_INTEGER;
  for (let page = 0; page < PAGES_MAX && !found.has(delivery.eventID); page++) {
    const limit = page === 0 ? FIRST_PAGE : PAGE;
    const read = await ask(listEvents, {beforeSequence, event: delivery.event as Webhooks.EventKind, limit});
    read.events.forEach(one => found.set(one.id, one));
    if (read.events.length === 0) {
      break;
    }
    beforeSequence = read.nextSequence;
  }
  const event = found.get(delivery.eventID);
  for (const id of [...found.keys()].slice(0, Math.max(0, found.size - KEPT_MAX))) {
    found.delete(id);
  }
  return event;
}

/** What was posted: the envelope as an event of the log has it, for people to read. */
export function envelope({id, timestamp, event, data}: Webhooks.SequencedEvent): string {
  return JSON.stringify({id, timestamp, event, data}, null, 2);
}

/** What a kind of event is called; its name where the console does not know it. */
export const kindName = (kind: string): string => (t.events.kinds as Record<string, string>)[kind] ?? kind;
