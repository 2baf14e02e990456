import { createRequire } from 'node:module';
import { ConfidentialClientApplication } from '@azure/msal-node';
import { discoverAuthorizationServerMetadata, startAuthorization } from '@modelcontextprotocol/sdk/client/auth.js';
import { OidcClient, WebStorageStateStore } from 'oidc-client-ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Sandbox } from '../../src/index.ts';
import { createSandbox } from '../support/bundle.ts';

// The examiner tells a library by what it sends, so the library itself makes the authorization request here. That openid-client
// and oauth4webapi are told is in the test of their plans.

const redirect_uri = 'http://localhost:3000/callback';
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox({
    clients: [
      { client_id: 'web', client_secret: 'web-secret', redirect_uris: [redirect_uri], scope: 'openid profile' },
    ],
  });
});
afterAll(() => sandbox.stop());

type Login = (issuer: string) => Promise<string | URL>;

const oidcClientTs: Login = async issuer => {
  const kept = new Map<string, string>();
  const store = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
    key: () => null,
    length: 0,
    clear() {},
  };
  const stateStore = new WebStorageStateStore({ store });
  const settings = { authority: issuer, client_id: 'web', redirect_uri, scope: 'openid profile', stateStore };
  return (await new OidcClient(settings).createSigninRequest({})).url;
};

/** MSAL wants https, so the path and the query are its own alone. */
const msalNode: Login = async issuer => {
  const authority = issuer.replace(/^http:/, 'https:');
  const metadata = await (await fetch(`${issuer}/.well-known/openid-configuration`)).text();
  const authorityMetadata = metadata.replaceAll(issuer, authority);
  const auth = { clientId: 'web', clientSecret: 'web-secret', authority, authorityMetadata };
  const app = new ConfidentialClientApplication({ auth: { ...auth, knownAuthorities: [new URL(issuer).host] } });
  const url = await app.getAuthCodeUrl({ redirectUri: redirect_uri, scopes: ['openid'] });
  return url.replace(/^https:/, 'http:');
};

const mcpSdk: Login = async issuer => {
  const metadata = await discoverAuthorizationServerMetadata(issuer);
  const clientInformation = { client_id: 'web' };
  const asked = { metadata, clientInformation, redirectUrl: redirect_uri, scope: 'openid' };
  return (await startAuthorization(issuer, asked)).authorizationUrl;
};

it.each([
  ['MCP SDK', mcpSdk],
  ['oidc-client-ts', oidcClientTs],
  ['MSAL Node', msalNode],
])('%s is told by its authorization request', async (name, makeUrl) => {
  const { library } = await sandbox.examine({
    modules: [],
    user: 'alice',
    login: async ({ issuer }) => {
      const response = await fetch(await makeUrl(issuer), { redirect: 'manual' });
      return response.headers.get('location')?.startsWith(redirect_uri) ?? false;
    },
  });
  expect(library?.name).toBe(name);
});

it('passport-oauth2 is told by its token request', async () => {
  const Strategy = createRequire(import.meta.url)('passport-oauth2');
  const { library } = await sandbox.examine({
    plan: 'oauth-bcp',
    modules: [],
    user: 'alice',
    login: ({ issuer }) =>
      new Promise((resolve, reject) => {
        const options = {
          authorizationURL: `${issuer}/oauth2/authorize`,
          tokenURL: `${issuer}/oauth2/token`,
          ...{ clientID: 'web', clientSecret: 'web-secret', callbackURL: redirect_uri, state: true, pkce: true },
        };
        const strategy = new Strategy(options, (...args: unknown[]) =>
          (args.at(-1) as (error: null, user: string) => void)(null, 'somebody'),
        );
        const session = {};
        strategy.success = () => resolve(true);
        strategy.fail = () => resolve(false);
        strategy.error = reject;
        strategy.redirect = async (url: string) => {
          const response = await fetch(url, { redirect: 'manual' });
          const { searchParams } = new URL(response.headers.get('location') ?? '');
          strategy.authenticate({ session, query: Object.fromEntries(searchParams) });
        };
        strategy.authenticate({ session, query: {} });
      }),
  });
  expect(library?.name).toBe('passport-oauth2');
});
