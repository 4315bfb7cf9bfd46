import {Problem} from '../api/call.js';

/** The error code of a page whose scripts the platform no longer has, because a newer version was installed. */
export const VERSION_OUTDATED = 'console.newer';

/**
 * Matches the address of the script in a page of the platform. The address has a hash of the content. The page is matched as text, because Trusted
 * Types forbid to parse it.
 */
const BEGINNING = /<script type="module" src="([^"]+)"/;

/** Whether the platform delivers a newer version of the console than this page has. */
async function isPageOutdated(): Promise<boolean> {
  try {
    const answer = await fetch('/console', {cache: 'no-store'});
    return answer.ok && BEGINNING.exec(await answer.text())?.[1] !== document.querySelector('script[type=module]')?.getAttribute('src');
  } catch {
    // Without a connection, the version of the platform cannot be known.
    return false;
  }
}

/**
 * Loads the script of a screen or of a part of a screen.
 *
 * @throws Problem if it cannot be loaded: with `console.newer` if the platform has a newer version of the console, otherwise as if the platform did
 * not answer
 */
export async function loadScript<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (failed) {
    // The browser does not say why an import failed. The error goes to the browser's console, where a developer can look into it.
    console.error(failed);
    throw await isPageOutdated() ? new Problem(410, VERSION_OUTDATED, '', '') : new Problem(0, 'network', '', '');
  }
}
