import {t} from '../texts/texts.js';
import {askBack} from './ask-back.js';

const KEPT_MILLIS = 60_000;

/**
 * Opens a PDF in a tab of its own where the browser shows such; hands any other file over as a download. A browser that opens no tab so long after the click
 * is one that asks for another: there the person is asked whether to open it.
 */
export function openFile(file: Blob, name: string): void {
  if (file.type !== 'application/pdf' || !navigator.pdfViewerEnabled) {
    saveFile(file, name);
  } else if (!inTab(file)) {
    askBack({title: name, says: [t.viewer.blocked], act: t.viewer.open, does: () => Promise.resolve(inTab(file))});
  }
}

/** Hands a file over as a download, whatever it is. */
export function saveFile(file: Blob, name: string): void {
  Object.assign(document.createElement('a'), {href: briefly(file), download: name}).click();
}

/** Whether the browser let it open. */
function inTab(file: Blob): boolean {
  const tab = window.open(briefly(file), '_blank');
  if (tab) {
    tab.opener = null;
  }
  return tab !== null;
}

/** Not forgotten at once: the browser reads it after this. */
function briefly(file: Blob): string {
  const address = URL.createObjectURL(file);
  setTimeout(() => URL.revokeObjectURL(address), KEPT_MILLIS);
  return address;
}
