import { defined } from '../../base/defined.ts';
import { clientOf, scopesIn } from '../../dashboard/claims/like-token.ts';
import { defaultFeatures, type Feature } from '../../protocol/feature.ts';
import { identityScopes } from '../../protocol/scope.ts';
import type { SandboxConfig, ScopeEntry, UserEntry } from '../../sandbox/config/sandbox-config.ts';
import { signingAlgs } from '../../sandbox/config/settings/signing-algs.ts';
import { type Fitting, fitting } from '../import/fit.ts';
import type { Notes } from '../import/notes.ts';
import { draftClients, namelessClient } from './draft-clients.ts';
import type { SampleMembers, SampleReading, Samples, TokenKind, TokenSample } from './samples.ts';
import { issuersIn, type Recognised, userClaimsFor } from './vendors.ts';

/** The login that is made at a sandbox, so that its tokens can be compared. */
export interface ProbeLogin {
  /** The client of the login; absent where no sample is of a user. */
  readonly client?: string;
  readonly user?: string;
  readonly scope: string;
  /** The ID token of the sample has a nonce. */
  readonly nonce: boolean;
  /** The origin of the page that asks for the tokens. */
  readonly origin?: string;
  /** The path of the issuer, below which its metadata is. */
  readonly issuerPath?: string;
  /** The API of the access token, for servers that give a JWT only to those who name one. */
  readonly resource?: string;
  /** The client that acts for itself. */
  readonly service?: string;
  readonly serviceScope: string;
}

/** A first configuration: all that can be written before a sandbox of it was looked at. */
export interface TwinDraft {
  readonly config: SandboxConfig;
  readonly probe: ProbeLogin;
}

/** Makes a configuration of samples. `made` are the same samples without personal values. */
export function draftOf(reading: SampleReading, made: Samples, vendor: Partial<Recognised>, notes: Notes): TwinDraft {
  const { samples } = reading;
  const fit = fitting(notes);
  const users = usersOf(made, vendor, fit);
  const clients = draftClients(reading, notes).flatMap((client, index) => fit.client(client, ['clients', index]) ?? []);
  const names = [
    ...scopesOf(samples.metadata ?? {}),
    ...Object.values(samples.tokens).flatMap(({ claims }) => scopesIn(claims)),
    ...reading.clients.flatMap(({ scope }) => scope.split(' ')),
  ];
  const scopes = scopesNamed(names, fit);
  const off = samples.metadata === undefined ? {} : featuresOff(samples.metadata, vendor);
  const config: SandboxConfig = {
    ...(vendor.preset !== undefined && { preset: vendor.preset as never }), // its name is one of the table
    ...(Object.keys(off).length > 0 && { features: off }),
    ...signing(samples),
    ...lifetimesOf(samples),
    clients,
    users,
    ...(Object.keys(scopes).length > 0 && { scopes }),
    ...(samples.keys?.some(key => 'x5c' in key) && { keyCertificates: true }),
    collections: {},
  };
  return { config, probe: probeOf(reading, config) };
}

function usersOf({ tokens, userinfo }: Samples, vendor: Partial<Recognised>, fit: Fitting): readonly UserEntry[] {
  const known = { ...tokens.access_token?.claims, ...tokens.id_token?.claims, ...userinfo };
  const preset = userClaimsFor(vendor, known);
  const own = Object.entries(known).filter(([name]) => personal.includes(name));
  const sub = typeof known.sub === 'string' ? known.sub : 'alex';
  const claims = { ...Object.fromEntries(own), ...preset };
  // made of parsed JSON, and checked by `fit`
  const entry = { sub, ...(Object.keys(claims).length > 0 && { claims }) } as UserEntry;
  return [fit.user(entry, ['users', 0]) ?? { sub: 'alex' }];
}

/** Claims of each user, whether a token has them or not (OIDC Core §5.1). */
const personal = [
  'name',
  'given_name',
  'family_name',
  'middle_name',
  'nickname',
  'preferred_username',
  'picture',
  'website',
  'email',
  'email_verified',
  'gender',
  'birthdate',
  'zoneinfo',
  'locale',
  'phone_number',
  'phone_number_verified',
  'address',
  'updated_at',
  'profile',
];

function scopesNamed(names: readonly string[], fit: Fitting): Readonly<Record<string, ScopeEntry>> {
  const own = [...new Set(names)].filter(name => name !== '' && !identityScopes.includes(name) && name !== '__proto__');
  return Object.fromEntries(
    own.slice(0, 300).flatMap(name => (fit.scope(name, {}, ['scopes', name]) === undefined ? [] : [[name, {}]])),
  );
}

function signing({ tokens }: Samples): Pick<SandboxConfig, 'signingAlg' | 'scopeClaim'> {
  const { header = {}, claims = {} } = tokens.access_token ?? tokens.client_token ?? {};
  const alg = signingAlgs.find(each => each === header.alg);
  return {
    ...(alg !== undefined && alg !== 'RS256' && { signingAlg: alg }),
    ...(Array.isArray(claims.scope) && { scopeClaim: 'array' as const }),
  };
}

function lifetimesOf({
  tokens,
  answer = {},
}: Samples): Pick<SandboxConfig, 'accessTokenLifetime' | 'idTokenLifetime' | 'refreshTokenLifetime'> {
  const access = lifetimeOf((tokens.access_token ?? tokens.client_token)?.claims, answer.expires_in);
  const id = lifetimeOf(tokens.id_token?.claims, undefined);
  const answered = answer.refresh_expires_in ?? answer.refresh_token_expires_in;
  const refresh = lifetimeOf(answered === undefined ? tokens.refresh_token?.claims : {}, answered);
  return defined({ accessTokenLifetime: access, idTokenLifetime: id, refreshTokenLifetime: refresh });
}

/** Seconds, within the bounds of a setting. */
function lifetimeOf({ exp, iat }: SampleMembers = {}, answered: unknown): number | undefined {
  const seconds = typeof exp === 'number' && typeof iat === 'number' ? exp - iat : Number(answered);
  return Number.isFinite(seconds) && seconds >= 1 && seconds <= 31_536_000 ? Math.round(seconds) : undefined;
}

function probeOf(
  { samples, clients }: SampleReading,
  { clients: entries = [], users = [] }: SandboxConfig,
): ProbeLogin {
  const { tokens, answer } = samples;
  const idOf = (kind: TokenKind) => {
    const token = tokens[kind];
    return token && clientOf(token, kind);
  };
  const isLogin = tokens.access_token !== undefined || tokens.id_token !== undefined || answer !== undefined;
  const canLogIn = (id: string | undefined) =>
    entries.some(each => each.client_id === id && each.grant_types?.includes('authorization_code'));
  const wanted = [
    idOf('id_token'),
    idOf('access_token'),
    ...clients.map(({ client_id }) => client_id),
    namelessClient,
  ].find(canLogIn);
  const service = idOf('client_token');
  const recorded = clients.find(({ client_id }) => client_id === wanted);
  const found = scopesIn(tokens.access_token?.claims);
  const scope = [...new Set([...(tokens.id_token === undefined ? [] : ['openid']), ...found])].join(' ');
  return {
    scope: recorded?.scope !== undefined && recorded.scope !== '' ? recorded.scope : scope,
    nonce: 'nonce' in (tokens.id_token?.claims ?? {}),
    serviceScope: scopesIn(tokens.client_token?.claims).join(' '),
    ...defined({ issuerPath: issuerPathOf(samples) }),
    ...(isLogin && defined({ client: wanted, user: users[0]?.sub, origin: recorded?.origin })),
    ...(isLogin && defined({ resource: resourceOf(tokens.access_token, wanted) })),
    ...(entries.some(each => each.client_id === service) && defined({ service })),
  };
}

function issuerPathOf(samples: Samples): string | undefined {
  const [issuer] = issuersIn(samples);
  return issuer === undefined || !URL.canParse(issuer) ? undefined : new URL(issuer).pathname;
}

/** The first audience of a JWT that is a URI other than the client (RFC 8707 §2). */
function resourceOf({ claims = {} }: TokenSample = {}, client: string | undefined): string | undefined {
  const texts = [claims.aud].flat().filter(each => typeof each === 'string');
  return texts.find(text => text !== client && URL.canParse(text));
}

/** The member of the metadata by which a server says that it has a feature. */
const members: Partial<Readonly<Record<Feature, string>>> = {
  introspection: 'introspection_endpoint',
  revocation: 'revocation_endpoint',
  device: 'device_authorization_endpoint',
  ciba: 'backchannel_authentication_endpoint',
  par: 'pushed_authorization_request_endpoint',
  jar: 'request_parameter_supported',
  jarm: 'authorization_signing_alg_values_supported',
  rar: 'authorization_details_types_supported',
  registration: 'registration_endpoint',
  'client-id-metadata': 'client_id_metadata_document_supported',
  dpop: 'dpop_signing_alg_values_supported',
  'protected-resource-metadata': 'protected_resources',
  'backchannel-logout': 'backchannel_logout_supported',
  'frontchannel-logout': 'frontchannel_logout_supported',
  'session-management': 'check_session_iframe',
};

const grants: Partial<Readonly<Record<Feature, string>>> = {
  'token-exchange': 'urn:ietf:params:oauth:grant-type:token-exchange',
  'jwt-bearer': 'urn:ietf:params:oauth:grant-type:jwt-bearer',
};

/** Switches for the features that a server does not advertise. */
function featuresOff(metadata: SampleMembers, { provider }: Partial<Recognised>): Partial<Record<Feature, false>> {
  const { features = [], without = [] } = provider ?? {};
  const needed = [...features, ...without]; // the preset switches them by itself
  const off = defaultFeatures.filter(feature => !needed.includes(feature) && isAbsent(feature, metadata));
  return Object.fromEntries(off.map(feature => [feature, false]));
}

function isAbsent(feature: Feature, metadata: SampleMembers): boolean {
  const member = members[feature];
  if (member !== undefined) return [undefined, false, null].includes(metadata[member] as undefined);
  const grant = grants[feature];
  const listed = metadata.grant_types_supported;
  return grant !== undefined && Array.isArray(listed) && !listed.includes(grant);
}

function scopesOf({ scopes_supported: listed }: SampleMembers): readonly string[] {
  const texts = Array.isArray(listed) ? listed.filter(each => typeof each === 'string') : [];
  return [...new Set(texts)].slice(0, 300);
}
