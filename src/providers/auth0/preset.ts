import type { DialectData, ErrorRule, MetadataForm } from '../../protocol/dialects/dialect-data.ts';
import type { PresetOptions, ProviderPreset } from '../../sandbox/provider.ts';
import { grants } from './grants.ts';
import { routes } from './routes.ts';

const pages = 'Begin a sign-in at /authorize: the sign-in page of the sandbox follows.';

/** Auth0: the address of an issuer is that of a tenant. */
export const auth0: ProviderPreset = {
  title: 'Auth0',
  dialect: options => ({
    identifier: '${issuer}/',
    metadata,
    forms: forms(options),
    messages: { web_message: { type: 'authorization_response', response: '${response}' } },
    parameterNames: { audience: 'resource', returnTo: 'post_logout_redirect_uri' },
    resources: ['${issuer}/api/v2/', '${issuer}/userinfo'],
    opaqueWithoutResource: true,
    refreshNeedsScope: true,
    userinfoByScope: true,
    organizations: true,
    accessTokenType: options.token_dialect?.startsWith('rfc9068') ? 'at+jwt' : 'JWT',
    redirectUriNeeded: true,
    errors,
  }),
  paths: {
    authorize: '/authorize',
    token: '/oauth/token',
    jwks: '/.well-known/jwks.json',
    userinfo: '/userinfo',
    endSession: '/oidc/logout',
    revoke: '/oauth/revoke',
    pushedAuthorizationRequest: '/oauth/par',
    deviceAuthorization: '/oauth/device/code',
    deviceVerification: '/activate',
    backchannelAuthentication: '/bc-authorize',
    register: '/oidc/register',
  },
  grants,
  routes,
  management: {
    paths: () => ['/api/v2'],
    load: async () => (await import('./api/api.ts')).createManagementApi,
  },
  unserved: [
    { path: '/u', what: 'the pages of Universal Login', instead: pages },
    { path: '/usernamepassword', what: 'the sign-in of the Lock widget', instead: pages },
    { path: '/co', what: 'cross-origin authentication', instead: 'Send the grant password-realm to /oauth/token.' },
    {
      path: '/mfa/associate',
      what: 'the enrolment of second factors',
      instead: 'Write the factors of a user as claims.factors, and ask GET /mfa/authenticators.',
    },
    {
      path: '/passwordless',
      what: 'sign-ins by a code in an e-mail or a text message',
      instead: 'Send the grant password-realm to /oauth/token.',
    },
    { path: '/passkey', what: 'passkeys', instead: pages },
    {
      path: '/oauth/global-token-revocation',
      what: 'global token revocation',
      instead: 'Revoke a refresh token with POST /oauth/revoke.',
    },
    {
      path: '/samlp',
      what: 'SAML',
      instead: 'The sandbox speaks OpenID Connect: use the endpoints of its metadata.',
    },
    { path: '/wsfed', what: 'WS-Federation', instead: 'Use the OpenID Connect endpoints of the metadata.' },
    { path: '/me/v1', what: 'the My Account API', instead: 'Change users with /api/v2/users.' },
    { path: '/scim/v2', what: 'SCIM', instead: 'Create and change users with /api/v2/users.' },
  ],
  pageIds: { loginAction: 'default' },
};

/**
 * The metadata of a tenant. The sandbox does not promise what it does not keep: `code_challenge_methods_supported` is
 * without `plain`, `id_token_signing_alg_values_supported` without `HS256`, and there is no global token revocation.
 */
const metadata: MetadataForm = {
  add: {
    mfa_challenge_endpoint: '${issuer}/mfa/challenge',
    response_modes_supported: ['query', 'fragment', 'form_post'],
    subject_types_supported: ['public'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    token_endpoint_auth_signing_alg_values_supported: ['RS256', 'RS384', 'PS256'],
    id_token_signing_alg_values_supported: ['RS256', 'PS256'],
    claims_supported: [
      'aud',
      'auth_time',
      'email',
      'email_verified',
      'exp',
      'family_name',
      'given_name',
      'iat',
      'iss',
      'name',
      'nickname',
      'picture',
      'sub',
    ],
    backchannel_token_delivery_modes_supported: ['poll'],
    dpop_signing_alg_values_supported: ['ES256'],
  },
  omit: [
    'grant_types_supported',
    'authorization_response_iss_parameter_supported',
    'acr_values_supported',
    'claim_types_supported',
    'claims_parameter_supported',
    'prompt_values_supported',
    'ui_locales_supported',
    'client_id_metadata_document_supported',
    'protected_resources',
    'check_session_iframe',
    'frontchannel_logout_supported',
    'frontchannel_logout_session_supported',
    'service_documentation',
    'introspection_endpoint',
    'introspection_endpoint_auth_methods_supported',
    'introspection_endpoint_auth_signing_alg_values_supported',
    'introspection_signing_alg_values_supported',
    'revocation_endpoint_auth_methods_supported',
    'revocation_endpoint_auth_signing_alg_values_supported',
    'require_signed_request_object',
    'require_pushed_authorization_requests',
    'authorization_signing_alg_values_supported',
    'authorization_details_types_supported',
    'backchannel_authentication_request_signing_alg_values_supported',
    'backchannel_user_code_parameter_supported',
    'userinfo_signing_alg_values_supported',
    'id_token_encryption_alg_values_supported',
    'id_token_encryption_enc_values_supported',
    'userinfo_encryption_alg_values_supported',
    'userinfo_encryption_enc_values_supported',
  ],
};

/** Claims that the scopes `profile` and `email` release, in ID tokens and at UserInfo. */
const identity = [
  { when: ['user', 'scope.profile'], claims: { nickname: '${user.username}', name: '${user.claims.email}' } },
  {
    when: ['user', 'scope.profile'],
    claims: {
      given_name: '${user.claims.given_name}',
      family_name: '${user.claims.family_name}',
      nickname: '${user.claims.nickname}',
      name: '${user.claims.name}',
      picture: '${user.claims.picture}',
      updated_at: '${user.updated_at}',
    },
  },
  {
    when: ['user', 'scope.email'],
    claims: { email: '${user.claims.email}', email_verified: '${user.claims.email_verified}' },
  },
];

const organization = {
  when: 'organization',
  claims: { org_id: '${organization.id}', org_name: '${organization.name}' },
};

/** Tokens, UserInfo and the token response of a tenant. `token_dialect` is that of its APIs (Access token profiles). */
export function forms({ token_dialect = '' }: PresetOptions): DialectData['forms'] {
  const isRfc9068 = token_dialect.startsWith('rfc9068');
  const hasPermissions = token_dialect.endsWith('_authz');
  return {
    accessToken: {
      // `jti` stays in both profiles: without it two tokens of one second would be the same
      omit: ['nbf', 'acr', 'amr', 'auth_time', 'sid', 'client_id'],
      rules: [
        { claims: { aud: ['${...resources}'] } },
        { when: ['user', 'scope.openid'], claims: { aud: ['${...resources}', '${issuer}/userinfo'] } },
        { claims: isRfc9068 ? { client_id: '${client.client_id}' } : { azp: '${client.client_id}' } },
        { when: '!user', claims: { sub: '${client.client_id}@clients' } },
        ...(isRfc9068 ? [] : machineGrant),
        ...(hasPermissions ? permissions : []),
        organization,
      ],
    },
    idToken: {
      omit: ['acr', 'amr', 'azp'],
      rules: [
        // a tenant has it only in answers of the front channel
        { when: 'request.code_verifier', claims: {}, omit: ['at_hash'] },
        ...identity,
        organization,
      ],
    },
    userinfo: { omit: [], rules: identity },
    tokenResponse: {
      omit: [],
      rules: [
        // a refresh token that stays in use is not sent again
        { when: ['request.refresh_token', '!client.refresh_token_rotation'], claims: {}, omit: ['refresh_token'] },
      ],
    },
  };
}

const machineGrant = [
  { when: '!user', claims: { gty: 'client-credentials' } },
  { when: ['user', 'request.password'], claims: { gty: 'password' } },
];

/** `permissions` of a user, or the scopes of a client that acts for itself. */
const permissions = [
  { claims: { permissions: [] } },
  {
    when: 'user',
    claims: { permissions: ['${...user.claims.permissions}', '${...organization.permissions}'] },
  },
  { when: '!user', claims: { permissions: '${scope_names}' } },
];

const unauthorized: ErrorRule = { status: 401, error: 'access_denied', error_description: 'Unauthorized' };
const refused = (error: string, error_description: string): ErrorRule => ({ status: 403, error, error_description });
const invalidCode = refused('invalid_grant', 'Invalid authorization code');
const invalidRefreshToken = refused('invalid_grant', 'Unknown or invalid refresh token.');

/** Errors of a tenant by our reason. Its SDKs compare some of the texts. */
export const errors: DialectData['errors'] = {
  client_unknown: unauthorized,
  client_secret_missing: unauthorized,
  client_secret_wrong: unauthorized,
  authentication_method_not_registered: unauthorized,
  parameter_missing: { error_description: 'Missing required parameter: ${expected}' },
  grant_type_unsupported: refused('unsupported_grant_type', 'Unsupported grant type: ${sent}'),
  grant_type_not_registered: refused('unauthorized_client', "Grant type '${sent}' not allowed for the client."),
  code_expired_or_unknown: invalidCode,
  code_replayed: invalidCode,
  code_of_another_client: invalidCode,
  redirect_uri_mismatch: [
    refused('unauthorized_client', 'The redirect URI is wrong. You sent ${sent}, and we expected ${expected}'),
  ],
  redirect_uri_missing: [
    {
      sent: 'none',
      ...refused('unauthorized_client', 'The redirect URI is wrong. You sent null, and we expected ${expected}'),
    },
  ],
  pkce_mismatch: refused('invalid_grant', 'Failed to verify code verifier'),
  refresh_token_expired_or_unknown: invalidRefreshToken,
  refresh_token_of_another_client: invalidRefreshToken,
  refresh_token_reused: invalidRefreshToken,
  authorization_revoked: invalidRefreshToken,
  token_ended: invalidRefreshToken,
  login_failed: refused('invalid_grant', 'Wrong email or password.'),
  login_required: { error_description: 'Login required' },
  resource_unknown: refused('access_denied', 'Service not found: ${sent}'),
  resource_missing: refused(
    'access_denied',
    'No audience parameter was provided, and no default audience has been configured',
  ),
  client_grant_missing: refused(
    'access_denied',
    "Client is not authorized to access '${sent}'. You need to create a 'client-grant' associated to this API. See: https://auth0.com/docs/api/v2#!/Client_Grants/post_client_grants",
  ),
  second_factor_required: refused('mfa_required', 'Multifactor authentication required'),
  second_factor_token_invalid: refused('invalid_grant', 'Malformed mfa_token'),
  second_factor_wrong: [
    { sent: 'otp', ...refused('invalid_grant', 'Invalid otp_code.') },
    { sent: 'oob', ...refused('invalid_grant', 'Invalid binding_code.') },
    refused('invalid_grant', 'MFA Authorization rejected.'),
  ],
  authorization_pending: refused('authorization_pending', 'User has yet to authorize device code.'),
  polled_too_fast: {
    status: 429,
    error_description: 'You are polling faster than the specified interval of 5 seconds.',
  },
  device_code_expired: refused('expired_token', 'The device code has expired.'),
  device_code_unknown: refused('invalid_grant', 'Invalid or expired device code.'),
  post_logout_redirect_uri_mismatch: {
    error_description:
      'The returnTo querystring parameter ${sent} is not defined as a valid URL in Allowed Logout URLs',
  },
};
