import {ask, askOnce, Problem} from '../api/call.js';
import {type Identity, chooseOrganization, listOrganizations, signInBrowser, signOut, viewCurrentUser} from '../api/contracts.js';
import {askBack} from './ask-back.js';
import {forgetDrafts, keptWords} from './kept.js';
import {t} from '../texts/texts.js';

/** Who is signed in, and for which organization this session acts. */
export let me: Identity.CurrentUser;
export let organizations: Identity.Organization[] = [];

/** Whether somebody is signed in. */
export async function open(): Promise<boolean> {
  try {
    const [user, list] = await Promise.all([askOnce(viewCurrentUser, {}), askOnce(listOrganizations, {limit: 200})]);
    me = user;
    organizations = list.organizations;
    return true;
  } catch (failed) {
    if (failed instanceof Problem && failed.status === 401) {
      return false;
    }
    throw failed;
  }
}

/** Whether the platform knows this person again; somebody else who has signed in gets a page of their own, and nothing of this one. */
export async function isBack(): Promise<boolean> {
  try {
    if ((await askOnce(viewCurrentUser, {})).id === me.id) {
      return true;
    }
    location.assign('/console');
  } catch (failed) {
    if (!(failed instanceof Problem)) {
      throw failed;
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

/** Takes part as somebody else than before: what was kept in memory of the other is of no use. */
export async function actFor(organizationID: string | null): Promise<void> {
  await ask(chooseOrganization, {organizationID});
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
    location.assign('/console');
  };
  const words = keptWords(me.id);
  if (words.length > 0) {
    askBack({title: t.account.signOut, says: [`${t.filing.leftOver}:`, ...words], act: t.filing.forget, does});
  } else {
    await run(does);
  }
}

export function leave(): Promise<void> {
  return leaveBy(async () => {
    try {
      await askOnce(signOut, {});
    } catch (failed) {
      // A session that has ended already needs no end.
      if (!(failed instanceof Problem && failed.status === 401)) {
        throw failed;
      }
    }
  }, act => act());
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
