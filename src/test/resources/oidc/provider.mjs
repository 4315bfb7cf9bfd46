// An OpenID provider for BrowserProvidersIT:
// node provider.mjs <port> <client> <secret> <redirect URIs, with commas> <back-channel logout URI> <key set, of which the first signs>
import Provider from 'oidc-provider';

const [port, client_id, client_secret, redirectUris, logoutUri, keys] = process.argv.slice(2);
const provider = new Provider(`http://localhost:${port}`, {
  clients: [{
    client_id,
    client_secret,
    redirect_uris: redirectUris.split(','),
    backchannel_logout_uri: logoutUri,
    backchannel_logout_session_required: true,
  }],
  jwks: JSON.parse(keys),
  claims: { email: ['email', 'email_verified'], profile: ['given_name', 'family_name'] },
  conformIdTokenClaims: false,
  cookies: { keys: ['of this test'] },
  features: { devInteractions: { enabled: true }, backchannelLogout: { enabled: true }, rpInitiatedLogout: { enabled: true } },
  pkce: { required: () => true },
  // By default it asks nobody at an address of this machine, where the platform of this test is.
  fetch: (url, options) => globalThis.fetch(url, { ...options, dispatcher: undefined }),
  findAccount: (context, id) => ({
    accountId: id,
    claims: () => ({ sub: id, email: `${id}@example.org`, email_verified: true, given_name: 'Nora', family_name: 'Node' }),
  }),
});
provider.listen(Number(port), 'localhost', () => console.log('ready'));
