/** Opens a PDF in a tab of its own where the browser shows such; hands any other file over as a download. */
export function openFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const shown = file.type === 'application/pdf' && navigator.pdfViewerEnabled;
  const link = Object.assign(document.createElement('a'), {href: address, ...shown ? {target: '_blank', rel: 'noopener'} : {download: name}});
  link.click();
  // Not at once: the browser reads it after this.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
