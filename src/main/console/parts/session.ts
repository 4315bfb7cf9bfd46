import {ANOTHER_USER, actAs, ask, askOnce, Problem, stopAsking} from '../api/call.js';
import {type Identity, chooseOrganization, listOrganizations, signInBrowser, signOut, viewCurrentUser} from '../api/contracts.js';
import {t} from '../texts/texts.js';
import {confirmAct} from './confirm-dialog.js';
import {dropAllDrafts, unsentTitles} from './draft-storage.js';

/** The user who is signed in, with the organization for which the session acts. */
export let currentUser: Identity.CurrentUser;
/** The organizations of the user. */
export let organizations: Identity.Organization[] = [];

/** The user and the organization of a session. Both are null after a sign-out. */
export interface ActsAs {
  readonly userID: string | null;
  readonly organizationID: string | null;
}

/** What tabs tell each other: that a window for the sign-in is done, or the user and organization of the session. */
type SessionNews = 'signed-in' | ActsAs;

/** The channel to the other tabs of this browser, which share one session. A tab does not receive its own messages. */
export const sessionTabs = new BroadcastChannel('acp.session');

const tellTabs = (news: SessionNews): void => sessionTabs.postMessage(news);

/**
 * Ends a page whose session now has another user or organization, so that nobody acts under a name that the page does not show. Further requests
 * wait, the content is hidden, and the page is reloaded. Input stays in this browser. If the browser first asks whether to leave the page, only a
 * button to reload it is visible.
 */
export function reloadPage(): void {
  stopAsking();
  document.querySelectorAll<HTMLElement>('body > *').forEach(one => { one.hidden = true; });
  const cover = document.createElement('main');
  const act = document.createElement('button');
  act.textContent = t.signIn.loadAnew;
  act.addEventListener('click', () => location.reload());
  cover.append(Object.assign(document.createElement('h1'), {textContent: t.signIn.another}), act);
  document.body.append(cover);
  location.reload();
}

/**
 * Reloads the page if the user or organization of the session is not the one that the page shows. A page without a sign-in is reloaded after a
 * sign-in in another tab.
 */
export function learnOfSession(news: ActsAs): void {
  const here = {userID: currentUser?.id ?? null, organizationID: currentUser?.organizationID ?? null};
  if (news.userID !== here.userID || news.organizationID !== here.organizationID) {
    reloadPage();
  }
}

/**
 * Reads the user and organization of the session, for instance when the user comes back to the tab, and reloads the page if they are not those that
 * it shows.
 */
export async function checkSession(): Promise<void> {
  try {
    const {id, organizationID} = await ask(viewCurrentUser, {});
    learnOfSession({userID: id, organizationID});
  } catch (failed) {
    if (!(failed instanceof Problem)) {
      throw failed;
    }
    // The platform refuses or does not answer. The next request of the user shows that.
  }
}

/** Reads the user and the organizations of the session. Returns false if there is no session. */
export async function open(): Promise<boolean> {
  try {
    const [user, list] = await Promise.all([askOnce(viewCurrentUser, {}), askOnce(listOrganizations, {limit: 200})]);
    currentUser = user;
    actAs(currentUser.id, currentUser.organizationID);
    organizations = list.organizations;
    tellTabs({userID: currentUser.id, organizationID: currentUser.organizationID});
    return true;
  } catch (failed) {
    if (failed instanceof Problem && failed.code === ANOTHER_USER) {
      reloadPage();
    } else if (failed instanceof Problem && failed.status === 401) {
      return false;
    }
    throw failed;
  }
}

/** Whether this user is signed in again. If another user has signed in, the page is left, so that this user sees nothing of it. */
export async function isSignedInAgain(): Promise<boolean> {
  try {
    const user = await askOnce(viewCurrentUser, {});
    if (user.organizationID !== currentUser.organizationID) {
      // A new session gets the organization that this page shows. If that fails, for instance because the user no longer belongs to it, the page is
      // reloaded.
      await askOnce(chooseOrganization, {organizationID: currentUser.organizationID}).catch((failed: unknown) => {
        reloadPage();
        throw failed;
      });
    }
    return true;
  } catch (failed) {
    if (!(failed instanceof Problem)) {
      throw failed;
    }
    if (failed.code === ANOTHER_USER) {
      location.assign('/console');
    }
  }
  return false;
}

/** The organization for which the session acts; undefined if it acts for none. */
export const organization = (): Identity.Organization | undefined => organizations.find(one => one.organizationID === currentUser.organizationID);

/** Whether this user is an administrator of the platform. */
export const isAdministrator = (): boolean => currentUser.permissions.includes('admin.platform.super');

/** Reads the user and the organizations again after a change, and dispatches `acp-session`. */
export async function reloadSession(): Promise<void> {
  await open();
  window.dispatchEvent(new Event('acp-session'));
}

/** Like {@link reloadSession}, after another user has changed the permissions. If it fails, the next change reads them. */
export async function reloadSessionQuietly(): Promise<void> {
  try {
    await reloadSession();
  } catch (failed) {
    if (!(failed instanceof Problem)) {
      throw failed;
    }
  }
}

/** Lets the session act for another organization. The page is reloaded, because everything it has read belongs to the previous one. */
export async function switchOrganization(organizationID: string | null): Promise<void> {
  await ask(chooseOrganization, {organizationID});
  tellTabs({userID: currentUser.id, organizationID});
  location.reload();
}

/**
 * Ends the session by `end` and removes the input that this browser keeps for the user. If there is such input, the user is asked first.
 *
 * @param run carries out the act without a question and shows why it was refused
 */
export async function leaveBy(end: () => Promise<unknown>, run: (act: () => Promise<void>) => Promise<void>): Promise<void> {
  const does = async () => {
    await end();
    dropAllDrafts(currentUser.id);
    tellTabs({userID: null, organizationID: null});
    location.assign('/console');
  };
  const words = unsentTitles(currentUser.id);
  if (words.length > 0) {
    confirmAct({title: t.account.signOut, says: [`${t.filing.leftOver}:`, ...words], act: t.filing.forget, does});
  } else {
    await run(does);
  }
}

/**
 * Signs the user out.
 *
 * @param run see {@link leaveBy}
 */
export function leave(run: (act: () => Promise<void>) => Promise<void>): Promise<void> {
  return leaveBy(async () => {
    try {
      await askOnce(signOut, {});
    } catch (failed) {
      // If the session has already ended, there is nothing to do. The session of another user is not ended by this page.
      if (failed instanceof Problem && failed.code === ANOTHER_USER) {
        reloadPage();
      }
      if (!(failed instanceof Problem && failed.status === 401 && failed.code !== ANOTHER_USER)) {
        throw failed;
      }
    }
  }, run);
}

/** The names of the identity providers, which the platform writes into the page. */
export function providers(): string[] {
  return [...document.querySelectorAll<HTMLMetaElement>('meta[name="sign-in"]')].map(one => one.content);
}

/**
 * The address at which the sign-in with a provider begins.
 *
 * @param hint the email address that the provider may suggest
 */
export function signInAddress(provider: string, returnTo: string, hint?: string): string {
  const query = new URLSearchParams({returnTo, ...hint ? {login_hint: hint} : {}});
  return `${signInBrowser.path.replace('{idp}', encodeURIComponent(provider))}?${query}`;
}

/** First and last name of a user. */
export function fullName(person: {first_name: string; last_name: string}): string {
  return `${person.first_name} ${person.last_name}`.trim();
}
