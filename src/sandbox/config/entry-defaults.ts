import { defined } from '../../base/defined.ts';
import { secondsIn } from '../../base/text/duration.ts';
import type { AuthorizationDetailsType } from '../../protocol/authorization.ts';
import type { TrustedIssuer } from '../../protocol/authorization-server.ts';
import type {
  ClientFormats,
  ClientValue,
  RegisteredClient,
  ResponseType,
  TokenEndpointAuthMethod,
} from '../../protocol/clients/client.ts';
import { type ClientMember, clientMembers } from '../../protocol/clients/client-members.ts';
import { parseScope, type ScopeDefinition } from '../../protocol/scope.ts';
import type { TestUser } from '../../protocol/users/user.ts';
import { standardScopes } from './claims.ts';
import type { ClientDefaults, CollectionConfig } from './config.ts';
import type {
  AuthorizationDetailsTypeEntry,
  ClientEntry,
  CollectionEntry,
  ScopeEntry,
  TrustedIssuerEntry,
  UserEntry,
} from './sandbox-config.ts';

// Turns checked entries into the values that the server works with. Nothing is refused here.

type AuthenticationMembers = Pick<
  ClientEntry,
  'client_secret' | 'token_endpoint_auth_method' | 'token_endpoint_auth_methods'
>;

/**
 * The client authentication methods of an entry. A client with a secret and without a method may send the secret by
 * Basic, the default of RFC 7591 §2, or in the body: certified servers accept both, and libraries differ in their
 * choice (RFC 6749 §2.3.1).
 */
export function methodsOf(client: AuthenticationMembers): readonly TokenEndpointAuthMethod[] {
  const { client_secret, token_endpoint_auth_method: one, token_endpoint_auth_methods: several } = client;
  if (several !== undefined) return several;
  if (one !== undefined) return [one];
  return client_secret === undefined ? ['none'] : ['client_secret_basic', 'client_secret_post'];
}

/** The default is `authorization_code` (RFC 7591 §2). */
export function grantsOf(client: Pick<ClientEntry, 'grant_types'>): readonly string[] {
  return client.grant_types ?? ['authorization_code'];
}

type Members = typeof clientMembers;
type ConstantDefaults = {
  readonly [Name in keyof Members as Members[Name] extends { default: unknown } ? Name : never]: ClientValue<
    Members[Name]['format'],
    ClientFormats
  >;
};

/** Defaults from the table of members. The cast is needed because `fromEntries` loses the names. */
const constantDefaults = Object.fromEntries(
  Object.entries<ClientMember>(clientMembers).flatMap(([name, row]) => ('default' in row ? [[name, row.default]] : [])),
) as ConstantDefaults;

export function registeredClient(entry: ClientEntry, defaults: ClientDefaults): RegisteredClient {
  const { token_endpoint_auth_method: _, audience = [], ...members } = entry;
  const { id_token_lifetime: _id, refresh_token_lifetime: _refresh, ...given } = members;
  const methods = methodsOf(entry);
  const grants = entry.grant_types ?? defaults.ofPreset?.grant_types ?? grantsOf(entry);
  return {
    ...constantDefaults,
    client_name: given.client_id,
    response_types: defaultResponseTypes(grants),
    id_token_signed_response_alg: defaults.idTokenAlg,
    require_consent: defaults.consent,
    ...defaults.ofPreset,
    origin: 'configuration',
    ...given,
    ...lifetimesOf(entry, defaults),
    token_endpoint_auth_methods: methods,
    grant_types: grants,
    scope: parseScope(given.scope ?? defaults.scope).join(' '),
    require_pkce: methods.includes('none') || (given.require_pkce ?? defaults.requirePkce),
    audience: typeof audience === 'string' ? [audience] : audience,
    ...(typeof audience !== 'string' && audience.length === 1 && { isAudienceList: true }),
  };
}

/** Lifetimes in seconds, also if they were written as text. */
function lifetimesOf(entry: ClientEntry, { accessTokenLifetime }: ClientDefaults) {
  const { access_token_lifetime, id_token_lifetime, refresh_token_lifetime } = entry;
  const idToken = secondsIn(id_token_lifetime);
  const refreshToken = secondsIn(refresh_token_lifetime);
  return {
    access_token_lifetime: secondsIn(access_token_lifetime) ?? accessTokenLifetime,
    ...defined({ id_token_lifetime: idToken, refresh_token_lifetime: refreshToken }),
  };
}

/** RFC 7591 §2.1. */
function defaultResponseTypes(grants: readonly string[]): readonly ResponseType[] {
  const code: readonly ResponseType[] = grants.includes('authorization_code') ? ['code'] : [];
  return grants.includes('implicit') ? [...code, 'id_token', 'id_token token'] : code;
}

export function testUser(entry: UserEntry, prefix = ''): TestUser {
  const { sub } = entry;
  return { username: sub, claims: {}, access_token_claims: {}, ...entry, sub: sub.includes('|') ? sub : prefix + sub };
}

export function collectionConfig(name: string, entry: CollectionEntry): CollectionConfig {
  return { name, seed: [], ...entry, fields: filledFields(entry.fields) };
}

export function authorizationDetailsType(
  name: string,
  { description, fields = {} }: AuthorizationDetailsTypeEntry,
): AuthorizationDetailsType {
  return { name, description: description ?? describeByName(name), fields: filledFields(fields) };
}

/** A type alone is short for a required field. */
function filledFields<T extends string>(
  fields: Readonly<Record<string, T | { readonly type: T; readonly required?: boolean }>>,
): Record<string, { readonly type: T; readonly required: boolean }> {
  const filled = Object.entries(fields).map(([name, given]) => [
    name,
    { required: true, ...(typeof given === 'string' ? { type: given } : given) },
  ]);
  return Object.fromEntries(filled);
}

/** Merges an entry into the existing definition of the scope. */
export function scopeDefinition(
  name: string,
  entry: ScopeEntry | string,
  known: ScopeDefinition = describeScope(name),
): ScopeDefinition {
  return { ...known, ...(typeof entry === 'string' ? { description: entry } : entry) };
}

/** A scope without an entry: its standard meaning, or a description made from its name. */
export function describeScope(name: string): ScopeDefinition {
  return { name, description: describeByName(name), claims: [], access_token_claims: {}, ...standardScopes[name] };
}

/** `bikes:read` and `bikes:write` explain themselves. */
function describeByName(name: string): string {
  const [, what, action] = /^([a-z][\w-]*)[:.](read|write)$/i.exec(name) ?? [];
  if (what === undefined) return `use "${name}"`;
  return `${action?.toLowerCase() === 'read' ? 'see' : 'change'} ${what}`;
}

export function trustedIssuer(issuer: string, { audience = [], ...given }: TrustedIssuerEntry): TrustedIssuer {
  const defaults = { algorithms: [], subjectClaim: 'sub', users: {}, createUsers: false };
  return { ...defaults, ...given, issuer, audience: typeof audience === 'string' ? [audience] : audience };
}
