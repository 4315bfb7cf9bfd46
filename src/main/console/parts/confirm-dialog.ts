import {type TemplateResult, html, nothing} from 'lit';
import {t} from '../texts/texts.js';
import {Element, problem} from './element.js';
import {keepInput} from './keep-input.js';

/** A question that a user confirms before an act is carried out. */
export interface Question {
  readonly title: string;
  /** Sentences that say what the act ends and what it leaves unchanged. */
  readonly says: string[];
  /** The label of the button that carries out the act. */
  readonly act: string;
  /** Further fields of the form. */
  readonly fields?: TemplateResult;
  /** Carries out the act with the values of the form. If the platform refuses, the dialog stays open with the input. */
  readonly does: (said: FormData) => Promise<unknown>;
}

const REASON_LONGEST = 2000;

/** The dialog of a {@link Question}. It closes after the act was carried out or cancelled. */
class AskBack extends Element {
  question!: Question;
  private isBusy = false;

  /** The question is about the current screen, so the dialog closes when the user goes to another screen. */
  private readonly gone = () => this.close();

  override connectedCallback(): void {
    super.connectedCallback();
    window.addEventListener('acp-route', this.gone);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.removeEventListener('acp-route', this.gone);
  }

  override firstUpdated(): void {
    this.querySelector('dialog')?.showModal();
  }

  override render() {
    const {title, says, act, fields} = this.question;
    return html`<dialog aria-labelledby="ask-back-title" @close=${() => this.remove()}><form @submit=${this.send}>
      <h2 id="ask-back-title">${title}</h2>
      ${says.map(one => html`<p>${one}</p>`)}
      ${this.refused ? problem(this.refused) : nothing}
      ${fields ?? nothing}
      <p class="row"><button class="main" ?disabled=${this.isBusy}>${act}</button><button type="button" ?autofocus=${!fields} @click=${this.close}>${t.cancel}</button></p>
    </form></dialog>`;
  }

  private close(): void {
    this.querySelector('dialog')?.close();
  }

  private async send(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const said = new FormData(event.target as HTMLFormElement);
    this.isBusy = true;
    this.requestUpdate();
    try {
      await this.attempt(async () => {
        await this.question.does(said);
        this.close();
      });
    } finally {
      this.isBusy = false;
      this.requestUpdate();
    }
  }
}

customElements.define('acp-ask-back', AskBack);

/** Opens a dialog in which the user confirms or cancels an act. */
export function confirmAct(question: Question): void {
  const dialog = document.createElement('acp-ask-back') as AskBack;
  dialog.question = question;
  document.body.append(dialog);
}

/** A text field for a reason that the platform stores; the form has it as `reason`. Input is kept in this browser under `key` until it is sent. */
export const reasonField = (label: string, help: string, key: string): TemplateResult => html`<div class="field"><label for="ask-back-reason">${label}</label>
  <textarea id="ask-back-reason" ${keepInput(key)} name="reason" required maxlength=${REASON_LONGEST} aria-describedby="ask-back-reason-help"></textarea><p class="help" id="ask-back-reason-help">${help}</p></div>`;

/** The reason in the values of a form with {@link reasonField}, without surrounding blanks. */
export const reasonOf = (said: FormData): string => String(said.get('reason')).trim();
