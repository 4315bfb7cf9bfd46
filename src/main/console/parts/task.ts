/**
 * Goes on in another task, so that the browser may paint and take input in between. What is done at once when much has come, as at the start,
 * is done in parts of a few milliseconds each.
 */
export function nextTask(): Promise<void> {
  return new Promise(resolve => {
    const {port1, port2} = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
