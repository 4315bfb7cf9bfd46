import {html} from 'lit';
import {t} from '../texts/texts.js';
import {Element, announce} from './element.js';

const KEPT = 'kept';

/** A secret for the {@link showSecret} dialog. */
export interface ShownOnce {
  readonly title: string;
  /** The name of the client or the like to which the secret belongs. */
  readonly of: string;
  readonly values: {readonly name: string; readonly value: string}[];
  readonly help: string;
}

/**
 * The dialog of a secret that the platform returns only once. The secret is stored nowhere else, so the dialog stays until the user confirms to have
 * copied it.
 */
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

  /**
   * Browsers close a dialog after Escape was pressed twice, even if the page cancels the event. The dialog is then opened again, because the secret
   * would be lost.
   */
  private closed(event: Event): void {
    const dialog = event.target as HTMLDialogElement;
    if (dialog.returnValue === KEPT) {
      this.remove();
    } else {
      dialog.showModal();
    }
  }

  private copy(value: string): Promise<void> {
    return navigator.clipboard.writeText(value).then(() => announce(t.secret.copied), () => announce(t.secret.notCopied));
  }
}

customElements.define('acp-secret', SecretDialog);

/** Shows a secret until the user confirms to have copied it. */
export function showSecret(shown: ShownOnce): void {
  const dialog = document.createElement('acp-secret') as SecretDialog;
  dialog.shown = shown;
  document.body.append(dialog);
}
