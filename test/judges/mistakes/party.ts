import * as client from 'openid-client';
import type { ClientEntry } from '../../../src/index.ts';
import { type Agent, createAgent } from '../../support/agent.ts';
import { callback, secret, type World } from './world.ts';

type Form = Readonly<Record<string, string>>;

interface Options {
  readonly auth?: client.ClientAuth;
  /** What stands between library and server. */
  readonly fetch?: World['fetch'];
  /** What the app believes of the server. */
  readonly metadata?: Partial<client.ServerMetadata>;
  readonly alg?: string;
}

/** What an app keeps between the start of a login and its callback. */
export interface Begun {
  readonly url: URL;
  readonly checks: client.AuthorizationCodeGrantChecks;
}

/** An application made with openid-client. */
export interface Party {
  readonly config: client.Configuration;
  /** Makes the address of a login; an empty value leaves a parameter out. */
  begin(changes?: Form): Promise<Begun>;
  /** Redeems the code of the address that the browser landed at. */
  finish(
    landed: URL,
    checks: client.AuthorizationCodeGrantChecks,
    changes?: Form,
  ): ReturnType<typeof client.authorizationCodeGrant>;
  /** A whole login. */
  logIn(changes?: Form): ReturnType<typeof client.authorizationCodeGrant>;
}

export async function createParty(world: World, me: ClientEntry, options: Options = {}): Promise<Party> {
  const config = await configure(world, me, options);
  const party: Party = {
    config,
    async begin(changes = {}) {
      const { checks, parameters } = await loginParameters(changes);
      return { checks, url: client.buildAuthorizationUrl(config, parameters) };
    },
    finish: (landed, checks, changes = {}) => client.authorizationCodeGrant(config, landed, checks, changes),
    async logIn(changes) {
      const { url, checks } = await party.begin(changes);
      return party.finish(await signIn(world, url), checks);
    },
  };
  return party;
}

async function configure(world: World, me: ClientEntry, { auth, metadata = {}, alg = 'ES256', ...options }: Options) {
  const server = (await (
    await fetch(`${world.sandbox.issuer}/.well-known/openid-configuration`)
  ).json()) as client.ServerMetadata;
  const own = { id_token_signed_response_alg: alg, [client.clockSkew]: world.ahead() };
  const proof = auth ?? (me.client_secret === undefined ? client.None() : client.ClientSecretBasic(secret));
  const config = new client.Configuration({ ...server, ...metadata }, me.client_id, own, proof);
  client.allowInsecureRequests(config);
  const call = options.fetch ?? world.fetch;
  config[client.customFetch] = (url, init) => call(url, init as RequestInit);
  return config;
}

/** The parameters of a login, and what the library compares its answer with. */
export async function loginParameters(changes: Form = {}) {
  const checks = {
    pkceCodeVerifier: client.randomPKCECodeVerifier(),
    expectedState: client.randomState(),
    expectedNonce: client.randomNonce(),
  };
  const complete = {
    redirect_uri: callback,
    scope: 'openid profile products:read',
    state: checks.expectedState,
    nonce: checks.expectedNonce,
    code_challenge: await client.calculatePKCECodeChallenge(checks.pkceCodeVerifier),
    code_challenge_method: 'S256',
    ...changes,
  };
  const parameters = Object.fromEntries(Object.entries(complete).filter(([, value]) => value !== ''));
  return { checks, parameters };
}

/** The browser walks through the login page to the app, or straight to it where nobody has to be asked. */
export async function signIn(world: World, url: URL, agent: Agent = browser(world)): Promise<URL> {
  const page = await agent.open(url);
  if (page.html === '') return page.url;
  return (await agent.submit(page, 'login-user-alice')).url;
}

/** A browser without scripts; `changes` sends headers of its own. */
export function browser(world: World, headers: Form = {}): Agent {
  return createAgent(world.url, (url, init) => {
    const all = new Headers(init.headers);
    for (const [name, value] of Object.entries(headers)) all.set(name, value);
    return world.fetch(url, { ...init, headers: all });
  });
}

/** A call of the sample backend by openid-client. */
export function callApi(
  world: World,
  { config }: Party,
  accessToken: string,
  options?: client.DPoPOptions,
): Promise<Response> {
  const url = new URL('/api/products', world.url);
  return client.fetchProtectedResource(config, accessToken, url, 'GET', undefined, undefined, options);
}
