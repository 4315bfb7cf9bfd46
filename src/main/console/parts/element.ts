import {LitElement, type ReactiveController, type TemplateResult, html, nothing} from 'lit';
import {Problem} from '../api/call.js';
import {keepFocus} from './focus.js';
import {press} from './press.js';
import {NEWER} from './script.js';
import {t} from '../texts/texts.js';
import {nextTask} from './task.js';

/** An element of the console. It renders into the page itself: labels reach their fields, and one style sheet reaches all. */
export abstract class Element extends LitElement {
  /** Why the platform refused what was tried last. */
  refused: Problem | undefined;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  /** Not while something is pressed: it would move away from under the click. */
  protected override scheduleUpdate(): void | Promise<unknown> {
    return press()?.then(() => super.scheduleUpdate()) ?? super.scheduleUpdate();
  }

  protected override performUpdate(): void {
    super.performUpdate();
    keepFocus();
  }

  /** Tries something. What the platform refuses is kept, to be shown; whatever else goes wrong is thrown. */
  async attempt(act: () => Promise<unknown> | undefined): Promise<void> {
    this.refused = undefined;
    try {
      await act();
    } catch (failed) {
      if (!(failed instanceof Problem)) {
        throw failed;
      }
      this.refused = failed;
    }
    this.requestUpdate();
    if (this.refused) {
      // It may stand above what one sees of a long page.
      await this.updateComplete;
      this.querySelector('[role=alert]')?.scrollIntoView({block: 'nearest'});
    }
  }
}

const SLOW_MILLIS = 300;
/** While nobody answers, it is asked again so often. */
const AGAIN_MILLIS = 5000;

/** Something that is read from the platform for an element, in whatever state it is. */
export class Loading<T> implements ReactiveController {
  value: T | undefined;
  problem: Problem | undefined;
  private isSlow = false;
  private round = 0;
  private read: (() => Promise<T>) | undefined;

  private readonly online = () => {
    if (this.problem?.isSilence) {
      void this.again();
    }
  };

  constructor(private readonly host: LitElement) {
    host.addController(this);
  }

  hostConnected(): void {
    window.addEventListener('online', this.online);
  }

  hostDisconnected(): void {
    window.removeEventListener('online', this.online);
  }

  /** Reads it, in place of what was being read; what is there stays until the new is, what went wrong until it is known whether it still does. */
  async start(read: () => Promise<T>): Promise<void> {
    this.read = read;
    const round = ++this.round;
    this.isSlow = false;
    const slow = setTimeout(() => {
      this.isSlow = true;
      this.host.requestUpdate();
    }, SLOW_MILLIS);
    this.host.requestUpdate();
    try {
      const value = await read();
      await nextTask();
      if (round === this.round) {
        this.value = value;
        this.problem = undefined;
      }
    } catch (failed) {
      if (!(failed instanceof Problem)) {
        throw failed;
      }
      if (round === this.round) {
        this.problem = failed;
        if (failed.isSilence) {
          setTimeout(() => {
            if (round === this.round && this.host.isConnected) {
              void this.again();
            }
          }, AGAIN_MILLIS);
        }
      }
    } finally {
      clearTimeout(slow);
      this.host.requestUpdate();
    }
  }

  /** Whether it was read, or could not be. What is pressed or written in below waits for that (hidden, so that what was written in it stays): it would move away from under the hand when a list comes. */
  get isKnown(): boolean {
    return this.value !== undefined || this.problem !== undefined;
  }

  async again(): Promise<void> {
    if (this.read) {
      await this.start(this.read);
    }
  }

  /** Forgets what was there, for another thing in its place. */
  clear(): void {
    this.round++;
    this.value = undefined;
    this.problem = undefined;
  }

  render(show: (value: T) => unknown): unknown {
    // What is written in what is shown stays, whether reading it again succeeds or not.
    return html`${this.problem ? problem(this.problem, () => this.again()) : nothing}${this.value !== undefined ? show(this.value) : this.isSlow && !this.problem ? waiting() : nothing}`;
  }
}

function waiting(): TemplateResult {
  return html`<div class="waiting" role="status"><span></span><span></span><span></span><p class="unseen">${t.waiting}</p></div>`;
}

/** Why it was refused, in the reader's language where that has a sentence for it; else in the platform's own words. */
export function whyRefused(one: Problem): string {
  const known = t.refusals[one.code];
  return known === undefined ? one.sentence : known.endsWith(':') ? `${known} ${one.sentence}` : known;
}

/** What went wrong, in words: what happened, and what one can do. */
export function problem(one: Problem, again?: () => unknown): TemplateResult {
  if (one.code === NEWER) {
    return html`<div class="notice warn" role="alert"><h2>${t.problem.newer}</h2><p>${t.problem.newerHelp}</p>
      <button type="button" @click=${() => location.reload()}>${t.signIn.loadAnew}</button></div>`;
  }
  const title = one.isSilence ? t.problem.silence : one.status === 403 ? t.problem.forbidden : one.status === 404 ? t.problem.missing
      : one.isBusy ? t.problem.busy : t.problem.refused;
  return html`<div class="notice bad" role="alert">
    <h2>${title}</h2>
    <p>${one.isSilence ? again ? t.problem.silenceHelp : t.problem.silenceAct : t.refusals[one.code] === undefined ? t.problem.says(one.sentence) : whyRefused(one)}</p>
    ${one.requestID ? html`<p class="small soft">${t.problem.request} <span class="mono">${one.requestID}</span></p>` : nothing}
    ${again && one.status !== 403 && one.status !== 404 ? html`<button type="button" @click=${again}>${t.problem.again}</button>` : nothing}
  </div>`;
}

/** Tells something in passing, to be seen and heard. */
export function say(sentence: string): void {
  window.dispatchEvent(new CustomEvent('acp-say', {detail: sentence}));
}
