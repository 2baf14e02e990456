import type { IssuedEvent } from '../../base/events/event-log.ts';
import { isPublic, type RegisteredClient } from '../../protocol/clients/client.ts';
import { parseScope } from '../../protocol/scope.ts';
import { tokenTypeOf } from '../../record/flows/token-status.ts';
import type { SelfRequest } from '../../sandbox/self-request.ts';
import { bindingOf, claimsOf } from '../claims/claim-values.ts';
import { registeredClient } from '../clients-and-users.ts';
import type { DashboardFacts, SampleCollection } from '../facts.ts';

/** The ways to use a token from the dashboard. */
export type UseName = 'api' | 'userinfo' | 'introspect' | 'refresh';

/** A way to use a token from the dashboard, or the reason why it is not possible. */
export interface TokenUse {
  readonly what: UseName;
  readonly name: string;
  /** The effect, or the reason why it is not possible. */
  readonly words: string;
  /** Absent if it is not possible. */
  readonly request?: SelfRequest;
}

type Claims = Readonly<Record<string, unknown>>;

/** The ways to use a token from the dashboard. A code has none, because its verifier is missing; an ID token has none either. */
export function tokenUses(event: IssuedEvent, claims: Claims, options: DashboardFacts): TokenUse[] {
  const type = tokenTypeOf(event);
  if (type === 'access') {
    return [...accessUses(event, claims, options), ...introspection(event, options)];
  }
  return type === 'refresh' ? [...refreshing(event, options), ...introspection(event, options)] : [];
}

const bound = {
  dpop: 'This token is bound to a key by DPoP, and only the client can make a proof with that key (RFC 9449 §7).',
  certificate: 'This token is bound to a client certificate, which only the client can present (RFC 8705 §3).',
} as const;

function accessUses(event: IssuedEvent, claims: Claims, options: DashboardFacts): TokenUse[] {
  const binding = bindingOf(claims);
  const why = binding === undefined ? undefined : bound[binding];
  const api = apiCall(event, options) ?? refusedCall(options);
  return [
    ...(api === undefined ? [] : [calling('api', 'Call the sample API', api, event, why)]),
    ...userInfo(event, options, why),
  ];
}

function userInfo(event: IssuedEvent, options: DashboardFacts, why: string | undefined): TokenUse[] {
  const name = 'Call UserInfo';
  if (!options.endpoints.some(each => each.name === 'userinfo')) return [];
  const call = userInfoCall(event, options);
  if (call !== undefined) return [calling('userinfo', name, call, event, why)];
  return [{ what: 'userinfo', name, words: 'UserInfo requires the scope openid, which this token does not have.' }];
}

function calling(
  what: UseName,
  name: string,
  { method, path, body, words }: TokenCall,
  { token }: IssuedEvent,
  why: string | undefined,
): TokenUse {
  if (why !== undefined) return { what, name, words: why };
  const headers = {
    Authorization: `Bearer ${token}`,
    Accept: 'application/json',
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
  };
  const request = { method, path, headers, body };
  return { what, name, words: `${method} ${path} ${words}.`, request };
}

/** Any client that authenticates may introspect an access token, but only the token's own client a refresh token (RFC 7662 §2.1). */
function introspection(event: IssuedEvent, options: DashboardFacts): TokenUse[] {
  const endpoint = options.endpoints.find(({ name }) => name === 'introspect');
  if (endpoint === undefined) return [];
  const what = 'introspect';
  const name = 'Introspect';
  const asker = askerOf(event, options);
  if (asker === undefined) return [{ what, name, words: whyNobody(event) }];
  const form = { token: event.token, token_type_hint: `${tokenTypeOf(event)}_token` };
  const words = `POST ${endpoint.path} as ${asker.client_id} returns whether the token is active, and its claims.`;
  return [{ what, name, words, request: posted(endpoint.path, asker, form) }];
}

function askerOf(event: IssuedEvent, options: DashboardFacts): RegisteredClient | undefined {
  const own = registeredClient(options, event.client_id);
  if (own !== undefined && isConfidential(own)) return own;
  return tokenTypeOf(event) === 'access' ? [...options.registered()].find(isConfidential) : undefined;
}

function whyNobody(event: IssuedEvent): string {
  if (tokenTypeOf(event) === 'access') {
    return 'Introspection requires client authentication, and this server knows no client secret.';
  }
  return "Only the client of a refresh token may introspect it, and this server does not know that client's secret.";
}

function refreshing(event: IssuedEvent, options: DashboardFacts): TokenUse[] {
  const endpoint = options.endpoints.find(({ name }) => name === 'token');
  if (endpoint === undefined) return [];
  const what = 'refresh';
  const name = 'Refresh';
  const client = registeredClient(options, event.client_id);
  const why = whyNotRefreshed(event, client, options);
  if (client === undefined || why !== undefined) return [{ what, name, words: why ?? '' }];
  const request = posted(endpoint.path, client, { grant_type: 'refresh_token', refresh_token: event.token });
  const rotates = client.refresh_token_rotation
    ? ' The client still has this refresh token. If the client uses it afterwards, all tokens from this sign-in are revoked.'
    : '';
  return [{ what, name, words: `POST ${endpoint.path} as ${client.client_id} returns new tokens.${rotates}`, request }];
}

function whyNotRefreshed(
  event: IssuedEvent,
  client: RegisteredClient | undefined,
  { events }: DashboardFacts,
): string | undefined {
  if (client === undefined) return 'The client of this token is no longer registered.';
  if (credentialsOf(client) === undefined) {
    return 'The client authenticates with a private key or a certificate, which only the client has.';
  }
  const needsProof = client.dpop_bound_access_tokens || client.tls_client_certificate_bound_access_tokens;
  const beside = events.ofRequest(event.requestId).filter(each => each.type === 'token.issued');
  const isBound = beside.some(each => bindingOf(claimsOf(each)) !== undefined);
  return needsProof || (isBound && isPublic(client))
    ? 'This token is bound to a key, and only the client can prove possession of it.'
    : undefined;
}

function posted(path: string, client: RegisteredClient, form: Readonly<Record<string, string>>): SelfRequest {
  const credentials = credentialsOf(client);
  return {
    method: 'POST',
    path,
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded',
      Accept: 'application/json',
      ...credentials?.headers,
    },
    body: new URLSearchParams({ ...form, ...credentials?.form }).toString(),
  };
}

/**
 * With these the dashboard authenticates as a client (RFC 6749 §2.3.1); undefined if the client does it by a private key or a
 * certificate, which this server does not have.
 */
function credentialsOf(
  client: RegisteredClient,
): { readonly headers: Record<string, string>; readonly form: Record<string, string> } | undefined {
  const { client_id, client_secret, token_endpoint_auth_methods: methods } = client;
  if (isPublic(client)) return { headers: {}, form: { client_id } };
  if (client_secret === undefined) return undefined;
  if (methods.includes('client_secret_basic')) {
    const pair = [client_id, client_secret].map(encode).join(':');
    return { headers: { Authorization: `Basic ${Buffer.from(pair).toString('base64')}` }, form: {} };
  }
  return methods.includes('client_secret_post') ? { headers: {}, form: { client_id, client_secret } } : undefined;
}

function isConfidential(client: RegisteredClient): boolean {
  return !isPublic(client) && credentialsOf(client) !== undefined;
}

/** RFC 6749 appendix B. */
function encode(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1);
}

interface TokenCall {
  readonly what: 'api' | 'userinfo';
  readonly method: 'GET' | 'POST';
  /** Includes the path of the issuer. */
  readonly path: string;
  /** JSON; absent for GET. */
  readonly body?: string;
  /** Completes "This request …": `reads products`. */
  readonly words: string;
}

/**
 * Chooses a request for an access token: a collection that its scope opens, reading first; otherwise UserInfo; otherwise a
 * collection that refuses it, which shows the error.
 */
export function tokenCall(event: IssuedEvent, options: DashboardFacts): TokenCall | undefined {
  return apiCall(event, options) ?? userInfoCall(event, options) ?? refusedCall(options);
}

function apiCall(event: IssuedEvent, { base, collections }: DashboardFacts): TokenCall | undefined {
  const opened = openedBy(event.scope, collections);
  if (opened === undefined) return undefined;
  const { collection, method } = opened;
  if (method === 'GET') return reading(base, collection, `reads ${collection.name}`);
  const body = JSON.stringify(example(collection));
  return { what: 'api', method, path: pathOf(base, collection), body, words: `writes to ${collection.name}` };
}

/** The first collection that a scope opens for reading, or else for writing, with the scope that does. */
export function openedBy(scope: string | undefined, collections: readonly SampleCollection[]) {
  const scopes = parseScope(scope);
  for (const [kind, method] of [
    ['readScope', 'GET'],
    ['writeScope', 'POST'],
  ] as const) {
    for (const collection of collections) {
      const needed = collection[kind];
      if (needed !== undefined && scopes.includes(needed)) return { collection, scope: needed, method };
    }
  }
  return undefined;
}

function userInfoCall(event: IssuedEvent, { endpoints }: DashboardFacts): TokenCall | undefined {
  const userinfo = endpoints.find(({ name }) => name === 'userinfo');
  if (userinfo === undefined || !parseScope(event.scope).includes('openid')) return undefined;
  return { what: 'userinfo', method: 'GET', path: userinfo.path, words: 'requests the claims of the user' };
}

/** A call of the first collection, which answers 403 with the reason; undefined if there is no collection. */
function refusedCall({ base, collections }: DashboardFacts): TokenCall | undefined {
  const [any] = collections;
  return any && reading(base, any, `is refused by ${any.name}: the scope is missing`);
}

function reading(base: string, collection: SampleCollection, words: string): TokenCall {
  return { what: 'api', method: 'GET', path: pathOf(base, collection), words };
}

function pathOf(base: string, { name }: SampleCollection): string {
  return `${base}/api/${encodeURIComponent(name)}`;
}

/** A valid body for the collection: its first row, or a value for each required field. */
export function example({ fields, seed }: SampleCollection): Record<string, unknown> {
  const row =
    seed?.[0] ?? Object.fromEntries(required(fields).map(([name, { type }]) => [name, exampleOf(name, type)]));
  const { id: _, ...values } = row;
  return values;
}

/** The required fields, or all fields if none is required, because an empty body would show nothing. */
function required(fields: SampleCollection['fields']) {
  const all = Object.entries(fields);
  const needed = all.filter(([, field]) => field.required);
  return needed.length > 0 ? needed : all;
}

function exampleOf(name: string, type: SampleCollection['fields'][string]['type']): string | number | boolean {
  if (type === 'boolean') return true;
  return type === 'string' ? name : 1;
}
