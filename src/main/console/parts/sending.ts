import {html, nothing} from 'lit';
import {Problem, upload} from '../api/call.js';
import type {Operation} from '../api/contracts.js';
import {t} from '../texts/texts.js';

/** A file that was chosen and that the platform does not have yet. */
export interface Sending {
  readonly file: File;
  /** The same for each attempt to send the same. */
  key: string;
  /** How much of it has been sent, from 0 to 1; undefined while it waits. */
  share: number | undefined;
  /** Why it was refused last, in words; empty before. */
  refused: string;
}

/** How many files are on their way. */
let underWay = 0;

// Whatever screen one looks at meanwhile: leaving the page would break them off.
window.addEventListener('beforeunload', event => {
  if (underWay > 0) {
    event.preventDefault();
  }
});

export const sending = (file: File): Sending => ({file, key: crypto.randomUUID(), share: undefined, refused: ''});

/** Sends a file. Answers why the platform did not take it, undefined when it did. What was refused is sent with another key when it is sent again. */
export async function sendFile<A>(operation: Operation<FormData, A>, form: FormData, one: Sending, show: () => void): Promise<Problem | undefined> {
  one.share = 0;
  one.refused = '';
  underWay++;
  show();
  try {
    await upload(operation, form, share => {
      one.share = share;
      show();
    }, {key: one.key});
    return undefined;
  } catch (failed) {
    if (!(failed instanceof Problem)) {
      throw failed;
    }
    if (!failed.isSilence && !failed.code.startsWith('idempotency.')) {
      one.key = crypto.randomUUID();
    }
    return failed;
  } finally {
    one.share = undefined;
    underWay--;
    show();
  }
}

/** How far it has come. */
export const going = (one: Sending) => one.share === undefined ? nothing
  : html`<progress max="1" .value=${one.share} aria-label=${one.file.name}></progress><span class="small soft">${t.filing.sent(Math.round(one.share * 100))}</span>`;
