import type {ReactiveControllerHost} from 'lit';
import {Problem, ask} from '../api/call.js';
import {type Webhooks, streamEvents, viewCurrentUser} from '../api/contracts.js';
import {currentUser} from './session.js';

/** The kinds of events that change what a screen shows of a case. */
const KINDS: Webhooks.EventKind[] = ['docket_filing', 'case_created', 'phase_changed', 'case_closed', 'filing_submitted', 'filing_rejected', 'filing_withdrawn', 'participant_added', 'participant_removed', 'entry_sealed',
  'entry_unsealed', 'deadline_extended', 'hearing_scheduled', 'hearing_changed', 'hearing_cancelled'];
/**
 * The kinds of changes that have no event. For these the stream sends hints, which name only the kind and the case, so a screen reads again what
 * changed.
 */
const CHANGES = ['filing', 'evidence', 'entry', 'notice', 'deadline', 'extension', 'hearing', 'participant', 'case', 'invitation', 'member', 'delivery', 'client', 'permission', 'session',
  'user', 'prompt', 'template', 'key'] as const;
type Change = typeof CHANGES[number];
/** The kinds of changes that do not affect My day. */
const KINDS_WITHOUT_MY_DAY = new Set(['delivery', 'evidence', 'notice', 'client', 'permission', 'session', 'user', 'prompt', 'template', 'key']);

/** Whether a change of these kinds may affect My day. */
export const affectsMyDay = (kinds: Set<string>): boolean => [...kinds].some(kind => !KINDS_WITHOUT_MY_DAY.has(kind));

/** Events that arrive within this pause are reported together, because one act often causes several. */
const DEBOUNCE_MILLIS = 100;
/** If events keep arriving, they are reported at least this often. */
const DEBOUNCE_MILLIS_MAX = 2000;
/** If a callback takes longer, the next events are reported without waiting for it. */
const CALLBACK_MILLIS_MAX = 30_000;
const AGAIN_AFTER_MILLIS = 10_000;
/** An interruption that is shorter is not shown to the user. */
const SHOWN_AFTER_MILLIS = 4000;
/** The first requests of a page wait this long for the event stream, which usually opens while the script of the screen is loaded. */
const STREAM_WAIT_MILLIS_MAX = 150;

/**
 * An event of a case, or a change without an event (`caseID` is undefined if it belongs to no case). `missed`: events and changes of any case may
 * have been missed. `unhinted`: only changes without an event may have been missed.
 */
type News = {kind: Webhooks.EventKind | Change; caseID: string | undefined} | 'missed' | 'unhinted';

/** Since when there has been no event stream, in milliseconds since 1970, or null while it is open. `asks`: a new tab asks the others for it. */
type Standing = {silentSince: number | null} | 'asks';

/** Since when this tab knows that there has been no event stream; null while it is open. */
let silentSince: number | null = null;
let isTold = false;
/** Whether this tab has the event stream or tries to open it. */
let isOurs = false;
/**
 * Whether this page has sent its first requests before the stream was open. There may be no hint of changes since then, so everything is read again
 * when it opens.
 */
let hasReadBefore = false;
/** Whether the event stream of this tab has been open. */
let isOpen = false;
let mayRead: () => void = () => undefined;

const followers = new Set<(news: News) => void>();
/** The channel to the other tabs of this browser in which the same user is signed in. */
let tabs: BroadcastChannel | undefined;

/**
 * Reports events and changes of a case, or of all cases and organizations of this user if `caseID` is null. Returns a function that ends the reports.
 * A browser opens few connections to one host, so only one tab has the event stream and passes events to the other tabs. When that tab is closed,
 * another tab opens a stream, and all tabs read again what may have been missed.
 *
 * @param happened called with the kinds and the case IDs; the case IDs are undefined if any case may have changed. Further events are collected until
 * its promise is fulfilled, so that a screen does not start a request for each event
 */
export function onChanges(caseID: string | null, happened: (kinds: Set<string>, caseIDs: Set<string> | undefined) => unknown): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let kinds = new Set<string>();
  let caseIDs = new Set<string>();
  let isAny = false;
  let since = 0;
  let isTelling = false;
  const tell = async () => {
    if (isTelling) {
      return;
    }
    const told = kinds;
    const where = isAny ? undefined : caseIDs;
    kinds = new Set();
    caseIDs = new Set();
    isAny = false;
    isTelling = true;
    try {
      await Promise.race([happened(told, where), new Promise(resolve => { setTimeout(resolve, CALLBACK_MILLIS_MAX); })]);
    } finally {
      isTelling = false;
      if (kinds.size > 0 && followers.has(learn)) {
        timer = setTimeout(() => void tell(), DEBOUNCE_MILLIS);
      }
    }
  };
  const learn = (news: News) => {
    if (typeof news === 'object' && caseID !== null && news.caseID !== caseID) {
      return;
    }
    clearTimeout(timer);
    since = kinds.size === 0 ? Date.now() : since;
    if (typeof news === 'string') {
      isAny = true;
      [...news === 'missed' ? KINDS : [], ...CHANGES].forEach(kind => kinds.add(kind));
    } else {
      kinds.add(news.kind);
      if (news.caseID !== undefined) {
        caseIDs.add(news.caseID);
      }
    }
    timer = setTimeout(() => void tell(), Math.max(0, Math.min(DEBOUNCE_MILLIS, since + DEBOUNCE_MILLIS_MAX - Date.now())));
  };
  followers.add(learn);
  return () => {
    followers.delete(learn);
    clearTimeout(timer);
  };
}

/** Calls back for changes of these kinds, in any case or organization, while the element is on the page. See {@link onChanges}. */
export function onChangesWhileConnected(host: ReactiveControllerHost, kinds: Change[], happened: () => unknown): void {
  let unfollow: (() => void) | undefined;
  host.addController({
    hostConnected: () => { unfollow = onChanges(null, told => kinds.some(kind => told.has(kind)) ? happened() : undefined); },
    hostDisconnected: () => unfollow?.(),
  });
}

/**
 * Opens the event stream for as long as the page is open. Called once, after the sign-in. The promise is fulfilled when the page may send its first
 * requests: when the stream is open, so that no later change is missed, or after 150 ms. In the second case everything is read again when the stream
 * opens.
 */
export function openEventStream(): Promise<void> {
  const ready = new Promise<void>(resolve => { mayRead = resolve; });
  setTimeout(() => {
    hasReadBefore = !isOpen;
    mayRead();
  }, STREAM_WAIT_MILLIS_MAX);
  tabs = new BroadcastChannel(`acp.events.${currentUser.id}`);
  tabs.onmessage = event => {
    const said = event.data as News | Standing;
    if (said === 'asks') {
      if (isOurs) {
        tabs?.postMessage({silentSince} satisfies Standing);
      }
    } else if (typeof said === 'object' && 'silentSince' in said) {
      stand(said.silentSince);
    } else {
      tellHere(said);
    }
  };
  tabs.postMessage('asks' satisfies Standing);
  void holdStreamWhileLocked();
  return ready;
}

/** Since when the page has not been updated by the event stream, if the user should be told (after 4 seconds); otherwise null. */
export const disconnectedSince = (): number | null => isTold ? silentSince : null;

/**
 * Records since when there has been no event stream. Dispatches `acp-live` with false when that has lasted 4 seconds, and with true when the stream
 * is open again after that.
 */
function stand(since: number | null): void {
  if (since === silentSince) {
    return;
  }
  silentSince = since;
  if (since === null) {
    if (isTold) {
      isTold = false;
      window.dispatchEvent(new CustomEvent('acp-live', {detail: true}));
    }
    return;
  }
  setTimeout(() => {
    if (silentSince === since && !isTold) {
      isTold = true;
      window.dispatchEvent(new CustomEvent('acp-live', {detail: false}));
    }
  }, Math.max(0, since + SHOWN_AFTER_MILLIS - Date.now()));
}

function standAll(since: number | null): void {
  if (since !== silentSince) {
    stand(since);
    tabs?.postMessage({silentSince: since} satisfies Standing);
  }
}

const tellHere = (news: News) => followers.forEach(learn => learn(news));

function tellAll(news: News): void {
  tellHere(news);
  tabs?.postMessage(news);
}

/**
 * Opens the event stream whenever no other tab has it. A lock of the browser decides which tab that is. Browsers have locks only on https and
 * localhost; without locks each tab opens its own stream.
 */
async function holdStreamWhileLocked(): Promise<never> {
  const turn = `acp.stream.${currentUser.id}`;
  let isFirst = true;
  for (;;) {
    if (navigator.locks) {
      const had = isFirst && await navigator.locks.request(turn, {ifAvailable: true}, async lock => {
        if (lock) {
          await stream(false);
        }
        return lock !== null;
      });
      if (!had) {
        // Another tab has the stream and reports when it is open, so this page need not wait.
        mayRead();
        await navigator.locks.request(turn, () => stream(true));
      }
    } else {
      await stream(!isFirst);
    }
    isFirst = false;
    await answered();
  }
}

/**
 * Reads the event stream and passes events to all tabs. The browser reconnects a lost connection itself and resumes after the last event. The promise
 * is fulfilled when the platform refuses the stream.
 */
function stream(missedSome: boolean): Promise<void> {
  return new Promise(resolve => {
    isOurs = true;
    let missed = missedSome;
    /** Whether an event has arrived from which the browser resumes when it reconnects. Hints are not repeated then. */
    let hasPlace = false;
    let isAgain = false;
    const source = new EventSource(`${streamEvents.path}?changes=true`);
    source.onopen = () => {
      standAll(null);
      isOpen = true;
      if (missed || hasReadBefore) {
        tellAll('missed');
      } else if (isAgain) {
        tellAll('unhinted');
      } else {
        // Another tab that was opened at the same time may have sent its first requests before.
        tabs?.postMessage('missed' satisfies News);
      }
      missed = false;
      hasReadBefore = false;
      isAgain = true;
      mayRead();
    };
    for (const kind of KINDS) {
      source.addEventListener(kind, event => {
        hasPlace ||= event.lastEventId !== '';
        tellAll({kind, caseID: (JSON.parse(event.data) as {data: {caseID: string}}).data.caseID});
      });
    }
    source.addEventListener('change', event => {
      const {kind, caseID} = JSON.parse(event.data) as {kind: string; caseID?: string};
      const known = CHANGES.find(one => one === kind);
      // A kind that only a later release knows may concern any screen.
      tellAll(known ? {kind: known, caseID} : 'unhinted');
    });
    source.onerror = () => {
      standAll(silentSince ?? Date.now());
      missed ||= !hasPlace;
      if (source.readyState === EventSource.CLOSED) {
        isOurs = false;
        resolve();
      }
    };
  });
}

/**
 * Waits until the platform answers, asking every 10 seconds. If the session has ended, the user signs in first, and no request is sent until then.
 */
async function answered(): Promise<void> {
  for (;;) {
    await new Promise(resolve => { setTimeout(resolve, AGAIN_AFTER_MILLIS); });
    try {
      await ask(viewCurrentUser, {});
      return;
    } catch (failed) {
      if (!(failed instanceof Problem)) {
        throw failed;
      }
      // The platform refuses or does not answer. The next attempt follows.
    }
  }
}
