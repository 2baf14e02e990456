import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, importPKCS8, type JWK, SignJWT } from 'jose';
import type { ExamSignIn } from '../../../src/extensions/examine/driver.ts';

// An MCP client that makes each check by itself, one after the other and without a library, so that each can be left out
// alone. It connects, lists the tools and calls one.

type Json = Readonly<Record<string, unknown>>;
type Form = Readonly<Record<string, string>>;
type Has = (check: string) => boolean;

interface Registration {
  readonly client_id: string;
  readonly client_secret?: string;
  readonly token_endpoint_auth_method?: string;
}

/** What the client remembers while it runs. */
interface Memory {
  token?: string;
  scopes: readonly string[];
  registration?: Registration;
  /** The issuer that the registration is of. */
  issuer?: string;
  isBound: boolean;
  proof?: string;
}

const redirect_uri = 'http://localhost:7999/callback';
const usualPlace = '/.well-known/oauth-protected-resource';

/** Refuses with a reason. */
function must(isRight: boolean, reason: string): asserts isRight {
  if (!isRight) throw new Error(reason);
}

/** A client with all checks but one: `lapse` is the id of the module that it fails. */
export function createCarefulMcp(lapse = '') {
  const has: Has = check => check !== lapse;
  return async ({ mcp, module }: Pick<ExamSignIn, 'mcp' | 'module'>): Promise<boolean> => {
    must(mcp !== undefined, 'no MCP server');
    const memory: Memory = { scopes: [], isBound: false };
    const client = { url: mcp.url, told: mcp.client, isMachine: module.startsWith('client-credentials'), memory, has };
    await rpc(client, 'initialize');
    await rpc(client, 'tools/list');
    await rpc(client, 'tools/call');
    return true;
  };
}

interface Client {
  readonly url: string;
  readonly told: Json | undefined;
  readonly isMachine: boolean;
  readonly memory: Memory;
  readonly has: Has;
}

/** Calls the MCP server, and gets a token if it asks for one. */
async function rpc(client: Client, method: string): Promise<void> {
  const { has } = client;
  const most = has('scope-retry-limit') ? 2 : 5;
  let response = await send(client, method);
  for (let tries = 0; !response.ok && tries < most; tries++) {
    const challenge = parametersOf(response.headers.get('www-authenticate') ?? '');
    const nonce = response.headers.get('dpop-nonce');
    if (nonce !== null) {
      must(has('dpop-nonce'), 'a nonce is asked for');
      response = await send(client, method, nonce);
      continue;
    }
    if (response.status === 403) must(has('scope-step-up'), 'a scope is missing');
    else must(response.status === 401, `the MCP server answered ${response.status}`);
    await authorize(client, challenge, response.status === 403);
    response = await send(client, method);
  }
  must(response.ok, `the MCP server answered ${response.status}`);
}

async function send({ url, memory, has }: Client, method: string, nonce?: string): Promise<Response> {
  const { token, isBound } = memory;
  const headers: Record<string, string> = { 'Content-Type': 'application/json' };
  if (token !== undefined) headers.Authorization = `${isBound ? 'DPoP' : 'Bearer'} ${token}`;
  if (token !== undefined && isBound) {
    const fresh = await proofFor('POST', url, { nonce, token });
    headers.DPoP = has('dpop') || nonce !== undefined ? fresh : (memory.proof ?? fresh);
    if (nonce === undefined) memory.proof ??= fresh;
  }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: {} });
  return fetch(url, { method: 'POST', headers, body });
}

function parametersOf(challenge: string): Json {
  return Object.fromEntries([...challenge.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]));
}

/** The first of these documents that is there. */
async function firstOf(addresses: readonly string[]): Promise<Json | undefined> {
  for (const address of addresses) {
    const response = await fetch(address);
    if (response.ok) return response.json();
    await response.body?.cancel();
  }
  return undefined;
}

async function resourceMetadata({ url, has }: Client, { resource_metadata: told }: Json): Promise<Json> {
  const { origin, pathname } = new URL(url);
  const guesses = [
    ...(has('metadata-var1') ? [`${origin}${usualPlace}${pathname}`] : []),
    ...(has('metadata-var2') ? [`${origin}${usualPlace}`] : []),
  ];
  if (!has('metadata-default')) await fetch(`${origin}${usualPlace}`);
  const isTold = typeof told === 'string' && has('metadata-var3');
  const metadata = await firstOf(isTold ? [told] : guesses);
  must(metadata !== undefined, 'no metadata of the MCP server');
  const isOfIt = metadata.resource === url || metadata.resource === origin;
  if (has('resource-mismatch')) must(isOfIt, 'the metadata is of another server');
  return metadata;
}

async function serverMetadata(issuer: string, has: Has): Promise<Json> {
  const { origin, pathname } = new URL(issuer);
  const path = pathname === '/' ? '' : pathname;
  const metadata = await firstOf([
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ]);
  must(metadata !== undefined, 'no metadata of the authorization server');
  if (has('pkce-not-advertised')) must('code_challenge_methods_supported' in metadata, 'no PKCE');
  if (has('metadata-issuer-mismatch')) must(metadata.issuer === issuer, 'the metadata is of another issuer');
  return metadata;
}

async function authorize(client: Client, challenge: Json, isStepUp: boolean): Promise<void> {
  const { memory, has } = client;
  const resource = await resourceMetadata(client, challenge);
  const issuer = String((resource.authorization_servers as readonly string[])[0]);
  const server = await serverMetadata(issuer, has);
  const scope = scopeFor(client, { challenge, resource, server }, isStepUp);
  const isMoved = memory.issuer !== undefined && memory.issuer !== issuer && has('authorization-server-migration');
  if (isMoved) delete memory.registration;
  memory.registration ??= await registered(client, server);
  memory.issuer = issuer;
  memory.scopes = scope?.split(' ') ?? [];
  const target = { resource: String(resource.resource), server, issuer, scope };
  const form = client.isMachine ? { grant_type: 'client_credentials' } : await codeFor(client, target);
  await redeem(client, target, form);
}

interface Told {
  readonly challenge: Json;
  readonly resource: Json;
  readonly server: Json;
}

function scopeFor(
  { memory, has }: Client,
  { challenge, resource, server }: Told,
  isStepUp: boolean,
): string | undefined {
  const supported = has('scope-from-scopes-supported') ? (resource.scopes_supported as readonly string[]) : undefined;
  const isRead = isStepUp || has('scope-from-www-authenticate');
  const named = isRead && typeof challenge.scope === 'string' ? challenge.scope.split(' ') : supported;
  if (named === undefined) return has('scope-omitted-when-undefined') || !isBare(resource) ? undefined : 'openid';
  const offered = (server.scopes_supported as readonly string[] | undefined) ?? [];
  const wantsOffline = offered.includes('offline_access') || !has('offline-access-not-supported');
  return [...new Set([...memory.scopes, ...named, ...(wantsOffline ? ['offline_access'] : [])])].join(' ');
}

/** Nobody names a scope. */
function isBare(resource: Json): boolean {
  return resource.scopes_supported === undefined;
}

async function registered({ told, has }: Client, server: Json): Promise<Registration> {
  if (typeof told?.client_id === 'string') return told as unknown as Registration; // as the examiner told it
  if (server.client_id_metadata_document_supported === true && has('basic-cimd'))
    return { client_id: await documentAt(), token_endpoint_auth_method: 'none' };
  const response = await fetch(String(server.registration_endpoint), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      ...described,
      grant_types: ['authorization_code', ...(has('offline-access-scope') ? ['refresh_token'] : [])],
    }),
  });
  must(response.ok, `the registration was answered with ${response.status}`);
  return response.json();
}

const described = {
  client_name: 'Careful',
  redirect_uris: [redirect_uri],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
};

let document: Promise<string> | undefined;

/** Publishes the metadata document of the client once. */
function documentAt(): Promise<string> {
  document ??= (async () => {
    const server = createServer((_req, res) => {
      const body = JSON.stringify({ ...described, client_id: `http://127.0.0.1:${port}/client.json` });
      res.writeHead(200, { 'Content-Type': 'application/json' }).end(body);
    }).listen(0, '127.0.0.1');
    server.unref();
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    return `http://127.0.0.1:${port}/client.json`;
  })();
  return document;
}

interface Target {
  readonly resource: string;
  readonly server: Json;
  readonly issuer: string;
  readonly scope: string | undefined;
}

async function codeFor({ memory, has }: Client, { resource, server, issuer, scope }: Target): Promise<Form> {
  const [state, verifier] = [random(), random()];
  const code_challenge = createHash('sha256').update(verifier).digest('base64url');
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: memory.registration?.client_id ?? '',
    redirect_uri,
    state,
    resource,
    ...(scope === undefined ? {} : { scope }),
    code_challenge,
    code_challenge_method: 'S256',
  });
  const response = await callback(`${server.authorization_endpoint}?${query}`);
  must(response.get('state') === state, 'the response is of another sign-in');
  must(!response.has('error'), `the authorization server says ${response.get('error_description')}`);
  checkIssuer(response.get('iss'), issuer, server.authorization_response_iss_parameter_supported === true, has);
  return { grant_type: 'authorization_code', code: response.get('code') ?? '', redirect_uri, code_verifier: verifier };
}

function checkIssuer(iss: string | null, issuer: string, isPromised: boolean, has: Has): void {
  if (isPromised && !has('iss-supported')) must(iss === null || iss !== issuer, 'a promise of RFC 9207');
  if (iss === null) {
    must(has('iss-not-advertised') || isPromised, 'no iss');
    if (has('iss-supported-missing')) must(!isPromised, 'no iss');
    return;
  }
  if (iss === `${issuer}/` && !has('iss-normalized')) return;
  if (has(isPromised ? 'iss-wrong-issuer' : 'iss-unexpected') || iss === `${issuer}/`)
    must(iss === issuer, 'the response is of another issuer');
}

/** Follows redirects as a browser does, until one leads to the client. */
async function callback(from: string): Promise<URLSearchParams> {
  let at = from;
  for (let hops = 0; hops < 5; hops++) {
    const response = await fetch(at, { redirect: 'manual' });
    await response.body?.cancel();
    const location = response.headers.get('location');
    must(location !== null, `the authorization server answered ${response.status}`);
    at = new URL(location, at).href;
    if (at.startsWith(redirect_uri)) return new URL(at).searchParams;
  }
  throw new Error('too many redirects');
}

async function redeem(client: Client, { resource, server, scope }: Target, form: Form) {
  const { memory, has } = client;
  const endpoint = String(server.token_endpoint);
  const { headers, body } = await authenticated(client, server);
  memory.isBound = Array.isArray(server.dpop_signing_alg_values_supported);
  const ask = async (nonce?: string) =>
    fetch(endpoint, {
      method: 'POST',
      headers: { ...headers, ...(memory.isBound ? { DPoP: await proofFor('POST', endpoint, { nonce }) } : {}) },
      body: new URLSearchParams({
        ...form,
        ...body,
        ...(has('resource-parameter') ? { resource } : {}),
        ...(client.isMachine && scope !== undefined ? { scope } : {}),
      }),
    });
  let response = await ask();
  const nonce = response.headers.get('dpop-nonce');
  if (!response.ok && nonce !== null && has('dpop-nonce')) response = await ask(nonce);
  const tokens: Json = await response.json();
  must(response.ok, `the token endpoint said ${tokens.error_description}`);
  memory.token = String(tokens.access_token);
}

/** The proof of who asks, by the method of the registration, or the one that the server supports. */
async function authenticated({ memory, isMachine, has }: Client, server: Json): Promise<{ headers: Form; body: Form }> {
  const { registration } = memory;
  const { client_id = '', client_secret = '', token_endpoint_auth_method: told } = registration ?? {};
  const [first = 'none'] = (server.token_endpoint_auth_methods_supported as readonly string[] | undefined) ?? [];
  const key = (registration as Json | undefined)?.private_key_pem;
  const own = isMachine ? 'client-credentials-basic' : 'pre-registration';
  const documented = URL.canParse(client_id)
    ? 'basic-cimd'
    : `token-endpoint-auth-${told?.replace('client_secret_', '')}`;
  const method =
    key !== undefined ? 'private_key_jwt' : methodOf(told ?? first, has(told === undefined ? own : documented));
  const basic = { Authorization: `Basic ${btoa(`${client_id}:${client_secret}`)}` };
  if (method === 'client_secret_basic') return { headers: basic, body: {} };
  if (method === 'client_secret_post') return { headers: {}, body: { client_id, client_secret } };
  if (key === undefined) return { headers: {}, body: { client_id } };
  const aud = has('client-credentials-jwt') ? String(server.issuer) : String(server.token_endpoint);
  const client_assertion = await new SignJWT({ jti: random() })
    .setProtectedHeader({ alg: 'ES256' })
    .setIssuer(client_id)
    .setSubject(client_id)
    .setAudience(aud)
    .setIssuedAt()
    .setExpirationTime('1m')
    .sign(await importPKCS8(String(key), 'ES256'));
  const client_assertion_type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
  return { headers: {}, body: { client_assertion, client_assertion_type } };
}

/** The method, or a wrong one for a client that does not look at it. */
function methodOf(method: string, isObeyed: boolean): string {
  if (isObeyed) return method;
  return method === 'client_secret_basic' ? 'client_secret_post' : 'client_secret_basic';
}

let key: Promise<{ readonly privateKey: CryptoKey; readonly jwk: JWK }> | undefined;

function ownKey() {
  key ??= generateKeyPair('ES256').then(async ({ privateKey, publicKey }) => ({
    privateKey,
    jwk: await exportJWK(publicKey),
  }));
  return key;
}

interface ForProof {
  readonly nonce?: string | undefined;
  readonly token?: string;
}

async function proofFor(htm: string, htu: string, { nonce, token }: ForProof): Promise<string> {
  const { privateKey, jwk } = await ownKey();
  const ath = token === undefined ? {} : { ath: createHash('sha256').update(token).digest('base64url') };
  return new SignJWT({ htm, htu, jti: random(), ...ath, ...(nonce === undefined ? {} : { nonce }) })
    .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk })
    .setIssuedAt()
    .sign(privateKey);
}

function random(): string {
  return randomBytes(32).toString('base64url');
}
