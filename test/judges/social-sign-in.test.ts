import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import https, { Agent } from 'node:https';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Auth, type AuthConfig, skipCSRFCheck } from '@auth/core';
import type { OAuth2Config, OAuthUserConfig } from '@auth/core/providers';
import Google, { type GoogleProfile } from '@auth/core/providers/google';
import { SignJWT } from 'jose';
import { afterAll, afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Sandbox, SandboxConfig } from '../../src/index.ts';
import { createAgent } from '../support/agent.ts';
import { createSandbox } from '../support/bundle.ts';
import { newFolder } from '../support/new-folder.ts';
import { snippetsOf, textOfElement } from '../support/snippets.ts';
import { createTlsFetch } from '../support/tls-fetch.ts';
import { exportsOf } from './support/run-snippet.ts';

// The unmodified packages log in. Those with fixed hosts are sent to the sandbox by the agent of their HTTPS requests.

const require = createRequire(import.meta.url);
const key = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const jwks = { keys: [{ ...key.publicKey.export({ format: 'jwk' }), kid: 'KEY0000001', alg: 'ES256' }] };
const user = {
  sub: 'alice',
  claims: {
    name: 'Alice Archer',
    given_name: 'Alice',
    family_name: 'Archer',
    email: 'alice@example.com',
    email_verified: true,
    uid: 583231,
  },
};

const appUrl = 'http://localhost:3000';

type Fetch = Parameters<typeof createAgent>[1];

function configOf(preset: NonNullable<SandboxConfig['preset']>, name: string, more: SandboxConfig = {}): SandboxConfig {
  const redirect_uris = [`${appUrl}/auth/callback/${name}`];
  const proof =
    name === 'apple'
      ? ({ token_endpoint_auth_method: 'private_key_jwt', jwks } as const)
      : { client_secret: `${name}-secret` };
  return {
    preset,
    autoLogin: 'alice',
    users: [user],
    clients: [{ client_id: name, ...proof, redirect_uris }],
    ...more,
  };
}

const sandboxes: Sandbox[] = [];
async function start(config: SandboxConfig): Promise<Sandbox> {
  const sandbox = await createSandbox(config);
  sandboxes.push(sandbox);
  return sandbox;
}
afterEach(() => void vi.unstubAllEnvs());
afterAll(() => Promise.all(sandboxes.map(sandbox => sandbox.stop())));

/** What the browser brings back to the application. */
interface Returned {
  readonly url: URL;
  readonly body?: URLSearchParams;
}

async function browse(address: string, fetchBy?: Fetch): Promise<Returned> {
  const agent = createAgent(new URL(address).origin, fetchBy);
  const visit = await agent.open(address);
  return visit.status === 200 ? agent.submit(visit, 'form-post') : visit;
}

interface Signed {
  readonly session: Readonly<Record<string, unknown>>;
  readonly account: Readonly<Record<string, unknown>>;
}

/** A login by Auth.js, with the cookies of a browser. `spoil` changes what comes back. */
async function signIn(
  id: string,
  provider: AuthConfig['providers'][number],
  spoil = (returned: Returned) => returned,
): Promise<Signed & { readonly location: string }> {
  const cookies = new Map<string, string>();
  let account: Signed['account'] = {};
  const config: AuthConfig = {
    providers: [provider],
    secret: 'a secret of the application, long enough',
    trustHost: true,
    basePath: '/auth',
    skipCSRFCheck,
    logger: { error() {}, warn() {}, debug() {} },
    callbacks: {
      jwt({ token, account: given }) {
        if (given) account = { ...given };
        return token;
      },
    },
  };
  const send = async (path: string, init: RequestInit = {}) => {
    const headers = { cookie: [...cookies].map(pair => pair.join('=')).join('; ') };
    const response = await Auth(new Request(new URL(path, appUrl), { ...init, headers }), config);
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
    }
    return response;
  };
  const started = await send(`/auth/signin/${id}`, { method: 'POST', body: new URLSearchParams() });
  const { url, body } = spoil(await browse(started.headers.get('location') ?? ''));
  const init = body === undefined ? {} : { method: 'POST', body };
  const ended = await send(`${url.pathname}${url.search}`, init);
  const session = await (await send('/auth/session')).json();
  return { session: session ?? {}, account, location: ended.headers.get('location') ?? '' };
}

const aliceSession = { user: { name: 'Alice Archer', email: 'alice@example.com' } };

function withoutCode({ url, body }: Returned): Returned {
  const spoilt = new URL(url);
  if (spoilt.searchParams.has('code')) spoilt.searchParams.set('code', 'x');
  body?.set('code', 'x');
  return { url: spoilt, ...(body && { body }) };
}

/** What the snippet on the page Connect exports. */
async function snippetOf({ url }: Sandbox, id: string): Promise<Readonly<Record<string, unknown>>> {
  return exportsOf((await snippetsOf(url))(id));
}

/** The provider of Auth.js in a snippet, with the options that it was made of. */
async function providerOf(sandbox: Sandbox, id: string) {
  const { provider } = await snippetOf(sandbox, id);
  return provider as OAuth2Config<unknown> & { readonly options: OAuthUserConfig<GoogleProfile> }; // the snippet exports it
}

async function appleSecret(): Promise<string> {
  return new SignJWT({ iss: 'TEAM123456', sub: 'apple', aud: 'https://appleid.apple.com' })
    .setProtectedHeader({ alg: 'ES256', kid: 'KEY0000001' })
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(key.privateKey);
}

describe('@auth/core', () => {
  it('logs in with its Google provider, and refuses a wrong code', async () => {
    const sandbox = await start(configOf('google', 'google'));
    const params = { access_type: 'offline', scope: 'openid email profile' };
    const { options } = await providerOf(sandbox, 'google-auth-js');
    const provider = Google({ ...options, authorization: { params } });
    const { session, account } = await signIn('google', provider);
    expect(session).toMatchObject(aliceSession);
    expect(account).toMatchObject({ providerAccountId: 'alice', refresh_token: expect.stringMatching(/^1\/\/0/) });
    expect((await signIn('google', provider, withoutCode)).location).toContain('error=');
  });

  it('logs in with its GitHub provider, and refuses a wrong code', async () => {
    const provider = await providerOf(await start(configOf('github', 'github')), 'github-auth-js');
    const { session, account } = await signIn('github', provider);
    expect(session).toMatchObject(aliceSession);
    expect(account).toMatchObject({
      providerAccountId: '583231',
      token_type: 'bearer',
      access_token: expect.stringMatching(/^gho_/),
    });
    expect((await signIn('github', provider, withoutCode)).location).toContain('error=');
  });

  it('logs in with its Apple provider, knows the name only once, and refuses a wrong code', async () => {
    const sandbox = await start(configOf({ name: 'apple', team: 'TEAM123456' }, 'apple'));
    vi.stubEnv('AUTH_APPLE_SECRET', await appleSecret());
    const provider = await providerOf(sandbox, 'apple-auth-js');
    const { session, account } = await signIn('apple', provider);
    expect(session).toMatchObject(aliceSession);
    expect(account).toMatchObject({ providerAccountId: 'alice', refresh_token: expect.any(String) });
    const again = await signIn('apple', provider);
    expect(again.session).toMatchObject({ user: { name: 'alice@example.com' } });
    expect((await signIn('apple', provider, withoutCode)).location).toContain('error=');
  });
});

interface Outcome {
  readonly url?: string;
  readonly user?: Readonly<Record<string, unknown>>;
  readonly error?: Error;
  readonly challenge?: unknown;
}
interface Strategy {
  authenticate(req: object, options?: object): void;
}
type StrategyClass = new (options: object, verify: (...given: never[]) => void) => Strategy;

/** What Passport does with a strategy: it gives it the ways to answer. */
function run(strategy: Strategy, req: object, options: object = {}): Promise<Outcome> {
  return new Promise(resolve => {
    const answers = {
      success: (found: Outcome['user']) => resolve({ ...(found && { user: found }) }),
      redirect: (url: string) => resolve({ url }),
      fail: (challenge: unknown) => resolve({ challenge }),
      error: (error: Error) => resolve({ error }),
    };
    Object.assign(Object.create(strategy), answers).authenticate({ query: {}, body: {}, session: {}, ...req }, options);
  });
}

async function strategyOf(sandbox: Sandbox, id: string): Promise<Strategy> {
  return (await snippetOf(sandbox, id)).strategy as Strategy; // the snippet exports it
}

const verify = (
  accessToken: string,
  refreshToken: string,
  profile: object,
  done: (error: null, user: object) => void,
) => done(null, { accessToken, refreshToken, profile });

/** Sends each HTTPS request of this process to the sandbox, whatever its host is. */
function sendHome({ url, tls }: Sandbox): Fetch {
  const identity = { ca: tls?.ca ?? '', host: '127.0.0.1', port: Number(new URL(url).port) };
  const before = https.globalAgent;
  https.globalAgent = new Agent(identity);
  onTestFinished(() => {
    https.globalAgent = before;
  });
  return createTlsFetch(identity) as Fetch; // an agent sends no other bodies
}

describe('passport', () => {
  it('logs in with passport-google-oauth20 at the hosts of Google, and refuses a wrong code', async () => {
    const sandbox = await start(
      configOf('google', 'google', { issuer: 'https://accounts.google.com', tls: 'self-signed' }),
    );
    const fetchBy = sendHome(sandbox);
    const { Strategy } = require('passport-google-oauth20') as { Strategy: StrategyClass };
    const callbackURL = `${appUrl}/auth/callback/google`;
    const strategy = new Strategy({ clientID: 'google', clientSecret: 'google-secret', callbackURL }, verify);
    const { url = '' } = await run(strategy, {}, { scope: ['profile', 'email'], accessType: 'offline' });
    expect(url).toMatch(/^https:\/\/accounts\.google\.com\/o\/oauth2\/v2\/auth\?/);
    const { searchParams } = (await browse(url, fetchBy)).url;
    const { user: found } = await run(strategy, { query: Object.fromEntries(searchParams) });
    expect(found).toMatchObject({
      refreshToken: expect.stringMatching(/^1\/\/0/),
      profile: { id: 'alice', displayName: 'Alice Archer', emails: [{ value: 'alice@example.com', verified: true }] },
    });
    const { error } = await run(strategy, { query: { code: 'x' } });
    expect(error).toMatchObject({ message: 'Bad Request', code: 'invalid_grant' });
  });

  it('logs in with passport-google-oauth20 at the address of the sandbox', async () => {
    const strategy = await strategyOf(await start(configOf('google', 'google')), 'google-passport');
    const { url = '' } = await run(strategy, {});
    const { searchParams } = (await browse(url)).url;
    const { user: found } = await run(strategy, { query: Object.fromEntries(searchParams) });
    expect(found).toMatchObject({ id: 'alice', emails: [{ value: 'alice@example.com', verified: true }] });
  });

  it('logs in with passport-github2, and refuses a wrong code', async () => {
    const strategy = await strategyOf(await start(configOf('github', 'github')), 'github-passport');
    const { url = '' } = await run(strategy, {});
    const { searchParams } = (await browse(url)).url;
    const { user: found } = await run(strategy, { query: Object.fromEntries(searchParams) });
    expect(found).toMatchObject({
      id: '583231',
      username: 'alice',
      displayName: 'Alice Archer',
      emails: [{ value: 'alice@example.com' }],
    });
    expect((await run(strategy, { query: { code: 'x' } })).error).toBeInstanceOf(Error);
  });

  it('logs in with @nicokaiser/passport-apple at the host of Apple, and refuses a wrong code', async () => {
    const sandbox = await start(
      configOf({ name: 'apple', team: 'TEAM123456' }, 'apple', {
        issuer: 'https://appleid.apple.com',
        tls: 'self-signed',
      }),
    );
    const fetchBy = sendHome(sandbox);
    const folder = newFolder();
    vi.stubEnv('APPLE_KEY_ID', 'KEY0000001');
    vi.stubEnv('APPLE_KEY_FILE', join(folder, 'key.pem'));
    writeFileSync(join(folder, 'key.pem'), key.privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const connect = await createAgent(sandbox.issuer, fetchBy).open(`${sandbox.issuer}/dashboard/connect`);
    const code = textOfElement(connect.html, 'code-apple-passport');
    const strategy = (await exportsOf(code)).strategy as Strategy; // the snippet exports it
    const { url = '' } = await run(strategy, {});
    expect(url).toMatch(/^https:\/\/appleid\.apple\.com\/auth\/authorize\?/);
    const { body } = await browse(url, fetchBy);
    const { user: found, error } = await run(strategy, { body: Object.fromEntries(body ?? []) });
    expect(error).toBeUndefined();
    expect(found).toMatchObject({
      id: 'alice',
      email: 'alice@example.com',
      emailVerified: true,
      name: { firstName: 'Alice', lastName: 'Archer' },
    });
    expect((await run(strategy, { body: { code: 'x' } })).error).toMatchObject({ code: 'invalid_grant' });
    expect(await run(strategy, { body: { error: 'user_cancelled_authorize' } })).toMatchObject({
      challenge: { message: 'User cancelled authorize' },
    });
  });
});
