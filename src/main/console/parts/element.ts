import {LitElement, type ReactiveController, type TemplateResult, html, nothing} from 'lit';
import {Problem} from '../api/call.js';
import {t} from '../texts/texts.js';
import {pendingClick} from './click-guard.js';
import {restoreFocus} from './focus.js';
import {VERSION_OUTDATED} from './load-script.js';
import {nextTask} from './yield-task.js';

/**
 * The base class of all elements of the console. It has no shadow root, so that labels refer to fields of other elements and one style sheet applies
 * to all.
 */
export abstract class Element extends LitElement {
  /** Why the platform refused the last attempt; undefined if it did not. */
  refused: Problem | undefined;

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  /** Waits until a click is finished, because an update may move the clicked element away between press and release, and the click would be lost. */
  protected override scheduleUpdate(): void | Promise<unknown> {
    return pendingClick()?.then(() => super.scheduleUpdate()) ?? super.scheduleUpdate();
  }

  protected override performUpdate(): void {
    super.performUpdate();
    restoreFocus();
  }

  /** Carries out an act. If the platform refuses, the problem is kept in {@link refused} and shown. Every other error is thrown. */
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
      // On a long page the message may stand above the visible part.
      await this.updateComplete;
      this.querySelector('[role=alert]')?.scrollIntoView({block: 'nearest'});
    }
  }
}

const SLOW_MILLIS = 300;
/** The pause before the next attempt while the platform does not answer. */
const AGAIN_MILLIS = 5000;

/** A value that is read from the platform for an element. Shows that it is being read, that it could not be read, or the value. */
export class Loading<T> implements ReactiveController {
  value: T | undefined;
  problemNotice: Problem | undefined;
  private isSlow = false;
  private round = 0;
  private read: (() => Promise<T>) | undefined;

  private readonly online = () => {
    if (this.problemNotice?.isSilence) {
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

  /**
   * Reads the value. The response of an earlier call is ignored if it comes later. The previous value and the previous problem stay until the new
   * result is there. If the platform does not answer, it is read again every 5 seconds.
   */
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
        this.problemNotice = undefined;
      }
    } catch (failed) {
      if (!(failed instanceof Problem)) {
        throw failed;
      }
      if (round === this.round) {
        this.problemNotice = failed;
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

  /**
   * Whether the value was read or could not be read. Buttons and fields below a list stay hidden until then, because they would move when the list
   * appears. They are hidden and not removed, so that their input stays.
   */
  get isKnown(): boolean {
    return this.value !== undefined || this.problemNotice !== undefined;
  }

  async again(): Promise<void> {
    if (this.read) {
      await this.start(this.read);
    }
  }

  /** Removes the value before another one is read, and ignores the response that is awaited. */
  clear(): void {
    this.round++;
    this.value = undefined;
    this.problemNotice = undefined;
  }

  render(show: (value: T) => unknown): unknown {
    // The value stays on the page while it is read again and when that fails, so that input in its fields is not lost.
    return html`${this.problemNotice ? problem(this.problemNotice, () => this.again()) : nothing}${this.value !== undefined ? show(this.value) : this.isSlow && !this.problemNotice ? waiting() : nothing}`;
  }
}

function waiting(): TemplateResult {
  return html`<div class="waiting" role="status"><span></span><span></span><span></span><p class="unseen">${t.waiting}</p></div>`;
}

/**
 * The reason of a problem: the translated sentence for its code if there is one, otherwise the sentence of the platform. A translation that ends with
 * a colon is followed by the platform's sentence.
 */
export function refusalText(one: Problem): string {
  const known = t.refusals[one.code];
  return known === undefined ? one.sentence : known.endsWith(':') ? `${known} ${one.sentence}` : known;
}

/** Shows a problem: what happened, and what the user can do. `again` repeats the request. */
export function problem(one: Problem, again?: () => unknown): TemplateResult {
  if (one.code === VERSION_OUTDATED) {
    return html`<div class="notice warn" role="alert"><h2>${t.problem.newer}</h2><p>${t.problem.newerHelp}</p>
      <button type="button" @click=${() => location.reload()}>${t.signIn.loadAnew}</button></div>`;
  }
  const title = one.isSilence ? t.problem.silence : one.status === 403 ? t.problem.forbidden : one.status === 404 ? t.problem.missing
      : one.isBusy ? t.problem.busy : t.problem.refused;
  return html`<div class="notice bad" role="alert">
    <h2>${title}</h2>
    <p>${one.isSilence ? again ? t.problem.silenceHelp : t.problem.silenceAct : t.refusals[one.code] === undefined ? t.problem.says(one.sentence) : refusalText(one)}</p>
    ${one.requestID ? html`<p class="small soft">${t.problem.request} <span class="mono">${one.requestID}</span></p>` : nothing}
    ${again && one.status !== 403 && one.status !== 404 ? html`<button type="button" @click=${again}>${t.problem.again}</button>` : nothing}
  </div>`;
}

/** Announces a message, which is shown for some seconds and read by a screen reader. */
export function announce(sentence: string): void {
  window.dispatchEvent(new CustomEvent('acp-say', {detail: sentence}));
}
