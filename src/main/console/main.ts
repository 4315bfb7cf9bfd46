import {LitElement, html, nothing} from 'lit';
import {live} from 'lit/directives/live.js';
import {Problem, signInAgainBy, tellWhenBusy, whenAnother} from './api/call.js';
import icon from './icon.svg';
import {protectClicks} from './parts/click-guard.js';
import {time} from './parts/dates.js';
import {Element, problem} from './parts/element.js';
import {affectsMyDay, disconnectedSince, onChanges, onChangesWhileConnected, openEventStream} from './parts/event-stream.js';
import {trackFocus} from './parts/focus.js';
import {loadScript} from './parts/load-script.js';
import {addressOf, interceptLinks, navigate, path} from './parts/route.js';
import {type ActsAs, checkSession, currentUser, fullName, isAdministrator, isSignedInAgain, learnOfSession, leave, open, organization, organizations, providers, reloadPage, reloadSessionQuietly, sessionTabs, signInAddress, switchOrganization} from './parts/session.js';
import {areShortcutsOn, isShortcut, setShortcuts} from './parts/shortcuts.js';
import {nextTask} from './parts/yield-task.js';
import './styles.css';
import {type Language, LANGUAGES, choose, language, readTexts, t} from './texts/texts.js';

type Place = 'day' | 'cases' | 'search' | 'organization' | 'deliveries' | 'administration' | 'account';

interface Route {
  readonly pattern: RegExp;
  readonly place: Place;
  readonly load: () => Promise<unknown>;
  readonly show: (found: string[]) => unknown;
}

/** The screens. The script of a screen is loaded when the user first goes there. */
const ROUTES: Route[] = [
  {pattern: /^\/$/, place: 'day', load: () => import('./screens/day/day.js'), show: () => html`<acp-day></acp-day>`},
  {pattern: /^\/cases$/, place: 'cases', load: () => import('./screens/cases/cases.js'), show: () => html`<acp-cases></acp-cases>`},
  {pattern: /^\/search$/, place: 'search', load: () => import('./screens/cases/search.js'), show: () => html`<acp-search></acp-search>`},
  {pattern: /^\/deliveries$/, place: 'deliveries', load: () => import('./screens/deliveries/deliveries.js'), show: () => html`<acp-deliveries></acp-deliveries>`},
  {pattern: /^\/deliveries\/events$/, place: 'deliveries', load: () => import('./screens/events/events.js'), show: () => html`<acp-events></acp-events>`},
  {pattern: /^\/organization$/, place: 'organization', load: () => import('./screens/organization/organization.js'), show: () => html`<acp-organization></acp-organization>`},
  {pattern: /^\/organization\/programs$/, place: 'organization', load: () => import('./screens/programs/programs.js'), show: () => html`<acp-programs></acp-programs>`},
  {pattern: /^\/administration(?:\/people\/([^/]+))?$/, place: 'administration', load: () => import('./screens/users/users.js'), show: ([userID]) => html`<acp-users .userID=${userID ?? ''}></acp-users>`},
  {pattern: /^\/administration\/programs$/, place: 'administration', load: () => import('./screens/programs/programs.js'), show: () => html`<acp-programs ofPlatform></acp-programs>`},
  {pattern: /^\/administration\/permissions$/, place: 'administration', load: () => import('./screens/permissions/permissions.js'), show: () => html`<acp-permissions></acp-permissions>`},
  {pattern: /^\/administration\/prompts$/, place: 'administration', load: () => import('./screens/prompts/prompts.js'), show: () => html`<acp-prompts></acp-prompts>`},
  {pattern: /^\/administration\/templates$/, place: 'administration', load: () => import('./screens/templates/templates.js'), show: () => html`<acp-templates></acp-templates>`},
  {pattern: /^\/administration\/keys$/, place: 'administration', load: () => import('./screens/keys/keys.js'), show: () => html`<acp-keys></acp-keys>`},
  {pattern: /^\/account$/, place: 'account', load: () => import('./screens/account/account.js'), show: () => html`<acp-account></acp-account>`},
  {pattern: /^\/cases\/([^/]+)\/filings\/([^/]+)$/, place: 'cases', load: () => import('./screens/filing/filing.js'),
    show: ([caseID, filingID]) => html`<acp-filing .caseID=${caseID} .filingID=${filingID}></acp-filing>`},
  {pattern: /^\/cases\/([^/]+)(?:\/(docket|filings|evidence|dates|people|notices|record|award))?(?:\/([^/]+))?$/, place: 'cases', load: () => import('./screens/case/case.js'),
    show: ([caseID, part, entryID]) => html`<acp-case .caseID=${caseID} .tab=${part ?? 'docket'} .entryID=${entryID ?? ''}></acp-case>`},
];

const THEME = 'acp.theme';
/** How long an announced message is shown: this time, and an additional time for each character. */
const SAID_MILLIS = 4000;
const SAID_CHARACTER_MILLIS = 100;
const SAID_AFTER_MILLIS = 100;
const ARRIVED_AFTER_MILLIS = 300;
const ARRIVED_MILLIS = 2000;
type Theme = 'system' | 'light' | 'dark';

function applyTheme(): void {
  document.documentElement.dataset['theme'] = localStorage.getItem(THEME) ?? 'system';
}

class Console extends Element {
  private signedIn: boolean | undefined;
  private failure: Problem | undefined;
  /** Why the script of the current screen could not be loaded. */
  private unread: Problem | undefined;
  private route: Route | undefined;
  private found: string[] = [];
  /** The path of the screen that is shown. It changes only after the script of the next screen was loaded. */
  private shown = '';
  /** The number of waiting items that My day found last; 0 if it may have changed since. */
  private waits = 0;
  /**
   * The announced message. It is not part of the template, because it moves into an open dialog: while one is open, only its content is visible and
   * read by a screen reader.
   */
  private readonly said = Object.assign(document.createElement('p'), {className: 'said', role: 'status'});
  /** The title of the screen to which the user went, for screen readers. */
  private arrived = '';
  private arriving: ReturnType<typeof setTimeout> | undefined;
  /** Fulfilled when a screen may send its first requests. */
  private mayRead: Promise<void> = Promise.resolve();
  /** The number of messages so far. A timer of an older message then does not change a newer one. */
  private saidCount = 0;
  private again: (() => Promise<void>) | undefined;

  constructor() {
    super();
    // A user who becomes an administrator of the platform, or is no longer one, sees that in the navigation.
    onChangesWhileConnected(this, ['permission'], reloadSessionQuietly);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.prepend(this.said);
    window.addEventListener('acp-route', () => void this.follow(true));
    window.addEventListener('acp-say', event => this.say((event as CustomEvent<string>).detail));
    window.addEventListener('acp-session', () => this.requestUpdate());
    window.addEventListener('acp-waits', event => {
      this.waits = (event as CustomEvent<number>).detail;
      this.requestUpdate();
    });
    for (const change of ['online', 'offline']) {
      window.addEventListener(change, () => void (this.unread && navigator.onLine ? this.follow(true) : this.requestUpdate()));
    }
    document.addEventListener('keydown', event => this.key(event));
    sessionTabs.onmessage = event => {
      if (this.again) {
        void this.again();
      } else if (event.data !== 'signed-in' && this.signedIn !== undefined) {
        learnOfSession(event.data as ActsAs);
      }
    };
    document.addEventListener('visibilitychange', () => {
      if (this.signedIn && document.visibilityState === 'visible') {
        void checkSession();
      }
    });
    window.addEventListener('acp-live', event => {
      if ((event as CustomEvent<boolean>).detail) {
        this.say(t.liveAgain);
      }
      this.requestUpdate();
    });
    // A screen sets the title of the document when its content is there. The title is then announced.
    new MutationObserver(() => this.arrive()).observe(document.head, {subtree: true, childList: true, characterData: true});
    signInAgainBy(() => this.signInAgain());
    whenAnother(reloadPage);
    tellWhenBusy(() => this.say(t.problem.busyAgain));
    void this.start();
  }

  private async start(): Promise<void> {
    try {
      this.signedIn = await open();
      if (this.signedIn) {
        this.mayRead = openEventStream();
        onChanges(null, kinds => {
          if (this.route?.place !== 'day' && affectsMyDay(kinds)) {
            this.waits = 0;
            this.requestUpdate();
          }
        });
        await this.follow(false);
      } else {
        await loadScript(() => import('./screens/sign-in/sign-in.js'));
      }
    } catch (failed) {
      if (!(failed instanceof Problem)) {
        throw failed;
      }
      this.failure = failed;
    }
    this.requestUpdate();
  }

  private async follow(byPerson: boolean): Promise<void> {
    const here = path();
    let route = ROUTES.find(one => one.pattern.test(here));
    let found: string[] = [];
    let unread: Problem | undefined;
    try {
      found = route ? (route.pattern.exec(here) ?? []).slice(1).map(step => step === undefined ? step : decodeURIComponent(step)) as string[] : [];
    } catch {
      // The path has an invalid escape such as %E0, so there is no such screen.
      route = undefined;
    }
    try {
      await (route && loadScript(route.load));
      await this.mayRead;
      await nextTask();
    } catch (failed) {
      if (!(failed instanceof Problem)) {
        throw failed;
      }
      unread = failed;
    }
    if (here !== path()) {
      // The user went to another screen while the script was loaded.
      return;
    }
    const another = this.route !== route;
    // Set together after the script was loaded. Otherwise a render in between would show the previous screen with the parameters of the next one.
    this.route = route;
    this.found = found;
    this.unread = unread;
    this.shown = here;
    this.requestUpdate();
    await this.updateComplete;
    // The positions are known without a further layout once the frame is laid out.
    if (matchMedia('(max-width: 52rem)').matches) {
      requestAnimationFrame(() => this.querySelector('.side nav [aria-current]')?.scrollIntoView({block: 'nearest', inline: 'center'}));
    }
    if (!route && !this.unread) {
      document.title = `${t.missing.title} – ${t.brand}`;
    }
    if (byPerson && another) {
      const main = this.querySelector<HTMLElement>('main');
      // A screen that has set the focus itself, such as the search, keeps it.
      if (!main?.contains(document.activeElement)) {
        main?.focus({preventScroll: true});
      }
      scrollTo({top: 0});
    }
  }

  /**
   * Announces the title of the new screen to screen readers after a pause, in which they read the focused element. The text is removed soon, because
   * the screen has a heading with the same words.
   */
  private arrive(): void {
    const call = (name: string) => {
      this.arrived = name;
      this.requestUpdate();
    };
    clearTimeout(this.arriving);
    this.arriving = setTimeout(() => {
      call(document.title.split(` – ${t.brand}`)[0] ?? '');
      this.arriving = setTimeout(() => call(''), ARRIVED_MILLIS);
    }, ARRIVED_AFTER_MILLIS);
  }

  private say(sentence: string): void {
    const count = ++this.saidCount;
    const dialog = [...document.querySelectorAll('dialog:modal')].at(-1);
    const place = dialog ?? this;
    const isReady = this.said.parentElement === place && this.said.textContent === '';
    if (!isReady) {
      this.said.textContent = '';
      place.prepend(this.said);
      dialog?.addEventListener('close', () => this.prepend(this.said), {once: true});
    }
    // Screen readers read a change of a live region, but not the text with which it is inserted. So an inserted or emptied region gets its text
    // later.
    setTimeout(() => {
      if (count === this.saidCount) {
        this.said.textContent = sentence;
      }
    }, isReady ? 0 : SAID_AFTER_MILLIS);
    // Long enough for a reader whose third language this is.
    setTimeout(() => {
      if (count === this.saidCount) {
        this.said.textContent = '';
      }
    }, SAID_MILLIS + SAID_CHARACTER_MILLIS * sentence.length);
  }

  /**
   * Lets the user sign in again in another window, so that this page keeps its state. The promise is fulfilled when that window is done and the same
   * user is signed in.
   */
  private signInAgain(): Promise<void> {
    return new Promise(resolve => {
      this.again = async () => {
        if (await isSignedInAgain()) {
          this.again = undefined;
          this.querySelector<HTMLDialogElement>('#again')?.close();
          resolve();
        }
      };
      this.querySelector<HTMLDialogElement>('#again')?.showModal();
    });
  }

  private key(event: KeyboardEvent): void {
    if (!isShortcut(event) || !this.signedIn) {
      return;
    }
    if (event.key === '/') {
      event.preventDefault();
      navigate(addressOf('search'));
    } else if (event.key === '?') {
      this.querySelector<HTMLDialogElement>('#keys')?.showModal();
    }
  }

  override render() {
    if (this.failure) {
      return html`<main id="main">${problem(this.failure, () => location.reload())}</main>`;
    }
    if (this.signedIn === undefined) {
      return nothing;
    }
    if (!this.signedIn) {
      return html`<acp-sign-in></acp-sign-in>`;
    }
    return html`<a class="skip" href="#main" @click=${this.skip}>${t.skip}</a>
      <p class="unseen" role="status">${this.arrived}</p>
      <div class="offline" role="status">${!navigator.onLine ? t.offline : disconnectedSince() === null ? nothing : t.notLive(time(new Date(disconnectedSince() ?? 0).toISOString()))}</div>
      <div class="frame">
        <header class="side">
          <a class="brand" href=${addressOf()} aria-label=${t.brand}><span>${t.brandFirst}</span> <span>${t.brandSecond}</span></a>
          <nav aria-label=${t.places}><ul>
            ${this.link('day', addressOf(), t.day.name, this.waits)}
            ${this.link('cases', addressOf('cases'), t.cases.name, 0)}
            ${this.link('search', addressOf('search'), t.search.name, 0)}
            ${this.link('organization', addressOf('organization'), t.organization.name, 0)}
            ${currentUser.organizationID ? this.link('deliveries', addressOf('deliveries'), t.deliveries.name, 0) : nothing}
            ${isAdministrator() ? this.link('administration', addressOf('administration'), t.administration.name, 0) : nothing}
          </ul></nav>
          <div class="who">
            <strong>${fullName(currentUser)}</strong>
            <span class=${organization() ? '' : 'none'}>${organization()?.name ?? t.account.forNone}</span>
            <button type="button" class="bare" @click=${this.openAccount}>${t.account.open}</button>
          </div>
        </header>
        <main id="main" tabindex="-1" data-place=${this.shown}>${this.unread ? problem(this.unread, () => this.follow(true)) : this.route ? this.route.show(this.found) : html`<div class="top"><h1>${t.missing.title}</h1><p>${t.missing.text}</p></div><a href=${addressOf()}>${t.missing.back}</a>`}</main>
      </div>
      ${this.dialogs()}`;
  }

  private openAccount(): void {
    this.refused = undefined;
    this.requestUpdate();
    this.querySelector<HTMLDialogElement>('.account')?.showModal();
  }

  private skip(event: Event): void {
    event.preventDefault();
    this.querySelector<HTMLElement>('main')?.focus();
  }

  private link(place: Place, address: string, name: string, count: number) {
    const waits = count > 0 ? html`<span class="count" aria-label=${t.waitingHere(count)}>${count}</span>` : nothing;
    return html`<li><a href=${address} aria-current=${this.route?.place === place ? 'page' : nothing}>${name}${waits}</a></li>`;
  }

  private dialogs() {
    return html`<dialog class="account" aria-labelledby="account-title"><form method="dialog">
        <h2 id="account-title">${fullName(currentUser)}</h2><p class="soft">${currentUser.email}</p>
        ${this.refused ? problem(this.refused) : nothing}
        ${organizations.length > 0 ? html`<section><h3>${t.account.actsFor}</h3>
          ${[...organizations.map(one => ({id: one.organizationID as string | null, name: one.name})), {id: null, name: t.account.forNone}].map(one => html`<label class="choice">
            <input type="radio" name="organization" .checked=${live(currentUser.organizationID === one.id)} @change=${() => this.attempt(() => switchOrganization(one.id))}>${one.name}</label>`)}</section>` : nothing}
        <section><h3>${t.account.look}</h3><div class="row">${(['system', 'light', 'dark'] as Theme[]).map(theme => html`<label class="choice">
          <input type="radio" name="theme" .checked=${(localStorage.getItem(THEME) ?? 'system') === theme} @change=${() => this.paint(theme)}>${t.account.themes[theme]}</label>`)}</div></section>
        <section><h3>${t.account.language}</h3><div class="row">${Object.entries(LANGUAGES).map(([code, name]) => html`<label class="choice" lang=${code}>
          <input type="radio" name="language" .checked=${language() === code} @change=${() => choose(code as Language)}>${name}</label>`)}</div></section>
        <section><h3>${t.account.keys}</h3><label class="choice"><input type="checkbox" .checked=${areShortcutsOn()}
          @change=${(event: Event) => setShortcuts((event.target as HTMLInputElement).checked)}>${t.account.keysOn}</label></section>
        <section><p><a href=${addressOf('account')} @click=${() => this.querySelector<HTMLDialogElement>('.account')?.close()}>${t.account.more}</a></p></section>
        <section class="row"><button type="button" @click=${() => leave(act => this.attempt(act))}>${t.account.signOut}</button><button class="main">${t.close}</button></section>
      </form></dialog>
      <dialog id="keys" aria-labelledby="keys-title"><form method="dialog"><h2 id="keys-title">${t.keys.title}</h2>
        <dl class="facts">${t.keys.all.map(([key, what]) => html`<dt><kbd>${key}</kbd></dt><dd>${what}</dd>`)}</dl><button class="main">${t.close}</button></form></dialog>
      <dialog id="again" closedby="none" aria-labelledby="again-title" @cancel=${(event: Event) => event.preventDefault()} @close=${this.stay}><form method="dialog">
        <h2 id="again-title">${t.signIn.again}</h2><p>${t.signIn.againHelp}</p>
        <p class="row">${providers().map(one => html`<a class="button main" target="_blank" rel="opener" href=${signInAddress(one, '/console/signed-in', one === 'demo' ? currentUser.email : undefined)}>${t.signIn.with(one)}</a>`)}
          <button type="button" @click=${() => location.assign('/console')}>${t.signIn.leave}</button></p>
      </form></dialog>`;
  }

  /**
   * Browsers close a dialog after Escape was pressed twice, even if the page cancels the event. The requests still wait for the sign-in, so the
   * dialog is opened again.
   */
  private stay(event: Event): void {
    if (this.again) {
      (event.target as HTMLDialogElement).showModal();
    }
  }

  private paint(theme: Theme): void {
    localStorage.setItem(THEME, theme);
    applyTheme();
  }
}

/** Tells the other tabs that the sign-in in this window is done, and closes the window. */
function tellOthers(): void {
  new BroadcastChannel('acp.session').postMessage('signed-in');
  window.close();
  location.replace('/console');
}

async function begin(): Promise<void> {
  applyTheme();
  if (path() === '/signed-in') {
    tellOthers();
    return;
  }
  await readTexts();
  await nextTask();
  interceptLinks();
  protectClicks();
  trackFocus();
  customElements.define('acp-console', Console satisfies typeof LitElement);
}

document.head.append(Object.assign(document.createElement('link'), {rel: 'icon', href: icon}));
void begin();
