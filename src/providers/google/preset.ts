import type { ClaimRule } from '../../protocol/dialects/claim-rules.ts';
import type { DialectData, MetadataForm } from '../../protocol/dialects/dialect-data.ts';
import type { ProviderPreset } from '../../sandbox/provider.ts';
import { asApiError } from './error-forms.ts';
import { errors } from './errors.ts';
import { requests, responses, scopes } from './requests.ts';
import { routes } from './routes.ts';

const apis = 'Call your own API: the sample backend of the sandbox accepts these tokens at /api.';

/** Sign in with Google, and its OAuth endpoints. */
export const google: ProviderPreset = {
  title: 'Google',
  dialect: options => ({
    ...(options.issuer === 'google' && { identifier: 'https://accounts.google.com' }),
    metadata,
    forms,
    accessTokenType: 'at+jwt',
    redirectUriNeeded: true,
    errors,
    secrets: {
      accessToken: random => `ya29.a0${random}`,
      refreshToken: random => `1//0${random}`,
      code: random => `4/0A${random}`,
    },
    scopes,
    requests,
    responses,
  }),
  paths: {
    authorize: '/o/oauth2/v2/auth',
    token: '/token',
    jwks: '/oauth2/v3/certs',
    userinfo: '/v1/userinfo',
    revoke: '/revoke',
    deviceAuthorization: '/device/code',
    deviceVerification: '/device',
  },
  routes,
  hosts: [
    'accounts.google.com',
    'oauth2.googleapis.com',
    'www.googleapis.com',
    'openidconnect.googleapis.com',
    'www.google.com',
  ],
  unserved: [
    {
      path: '/gsi',
      what: 'the scripts of Google Identity Services (One Tap, FedCM)',
      instead: 'Issue an ID token at /_sandbox/tokens and post it as `credential`, as the script does.',
    },
    {
      path: '/oauth2',
      what: 'this version of the OAuth API',
      instead: 'Use /oauth2/v3/userinfo and /oauth2/v3/certs.',
    },
    { path: '/o/oauth2', what: 'this OAuth endpoint', instead: 'Use the endpoints of the discovery document.' },
    { path: '/v1', what: 'APIs of Google beside UserInfo', instead: apis },
    { path: '/calendar', what: 'the Calendar API', instead: apis },
    { path: '/drive', what: 'the Drive API', instead: apis },
    { path: '/gmail', what: 'the Gmail API', instead: apis },
    { path: '/admin', what: 'the Admin SDK', instead: 'The control API at /_sandbox lists and changes users.' },
    { path: '/upload', what: 'uploads to APIs of Google', instead: apis },
  ],
  unservedForm: asApiError,
};

/**
 * The members of Google's discovery document. The sandbox does not promise what it does not keep:
 * `code_challenge_methods_supported` is without `plain`, and `response_types_supported` has the implicit types only if a client
 * uses them.
 */
const metadata: MetadataForm = {
  keep: [
    'issuer',
    'authorization_endpoint',
    'device_authorization_endpoint',
    'token_endpoint',
    'userinfo_endpoint',
    'revocation_endpoint',
    'jwks_uri',
    'response_types_supported',
    'code_challenge_methods_supported',
  ],
  add: {
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    scopes_supported: ['openid', 'email', 'profile'],
    token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
    claims_supported: [
      'aud',
      'email',
      'email_verified',
      'exp',
      'family_name',
      'given_name',
      'iat',
      'iss',
      'name',
      'picture',
      'sub',
    ],
    grant_types_supported: [
      'authorization_code',
      'refresh_token',
      'urn:ietf:params:oauth:grant-type:device_code',
      'urn:ietf:params:oauth:grant-type:jwt-bearer',
    ],
  },
};

const profile: ClaimRule = {
  when: ['user', 'scope.profile'],
  claims: {
    name: '${user.claims.name}',
    picture: '${user.claims.picture}',
    given_name: '${user.claims.given_name}',
    family_name: '${user.claims.family_name}',
  },
};

const email: ClaimRule = {
  when: ['user', 'scope.email'],
  claims: { email: '${user.claims.email}', email_verified: '${user.claims.email_verified}' },
};

/** The domain of a Workspace is the tenant of the user. */
const domain: ClaimRule = { when: 'user', claims: { hd: '${user.claims.tenant}' } };

/** Claims that the scope `profile` releases elsewhere, and Google does not have. */
const others = [
  'middle_name',
  'nickname',
  'preferred_username',
  'profile',
  'website',
  'gender',
  'birthdate',
  'zoneinfo',
  'locale',
  'updated_at',
];

const forms: DialectData['forms'] = {
  idToken: { omit: ['sid', 'auth_time', 'acr', 'amr', ...others], rules: [domain, email, profile] },
  userinfo: { omit: others, rules: [domain] },
  tokenResponse: { omit: ['scope'], rules: [{ claims: { scope: '${scopes}' } }] },
};
