import {
  createLocalJWKSet,
  decodeProtectedHeader,
  exportJWK,
  importJWK,
  type JSONWebKeySet,
  type JWTPayload,
  jwtVerify,
} from 'jose';
import { expect } from 'vitest';
import type { ClientEntry, Sandbox, SandboxConfig } from '../../src/index.ts';
import { s256 } from '../../src/protocol/requests/pkce.ts';
import { type Agent, createAgent, type Visit } from '../support/agent.ts';
import { createSandbox } from '../support/bundle.ts';
import { createDpopKey, type DpopKey } from '../support/dpop.ts';
import { type ClientKey, makeClientKey } from '../support/keys-server.ts';
import { createTlsFetch, type TlsFetch } from '../support/tls-fetch.ts';
import { verifier } from '../support/wire.ts';
import {
  checkAuthorizationError,
  checkAuthorizationResponse,
  checkDiscovery,
  checkIdToken,
  checkKeys,
  checkSecret,
  checkTokenResponse,
  type Json,
  type Metadata,
  type Sent,
  type TokenResponse,
} from './checks.ts';
import { one, signed } from './party.ts';

/** How clients of a plan prove who they are, and what their tokens are bound to. */
export const variants = ['private_key_jwt and DPoP', 'mutual TLS'] as const;
export type Variant = (typeof variants)[number];

/** What FAPI 2.0 Security Profile §5.4.1 lets sign. */
export const fapiAlgs = ['PS256', 'ES256', 'EdDSA', 'Ed25519'];

export const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

export type Form = Readonly<Record<string, string>>;
/** Claims; `undefined` takes one away. */
export type Claims = Readonly<Record<string, unknown>>;
type Header = Parameters<typeof signed>[2];

/** The server under test, over TLS, with a clock that moves by hand. */
export interface FapiOp extends AsyncDisposable {
  readonly variant: Variant;
  readonly sandbox: Sandbox;
  readonly metadata: Metadata & { readonly pushed_authorization_request_endpoint: string };
  readonly keys: JSONWebKeySet;
  readonly clients: readonly [FapiClient, FapiClient];
  /** Without a certificate. */
  readonly call: TlsFetch;
  now(): number;
  pass(seconds: number): void;
  agent(): Agent;
}

/** What goes with a request in place of what the client would send; an empty text leaves it out. */
export interface Shown {
  readonly credentials?: Form;
  readonly dpop?: string;
  readonly call?: TlsFetch;
}

export interface Pushed {
  readonly request_uri: string;
  readonly sent: Sent;
  readonly nonce: string | undefined;
}

/** A good answer to a pushed request. */
export interface Authorized extends Pushed {
  readonly code: string;
}

/** A client under test conditions: everything good that comes back to it is checked. */
export interface FapiClient {
  readonly client_id: string;
  readonly redirect_uri: string;
  readonly key: ClientKey;
  /** With the variant that binds by DPoP. */
  readonly dpop?: DpopKey;
  /** Shows the certificate of the client, with the variant that binds by it. */
  readonly call: TlsFetch;
  /** How it proves who it is. */
  credentials(claims?: Claims, header?: Header, key?: ClientKey): Promise<Form>;
  /** The parameters of a good request; an empty value takes one away. */
  request(parameters?: Form): Form;
  /** The same as a request object. */
  requestObject(claims?: Claims, header?: Header, key?: ClientKey): Promise<string>;
  push(form: Form, shown?: Shown): Promise<Response>;
  /** A request that is taken. */
  pushed(parameters?: Form, shown?: Shown): Promise<Pushed>;
  /** Where the browser goes. */
  address(request_uri: string, parameters?: Form): URL;
  authorize(parameters?: Form, shown?: Shown): Promise<Authorized>;
  redeem(code: string, changes?: Form, shown?: Shown): Promise<Response>;
  /** The answer of the token endpoint and the ID token in it. */
  tokens(authorized: Pick<Authorized, 'code' | 'nonce'>, shown?: Shown): Promise<Tokens>;
  refresh(refresh_token: string, changes?: Form, shown?: Shown): Promise<Response>;
  /** GET at a protected resource, with all that the token needs. */
  resource(access_token: string, options?: ResourceCall): Promise<Response>;
}

export type Tokens = TokenResponse & { readonly refresh_token: string; readonly idToken: JWTPayload };

export interface ResourceCall {
  readonly url?: string;
  readonly scheme?: string;
  /** Empty for none. */
  readonly dpop?: string;
  readonly call?: TlsFetch;
}

/** The second one has a query, as the suite's has. */
const redirectUris = ['https://rp.example/callback', 'https://rp.example/callback?dummy1=lorem&dummy2=ipsum'];
const names = ['first', 'second'];

/** The public key without its algorithm: what it may sign by is for the server to say. */
function anyAlg({ publicJwk: { alg: _, ...jwk } }: ClientKey) {
  return { ...jwk };
}

/** The same RSA key, as one that signs by RS256. */
export async function asRs256({ privateKey, publicJwk }: ClientKey): Promise<ClientKey> {
  const { alg: _, ...jwk } = await exportJWK(privateKey);
  const imported = await importJWK(jwk, 'RS256');
  if (imported instanceof Uint8Array) throw new Error('not an RSA key');
  return { privateKey: imported, publicJwk: { ...publicJwk, alg: 'RS256' } };
}

function entryOf(variant: Variant, index: 0 | 1, key: ClientKey): ClientEntry {
  const client_id = names[index] ?? '';
  const common = {
    client_id,
    redirect_uris: [redirectUris[index] ?? ''],
    grant_types: ['authorization_code', 'refresh_token'],
    scope: 'openid profile email address phone products:read',
    jwks: { keys: [anyAlg(key)] },
    ...(index === 0 ? {} : { id_token_signed_response_alg: 'ES256' }),
  } satisfies Partial<ClientEntry>;
  if (variant !== 'mutual TLS') return { ...common, token_endpoint_auth_method: 'private_key_jwt' };
  return {
    ...common,
    token_endpoint_auth_method: 'tls_client_auth',
    tls_client_auth_subject_dn: `CN=${client_id}`,
    tls_client_certificate_bound_access_tokens: true,
  };
}

/** A sandbox under the profile, and the two clients of the plan. */
export async function startFapi(variant: Variant, config: SandboxConfig = {}): Promise<FapiOp> {
  const [first, second] = await Promise.all([
    makeClientKey('ES256', { kid: one(), use: 'sig', alg: 'ES256' }),
    makeClientKey('PS256', { kid: one(), use: 'sig', alg: 'PS256' }),
  ]);
  let now = Math.floor(Date.now() / 1000);
  const clients = [entryOf(variant, 0, first), entryOf(variant, 1, second)] as const;
  const settings = { profile: 'fapi2', tls: 'self-signed', clients, ...config } satisfies SandboxConfig;
  const sandbox = await createSandbox(settings, { now: () => now });
  const call = createTlsFetch({ ca: sandbox.tls?.ca ?? '' });
  const metadata = await checkDiscovery(await call(`${sandbox.url}/.well-known/openid-configuration`));
  const keys = await checkKeys(await call(metadata.jwks_uri));
  const op: Omit<FapiOp, 'clients'> = {
    variant,
    sandbox,
    metadata: metadata as FapiOp['metadata'], // discovery is tested for it
    keys,
    call,
    now: () => now,
    pass(seconds) {
      now += seconds;
    },
    agent: () => createAgent(sandbox.url, call),
    [Symbol.asyncDispose]: () => sandbox.stop(),
  };
  return { ...op, clients: [await clientOf(op, clients[0], first), await clientOf(op, clients[1], second)] };
}

async function connecting({ variant, sandbox, call }: Omit<FapiOp, 'clients'>, client_id: string): Promise<TlsFetch> {
  if (variant !== 'mutual TLS') return call;
  const identity = await sandbox.tls?.clientCertificate?.({ subject_dn: `CN=${client_id}` });
  return createTlsFetch({ ca: sandbox.tls?.ca ?? '', ...identity });
}

async function clientOf(op: Omit<FapiOp, 'clients'>, entry: ClientEntry, key: ClientKey): Promise<FapiClient> {
  const { client_id, redirect_uris: [redirect_uri = ''] = [] } = entry;
  const { metadata, variant } = op;
  const call = await connecting(op, client_id);
  const dpop = variant === 'mutual TLS' ? undefined : await createDpopKey();

  const sign = (claims: Claims, header: Header, by: ClientKey) =>
    signed(by, present(claims) as JWTPayload, { alg: by.publicJwk.alg ?? '', ...header });

  async function send(url: string, form: Form, shown: Shown): Promise<Response> {
    const credentials = shown.credentials ?? (await client.credentials());
    const body = new URLSearchParams(present({ ...form, ...credentials }) as Record<string, string>);
    const headers: Record<string, string> = shown.dpop === undefined || shown.dpop === '' ? {} : { dpop: shown.dpop };
    return (shown.call ?? call)(url, { method: 'POST', body, headers });
  }

  const proofFor = (htu: string) => dpop?.proof({ htu, iat: op.now() });

  async function ask(form: Form, shown: Shown): Promise<Response> {
    const made = shown.dpop ?? (await proofFor(metadata.token_endpoint));
    return send(metadata.token_endpoint, form, { ...shown, ...(made === undefined ? {} : { dpop: made }) });
  }

  const client: FapiClient = {
    ...{ client_id, redirect_uri, key, call },
    ...(dpop === undefined ? {} : { dpop }),
    async credentials(claims = {}, header = {}, by = key): Promise<Record<string, string>> {
      if (variant === 'mutual TLS') return { client_id };
      const now = op.now();
      const usual = { iss: client_id, sub: client_id, aud: metadata.issuer, iat: now, exp: now + 60, jti: one() };
      return {
        client_id,
        client_assertion_type: assertionType,
        client_assertion: await sign({ ...usual, ...claims }, header, by),
      };
    },
    request: (parameters = {}) => ({
      ...{ client_id, redirect_uri, response_type: 'code', scope: 'openid profile products:read' },
      ...{ state: one(), nonce: one(), code_challenge: s256(verifier), code_challenge_method: 'S256' },
      ...parameters,
    }),
    requestObject(claims = {}, header = {}, by = key) {
      const now = op.now();
      const usual = { iss: client_id, aud: metadata.issuer, nbf: now, exp: now + 300 };
      return sign({ ...usual, ...client.request(), ...claims }, { typ: 'oauth-authz-req+jwt', ...header }, by);
    },
    push: (form, shown = {}) => send(metadata.pushed_authorization_request_endpoint, form, shown),
    async pushed(parameters = {}, shown = {}) {
      const form = client.request(parameters);
      const request_uri = await checkPushed(await client.push(form, shown));
      const { state, nonce } = present(form) as { state?: string; nonce?: string };
      return { request_uri, sent: { issuer: metadata.issuer, redirect_uri, state }, nonce };
    },
    address: (request_uri, parameters = {}) =>
      new URL(`${metadata.authorization_endpoint}?${new URLSearchParams({ client_id, request_uri, ...parameters })}`),
    async authorize(parameters, shown) {
      const pushed = await client.pushed(parameters, shown);
      const { to, parameters: answer } = readAnswer(await logIn(op, client.address(pushed.request_uri)), redirect_uri);
      checkAuthorizationResponse(to, answer, pushed.sent);
      return { ...pushed, code: answer.get('code') ?? '' };
    },
    redeem: (code, changes = {}, shown = {}) =>
      ask({ grant_type: 'authorization_code', code, redirect_uri, code_verifier: verifier, ...changes }, shown),
    async tokens({ code, nonce }, shown) {
      const tokens = await checkTokenResponse(await client.redeem(code, {}, shown));
      expect(tokens.token_type).toBe(variant === 'mutual TLS' ? 'Bearer' : 'DPoP');
      const alg = entry.id_token_signed_response_alg ?? 'PS256';
      const expected = { issuer: metadata.issuer, client_id, keys: op.keys, now: op.now(), nonce, alg };
      const idToken = await checkIdToken(tokens.id_token ?? '', expected);
      return { ...tokens, refresh_token: tokens.refresh_token ?? '', idToken };
    },
    refresh: (refresh_token, changes = {}, shown = {}) =>
      ask({ grant_type: 'refresh_token', refresh_token, ...changes }, shown),
    async resource(access_token, options = {}) {
      const { url = `${op.sandbox.url}/api/products`, scheme = dpop === undefined ? 'Bearer' : 'DPoP' } = options;
      const proof =
        options.dpop ?? (await dpop?.proof({ htm: 'GET', htu: url, iat: op.now(), accessToken: access_token }));
      const headers = { authorization: `${scheme} ${access_token}`, ...(proof ? { dpop: proof } : {}) };
      return (options.call ?? call)(url, { headers });
    },
  };
  return client;
}

function present(members: Claims): Claims {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== ''));
}

/** The server took the request: 201, an unguessable `request_uri` and a lifetime of 5 seconds to a year, under FAPI below ten minutes. */
export async function checkPushed(response: Response): Promise<string> {
  expect(response.status, await response.clone().text()).toBe(201);
  expect(response.headers.get('cache-control')).toMatch(/\bno-store\b/);
  const { request_uri, expires_in, ...more } = (await response.json()) as Json;
  expect(more).toEqual({});
  checkSecret(String(request_uri).replace(/^urn:ietf:params:oauth:request_uri:/, ''));
  expect(expires_in).toBeGreaterThanOrEqual(5);
  expect(expires_in).toBeLessThan(600);
  return String(request_uri);
}

/** From the login page to the answer. */
export async function logIn(op: Omit<FapiOp, 'clients'>, url: URL, button = 'login-user-alice'): Promise<Visit> {
  const agent = op.agent();
  return agent.submit(await agent.open(url), button);
}

/** What came to the redirect URI, apart from what it has of its own. */
export function readAnswer({ url }: Visit, redirect_uri: string): { to: string; parameters: URLSearchParams } {
  expect(url.hash).toBe('');
  const own = new URLSearchParams(redirect_uri.split('?')[1] ?? '').size;
  const parameters = new URLSearchParams([...url.searchParams].slice(own));
  return { to: url.href.slice(0, redirect_uri.length), parameters };
}

/** An error at the redirect URI; gives its code. */
export function errorAtClient(visit: Visit, { sent }: Pushed): string {
  const { to, parameters } = readAnswer(visit, sent.redirect_uri);
  checkAuthorizationError(to, parameters, sent);
  return parameters.get('error') ?? '';
}

/** JARM §2: one parameter, a JWT for this client by one of the profile's algorithms; gives what it says. */
export async function checkSignedResponse(
  op: FapiOp,
  visit: Visit,
  { client_id, redirect_uri }: FapiClient,
): Promise<Json> {
  const { to, parameters } = readAnswer(visit, redirect_uri);
  expect(to).toBe(redirect_uri);
  expect([...parameters.keys()]).toEqual(['response']);
  const jwt = parameters.get('response') ?? '';
  const keys = await checkKeys(await op.call(op.metadata.jwks_uri));
  expect(keys.keys.map(({ kid }) => kid)).toContain(decodeProtectedHeader(jwt).kid);
  const { payload } = await jwtVerify(jwt, createLocalJWKSet(keys), {
    ...{ issuer: op.metadata.issuer, audience: client_id, algorithms: fapiAlgs },
    currentDate: new Date(op.now() * 1000),
    requiredClaims: ['exp'],
  });
  expect(payload.aud).toBe(client_id);
  expect(payload.exp).toBeLessThanOrEqual(op.now() + 600);
  return payload;
}
