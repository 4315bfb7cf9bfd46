'use strict';

const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
follow();
dark.addEventListener('change', follow);

// Swagger UI offers to execute an operation before it has resolved its references. Executed then, the operation has no name, is
// not found, and its spinner never ends; so an execution waits until the operation is resolved.
const RESOLVED_WITHIN_MILLIS = 10_000;
const executeWhenResolved = () => ({statePlugins: {spec: {wrapActions: {execute: (execute, system) => request => {
  const last = performance.now() + RESOLVED_WITHIN_MILLIS;
  const attempt = () => {
    const operation = system.specSelectors.specResolvedSubtree(['paths', request.path, request.method]);
    if (operation || performance.now() > last) {
      execute({...request, operation: operation ?? request.operation});
    } else {
      requestAnimationFrame(attempt);
    }
  };
  attempt();
}}}}});

const ui = SwaggerUIBundle({
  url: '/openapi/platform.json',
  domNode: document.getElementById('reference'),
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: -1,
  filter: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  validatorUrl: null,
  plugins: [executeWhenResolved],
  onComplete: () => { document.documentElement.dataset.shown = 'true'; },
});

// The demo's identity provider is there in the demo profile only.
const form = document.getElementById('sign-in');
const told = document.getElementById('signed-in');

const post = async (path, body) => {
  const answer = await fetch(path, {method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify(body)});
  const said = await answer.json();
  if (!answer.ok) {
    throw new Error(said);
  }
  return said;
};

fetch('/auth/demo/jwks.json').then(answer => { form.hidden = !answer.ok; }, () => {});

form.addEventListener('submit', async event => {
  event.preventDefault();
  const email = document.getElementById('email').value;
  const name = email.split('@')[0];
  try {
    const {idToken} = await post('/auth/demo/id-token', {email, first_name: name, last_name: 'Demo'});
    const {accessToken} = await post('/auth/authenticate/demo', {idToken});
    ui.preauthorizeApiKey('bearer', accessToken);
    told.textContent = `Signed in as ${email}.`;
  } catch (failed) {
    told.textContent = `Not signed in: ${failed.message}`;
  }
});
