import { defined } from '../../defined.ts';
import type { IssuedEvent } from '../../events/event-log.ts';
import { tokenTypeOf } from '../../flows/token-status.ts';
import { isPublic, type RegisteredClient } from '../../oauth/clients/client.ts';
import type { DashboardOptions, SelfRequest } from '../dashboard-options.ts';
import { registeredClient } from '../registered-client.ts';
import { claimsOf } from '../search/claim-values.ts';
import { bindingOf } from './binding.ts';
import { credentialsOf, isConfidential } from './confidential.ts';
import { apiCall, refusedCall, type TokenCall, userInfoCall } from './token-call.ts';

export type UseName = 'api' | 'userinfo' | 'introspect' | 'refresh';

/** Something that can be done with a token from here, or why it cannot. */
export interface TokenUse {
  readonly what: UseName;
  readonly name: string;
  /** What will happen. */
  readonly words: string;
  /** Absent where it cannot be done. */
  readonly request?: SelfRequest;
}

type Claims = Readonly<Record<string, unknown>>;

/** What can be done with a token from here; nothing with a code, which needs its verifier, or an ID Token, which opens nothing. */
export function tokenUses(event: IssuedEvent, claims: Claims, options: DashboardOptions): TokenUse[] {
  const type = tokenTypeOf(event);
  if (type === 'access') {
    return [...accessUses(event, claims, options), ...introspection(event, options)];
  }
  return type === 'refresh' ? [...refreshing(event, options), ...introspection(event, options)] : [];
}

const bound = {
  dpop: 'It is bound to a key by DPoP, and only its client can make the proof for it (RFC 9449 §7).',
  certificate: 'It is bound to a client certificate, which only its client can show (RFC 8705 §3).',
} as const;

function accessUses(event: IssuedEvent, claims: Claims, options: DashboardOptions): TokenUse[] {
  const binding = bindingOf(claims);
  const why = binding === undefined ? undefined : bound[binding];
  const api = apiCall(event, options) ?? refusedCall(options);
  return [
    ...(api === undefined ? [] : [calling('api', 'Call the sample API', api, event, why)]),
    ...userInfo(event, options, why),
  ];
}

function userInfo(event: IssuedEvent, options: DashboardOptions, why: string | undefined): TokenUse[] {
  const name = 'Ask UserInfo';
  if (!options.endpoints.some(each => each.name === 'userinfo')) return [];
  const call = userInfoCall(event, options);
  if (call !== undefined) return [calling('userinfo', name, call, event, why)];
  return [{ what: 'userinfo', name, words: 'It has not the scope openid, and UserInfo wants that.' }];
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
  const request = { method, path, headers, ...defined({ body }) };
  return { what, name, words: `${method} ${path}: ${words}.`, request };
}

/** Of an access token any client may ask that proves who it is; of a refresh token only its own (RFC 7662 §2.1). */
function introspection(event: IssuedEvent, options: DashboardOptions): TokenUse[] {
  const endpoint = options.endpoints.find(({ name }) => name === 'introspect');
  if (endpoint === undefined) return [];
  const what = 'introspect';
  const name = 'Introspect';
  const asker = askerOf(event, options);
  if (asker === undefined) return [{ what, name, words: whyNobody(event) }];
  const form = { token: event.token, token_type_hint: `${tokenTypeOf(event)}_token` };
  const words = `POST ${endpoint.path} as ${asker.client_id}: whether it is good, and what it says.`;
  return [{ what, name, words, request: posted(endpoint.path, asker, form) }];
}

function askerOf(event: IssuedEvent, options: DashboardOptions): RegisteredClient | undefined {
  const own = registeredClient(options, event.client_id);
  if (own !== undefined && isConfidential(own)) return own;
  return tokenTypeOf(event) === 'access' ? [...options.registered()].find(isConfidential) : undefined;
}

function whyNobody(event: IssuedEvent): string {
  if (tokenTypeOf(event) === 'access') {
    return 'Only a client that authenticates may ask, and none has a secret that is known here.';
  }
  return 'Only its own client may ask about a refresh token, and it has no secret that is known here.';
}

function refreshing(event: IssuedEvent, options: DashboardOptions): TokenUse[] {
  const endpoint = options.endpoints.find(({ name }) => name === 'token');
  if (endpoint === undefined) return [];
  const what = 'refresh';
  const name = 'Refresh';
  const client = registeredClient(options, event.client_id);
  const why = whyNotRefreshed(event, client, options);
  if (client === undefined || why !== undefined) return [{ what, name, words: why ?? '' }];
  const request = posted(endpoint.path, client, { grant_type: 'refresh_token', refresh_token: event.token });
  const rotates = client.refresh_token_rotation
    ? ' Its client still has this one: if it uses it after that, everything from this login is revoked.'
    : '';
  return [{ what, name, words: `POST ${endpoint.path} as ${client.client_id}: gets new tokens.${rotates}`, request }];
}

function whyNotRefreshed(
  event: IssuedEvent,
  client: RegisteredClient | undefined,
  { events }: DashboardOptions,
): string | undefined {
  if (client === undefined) return 'Its client is not registered any more.';
  if (credentialsOf(client) === undefined) {
    return 'Its client proves itself by a key or a certificate, which only it has.';
  }
  const needsProof = client.dpop_bound_access_tokens || client.tls_client_certificate_bound_access_tokens;
  const beside = events.ofRequest(event.requestId).filter(each => each.type === 'token.issued');
  const isBound = beside.some(each => bindingOf(claimsOf(each)) !== undefined);
  return needsProof || (isBound && isPublic(client))
    ? 'It is bound to a key, and only its client can prove that it holds it.'
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
