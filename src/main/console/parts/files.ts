import {t} from '../texts/texts.js';
import {confirmAct} from './confirm-dialog.js';

const KEPT_MILLIS = 60_000;

/**
 * Opens a PDF in a new tab if the browser can show PDFs. Downloads any other file. A popup blocker may prevent the new tab, because the file arrived
 * too long after the click; then the user is asked to click once more.
 */
export function openFile(file: Blob, name: string): void {
  if (file.type !== 'application/pdf' || !navigator.pdfViewerEnabled) {
    saveFile(file, name);
  } else if (!inTab(file)) {
    confirmAct({title: name, says: [t.viewer.blocked], act: t.viewer.open, does: () => Promise.resolve(inTab(file))});
  }
}

/** Downloads a file of any type. */
export function saveFile(file: Blob, name: string): void {
  Object.assign(document.createElement('a'), {href: briefly(file), download: name}).click();
}

/** Opens the file in a new tab. Returns false if the browser prevented it. */
function inTab(file: Blob): boolean {
  const tab = window.open(briefly(file), '_blank');
  if (tab) {
    tab.opener = null;
  }
  return tab !== null;
}

/** A URL of the file that is valid for a minute, because the browser reads the file after this function has returned. */
function briefly(file: Blob): string {
  const address = URL.createObjectURL(file);
  setTimeout(() => URL.revokeObjectURL(address), KEPT_MILLIS);
  return address;
}
