import {
  createLocalJWKSet,
  type JWTHeaderParameters,
  type JWTPayload,
  type JWTVerifyOptions,
  jwtVerify,
  SignJWT,
} from 'jose';
import { expect } from 'vitest';
import type { ClientEntry, Sandbox, SandboxConfig } from '../../src/index.ts';
import { type Agent, createAgent, type Visit } from '../support/agent.ts';
import { createSandbox } from '../support/bundle.ts';
import { type ClientKey, makeClientKey } from '../support/keys-server.ts';
import { get, post } from '../support/wire.ts';
import {
  checkAuthorizationError,
  checkAuthorizationResponse,
  checkDiscovery,
  checkIdToken,
  checkKeys,
  checkRegistration,
  checkTokenResponse,
  checkUserInfo,
  type Json,
  type Metadata,
  type Registration,
  type Sent,
  type TokenResponse,
} from './checks.ts';

export const callback = 'https://rp.example/callback';

type Form = Readonly<Record<string, string>>;

/** The server under test, with a clock that moves by hand. */
export interface Op extends AsyncDisposable {
  readonly sandbox: Sandbox;
  readonly metadata: Metadata;
  now(): number;
  pass(seconds: number): void;
  agent(): Agent;
}

export async function startOp(config: SandboxConfig = {}): Promise<Op> {
  let now = Math.floor(Date.now() / 1000);
  const sandbox = await createSandbox(config, { now: () => now });
  const metadata = await checkDiscovery(await get(`${sandbox.url}/.well-known/openid-configuration`));
  await checkKeys(await get(metadata.jwks_uri));
  return {
    sandbox,
    metadata,
    now: () => now,
    pass(seconds) {
      now += seconds;
    },
    agent: () => createAgent(new URL(sandbox.url).origin),
    [Symbol.asyncDispose]: () => sandbox.stop(),
  };
}

/** What the server answered to an authorization request. */
export interface Answer {
  readonly agent: Agent;
  /** The page that came first; absent where the answer was silent. */
  readonly page?: Visit;
  /** Where it went, without the parameters. */
  readonly to: string;
  readonly parameters: URLSearchParams;
  readonly sent: Sent;
  readonly nonce: string | undefined;
  readonly response_type: string;
  /** Of the front channel, judged. */
  readonly idToken?: JWTPayload;
}

/** A relying party under test conditions: everything that comes back to it is checked. */
export interface Party {
  readonly op: Op;
  readonly client: ClientEntry;
  /** The address of an authorization request; an empty value takes a parameter away. */
  request(parameters?: Form): { readonly url: URL; readonly query: URLSearchParams };
  /** A whole authorization: request, login where a page comes, answer. */
  authorize(parameters?: Form, options?: WalkOptions): Promise<Answer>;
  /** The same, where the request is of another form than plain parameters. */
  follow(url: URL, query: URLSearchParams, options?: WalkOptions): Promise<Answer>;
  /** A request to the token endpoint, with the client's authentication. */
  ask(form: Form): Promise<Response>;
  redeem(answer: Answer, changes?: Form): Promise<Tokens>;
  userInfo(access_token: string, sub: string | undefined): Promise<Json>;
  /** Answer, tokens and UserInfo, all checked. */
  logIn(parameters?: Form, options?: WalkOptions): Promise<LogIn>;
}

export type Tokens = TokenResponse & { readonly id_token: string; readonly idToken: JWTPayload };
export interface LogIn {
  readonly answer: Answer;
  /** Absent without a code. */
  readonly tokens?: Tokens;
  /** The one of the token endpoint, or that of the front channel. */
  readonly idToken: JWTPayload;
  /** Of both channels; UserInfo has answered to each. */
  readonly accessTokens: readonly string[];
  /** What UserInfo said; without an access token, what the ID token says. */
  readonly claims: Json;
}

export interface WalkOptions {
  readonly agent?: Agent;
  readonly user?: string;
  /** The request is a form that is posted. */
  readonly isPosted?: boolean;
}

/** A text that was not there before. */
export const one = () => Buffer.from(crypto.getRandomValues(new Uint8Array(24))).toString('base64url');
/** 128 characters, as long as the suite's. */
export const longState = () => one().repeat(4);

/** The party of a client that is registered. */
export function partyOf(op: Op, client: ClientEntry, key?: ClientKey): Party {
  const [redirect_uri = ''] = client.redirect_uris ?? [];
  const party: Party = {
    op,
    client,
    request(parameters = {}) {
      const complete = {
        client_id: client.client_id,
        redirect_uri,
        response_type: client.response_types?.[0] ?? 'code',
        scope: 'openid',
        state: longState(),
        nonce: one(),
        ...parameters,
      };
      const query = new URLSearchParams(Object.entries(complete).filter(([, value]) => value !== ''));
      return { url: new URL(`${op.metadata.authorization_endpoint}?${query}`), query };
    },
    authorize(parameters, options) {
      const { url, query } = party.request(parameters);
      return party.follow(url, query, options);
    },
    follow: (url, query, options = {}) => walk(party, url, query, options),
    ask: form => askTokens(party, form, key),
    async redeem({ sent, nonce, parameters, idToken }, changes = {}) {
      const response = await party.ask({
        grant_type: 'authorization_code',
        code: parameters.get('code') ?? '',
        redirect_uri: sent.redirect_uri,
        ...changes,
      });
      const tokens = await checkTokenResponse(response);
      const judged = await judge(party, tokens.id_token, nonce);
      if (judged.at_hash !== undefined) expect(judged.at_hash).toBe(await halfHash(tokens.access_token));
      if (idToken !== undefined) expect(judged).toMatchObject({ iss: idToken.iss, sub: idToken.sub });
      return { ...tokens, id_token: tokens.id_token ?? '', idToken: judged };
    },
    async userInfo(access_token, sub = '') {
      const response = await get(op.metadata.userinfo_endpoint, { authorization: `Bearer ${access_token}` });
      return checkUserInfo(response, sub);
    },
    logIn: async (parameters, options) => finish(party, await party.authorize(parameters, options)),
  };
  return party;
}

/** What follows a good answer: tokens for the code, and UserInfo for each access token. */
export async function finish(party: Party, answer: Answer): Promise<LogIn> {
  expect(Object.fromEntries(answer.parameters)).not.toHaveProperty('error');
  const tokens = answer.parameters.has('code') ? await party.redeem(answer) : undefined;
  const idToken = tokens?.idToken ?? answer.idToken ?? {};
  const accessTokens = [answer.parameters.get('access_token'), tokens?.access_token].flatMap(each => each ?? []);
  let claims: Json = idToken;
  for (const token of accessTokens) claims = await party.userInfo(token, idToken.sub);
  return { answer, ...(tokens === undefined ? {} : { tokens }), idToken, accessTokens, claims };
}

/** A party that registers itself. */
export async function register(
  op: Op,
  metadata: Json = {},
  key?: ClientKey,
): Promise<Party & { readonly registration: Registration }> {
  const registration = await checkRegistration(await sendRegistration(op, metadata));
  return { ...partyOf(op, registration as unknown as ClientEntry, key), registration };
}

export function sendRegistration(op: Op, metadata: Json = {}): Promise<Response> {
  return fetch(op.metadata.registration_endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ redirect_uris: [callback], grant_types: ['authorization_code'], ...metadata }),
  });
}

/** RSA keys take long to make. */
const clientKey = makeClientKey('RS256', { kid: 'rp-key', alg: 'RS256', use: 'sig' });

/** One that proves itself with a key, as the dynamic plan has it. */
export async function registerWithKey(op: Op, metadata: Json = {}) {
  const key = await clientKey;
  const keys = 'jwks_uri' in metadata ? {} : { jwks: { keys: [key.publicJwk] } };
  return { ...(await register(op, { token_endpoint_auth_method: 'private_key_jwt', ...keys, ...metadata }, key)), key };
}

/** Left-most half of the SHA-256, as RS256 has it (OIDC Core §3.1.3.6). */
export async function halfHash(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Buffer.from(digest.slice(0, 16)).toString('base64url');
}

/** An ID token of this party, as it judges it. */
export async function judge({ op, client }: Party, idToken: string | undefined, nonce?: string): Promise<JWTPayload> {
  const keys = await checkKeys(await get(op.metadata.jwks_uri));
  const { issuer } = op.metadata;
  const alg = client.id_token_signed_response_alg ?? 'RS256';
  return checkIdToken(idToken ?? '', { issuer, client_id: client.client_id, keys, now: op.now(), nonce, alg });
}

/** Another JWT of the server, for this party: signed by one of its keys, from the issuer, to the client. */
export async function judgeJwt(
  { op, client }: Party,
  jwt: string,
  options: JWTVerifyOptions = {},
): Promise<JWTPayload> {
  const keys = createLocalJWKSet(await checkKeys(await get(op.metadata.jwks_uri)));
  const { issuer } = op.metadata;
  const currentDate = new Date(op.now() * 1000);
  return (await jwtVerify(jwt, keys, { issuer, audience: client.client_id, currentDate, ...options })).payload;
}

async function walk(party: Party, url: URL, query: URLSearchParams, options: WalkOptions): Promise<Answer> {
  const { op } = party;
  const { agent = op.agent(), user = 'alice', isPosted = false } = options;
  const first = isPosted ? await postForm(agent, url) : await agent.open(url);
  const visit = await pass(agent, first, user);
  const response_type = query.get('response_type') ?? '';
  const sent = {
    issuer: op.metadata.issuer,
    redirect_uri: query.get('redirect_uri') ?? '',
    state: query.get('state') ?? undefined,
  };
  const nonce = query.get('nonce') ?? undefined;
  const { to, parameters } = readAnswer(visit, sent.redirect_uri, response_type, query.get('response_mode'));
  const isSilent = first.url.origin !== new URL(op.sandbox.url).origin || first.html.includes('id="form-post"');
  const answer = { agent, to, parameters, sent, nonce, response_type, ...(isSilent ? {} : { page: first }) };
  if (parameters.has('error')) {
    checkAuthorizationError(to, parameters, sent);
    return answer;
  }
  checkAuthorizationResponse(to, parameters, sent);
  for (const part of response_type.split(' ')) expect([...parameters.keys()]).toContain(nameOf(part));
  const idToken = parameters.get('id_token') ?? undefined;
  return idToken === undefined ? answer : { ...answer, idToken: await judgeFront(party, idToken, parameters, nonce) };
}

function nameOf(part: string): string {
  return part === 'token' ? 'access_token' : part;
}

/** Hashes must be there in the front channel (OIDC Core §3.2.2.9, §3.3.2.11). */
async function judgeFront(party: Party, idToken: string, parameters: URLSearchParams, nonce: string | undefined) {
  const judged = await judge(party, idToken, nonce);
  for (const [claim, of] of [
    ['at_hash', 'access_token'],
    ['c_hash', 'code'],
  ] as const) {
    const value = parameters.get(of);
    expect(judged[claim]).toBe(value === null ? undefined : await halfHash(value));
  }
  return judged;
}

/** The pages on the way: a login, a consent, a form that posts itself. */
async function pass(agent: Agent, first: Visit, user: string): Promise<Visit> {
  let visit = first;
  if (visit.html.includes(`login-user-${user}`)) visit = await agent.submit(visit, `login-user-${user}`);
  if (visit.html.includes('consent-allow')) visit = await agent.submit(visit, 'consent-allow');
  if (visit.html.includes('id="form-post"')) visit = await agent.submit(visit, 'form-post');
  return visit;
}

/** A browser that is sent with a form from elsewhere: the server answers 303 to a GET of its own. */
async function postForm(agent: Agent, { origin, pathname, searchParams }: URL): Promise<Visit> {
  const headers = { origin: 'https://rp.example' };
  const response = await post(origin + pathname, Object.fromEntries(searchParams), headers);
  expect(response.status).toBe(303);
  return agent.open(new URL(response.headers.get('location') ?? '', origin));
}

/** Where the answer stands, and that it stands nowhere else. */
function readAnswer(visit: Visit, redirectUri: string, responseType: string, mode: string | null) {
  const { url, body } = visit;
  const address = url.href;
  const usual = responseType === 'code' || responseType === '' ? 'query' : 'fragment';
  const fragment = new URLSearchParams(url.hash.slice(1));
  if ((mode ?? usual) === 'form_post') {
    expect(body, `no form but ${visit.status} at ${address}`).toBeDefined();
    return { to: address, parameters: body ?? new URLSearchParams() };
  }
  if (body !== undefined) throw new Error(`a form to ${address}`);
  if ((mode ?? usual) === 'fragment') return { to: address.split('#', 1)[0] ?? '', parameters: fragment };
  expect(url.hash).toBe('');
  const own = new URLSearchParams(redirectUri.split('?')[1] ?? '').size;
  const parameters = new URLSearchParams([...url.searchParams].slice(own));
  return { to: address.slice(0, redirectUri.length), parameters };
}

async function askTokens({ op, client }: Party, form: Form, key: ClientKey | undefined): Promise<Response> {
  const { client_id, client_secret = '', token_endpoint_auth_method = 'client_secret_basic' } = client;
  const { token_endpoint } = op.metadata;
  if (token_endpoint_auth_method === 'client_secret_basic') {
    const pair = [client_id, client_secret].map(encodeURIComponent).join(':');
    return post(token_endpoint, form, { authorization: `Basic ${btoa(pair)}` });
  }
  if (token_endpoint_auth_method === 'client_secret_post')
    return post(token_endpoint, { ...form, client_id, client_secret });
  if (key === undefined) return post(token_endpoint, { ...form, client_id });
  return post(token_endpoint, { ...form, ...(await assertion(op, client_id, key)) });
}

/** RFC 7523 §3, with the issuer as its audience. */
export async function assertion(op: Op, client_id: string, key: ClientKey, claims: JWTPayload = {}) {
  const now = op.now();
  const common = { iss: client_id, sub: client_id, aud: op.metadata.issuer, iat: now, exp: now + 60, jti: one() };
  return {
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: await signed(key, { ...common, ...claims }),
  };
}

/** A JWT of the client. */
export function signed(
  { privateKey, publicJwk }: ClientKey,
  claims: JWTPayload,
  header: Partial<JWTHeaderParameters> = {},
) {
  const { kid = '' } = publicJwk;
  return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid, ...header }).sign(privateKey);
}

/** One that nobody has signed (RFC 7519 §6). */
export function unsigned(claims: Json): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  return `${encode({ alg: 'none' })}.${encode(claims)}.`;
}

/** That the user is told on a page, and nothing is redirected; gives the code of the error. */
export async function errorPage(agent: Agent, url: string | URL): Promise<string> {
  const visit = await agent.open(url);
  expect(visit.status).toBeGreaterThanOrEqual(400);
  return /data-testid="problem-code">([^<]+)</.exec(visit.html)?.[1] ?? `no error but ${visit.url}`;
}

/** The party of a client of the configuration. */
export function configured(op: Op, { clients = [] }: SandboxConfig, client_id: string): Party {
  const client = clients.find(each => each.client_id === client_id);
  if (client === undefined) throw new Error(`no client ${client_id}`);
  return partyOf(op, client);
}
