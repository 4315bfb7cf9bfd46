/** Opens a PDF in a tab of its own where the browser shows such; hands any other file over as a download. */
export function openFile(file: Blob, name: string): void {
  handOver(file, name, file.type === 'application/pdf' && navigator.pdfViewerEnabled);
}

/** Hands a file over as a download, whatever it is. */
export function saveFile(file: Blob, name: string): void {
  handOver(file, name, false);
}

function handOver(file: Blob, name: string, shown: boolean): void {
  const address = URL.createObjectURL(file);
  const link = Object.assign(document.createElement('a'), {href: address, ...shown ? {target: '_blank', rel: 'noopener'} : {download: name}});
  link.click();
  // Not at once: the browser reads it after this.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
