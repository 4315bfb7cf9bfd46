import {ask} from '../api/call.js';
import {type Webhooks, streamEvents, viewCurrentUser} from '../api/contracts.js';

/** Whatever changes what one sees of a case. */
const KINDS: Webhooks.EventKind[] = ['docket_filing', 'phase_changed', 'case_closed', 'filing_submitted', 'filing_rejected', 'filing_withdrawn', 'participant_added', 'participant_removed', 'entry_sealed',
  'entry_unsealed', 'deadline_extended', 'hearing_scheduled', 'hearing_changed', 'hearing_cancelled'];
/** Several events of one act are told together. */
const TOGETHER_MILLIS = 100;
const AGAIN_AFTER_MILLIS = 10_000;

/**
 * Tells what kinds of things happened in a case, by the stream of events; answers what ends it. The browser connects again by itself when the
 * connection was lost; when the platform refused to go on, a new stream begins after a while, and what may have been missed is read anew. Where it refused
 * because the session has ended, the person is asked to sign in first, and until then nothing is tried.
 */
export function followCase(caseID: string, happened: (kinds: Set<string>) => void): () => void {
  let source: EventSource;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let left = false;
  let kinds = new Set<string>();
  const tell = () => {
    const told = kinds;
    kinds = new Set();
    happened(told);
  };
  const open = () => {
    source = new EventSource(`${streamEvents.path}?${new URLSearchParams({caseID})}`);
    for (const kind of KINDS) {
      source.addEventListener(kind, () => {
        clearTimeout(timer);
        kinds.add(kind);
        timer = setTimeout(tell, TOGETHER_MILLIS);
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
      tell();
    }
  };
  open();
  return () => {
    left = true;
    clearTimeout(timer);
    source.close();
  };
}
