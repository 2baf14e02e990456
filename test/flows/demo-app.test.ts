import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { EventOf, Sandbox } from '../../src/index.ts';
import { type Agent, createAgent, type Visit } from '../support/agent.ts';
import { createSandbox } from '../support/bundle.ts';

let sandbox: Sandbox;
let agent: Agent;
const app = () => `${sandbox.url}/demo-app`;

beforeAll(async () => {
  sandbox = await createSandbox();
});
beforeEach(async () => {
  await sandbox.reset();
  agent = createAgent(sandbox.url);
  await agent.submit(await agent.open(app()), 'app-register');
});
afterAll(() => sandbox.stop());

/** To the login page of the sandbox. */
async function begin(as = agent): Promise<Visit> {
  return as.submit(await as.open(app()), 'app-sign-in');
}
const signIn = async (user: string, as = agent) => as.submit(await begin(as), `login-user-${user}`);

async function protect(changes: Readonly<Record<string, boolean>>): Promise<void> {
  const names = ['state', 'pkce', 'iss', 'alg', 'aud', 'azp', 'nonce', 'sub'].filter(name => changes[name] ?? true);
  const body = new URLSearchParams(names.map(name => [name, 'on']));
  const answer = await fetch(`${app()}/protections`, { method: 'POST', body, redirect: 'manual' });
  expect(answer.status).toBe(303);
}

const lastRefusal = (): EventOf<'app.refused'> | undefined => sandbox.events.latest('app.refused', 1)[0];
const lastSignIn = (): EventOf<'app.signed_in'> | undefined => sandbox.events.latest('app.signed_in', 1)[0];

/** A confidential client may do without PKCE, so that the protections of the application can be told apart. */
async function registerWithSecret(): Promise<void> {
  await sandbox.clients.delete('demo-app');
  await sandbox.clients.create({
    ...{ client_id: 'demo-app', client_secret: 'its secret', redirect_uris: [`${app()}/callback`] },
    ...{ token_endpoint_auth_method: 'client_secret_post', require_pkce: false },
  });
}

/** The address of the callback that ends a login of this user, which the application has not seen yet. */
async function heldAnswer(user: string, as: Agent): Promise<URL> {
  const page = await begin(as);
  const form = new URLSearchParams(page.url.search);
  const sent = await fetch(`${sandbox.url}/oauth2/authorize?${form}&sandbox_login=${user}`, { redirect: 'manual' });
  return new URL(sent.headers.get('location') ?? '');
}

describe('the demo application', () => {
  it('says that it is not a client yet, and registers itself', async () => {
    await sandbox.clients.delete('demo-app');
    const page = await agent.open(app());
    expect(page.html).toContain('not a client of this sandbox yet');
    expect((await agent.submit(page, 'app-register')).html).toContain('data-testid="app-sign-in"');
    expect(await sandbox.clients.get('demo-app')).toMatchObject({ redirect_uris: [`${app()}/callback`] });
  });

  it('signs a user in over HTTP, tells it as events, and signs out', async () => {
    const page = await signIn('alice');
    expect(page.url.pathname).toBe('/demo-app');
    expect(page.html).toContain('account of <strong>Alice Archer</strong>');
    expect(lastSignIn()).toMatchObject({ client_id: 'demo-app', sub: 'alice', account: 'alice', iss: sandbox.issuer });
    expect(sandbox.events.latest('app.callback', 1)[0]?.parameters).toEqual(
      expect.arrayContaining(['code', 'state', 'iss']),
    );
    expect(sandbox.events.latest('token.issued', 1)).toHaveLength(1);
    const out = await agent.submit(page, 'app-sign-out');
    expect(out.html).toContain('Nobody is signed in here');
    expect(out.html).toContain('data-testid="app-accounts"');
  });

  it('signs everybody of a session out when the provider tells that it has ended', async () => {
    await signIn('alice');
    const other = createAgent(sandbox.url);
    await signIn('bob', other);
    const page = await agent.open(`${sandbox.url}/connect/logout`);
    await agent.submit(page, 'logout-confirm');
    expect(sandbox.events.latest('logout.notified', 1)[0]).toMatchObject({ client_id: 'demo-app', status: 200 });
    expect((await agent.open(app())).html).toContain('Nobody is signed in here');
    expect((await other.open(app())).html).toContain('account of <strong>Bob Brewer</strong>');
  });

  it('refuses an ID token where a logout token is due', async () => {
    await signIn('alice');
    const idToken = sandbox.events.latest('token.issued', 5).find(({ tokenType }) => tokenType === 'id')?.token ?? '';
    const tell = (logout_token: string) =>
      fetch(`${app()}/back-channel-logout`, { method: 'POST', body: new URLSearchParams({ logout_token }) });
    for (const sent of [idToken, 'no JWT', '']) expect((await tell(sent)).status).toBe(400);
    expect((await agent.open(app())).html).toContain('account of <strong>Alice Archer</strong>');
  });

  it('shows an error of the provider', async () => {
    const page = await agent.submit(await begin(), 'login-deny');
    expect(page.html).toContain('The provider answered with an error.');
    expect(page.html).toContain('access_denied');
    expect(lastRefusal()).toMatchObject({ why: 'error', expected: 'a code' });
  });

  it('refuses a form of a page of a different origin', async () => {
    const answer = await fetch(`${app()}/reset`, { method: 'POST', headers: { origin: 'https://evil.example' } });
    expect(answer.status).toBe(403);
  });
});

it.each(['relying-party', 'oauth-bcp'])(
  'the demo application fails no module of the plan %s',
  async plan => {
    const login = async () => (await begin(createAgent(sandbox.url))).html.includes('data-testid="app-account"');
    const { modules } = await sandbox.examine({ plan, user: 'alice', login });
    expect(modules.filter(each => each.verdict === 'fail').map(each => each.id)).toEqual([]);
    expect(modules.find(each => each.id === 'error-and-code' || each.id === 'missing-sub')?.verdict).toBe('pass');
  },
  60_000,
);

describe('a protection of the demo application', () => {
  it('state: a login that an attacker began is refused, and without it the victim acts in their account', async () => {
    await registerWithSecret();
    await protect({ pkce: false, nonce: false });
    const attacker = createAgent(sandbox.url);
    await begin();
    const refused = await agent.open(await heldAnswer('bob', attacker));
    expect(refused.html).toContain('The state is not the one that this browser sent.');
    expect(lastRefusal()).toMatchObject({ why: 'state' });
    await protect({ pkce: false, nonce: false, state: false });
    const taken = await agent.open(await heldAnswer('bob', attacker));
    expect(taken.html).toContain('account of <strong>Bob Brewer</strong>');
    expect(lastSignIn()).toMatchObject({ sub: 'bob' });
  });

  it('nonce: an ID token of a login that somebody else began is refused', async () => {
    await registerWithSecret();
    await protect({ pkce: false, state: false });
    await begin();
    await agent.open(await heldAnswer('bob', createAgent(sandbox.url)));
    expect(lastRefusal()).toMatchObject({ why: 'nonce' });
  });

  it('pkce: a code of somebody else is refused by the server, because the verifier is of this browser', async () => {
    await registerWithSecret();
    await protect({ state: false, nonce: false });
    await begin();
    const page = await agent.open(await heldAnswer('bob', createAgent(sandbox.url)));
    expect(page.html).toContain('invalid_grant');
    expect(lastRefusal()).toMatchObject({ why: 'error', expected: 'an ID token' });
  });

  it('sub: an account is not found by an e-mail that somebody else wrote into their profile', async () => {
    await signIn('alice');
    await sandbox.users.patch('bob', { claims: { email: 'alice@example.com' } });
    const bob = createAgent(sandbox.url);
    await signIn('bob', bob);
    expect(lastSignIn()).toMatchObject({ sub: 'bob', account: 'bob' });
    await agent.submit(await agent.open(app()), 'app-reset');
    await protect({ sub: false });
    await signIn('alice', createAgent(sandbox.url));
    const page = await signIn('bob', createAgent(sandbox.url));
    expect(lastSignIn()).toMatchObject({ sub: 'bob', account: 'alice' });
    expect(page.html).toContain('account of <strong>Alice Archer</strong>');
  });

  it('iss: an answer that names a different issuer is refused', async () => {
    const held = await heldAnswer('alice', agent);
    held.searchParams.set('iss', 'https://evil.example');
    await agent.open(held);
    expect(lastRefusal()).toMatchObject({ why: 'iss', sent: 'https://evil.example', expected: sandbox.issuer });
  });
});
