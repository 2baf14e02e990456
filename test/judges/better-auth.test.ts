import { betterAuth } from 'better-auth';
import { memoryAdapter } from 'better-auth/adapters/memory';
import { genericOAuth, keycloak, okta } from 'better-auth/plugins';
import { afterEach, expect, it } from 'vitest';
import type { Sandbox } from '../../src/index.ts';
import { createAgent } from '../support/agent.ts';
import { createSandbox } from '../support/bundle.ts';

// The unmodified better-auth, with its ready providers at the address of the sandbox.

const appUrl = 'http://localhost:3000';
const given = { clientId: 'shop', clientSecret: 'shop-secret' };
const started: Sandbox[] = [];
afterEach(() => Promise.all(started.splice(0).map(each => each.stop())));

async function start(preset: keyof typeof providers): Promise<Sandbox> {
  const sandbox = await createSandbox({
    preset,
    autoLogin: 'alice',
    users: [{ sub: 'alice', claims: { name: 'Alice Archer', email: 'alice@example.com', email_verified: true } }],
    clients: [
      {
        client_id: 'shop',
        client_secret: 'shop-secret',
        redirect_uris: [`${appUrl}/api/auth/callback/${preset}`],
        scope: 'openid profile email offline_access',
        require_pkce: false,
      },
    ],
  });
  started.push(sandbox);
  return sandbox;
}

function authWith(provider: Parameters<typeof genericOAuth>[0]['config'][number]) {
  const tables = { user: [], session: [], account: [], verification: [] };
  return betterAuth({
    baseURL: appUrl,
    secret: 'a secret of the application that is long enough',
    database: memoryAdapter(tables),
    plugins: [genericOAuth({ config: [provider] })],
    telemetry: { enabled: false },
  });
}

const providers = {
  keycloak: ({ issuer }: Sandbox) => keycloak({ ...given, issuer }),
  okta: ({ issuer }: Sandbox) => okta({ ...given, issuer }),
  auth0: ({ url }: Sandbox) => ({
    ...{ providerId: 'auth0', ...given, scopes: ['openid', 'profile', 'email'] },
    discoveryUrl: `${url}/.well-known/openid-configuration`,
  }),
  entra: ({ issuer }: Sandbox) => ({
    ...{ providerId: 'entra', ...given, scopes: ['openid', 'profile', 'email', 'User.Read'] },
    discoveryUrl: `${issuer}/v2.0/.well-known/openid-configuration`,
  }),
} as const;

it.each(Object.keys(providers) as (keyof typeof providers)[])('signs in with its provider for %s', async name => {
  const sandbox = await start(name);
  const auth = authWith(providers[name](sandbox));
  const sign = await auth.handler(
    new Request(`${appUrl}/api/auth/sign-in/social`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: appUrl },
      body: JSON.stringify({ provider: name, callbackURL: '/home' }),
    }),
  );
  const { url } = (await sign.json()) as { url: string };
  const cookies = (response: Response) => response.headers.getSetCookie().map(each => each.split(';', 1)[0]);
  const returned = await createAgent(sandbox.url).open(url);
  const ended = await auth.handler(new Request(returned.url, { headers: { cookie: cookies(sign).join('; ') } }));
  expect(ended.headers.get('location')).toBe('/home');
  const headers = new Headers({ cookie: cookies(ended).join('; ') });
  expect(await auth.api.getSession({ headers })).toMatchObject({
    user: { name: 'Alice Archer', email: 'alice@example.com' },
  });
});
