import {html} from 'lit';
import {t} from '../texts/texts.js';
import {Element, say} from './element.js';

const KEPT = 'kept';

export interface ShownOnce {
  readonly title: string;
  /** Whose it is. */
  readonly of: string;
  readonly values: {readonly name: string; readonly value: string}[];
  readonly help: string;
}

/** A secret that the platform tells once. It is kept nowhere: the dialog has it until the person says that they have it. */
class SecretDialog extends Element {
  shown!: ShownOnce;

  override firstUpdated(): void {
    this.querySelector('dialog')?.showModal();
  }

  override render() {
    const {title, of, values, help} = this.shown;
    return html`<dialog closedby="none" aria-labelledby="shown-once-title" @cancel=${(event: Event) => event.preventDefault()} @close=${this.closed}><form method="dialog">
      <h2 id="shown-once-title">${title}</h2><p>${of}</p>
      ${values.map(one => html`<div class="shown-once"><p class="small soft">${one.name}</p><p class="mono">${one.value}</p>
        <button type="button" class="bare" aria-label=${`${t.secret.copy}: ${one.name}`} @click=${() => this.copy(one.value)}>${t.secret.copy}</button></div>`)}
      <p>${help}</p>
      <p class="row"><button class="main" value=${KEPT}>${t.secret.kept}</button></p>
    </form></dialog>`;
  }

  /** Browsers close a dialog when Escape is pressed twice, whatever the page says; what is shown once is shown until the person has it. */
  private closed(event: Event): void {
    const dialog = event.target as HTMLDialogElement;
    if (dialog.returnValue === KEPT) {
      this.remove();
    } else {
      dialog.showModal();
    }
  }

  private copy(value: string): Promise<void> {
    return navigator.clipboard.writeText(value).then(() => say(t.secret.copied), () => say(t.secret.notCopied));
  }
}

customElements.define('acp-secret', SecretDialog);

export function showOnce(shown: ShownOnce): void {
  const dialog = document.createElement('acp-secret') as SecretDialog;
  dialog.shown = shown;
  document.body.append(dialog);
}
