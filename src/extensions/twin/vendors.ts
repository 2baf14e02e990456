import { isRecord } from '../../base/text/record.ts';
import { type ClaimContext, fillTemplate } from '../../protocol/dialects/claim-rules.ts';
import { presetChoice } from '../../sandbox/config/preset-choice.ts';
import type { ProviderTraits } from '../../sandbox/config/provider-traits.ts';
import type { SampleMembers, Samples } from './samples.ts';

/** The signs of a provider. An issuer counts three, an endpoint two, a member of the metadata or a claim one. */
interface Vendor {
  /** The name of its preset, here or in a later version. */
  readonly name: string;
  readonly title: string;
  /** Named groups are options of the preset. */
  readonly issuer?: RegExp;
  /** Options where an issuer of that form does not name them. */
  readonly unnamed?: Readonly<Record<string, string>>;
  /** Of the authorization endpoint or the token endpoint. */
  readonly endpoint?: RegExp;
  readonly metadata?: readonly string[];
  readonly claims?: readonly string[];
  /** Of an opaque access token. */
  readonly token?: RegExp;
  /** Claims of a user of the sandbox, as templates of the `claims` of a token. */
  readonly user?: SampleMembers;
}

const vendors: readonly Vendor[] = [
  {
    name: 'keycloak',
    title: 'Keycloak',
    issuer: /\/realms\/(?<realm>[^/]+)$/,
    endpoint: /\/protocol\/openid-connect\//,
    claims: ['realm_access', 'resource_access', 'allowed-origins'],
    user: {
      roles: '${claims.realm_access.roles}',
      client_roles: { $each: 'claims.resource_access', $as: '${value.roles}' },
      groups: '${claims.groups}',
    },
  },
  {
    name: 'entra',
    title: 'Entra ID',
    issuer: /^https:\/\/(?:login\.microsoftonline\.[a-z]+|sts\.windows\.net|[^/]+\.ciamlogin\.com)\/(?<tenant>[^/]+)/,
    endpoint: /\/oauth2\/v2\.0\//,
    metadata: ['tenant_region_scope', 'cloud_instance_name', 'msgraph_host'],
    claims: ['oid', 'tid', 'uti', 'rh', 'aio'],
    user: { roles: '${claims.roles}', groups: '${claims.groups}' },
  },
  {
    name: 'auth0',
    title: 'Auth0',
    issuer: /^https:\/\/[^/]+\.auth0\.com\/$/,
    endpoint: /\/oauth\/token$/,
    metadata: ['mfa_challenge_endpoint', 'global_token_revocation_endpoint'],
    claims: ['gty', 'org_id', 'permissions'],
    user: { permissions: '${claims.permissions}' },
  },
  {
    name: 'okta',
    title: 'Okta',
    unnamed: { server: 'org' },
    issuer: /^https:\/\/[^/]+\.(?:okta|oktapreview|okta-emea)\.com(?:\/oauth2\/(?<server>[^/]+))?$/,
    endpoint: /\/oauth2\/(?:[^/]+\/)?v1\/(?:authorize|token)$/,
    claims: ['cid', 'uid', 'scp', 'ver'],
    user: { groups: '${claims.groups}' },
  },
  {
    name: 'cognito',
    title: 'Amazon Cognito',
    issuer: /^https:\/\/cognito-idp\.(?<region>[^.]+)\.amazonaws\.com\/(?<pool>[^/]+)$/,
    claims: ['token_use', 'cognito:username', 'cognito:groups', 'origin_jti'],
    user: { groups: '${claims[cognito:groups]}' },
  },
  {
    name: 'google',
    title: 'Google',
    issuer: /^(?:https:\/\/)?accounts\.google\.com$/,
    claims: ['hd'],
    token: /^ya29\./,
  },
  {
    name: 'github',
    title: 'GitHub',
    endpoint: /^https:\/\/github\.com\/login\/oauth\//,
    token: /^gh[our]_/,
  },
  {
    name: 'apple',
    title: 'Apple',
    issuer: /^https:\/\/appleid\.apple\.com$/,
    claims: ['nonce_supported', 'real_user_status', 'is_private_email', 'transfer_sub'],
  },
  {
    name: 'firebase',
    title: 'Firebase',
    issuer: /^https:\/\/securetoken\.google\.com\/(?<project>[^/]+)$/,
    claims: ['firebase', 'user_id'],
  },
  {
    name: 'supabase',
    title: 'Supabase',
    issuer: /\/auth\/v1$/,
    claims: ['app_metadata', 'user_metadata', 'aal', 'is_anonymous'],
  },
  {
    name: 'zitadel',
    title: 'Zitadel',
    endpoint: /\/oauth\/v2\//,
    claims: ['urn:zitadel:iam:org:project:roles', 'urn:zitadel:iam:user:resourceowner:id'],
  },
  { name: 'logto', title: 'Logto', issuer: /\.logto\.app\/oidc$/, claims: ['organization_roles'] },
  {
    name: 'workos',
    title: 'WorkOS',
    issuer: /^https:\/\/api\.workos\.com\//,
    claims: ['entitlements', 'feature_flags'],
  },
  { name: 'clerk', title: 'Clerk', issuer: /\.clerk\.accounts\.dev$/, claims: ['fva', 'sts', 'pla'] },
];

/** A provider that the samples show. */
export interface Recognised {
  readonly title: string;
  /** The preset of this version, with the options that it has. */
  readonly preset?: { readonly name: string } & Readonly<Record<string, string>>;
  /** What that preset is by itself. */
  readonly provider?: ProviderTraits;
}

/** The fewest signs that count: any server could have one of the claims. */
const least = 2;

/** The provider with the most signs; undefined for a server of no known one. */
export function recognise(samples: Samples, providers: readonly ProviderTraits[]): Recognised | undefined {
  const weighed = vendors.map(vendor => ({ vendor, weight: weightOf(vendor, samples) }));
  const [best] = weighed.toSorted((a, b) => b.weight - a.weight);
  if (best === undefined || best.weight < least) return undefined;
  const { name, title, issuer, unnamed } = best.vendor;
  const provider = providers.find(each => each.name === name);
  if (provider === undefined) return { title };
  const options = Object.keys(provider.options);
  const found = issuersIn(samples).flatMap(text => Object.entries({ ...issuer?.exec(text)?.groups }));
  const named = found.map(([option, value]) => [option, value ?? unnamed?.[option]] as const);
  const format = presetChoice([provider]);
  const isOption = ([option, value]: readonly [string, unknown]) =>
    options.includes(option) && 'value' in format.read({ name, [option]: value });
  const given = named.filter(isOption);
  return { title, provider, preset: { ...Object.fromEntries(given), name } };
}

/** The claims of a user that a preset makes these claims of a token from. */
export function userClaimsFor({ preset }: Partial<Recognised>, claims: SampleMembers): SampleMembers {
  const { user = {} } = vendors.find(({ name }) => name === preset?.name) ?? {};
  const context: ClaimContext = { claims };
  const filled = fillTemplate(user, context);
  return isRecord(filled) ? filled : {};
}

function weightOf(vendor: Vendor, samples: Samples): number {
  const { metadata = {}, tokens } = samples;
  const endpoints = [metadata.authorization_endpoint, metadata.token_endpoint].filter(isText);
  const names = new Set(Object.values(tokens).flatMap(({ claims = {} }) => Object.keys(claims)));
  const opaque = Object.values(tokens).flatMap(({ text, claims }) => (claims === undefined ? [text ?? ''] : []));
  const has = (pattern: RegExp | undefined, texts: readonly string[]) =>
    pattern !== undefined && texts.some(text => pattern.test(text));
  return (
    (has(vendor.issuer, issuersIn(samples)) ? 3 : 0) +
    (has(vendor.endpoint, endpoints) ? 2 : 0) +
    (has(vendor.token, opaque) ? 2 : 0) +
    (vendor.metadata ?? []).filter(name => Object.hasOwn(metadata, name)).length +
    (vendor.claims ?? []).filter(name => names.has(name)).length
  );
}

/** The issuer of the metadata, and those of the tokens. */
export function issuersIn({ metadata = {}, tokens }: Samples): readonly string[] {
  const all = [metadata.issuer, ...Object.values(tokens).map(({ claims = {} }) => claims.iss)];
  return [...new Set(all.filter(isText).map(text => text.slice(0, 500)))];
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
