import {ANOTHER_USER, actAs, ask, askOnce, Problem, stopAsking} from '../api/call.js';
import {type Identity, chooseOrganization, listOrganizations, signInBrowser, signOut, viewCurrentUser} from '../api/contracts.js';
import {askBack} from './ask-back.js';
import {forgetDrafts, keptWords} from './kept.js';
import {t} from '../texts/texts.js';

/** Who is signed in, and for which organization this session acts. */
export let me: Identity.CurrentUser;
export let organizations: Identity.Organization[] = [];

/** For whom a session acts; of nobody when somebody signed out. */
export interface ActsAs {
  readonly userID: string | null;
  readonly organizationID: string | null;
}

/** A sign-in that another window has carried out, or for whom this browser acts now. */
type SessionNews = 'signed-in' | ActsAs;

/** To the other tabs of this browser: all of them have one session. A tab does not hear itself. */
export const sessionTabs = new BroadcastChannel('acp.session');

const tellTabs = (news: SessionNews): void => sessionTabs.postMessage(news);

/**
 * Ends a page whose session is another one's by now, so that nobody acts as somebody else than the page names: nothing more is asked, what it shows is covered, and
 * it is loaded anew. What is written stays in this browser. A browser that asks whether to leave the page shows no more than the button to do so.
 */
export function loadAnew(): void {
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

/** Compares for whom this browser acts with what this page names. Where nobody is signed in here, a sign-in loads the page anew. */
export function learnOfSession(news: ActsAs): void {
  const here = {userID: me?.id ?? null, organizationID: me?.organizationID ?? null};
  if (news.userID !== here.userID || news.organizationID !== here.organizationID) {
    loadAnew();
  }
}

/** Asks whether this page still acts for whom it names, as when one comes back to it. */
export async function checkSession(): Promise<void> {
  try {
    const {id, organizationID} = await ask(viewCurrentUser, {});
    learnOfSession({userID: id, organizationID});
  } catch (failed) {
    if (!(failed instanceof Problem)) {
      throw failed;
    }
    // Nobody answers: what is done next says so.
  }
}

/** Whether somebody is signed in. */
export async function open(): Promise<boolean> {
  try {
    const [user, list] = await Promise.all([askOnce(viewCurrentUser, {}), askOnce(listOrganizations, {limit: 200})]);
    me = user;
    actAs(me.id, me.organizationID);
    organizations = list.organizations;
    tellTabs({userID: me.id, organizationID: me.organizationID});
    return true;
  } catch (failed) {
    if (failed instanceof Problem && failed.code === ANOTHER_USER) {
      loadAnew();
    } else if (failed instanceof Problem && failed.status === 401) {
      return false;
    }
    throw failed;
  }
}

/** Whether the platform knows this person again; somebody else who has signed in gets a page of their own, and nothing of this one. */
export async function isBack(): Promise<boolean> {
  try {
    const user = await askOnce(viewCurrentUser, {});
    if (user.organizationID !== me.organizationID) {
      // A new session acts for the organization that this page names; where it may not any more, the page names another one.
      await askOnce(chooseOrganization, {organizationID: me.organizationID}).catch((failed: unknown) => {
        loadAnew();
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

/** The organization for which this session acts; undefined where it acts for none. */
export const organization = (): Identity.Organization | undefined => organizations.find(one => one.organizationID === me.organizationID);

/** Whether this person administers the platform. */
export const mayAdminister = (): boolean => me.permissions.includes('admin.platform.super');

/** Reads anew who is signed in and where they belong, after that has changed. */
export async function readSession(): Promise<void> {
  await open();
  window.dispatchEvent(new Event('acp-session'));
}

/** Reads it again after another user has changed it. If that fails, it is read with the next change. */
export async function readChangedSession(): Promise<void> {
  try {
    await readSession();
  } catch (failed) {
    if (!(failed instanceof Problem)) {
      throw failed;
    }
  }
}

/** Takes part as somebody else than before: what was kept in memory of the other is of no use. */
export async function actFor(organizationID: string | null): Promise<void> {
  await ask(chooseOrganization, {organizationID});
  tellTabs({userID: me.id, organizationID});
  location.reload();
}

/**
 * Ends this session, by `end`, and forgets what this person has written here and not saved: after a question when there is such.
 *
 * @param run what tells why it was refused, where nothing is asked
 */
export async function leaveBy(end: () => Promise<unknown>, run: (act: () => Promise<void>) => Promise<void>): Promise<void> {
  const does = async () => {
    await end();
    forgetDrafts(me.id);
    tellTabs({userID: null, organizationID: null});
    location.assign('/console');
  };
  const words = keptWords(me.id);
  if (words.length > 0) {
    askBack({title: t.account.signOut, says: [`${t.filing.leftOver}:`, ...words], act: t.filing.forget, does});
  } else {
    await run(does);
  }
}

/** @param run as of {@link leaveBy} */
export function leave(run: (act: () => Promise<void>) => Promise<void>): Promise<void> {
  return leaveBy(async () => {
    try {
      await askOnce(signOut, {});
    } catch (failed) {
      // A session that has ended already needs no end; that of another user is not this page's to end.
      if (failed instanceof Problem && failed.code === ANOTHER_USER) {
        loadAnew();
      }
      if (!(failed instanceof Problem && failed.status === 401 && failed.code !== ANOTHER_USER)) {
        throw failed;
      }
    }
  }, run);
}

/** Where browsers sign in here: the names that the page was made with. */
export function providers(): string[] {
  return [...document.querySelectorAll<HTMLMetaElement>('meta[name="sign-in"]')].map(one => one.content);
}

/** @param hint whom the provider may take it to be; a provider that has to ask, asks all the same */
export function signInAddress(provider: string, returnTo: string, hint?: string): string {
  const query = new URLSearchParams({returnTo, ...hint ? {login_hint: hint} : {}});
  return `${signInBrowser.path.replace('{idp}', encodeURIComponent(provider))}?${query}`;
}

export function fullName(person: {first_name: string; last_name: string}): string {
  return `${person.first_name} ${person.last_name}`.trim();
}
