import {type TemplateResult, html, nothing} from 'lit';
import {t} from '../texts/texts.js';
import {Element, problem} from './element.js';
import {keeps} from './keeps.js';

export interface Question {
  readonly title: string;
  /** What the act ends, and what it leaves: a sentence each. */
  readonly says: string[];
  /** What the button is called that carries it out. */
  readonly act: string;
  /** What else has to be said. */
  readonly fields?: TemplateResult;
  /** Carries it out; the dialog stays, with what was written, when the platform refuses. */
  readonly does: (said: FormData) => Promise<unknown>;
}

const REASON_LONGEST = 2000;

/** A question before an act that ends something. It closes when the act was carried out, or was given up. */
class AskBack extends Element {
  question!: Question;
  private isBusy = false;

  /** What it asks is about the screen that it stands over. */
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

/** Asks before an act that ends something, in a dialog over the page. */
export function askBack(question: Question): void {
  const dialog = document.createElement('acp-ask-back') as AskBack;
  dialog.question = question;
  document.body.append(dialog);
}

/** A field for a reason that the platform keeps, as `reason` in what was said. What is typed stays in this browser, as `key`, until it is sent. */
export const reasonField = (label: string, help: string, key: string): TemplateResult => html`<div class="field"><label for="ask-back-reason">${label}</label>
  <textarea id="ask-back-reason" ${keeps(key)} name="reason" required maxlength=${REASON_LONGEST} aria-describedby="ask-back-reason-help"></textarea><p class="help" id="ask-back-reason-help">${help}</p></div>`;

export const reasonOf = (said: FormData): string => String(said.get('reason')).trim();
