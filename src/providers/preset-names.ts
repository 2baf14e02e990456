import type { RegisteredClient } from '../protocol/clients/client.ts';
import type { Feature } from '../protocol/feature.ts';

interface PresetRow {
  /** The options, with their defaults. */
  readonly options: Readonly<Record<string, string>>;
  /** The forms of options that are not simple names: what they match, and words for it. */
  readonly forms?: Readonly<Record<string, readonly [form: RegExp, expected: string]>>;
  /** Members of each client of the issuer, unless its entry has them. */
  readonly clientDefaults?: Partial<RegisteredClient>;
  /** Precedes the `sub` of each user in the configuration, unless it has a `|`. */
  readonly subjectPrefix?: string;
  /** Access tokens are signed by a key of their own. */
  readonly accessKey?: true;
  /** Scopes that are offered even if no client names them. */
  readonly scopes?: readonly string[];
  /** Features that are on without a client of the configuration that needs them, because clients come at run time. */
  readonly features?: readonly Feature[];
  /** Features that the provider does not have. They are off unless the setting `features` has them. */
  readonly without?: readonly Feature[];
  /** Every access token has the same `aud`, whatever a client and a request say. */
  readonly hasFixedAudience?: true;
  /** Lifetimes in seconds, unless the setting itself says otherwise. */
  readonly settings?: { readonly accessTokenLifetime?: number; readonly idTokenLifetime?: number };
  /** Paths that only this provider has, so that a request to one tells which preset was meant. */
  readonly paths: readonly string[];
}

const githubScopes = ['user', 'read:user', 'user:email', 'read:org', 'repo'];

/** The presets by name: what the other parts must know of them before they are loaded. */
export const presetTable = {
  apple: {
    options: { issuer: 'local', team: 'GRANTBOX00', booleans: 'boolean' },
    forms: {
      issuer: [/^(local|apple)$/, 'local or apple'],
      team: [/^[A-Z0-9]{10}$/, 'ten capital letters and digits'],
      booleans: [/^(boolean|text)$/, 'boolean or text'],
    },
    clientDefaults: {
      access_token_format: 'opaque',
      grant_types: ['authorization_code', 'refresh_token'],
      refresh_token_rotation: false,
    },
    settings: { accessTokenLifetime: 3600, idTokenLifetime: 86_400 },
    scopes: ['name'],
    paths: ['/auth/authorize', '/auth/token', '/auth/keys'],
  },
  github: {
    options: { issuer: 'local' },
    forms: { issuer: [/^(local|github)$/, 'local or github'] },
    clientDefaults: { access_token_format: 'opaque' },
    settings: { accessTokenLifetime: 31_536_000 },
    scopes: githubScopes,
    paths: ['/login/oauth/', '/api/v3/'],
  },
  'github-app': {
    options: { issuer: 'local' },
    forms: { issuer: [/^(local|github)$/, 'local or github'] },
    clientDefaults: {
      access_token_format: 'opaque',
      grant_types: ['authorization_code', 'refresh_token'],
      refresh_token_lifetime: 15_897_600,
    },
    settings: { accessTokenLifetime: 28_800 },
    scopes: githubScopes,
    paths: [],
  },
  google: {
    options: { issuer: 'local' },
    forms: { issuer: [/^(local|google)$/, 'local or google'] },
    clientDefaults: {
      access_token_format: 'opaque',
      grant_types: ['authorization_code', 'refresh_token'],
      refresh_token_rotation: false,
    },
    settings: { accessTokenLifetime: 3599, idTokenLifetime: 3600 },
    paths: ['/o/oauth2/', '/oauth2/v3/', '/tokeninfo'],
  },
  keycloak: {
    options: { realm: 'demo' },
    clientDefaults: { default_scope: 'profile email', refresh_token_rotation: false },
    settings: { accessTokenLifetime: 300, idTokenLifetime: 300 },
    features: ['password'],
    paths: ['/realms/', '/auth/realms/', '/admin/realms'],
  },
  cognito: {
    options: { pool: 'us-east-1_Grantbox1', issuer: 'local', code: '123456', mfa: 'optional' },
    forms: {
      pool: [/^[a-z][a-z0-9-]*_[A-Za-z0-9]{1,55}$/, 'a region, _ and an id, such as eu-west-1_Grantbox1'],
      issuer: [
        /^(local|aws|https:\/\/[\w.~:/-]{1,200}[\w~-])$/,
        'local, aws, or an https URL without a slash at the end',
      ],
      code: [/^\d{6}$/, 'six digits'],
      mfa: [/^(optional|on)$/, 'optional or on'],
    },
    clientDefaults: { refresh_token_rotation: false },
    settings: { accessTokenLifetime: 3600, idTokenLifetime: 3600 },
    accessKey: true,
    scopes: ['aws.cognito.signin.user.admin'],
    paths: ['/oauth2/userInfo'],
  },
  // issuers of tokens for jobs and machines
  'github-actions': { options: {}, paths: ['/_apis/'] },
  'gitlab-ci': { options: {}, paths: ['/oauth/discovery/'] },
  buildkite: { options: {}, paths: ['/v3/jobs/'] },
  circleci: {
    options: { organization: '8b4cb5cd-6d5a-4a5e-8f5a-1f3f0c0a2b3c', user: '2b1c6a0e-3a3b-4c55-9d3e-6c2a7a1f5e77' },
    paths: ['/org/'],
  },
  kubernetes: { options: {}, paths: ['/openid/v1/'] },
  // shapes of tokens
  firebase: {
    options: { project: 'demo' },
    hasFixedAudience: true,
    settings: { accessTokenLifetime: 3600, idTokenLifetime: 3600 },
    paths: ['/service_accounts/'],
  },
  supabase: {
    options: {},
    hasFixedAudience: true,
    settings: { accessTokenLifetime: 3600, idTokenLifetime: 3600 },
    paths: ['/auth/v1/'],
  },
  zitadel: {
    options: { organization: '178204173316174381', domain: 'acme.localhost', project: '227622278624280834' },
    settings: { accessTokenLifetime: 43_200, idTokenLifetime: 43_200 },
    paths: ['/oauth/v2/', '/oidc/v1/'],
  },
  logto: {
    options: {},
    settings: { accessTokenLifetime: 3600, idTokenLifetime: 3600 },
    paths: ['/oidc/session/', '/oidc/token'],
  },
  clerk: { options: {}, hasFixedAudience: true, paths: ['/oauth/token_info'] },
  auth0: {
    options: { token_dialect: 'access_token' },
    settings: { accessTokenLifetime: 86_400, idTokenLifetime: 36_000 },
    subjectPrefix: 'auth0|',
    features: ['password', 'implicit'],
    paths: ['/oauth/token', '/v2/logout', '/api/v2', '/dbconnections', '/oauth/revoke'],
  },
  entra: {
    options: { tenant: '6f2d0bd4-7c3e-4a51-9d8f-2b1e5a90c7d3', domain: 'sandbox.onmicrosoft.com' },
    clientDefaults: { subject_type: 'pairwise', refresh_token_rotation: false },
    // an access token of Entra ID lives 60 to 90 minutes
    settings: { accessTokenLifetime: 4500, idTokenLifetime: 3600 },
    features: ['password'],
    without: [
      'introspection',
      'revocation',
      'token-exchange',
      'ciba',
      'par',
      'jar',
      'jarm',
      'rar',
      'claims',
      'dpop',
      'registration',
      'client-id-metadata',
      'protected-resource-metadata',
      'backchannel-logout',
      'session-management',
    ],
    paths: ['/common/', '/organizations/', '/consumers/', '/v1.0/me', '/v1.0/users'],
  },
  okta: {
    options: { server: 'default' },
    settings: { accessTokenLifetime: 3600, idTokenLifetime: 3600 },
    paths: ['/oauth2/default/', '/oauth2/v1/', '/oauth2/aus', '/api/v1/'],
  },
} as const satisfies Readonly<Record<string, PresetRow>>;

export type PresetName = keyof typeof presetTable;

export const presetNames = Object.keys(presetTable) as readonly PresetName[]; // the keys of the table above

/** The provider whose wire an issuer speaks. */
export interface PresetChoice {
  readonly name: PresetName;
  /** All options of the preset. */
  readonly options: Readonly<Record<string, string>>;
}

/** The row of a preset. */
export function presetRow({ name }: Pick<PresetChoice, 'name'>): PresetRow {
  return presetTable[name];
}
