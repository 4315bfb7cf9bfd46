import {ask} from '../api/call.js';
import {type Webhooks, streamEvents, viewCurrentUser} from '../api/contracts.js';

/** Whatever changes what one sees of a case. */
const KINDS: Webhooks.EventKind[] = ['docket_filing', 'case_created', 'phase_changed', 'case_closed', 'filing_submitted', 'filing_rejected', 'filing_withdrawn', 'participant_added', 'participant_removed', 'entry_sealed',
  'entry_unsealed', 'deadline_extended', 'hearing_scheduled', 'hearing_changed', 'hearing_cancelled'];
/** Several events of one act are told together. */
const TOGETHER_MILLIS = 100;
/** Where events do not cease, they are told so often. */
const TOGETHER_MILLIS_MAX = 2000;
const AGAIN_AFTER_MILLIS = 10_000;

/**
 * Tells what kinds of things happened in a case, or in all cases of this person, and in which ones (undefined: in any, since something may have been missed), by the stream of events; answers what ends it. The browser connects again by itself when the
 * connection was lost; when the platform refused to go on, a new stream begins after a while, and what may have been missed is read anew. Where it refused
 * because the session has ended, the person is asked to sign in first, and until then nothing is tried.
 */
export function follow(caseID: string | null, happened: (kinds: Set<string>, caseIDs: Set<string> | undefined) => void): () => void {
  let source: EventSource;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let left = false;
  let kinds = new Set<string>();
  let caseIDs = new Set<string>();
  let since = 0;
  const tell = (isAny: boolean) => {
    const told = kinds;
    const where = isAny ? undefined : caseIDs;
    kinds = new Set();
    caseIDs = new Set();
    happened(told, where);
  };
  const open = () => {
    source = new EventSource(`${streamEvents.path}${caseID === null ? '' : `?${new URLSearchParams({caseID})}`}`);
    for (const kind of KINDS) {
      source.addEventListener(kind, event => {
        clearTimeout(timer);
        since = kinds.size === 0 ? Date.now() : since;
        kinds.add(kind);
        caseIDs.add((JSON.parse(event.data) as {data: {caseID: string}}).data.caseID);
        timer = setTimeout(() => tell(false), Math.max(0, Math.min(TOGETHER_MILLIS, since + TOGETHER_MILLIS_MAX - Date.now())));
      });
    }
    source.onerror = () => {
      if (source.readyState === EventSource.CLOSED) {
        clearTimeout(timer);
        timer = setTimeout(again, AGAIN_AFTER_MILLIS);
      }
    };
  };
  const again = async () => {
    try {
      await ask(viewCurrentUser, {});
    } catch {
      // No connection, or a platform that does not answer: it is tried later.
      timer = left ? undefined : setTimeout(again, AGAIN_AFTER_MILLIS);
      return;
    }
    if (!left) {
      open();
      KINDS.forEach(kind => kinds.add(kind));
      tell(true);
    }
  };
  open();
  return () => {
    left = true;
    clearTimeout(timer);
    source.close();
  };
}
