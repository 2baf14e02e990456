import { createRequire } from 'node:module';
import {
  ConfidentialClientApplication,
  CryptoProvider,
  type INetworkModule,
  type NetworkRequestOptions,
  type NetworkResponse,
} from '@azure/msal-node';
import { afterEach, describe, expect, it } from 'vitest';
import type { Sandbox, SandboxConfig } from '../../src/index.ts';
import { createSandbox } from '../support/bundle.ts';
import { createTlsFetch, type TlsFetch } from '../support/tls-fetch.ts';
import { type LeftUnchecked, leftUnchecked } from './support/left-unchecked.ts';

// Libraries of servers for one provider, or with fixed addresses, pass the plans of the examiner, or fail only for what
// is written here. test/judges/browser/examine.test.ts has those of pages.

const redirect_uri = 'https://web.example/callback';

let sandbox: Sandbox;
afterEach(() => sandbox.stop());

type SignIn = (at: { readonly issuer: string }) => Promise<boolean>;

interface Judge {
  readonly config: SandboxConfig;
  /** The name of the library in the result. */
  readonly library: string;
  create(): SignIn;
  /** Its modules fail or warn. */
  readonly leaves: readonly LeftUnchecked[];
}

/** Follows redirects until one leads to the app; the provider signs the user in by itself. */
async function callback(from: string, ask: TlsFetch): Promise<URL> {
  let at = new URL(from);
  for (let hop = 0; hop < 5; hop++) {
    const response = await ask(at, { redirect: 'manual' } as object);
    at = new URL(response.headers.get('location') ?? '', at);
    if (at.href.startsWith(redirect_uri)) return at;
  }
  throw new Error(`no way back to the app from ${from}`);
}

/** The library asks for state and nonce, which the app keeps in the session. */
function msalNode(): SignIn {
  const ask = createTlsFetch({ ca: sandbox.tls?.ca ?? '' });
  async function sent<T>(url: string, method: string, { headers, body }: NetworkRequestOptions = {}) {
    const response = await ask(url, { method, headers, body });
    const answer = { status: response.status, headers: Object.fromEntries(response.headers) };
    return { ...answer, body: (await response.json()) as T } as NetworkResponse<T>; // as the interface has it
  }
  const networkClient: INetworkModule = {
    sendGetRequestAsync: (url, options) => sent(url, 'GET', options),
    sendPostRequestAsync: (url, options) => sent(url, 'POST', options),
  };
  const crypto = new CryptoProvider();
  return async ({ issuer }) => {
    const knownAuthorities = [new URL(issuer).host];
    const auth = { clientId: 'web', clientSecret: 'web-secret', authority: issuer, knownAuthorities };
    const app = new ConfidentialClientApplication({ auth, system: { networkClient } });
    const { verifier, challenge } = await crypto.generatePkceCodes();
    const [state, nonce] = [crypto.createNewGuid(), crypto.createNewGuid()];
    const request = { scopes: ['User.Read'], redirectUri: redirect_uri, state, nonce };
    const url = await app.getAuthCodeUrl({ ...request, codeChallenge: challenge, codeChallengeMethod: 'S256' });
    const { searchParams } = await callback(url, ask);
    const error = searchParams.get('error');
    if (error !== null) throw new Error(error);
    const payload = { code: searchParams.get('code') ?? '', state: searchParams.get('state') ?? '', nonce };
    const result = await app.acquireTokenByCode({ ...request, code: payload.code, codeVerifier: verifier }, payload);
    return result.account !== null;
  };
}

interface Strategy {
  authenticate(req: object, options: object): void;
}
type Verify = (issuer: string, profile: { id?: string }, done: (error: null, user: object) => void) => void;
const { Strategy: OpenIdConnect } = createRequire(import.meta.url)('passport-openidconnect') as {
  Strategy: new (
    options: object,
    verify: Verify,
  ) => Strategy; // it has no types
};

function passport(): SignIn {
  return async ({ issuer }) => {
    const [authorizationURL, tokenURL] = [`${issuer}/oauth2/authorize`, `${issuer}/oauth2/token`];
    const client = { clientID: 'web', clientSecret: 'web-secret', callbackURL: redirect_uri };
    const addresses = { issuer, authorizationURL, tokenURL, userInfoURL: `${issuer}/userinfo` };
    const options = { ...addresses, ...client, scope: ['profile', 'email'], nonce: true, skipUserProfile: false };
    const strategy = new OpenIdConnect(options, (_issuer, { id }, done) => done(null, { id }));
    const session = {};
    const url = await run(strategy, { session });
    if (typeof url !== 'string') throw new Error('no redirect');
    const { searchParams } = await callback(url, fetch as TlsFetch);
    return (await run(strategy, { session, query: Object.fromEntries(searchParams) })) !== undefined;
  };
}

/** What Passport does with a strategy: it gives it the ways to answer. */
function run(strategy: Strategy, req: object): Promise<unknown> {
  return new Promise((redirected, failed) => {
    const answers = {
      success: redirected,
      redirect: redirected,
      fail: (challenge: { message?: string }) => failed(new Error(challenge?.message ?? 'refused')),
      error: failed,
    };
    const made = Object.assign(Object.create(strategy) as Strategy, answers);
    made.authenticate({ query: {}, headers: {}, ...req }, {});
  });
}

const web = { client_id: 'web', client_secret: 'web-secret', redirect_uris: [redirect_uri], require_pkce: false };

const judges: Readonly<Record<string, Judge>> = {
  '@azure/msal-node': {
    create: msalNode,
    library: 'MSAL Node',
    config: {
      preset: 'entra',
      tls: 'self-signed',
      clients: [{ ...web, scope: 'openid profile email offline_access User.Read' }],
    },
    leaves: [
      ...(['claims', 'notBefore', 'hash', 'sub', 'signature', 'metadata', 'responseIssuer'] as const),
      ...(['secondIssuer', 'tokenType', 'secret'] as const),
    ],
  },
  'passport-openidconnect': {
    create: passport,
    library: 'passport-openidconnect',
    config: { clients: [{ ...web, scope: 'openid profile email' }] },
    leaves: [
      'signature',
      'notBefore',
      'hash',
      'userinfo',
      'responseIssuer',
      'pkce',
      'tokenInResponse',
      'secret',
      'tokenType',
    ],
  },
};

describe.each(Object.entries(judges))('%s', (_name, { create, config, leaves, library }) => {
  it.each(['relying-party', 'oauth-bcp'])('passes the plan %s', async plan => {
    sandbox = await createSandbox({ ...config, users: [{ sub: 'alice', claims: { name: 'Alice Archer' } }] });
    const { modules, issuers, ...told } = await sandbox.examine({ plan, login: create(), user: 'alice' });
    expect([issuers, told.library?.name]).toEqual(['own', library]);
    const found = modules.filter(({ verdict }) => !['pass', 'not_applicable'].includes(verdict));
    const shown = modules.map(({ id, verdict, why, said }) => `${verdict} ${id}: ${why} ${said}`);
    const expected: readonly string[] = leaves.flatMap(each => leftUnchecked[each]);
    expect(
      found.map(({ id }) => id),
      shown.join('\n'),
    ).toEqual(modules.map(({ id }) => id).filter(id => expected.includes(id)));
    expect(modules.filter(({ verdict }) => verdict === 'pass').length).toBeGreaterThan(5);
  });
});
