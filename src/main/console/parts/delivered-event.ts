import {ask} from '../api/call.js';
import {type Webhooks, listEvents} from '../api/contracts.js';
import {t} from '../texts/texts.js';

/** How many pages of the event log are searched: the first one has 200 events, each other one 1000. */
const PAGES_MAX = 6;
const FIRST_PAGE = 200;
const PAGE = 1000;
/** The maximum of {@link found}, which is more than one search reads. */
const KEPT_MAX = 6000;

/** The events that were read, by ID, in the order in which they were read. */
const found = new Map<string, Webhooks.SequencedEvent>();

/** The event of a delivery, from the event log. Undefined if it is not among the newest 5200 events of its kind. */
export async function findEvent(delivery: Webhooks.WebhookDelivery): Promise<Webhooks.SequencedEvent | undefined> {
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

/** The body that was posted, as indented JSON: the fields of the envelope from the event log. */
export function envelope({id, timestamp, event, data}: Webhooks.SequencedEvent): string {
  return JSON.stringify({id, timestamp, event, data}, null, 2);
}

/** The name of a kind of event. For a kind that the console does not know, the kind itself. */
export const kindName = (kind: string): string => (t.events.kinds as Record<string, string>)[kind] ?? kind;
