import type {ReactiveControllerHost} from 'lit';
import {Problem, ask} from '../api/call.js';
import {type Webhooks, streamEvents, viewCurrentUser} from '../api/contracts.js';
import {me} from './session.js';

/** Whatever changes what one sees of a case. */
const KINDS: Webhooks.EventKind[] = ['docket_filing', 'case_created', 'phase_changed', 'case_closed', 'filing_submitted', 'filing_rejected', 'filing_withdrawn', 'participant_added', 'participant_removed', 'entry_sealed',
  'entry_unsealed', 'deadline_extended', 'hearing_scheduled', 'hearing_changed', 'hearing_cancelled'];
/** Kinds of changes that are no events, of which the stream sends hints: what changed must be read again. */
const CHANGES = ['filing', 'evidence', 'entry', 'notice', 'deadline', 'extension', 'hearing', 'participant', 'case', 'invitation', 'member', 'delivery', 'client', 'permission', 'session',
  'user', 'prompt', 'template', 'key'] as const;
type Change = typeof CHANGES[number];
/** Kinds of changes that do not affect what waits for anybody. */
const NOT_OF_DAY = new Set(['delivery', 'evidence', 'notice', 'client', 'permission', 'session', 'user', 'prompt', 'template', 'key']);

/** Whether a change of these kinds may affect what waits for this user. */
export const isOfDay = (kinds: Set<string>): boolean => [...kinds].some(kind => !NOT_OF_DAY.has(kind));

/** Several events of one act are told together. */
const TOGETHER_MILLIS = 100;
/** Where events do not cease, they are told so often. */
const TOGETHER_MILLIS_MAX = 2000;
/** Whoever has not read anew by then is told of more all the same. */
const TOLD_MILLIS_MAX = 30_000;
const AGAIN_AFTER_MILLIS = 10_000;
/** A connection that is made again sooner is not worth a word. */
const WORTH_SAYING_MILLIS = 4000;
/** So long the first reading of a page waits for the stream, which usually opens while the script of the screen is read. */
const STREAM_AWAITED_MILLIS = 150;

/**
 * An event of a case, or a change that is none, of a case, an organization or neither; or, as `missed`, that events of any case may have been missed, or, as `unhinted`, only such
 * changes.
 */
type News = {kind: Webhooks.EventKind | Change; caseID: string | undefined} | 'missed' | 'unhinted';

/** Since when there has been no stream, as a time in milliseconds, or null while there is one; or, as `asks`, that a new tab wants to know it. */
type Standing = {silentSince: number | null} | 'asks';

/** The same for this page. */
let silentSince: number | null = null;
let isTold = false;
/** Whether this tab has the stream, or tries to. */
let isOurs = false;
/** Whether this page has begun to read before there was a stream: of what changed since, no hint may come. */
let hasReadBefore = false;
/** Whether the stream of this tab has been open. */
let isOpen = false;
let mayRead: () => void = () => undefined;

const followers = new Set<(news: News) => void>();
/** To the other tabs of this browser in which the same person is signed in. */
let tabs: BroadcastChannel | undefined;

/**
 * Tells what kinds of things happened or changed in a case, or in all cases and organizations of this person, and in which cases (undefined: in any, since something may have been
 * missed); answers what ends it. One tab of a browser has the stream of events and tells the others, because a browser opens few connections to one host. When that tab is closed, another one
 * begins a stream, and all of them read anew what may have been missed.
 *
 * @param happened what it answers is awaited before it is told of more, so that events faster than it reads do not begin one reading after the other
 */
export function follow(caseID: string | null, happened: (kinds: Set<string>, caseIDs: Set<string> | undefined) => unknown): () => void {
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
      await Promise.race([happened(told, where), new Promise(resolve => { setTimeout(resolve, TOLD_MILLIS_MAX); })]);
    } finally {
      isTelling = false;
      if (kinds.size > 0 && followers.has(learn)) {
        timer = setTimeout(() => void tell(), TOGETHER_MILLIS);
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
    timer = setTimeout(() => void tell(), Math.max(0, Math.min(TOGETHER_MILLIS, since + TOGETHER_MILLIS_MAX - Date.now())));
  };
  followers.add(learn);
  return () => {
    followers.delete(learn);
    clearTimeout(timer);
  };
}

/** Calls back for changes of these kinds, in any case or organization, while the element is on the page; see {@link follow}. */
export function followFor(host: ReactiveControllerHost, kinds: Change[], happened: () => unknown): void {
  let unfollow: (() => void) | undefined;
  host.addController({
    hostConnected: () => { unfollow = follow(null, told => kinds.some(kind => told.has(kind)) ? happened() : undefined); },
    hostDisconnected: () => unfollow?.(),
  });
}

/**
 * Begins to follow what happens, as long as this page is open. Called once, after the sign-in. Answers when the page may read what it shows: when the stream is open, so that
 * no change after the reading is missed, or after a short while. What was read without a stream is read again as soon as there is one.
 */
export function beginToFollow(): Promise<void> {
  const ready = new Promise<void>(resolve => { mayRead = resolve; });
  setTimeout(() => {
    hasReadBefore = !isOpen;
    mayRead();
  }, STREAM_AWAITED_MILLIS);
  tabs = new BroadcastChannel(`acp.events.${me.id}`);
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
  void takeTurns();
  return ready;
}

/** Since when what others do has not appeared by itself, once that has lasted a while; null while it does appear. */
export const notLiveSince = (): number | null => isTold ? silentSince : null;

/** Tells the page (`acp-live`) when the stream has been away for a while, and when it is back after that. */
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
  }, Math.max(0, since + WORTH_SAYING_MILLIS - Date.now()));
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

/** Has the stream whenever no other tab has it. Browsers have locks only for pages that came over https or from this machine; without them each tab has a stream. */
async function takeTurns(): Promise<never> {
  const turn = `acp.stream.${me.id}`;
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
        // The tab that has the stream tells when it is open.
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

/** Tells all tabs of events until the platform refuses to go on. A connection that is lost is made again by the browser, which goes on after the last event. */
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
        // A tab that was opened at the same time may have read before.
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
      // A kind of a later release may concern anything.
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

/** After a while, when the platform answers this person. Where the session has ended, the person is asked to sign in first, and until then nothing is tried. */
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
      // No connection, or a platform that does not answer: it is tried later.
    }
  }
}
