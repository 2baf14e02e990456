import type { ClaimRule } from '../../protocol/dialects/claim-rules.ts';
import type { DialectData, MetadataForm } from '../../protocol/dialects/dialect-data.ts';
import type { ProviderPreset } from '../../sandbox/provider.ts';
import { requests, responses, scopes } from './endpoints.ts';
import { asApiError, routes } from './routes.ts';

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
      instead: 'Mint an ID token at /_sandbox/tokens and post it as `credential`, as the script does.',
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

const grant = (error_description: string) => ({ status: 400, error: 'invalid_grant', error_description });
const request = (error_description: string) => ({ status: 400, error: 'invalid_request', error_description });
const badRequest = grant('Bad Request');
const ended = grant('Token has been expired or revoked.');
const timeframe = grant(
  'Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. Check your iat and exp values in the JWT claim.',
);
const forbidden = { status: 403, error_description: 'Forbidden' };

/** Errors of Google by our reason. Applications compare the codes, and show the texts. */
export const errors: DialectData['errors'] = {
  client_unknown: { status: 401, error: 'invalid_client', error_description: 'The OAuth client was not found.' },
  client_secret_wrong: {
    status: 401,
    error: 'invalid_client',
    error_description: 'The provided client secret is invalid.',
  },
  client_secret_missing: request('client_secret is missing.'),
  client_unidentified: request('Could not determine client ID from request.'),
  grant_type_unsupported: { error_description: 'Invalid grant_type: ${sent}' },
  parameter_missing: request('Missing required parameter: ${expected}'),
  scope_not_registered: {
    status: 400,
    error: 'invalid_scope',
    error_description: 'Some requested scopes were invalid. {invalid=[${sent}]}',
  },
  redirect_uri_not_registered: {
    status: 400,
    error: 'redirect_uri_mismatch',
    error_description:
      'The redirect URI in the request, ${sent}, does not match the ones authorized for the OAuth client.',
  },
  redirect_uri_missing: request('Missing required parameter: redirect_uri'),
  redirect_uri_mismatch: { status: 400, error: 'redirect_uri_mismatch', error_description: 'Bad Request' },
  code_expired_or_unknown: badRequest,
  code_replayed: badRequest,
  code_of_another_client: badRequest,
  pkce_mismatch: grant('Invalid code verifier.'),
  pkce_missing: grant('Missing code verifier.'),
  refresh_token_expired_or_unknown: badRequest,
  refresh_token_of_another_client: { status: 401, error: 'unauthorized_client', error_description: 'Unauthorized' },
  authorization_revoked: ended,
  token_ended: ended,
  // device flow
  authorization_pending: { status: 428, error_description: 'Precondition Required' },
  polled_too_fast: forbidden,
  user_denied: forbidden,
  device_code_unknown: badRequest,
  device_code_expired: badRequest,
  device_code_used: badRequest,
  // service accounts
  assertion_malformed: grant('Bad Request'),
  assertion_issuer_untrusted: grant('Invalid grant: account not found'),
  assertion_signature_wrong: grant('Invalid JWT Signature.'),
  assertion_audience_mismatch: grant('Invalid JWT: Failed audience check.'),
  assertion_time_malformed: timeframe,
  assertion_expired: timeframe,
  assertion_not_yet_valid: timeframe,
  assertion_subject_unknown: grant('Invalid email or User ID'),
};
