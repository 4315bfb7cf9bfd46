/**
 * Continues in a new task, so that the browser can paint and handle input in between. Long work, as at the start of the page, is split into tasks of
 * a few milliseconds.
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
