import {html, nothing} from 'lit';
import {Element} from '../../parts/element.js';
import {providers, signInAddress} from '../../parts/session.js';
import {t} from '../../texts/texts.js';

/** The users of the demo's case. */
const DEMO_PEOPLE = [
  {email: 'clara.claimant@demo.example', name: 'Clara Claimant', part: 'claimant'},
  {email: 'rolf.respondent@demo.example', name: 'Rolf Respondent', part: 'respondent'},
  {email: 'maya.manager@demo.example', name: 'Maya Manager', part: 'manager'},
  {email: 'arno.arbitrator@demo.example', name: 'Arno Arbitrator', part: 'arbitrator'},
  {email: 'admin@demo.example', name: 'Ada Administrator', part: 'administrator'},
] as const;
const DEMO = 'demo';

class SignIn extends Element {
  override connectedCallback(): void {
    super.connectedCallback();
    document.title = `${t.signIn.title} – ${t.brand}`;
  }

  override render() {
    const here = location.pathname + location.search;
    const all = providers();
    return html`<main id="main" tabindex="-1" class="sign-in">
      <p class="brand">${t.brand}</p>
      <h1>${t.signIn.title}</h1>
      <p class="soft">${t.signIn.lead}</p>
      ${all.length === 0 ? html`<p class="notice warn">${t.signIn.nowhere}</p>` : nothing}
      ${all.includes(DEMO) ? html`<section aria-labelledby="demo-people">
        <h2 class="heading" id="demo-people">${t.signIn.demo}</h2>
        <ul class="people">${DEMO_PEOPLE.map(one => html`<li><a href=${signInAddress(DEMO, here, one.email)}>
          <strong>${one.name}</strong><span class="soft">${t.signIn.parts[one.part]}</span></a></li>`)}</ul>
      </section>` : nothing}
      <p class="row">${all.map(one => html`<a class="button ${one === DEMO ? '' : 'main'}" href=${signInAddress(one, here)}>
        ${one === DEMO ? t.signIn.somebodyElse : t.signIn.with(one)}</a>`)}</p>
      <p class="small soft">${t.signIn.reference} <a href="/docs">${t.signIn.referenceLink}</a>.</p>
    </main>`;
  }
}

customElements.define('acp-sign-in', SignIn);
