import {Problem} from '../api/call.js';

/** The code of a problem: this page is of a version of which the platform has no scripts any more. */
export const NEWER = 'console.newer';

/** The script that the pages of the platform begin with, by its address, which tells its content. Pages may make no document of a text (Trusted Types). */
const BEGINNING = /<script type="module" src="([^"]+)"/;

/** Whether the platform gives out another page by now than the one that this is. */
async function isNewer(): Promise<boolean> {
  try {
    const answer = await fetch('/console', {cache: 'no-store'});
    return answer.ok && BEGINNING.exec(await answer.text())?.[1] !== document.querySelector('script[type=module]')?.getAttribute('src');
  } catch {
    // No connection: which version the platform has cannot be known.
    return false;
  }
}

/**
 * Reads the script of a screen or of a part of one.
 *
 * @throws Problem when it does not come: `console.newer` when the platform has another version by now, else that nobody answered
 */
export async function readScript<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (failed) {
    // The browser does not tell one reason from another: for whoever looks into it, the console of the browser has it.
    console.error(failed);
    throw await isNewer() ? new Problem(410, NEWER, '', '') : new Problem(0, 'network', '', '');
  }
}
