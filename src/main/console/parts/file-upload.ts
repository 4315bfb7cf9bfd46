import {html, nothing} from 'lit';
import {Problem, upload} from '../api/call.js';
import type {Operation} from '../api/contracts.js';
import {t} from '../texts/texts.js';

/** A file that the user has chosen and that is not on the platform yet. */
export interface PendingUpload {
  readonly file: File;
  /** The idempotency key, the same for each attempt to upload this file until the platform refuses it. */
  key: string;
  /** The share that was sent, from 0 to 1; undefined while the file is not being sent. */
  share: number | undefined;
  /** Why the last attempt was refused, in words; empty if it was not. */
  refused: string;
}

/** The number of files that are being uploaded. */
let underWay = 0;

// Leaving the page would cancel the uploads, so the browser asks first, on every screen.
window.addEventListener('beforeunload', event => {
  if (underWay > 0) {
    event.preventDefault();
  }
});

/** A chosen file that is not being sent yet, with a new idempotency key. */
export const pendingUpload = (file: File): PendingUpload => ({file, key: crypto.randomUUID(), share: undefined, refused: ''});

/**
 * Uploads a file. Returns undefined after success, otherwise the problem. After a refusal the file gets a new idempotency key for the next attempt,
 * but not if the platform did not answer or refused because of the key itself.
 *
 * @param show renders the progress
 */
export async function sendFile<A>(operation: Operation<FormData, A>, form: FormData, one: PendingUpload, show: () => void): Promise<Problem | undefined> {
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

/** The progress bar of a file; nothing if it is not being sent. */
export const uploadProgress = (one: PendingUpload) => one.share === undefined ? nothing
  : html`<progress max="1" .value=${one.share} aria-label=${one.file.name}></progress><span class="small soft">${t.filing.sent(Math.round(one.share * 100))}</span>`;
