'use strict';

const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
follow();
dark.addEventListener('change', follow);

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
