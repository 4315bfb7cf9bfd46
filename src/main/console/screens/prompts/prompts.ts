import {html, nothing} from 'lit';
import {Problem, ask} from '../../api/call.js';
import {type Ai, type Cases, createPrompt, listPrompts, listRuleSets, updatePrompt} from '../../api/contracts.js';
import {moment, number} from '../../parts/dates.js';
import {dropDraft, keepDraft, keptDraft} from '../../parts/draft-storage.js';
import {Element, Loading, announce, problem} from '../../parts/element.js';
import {onChangesWhileConnected} from '../../parts/event-stream.js';
import {documentName, documents, loadSchemas} from '../../parts/names.js';
import {administrationHead, forAdministrators} from '../../parts/screen-headings.js';
import {currentUser, isAdministrator} from '../../parts/session.js';
import {t} from '../../texts/texts.js';

type Flag = 'active' | 'triggerOnDocket' | 'triggerOnDraft' | 'includeEvidence' | 'includeFullCase';

interface Prompts {
  all: Ai.Prompt[];
  ruleSets: Cases.RuleSet[];
}

/** The input for a prompt. */
interface Writing {
  /** The ID of the prompt; empty for a new one. */
  id: string;
  fields: Record<string, string>;
  /** The entity tag of the revision on which the input is based; null for a new prompt. */
  etag: string | null;
  isKept: boolean;
  isRestored: boolean;
}

const FLAGS: Flag[] = ['active', 'triggerOnDocket', 'triggerOnDraft', 'includeEvidence', 'includeFullCase'];
const LONGEST = 50_000;
const STALE = 'prompt.stale';
const NEW = '';
const kept = (id: string): string => `prompt-${id || 'new'}`;
const etagOf = (one: Ai.Prompt): string => `"${one.updated}"`;

/** The prompts that ask a model about documents. A change is based on the revision that the user has read. */
class PromptsScreen extends Element {
  private readonly prompts = new Loading<Prompts>(this);
  private writing: Writing | undefined;
  /** The revision that another user has saved meanwhile. */
  private theirs: Ai.Prompt | undefined;
  private isSaving = false;
  private key = crypto.randomUUID();

  constructor() {
    super();
    onChangesWhileConnected(this, ['prompt'], () => this.changed());
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (isAdministrator()) {
      void this.prompts.start(() => this.read());
    }
  }

  /** Shows what another user saved beside the input for the same field. */
  private async changed(): Promise<void> {
    await this.prompts.again();
    const saved = this.prompts.value?.all.find(one => String(one.id) === this.writing?.id);
    if (saved && etagOf(saved) !== this.writing?.etag && !this.isSaving) {
      this.theirs = saved;
      this.requestUpdate();
    }
  }

  private async read(): Promise<Prompts> {
    const [all, ruleSets] = await Promise.all([ask(listPrompts, {}), ask(listRuleSets, {limit: 200}), loadSchemas()]);
    return {all, ruleSets: ruleSets.ruleSets};
  }

  override render() {
    return forAdministrators(() => html`${administrationHead('prompts')}
      ${this.prompts.render(prompts => html`<div class="day"><section>${prompts.all.length === 0 ? html`<p class="soft">${t.prompts.none}</p>` : html`<ul class="register">${prompts.all.map(one => this.one(one, prompts))}</ul>`}</section>
        <section><h2 class="heading">${t.prompts.make}</h2>${this.writing?.id === NEW ? this.form(this.writing, prompts) : html`<p><button type="button" @click=${() => this.begin(NEW, undefined)}>${t.prompts.make}</button></p>`}</section></div>`)}`);
  }

  private one(one: Ai.Prompt, prompts: Prompts) {
    const name = documentName(one.documentID);
    const rules = prompts.ruleSets.find(each => each.id === one.ruleSet)?.displayName ?? one.ruleSet;
    return html`<li><h2>${name} · ${rules} <span class="mark ${one.active ? 'good' : ''}">${one.active ? t.prompts.active : t.prompts.inactive}</span></h2>
      <p class="small soft">${[...FLAGS.slice(1).filter(flag => one[flag]).map(flag => t.prompts.flags[flag]), t.prompts.changed(moment(one.updated))].join(' · ')}</p>
      ${this.writing?.id === String(one.id) ? this.form(this.writing, prompts) : html`<pre>${one.prompt}</pre>
        <p><button type="button" class="bare" aria-label=${`${t.prompts.edit}: ${name}, ${rules}`} @click=${() => this.begin(String(one.id), one)}>${t.prompts.edit}</button></p>`}</li>`;
  }

  private begin(id: string, one: Ai.Prompt | undefined): void {
    const draft = keptDraft(currentUser.id, kept(id));
    const fresh: Record<string, string> = one ? {prompt: one.prompt, ...Object.fromEntries(FLAGS.map(flag => [flag, String(one[flag])]))} : {prompt: '', triggerOnDocket: 'true'};
    this.writing = {id, fields: draft?.fields ?? fresh, etag: draft ? draft.etag : one ? etagOf(one) : null, isKept: true, isRestored: draft !== undefined};
    this.theirs = undefined;
    this.refused = undefined;
    this.requestUpdate();
    void this.updateComplete.then(() => this.querySelector('textarea')?.focus());
  }

  private form(writing: Writing, prompts: Prompts) {
    const isNew = writing.id === NEW;
    const {fields} = writing;
    return html`<form class="inset" @submit=${this.send} @input=${this.written} @change=${this.written}>
      ${writing.isRestored ? html`<p class="small" role="status">${t.prompts.restored}</p>` : nothing}
      ${isNew ? html`<div class="field"><label for="prompt-document">${t.prompts.document}</label><select id="prompt-document" name="documentID" required>${documents().map(one => html`<option value=${one.id} ?selected=${fields['documentID'] === one.id}>${one.displayName}</option>`)}</select></div>
        <div class="field"><label for="prompt-rules">${t.prompts.ruleSet}</label><select id="prompt-rules" name="ruleSet" required>${prompts.ruleSets.map(one => html`<option value=${one.id} ?selected=${fields['ruleSet'] === one.id}>${one.displayName}</option>`)}</select></div>` : nothing}
      <div class="field"><label for="prompt-text">${t.prompts.text}</label><textarea id="prompt-text" name="prompt" required maxlength=${LONGEST} .value=${fields['prompt'] ?? ''} aria-describedby="prompt-text-help"></textarea>
        <p class="help" id="prompt-text-help">${t.prompts.textHelp(number(LONGEST))} ${writing.isKept ? t.prompts.kept : t.filing.notKept}</p></div>
      <fieldset><legend>${t.prompts.runs}</legend>${FLAGS.map(flag => html`<label class="choice"><input type="checkbox" name=${flag} .checked=${fields[flag] === 'true'}>${t.prompts.flags[flag]}</label>`)}</fieldset>
      ${this.theirs ? html`<div class="notice warn" role="alert"><h3>${t.prompts.conflict}</h3><p>${t.prompts.conflictHelp}</p><h4>${t.prompts.theirs}</h4><pre>${this.theirs.prompt}</pre>
        <p class="row"><button type="button" class="main" @click=${() => this.keepMine()}>${t.prompts.keepMine}</button><button type="button" @click=${() => this.takeTheirs()}>${t.prompts.takeTheirs}</button></p></div>` : nothing}
      ${this.refused ? problem(this.refused) : nothing}
      <p class="row"><button class="main">${isNew ? t.prompts.create : t.prompts.save}</button><button type="button" @click=${() => this.discard()}>${t.prompts.discard}</button></p></form>`;
  }

  private readonly written = (event: Event): void => {
    const said = new FormData((event.currentTarget as HTMLFormElement));
    if (this.writing) {
      const fields = Object.fromEntries([...said.entries()].filter(([, value]) => typeof value === 'string').map(([name, value]) => [name, FLAGS.includes(name as Flag) ? 'true' : String(value)]));
      this.writing = {...this.writing, fields, isKept: keepDraft(currentUser.id, kept(this.writing.id), {title: '', fields, etag: this.writing.etag, at: new Date().toISOString()})};
      this.requestUpdate();
    }
  };

  private discard(): void {
    if (this.writing) {
      dropDraft(currentUser.id, kept(this.writing.id));
    }
    this.writing = undefined;
    this.theirs = undefined;
    this.refused = undefined;
    this.requestUpdate();
  }

  private readonly send = (event: SubmitEvent): void => {
    event.preventDefault();
    void this.save();
  };

  private save(): Promise<void> {
    this.isSaving = true;
    return this.attempt(async () => {
      const {writing} = this;
      if (!writing) {
        return;
      }
      const flags = Object.fromEntries(FLAGS.map(flag => [flag, writing.fields[flag] === 'true'])) as Record<Flag, boolean>;
      const prompt = writing.fields['prompt'] ?? '';
      try {
        if (writing.id === NEW) {
          const chosen = this.querySelectorAll('select');
          await ask(createPrompt, {documentID: chosen[0]?.value ?? '', ruleSet: chosen[1]?.value ?? '', prompt, ...flags}, {key: this.key});
          this.key = crypto.randomUUID();
        } else {
          await ask(updatePrompt, {id: Number(writing.id), prompt, ...flags}, {ifMatch: writing.etag});
        }
      } catch (failed) {
        if (failed instanceof Problem && failed.code === STALE) {
          await this.prompts.again();
          this.theirs = this.prompts.value?.all.find(one => String(one.id) === writing.id);
          return;
        }
        throw failed;
      }
      announce(writing.id === NEW ? t.prompts.created : t.prompts.saved);
      this.discard();
      await this.prompts.again();
    }).finally(() => { this.isSaving = false; });
  }

  private keepMine(): void {
    if (this.writing && this.theirs) {
      this.writing = {...this.writing, etag: etagOf(this.theirs)};
      this.theirs = undefined;
      void this.save();
    }
  }

  private takeTheirs(): void {
    const {theirs} = this;
    if (theirs) {
      dropDraft(currentUser.id, kept(String(theirs.id)));
      this.begin(String(theirs.id), theirs);
    }
  }
}

customElements.define('acp-prompts', PromptsScreen);
