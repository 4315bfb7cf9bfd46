import {html, nothing, type LitElement} from 'lit';
import {Directive, type ElementPart, type PartInfo, directive} from 'lit/directive.js';
import {t} from '../texts/texts.js';
import {dropDraft, keepDraft, keptDraft} from './draft-storage.js';
import {currentUser} from './session.js';

const named = (key: string): string => `words.${key}`;

/** The unsent input that this browser keeps for this user under a key; empty if there is none. */
const words = (key: string): string => keptDraft(currentUser.id, named(key))?.fields['words'] ?? '';

/** Removes kept input. To be called after it was sent. */
export const dropInput = (...keys: string[]): void => keys.forEach(key => dropDraft(currentUser.id, named(key)));

/** Whether this browser keeps unsent input under one of the keys. */
export const isInputKept = (...keys: string[]): boolean => keys.some(key => words(key) !== '');

class KeepInput extends Directive {
  private key = '';

  constructor(part: PartInfo) {
    super(part);
  }

  override render(_key: string): unknown {
    return nothing;
  }

  override update(part: ElementPart, [key]: [string]): unknown {
    const one = part.element as HTMLTextAreaElement | HTMLInputElement;
    if (this.key === '') {
      one.addEventListener('input', () => {
        if (one.value.trim() === '') {
          dropInput(this.key);
        } else {
          keepDraft(currentUser.id, named(this.key), {title: '', fields: {words: one.value}, etag: null, at: new Date().toISOString()});
        }
      });
    }
    if (this.key !== key) {
      const isAnother = this.key !== '';
      this.key = key;
      const kept = words(key);
      if (kept || isAnother) {
        // The element's own bindings set the value in this update, so the kept input is set after them. The event makes listeners treat it like typed
        // input.
        queueMicrotask(() => {
          one.value = kept;
          one.dispatchEvent(new Event('input', {bubbles: true}));
        });
      }
    }
    return nothing;
  }
}

/** Keeps the input of a field in this browser under a key, and restores it if the page was left before it was sent. */
export const keepInput = directive(KeepInput);

/** Kept input of a field that is no longer shown, because somebody else decided first. Shown so that the user can copy or discard it. */
export function leftoverInput(host: LitElement, key: string): unknown {
  const left = words(key);
  return left ? html`<div class="notice warn"><h3>${t.filing.leftOver}</h3><p>${left}</p>
    <p><button type="button" @click=${() => { dropInput(key); host.requestUpdate(); }}>${t.filing.forget}</button></p></div>` : nothing;
}
