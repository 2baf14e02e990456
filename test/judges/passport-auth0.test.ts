import https, { Agent } from 'node:https';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Sandbox } from '../../src/index.ts';
import { createAgent } from '../support/agent.ts';
import { createSandbox } from '../support/bundle.ts';
import { createTlsFetch, type TlsFetch } from '../support/tls-fetch.ts';

// The unmodified passport-auth0, which speaks HTTPS only and sends the access token to UserInfo in the query.

interface Outcome {
  readonly url?: string;
  readonly user?: unknown;
  readonly error?: Error;
}
interface Strategy {
  authenticate(req: object, options: object): void;
}
type Verify = (
  accessToken: string,
  refreshToken: string,
  extra: object,
  profile: object,
  done: (error: null, user: object) => void,
) => void;
const { Strategy: Auth0 } = createRequire(import.meta.url)('passport-auth0') as {
  Strategy: new (
    options: object,
    verify: Verify,
  ) => Strategy; // it has no types
};

const callbackURL = 'http://localhost:3000/callback';
const before = https.globalAgent;
let sandbox: Sandbox;
let fetchBy: TlsFetch;
beforeAll(async () => {
  sandbox = await createSandbox({
    preset: 'auth0',
    tls: 'self-signed',
    autoLogin: 'alice',
    users: [{ sub: 'alice', claims: { name: 'Alice Archer', email: 'alice@example.com', nickname: 'alice' } }],
    clients: [{ client_id: 'shop', client_secret: 'shop-secret', redirect_uris: [callbackURL], require_pkce: false }],
  });
  const ca = sandbox.tls?.ca ?? '';
  fetchBy = createTlsFetch({ ca });
  https.globalAgent = new Agent({ ca });
});
afterAll(async () => {
  https.globalAgent = before;
  await sandbox.stop();
});

/** What Passport does with a strategy: it gives it the ways to answer. */
function run(strategy: Strategy, req: object): Promise<Outcome> {
  return new Promise(resolve => {
    const answers = {
      success: (user: unknown) => resolve({ user }),
      redirect: (url: string) => resolve({ url }),
      fail: (challenge: unknown) => resolve({ error: new Error(String(challenge)) }),
      error: (error: Error) => resolve({ error }),
    };
    const made = Object.assign(Object.create(strategy) as Strategy, answers);
    made.authenticate({ query: {}, headers: {}, ...req }, { scope: 'openid profile email' });
  });
}

it('logs in with its profile from UserInfo, and refuses a wrong code', async () => {
  const verify: Verify = (accessToken, _refreshToken, _extra, profile, done) => done(null, { accessToken, profile });
  const options = { domain: new URL(sandbox.url).host, clientID: 'shop', clientSecret: 'shop-secret', callbackURL };
  const session = {};
  const { url = '' } = await run(new Auth0(options, verify), { session });
  const returned = await createAgent(sandbox.url, fetchBy).open(url);
  const query = Object.fromEntries(returned.url.searchParams);
  const { user, error } = await run(new Auth0(options, verify), { session, query });
  expect(error).toBeUndefined();
  expect(user).toMatchObject({
    profile: { id: 'auth0|alice', displayName: 'Alice Archer', nickname: 'alice', provider: 'auth0' },
  });
  const again = await run(new Auth0(options, verify), { session: { ...session }, query: { ...query, code: 'x' } });
  expect(again.error).toBeInstanceOf(Error);
});
