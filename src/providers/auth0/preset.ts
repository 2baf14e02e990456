import type { MetadataForm } from '../../protocol/dialects/dialect-data.ts';
import type { ProviderPreset } from '../../sandbox/provider.ts';
import { forms } from './claims.ts';
import { errors } from './errors.ts';
import { grants } from './grants.ts';
import { routes } from './routes.ts';

const pages = 'Begin a login at /authorize: the login page of the sandbox follows.';

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
    { path: '/usernamepassword', what: 'the login of the Lock widget', instead: pages },
    { path: '/co', what: 'cross-origin authentication', instead: 'Send the grant password-realm to /oauth/token.' },
    {
      path: '/mfa/associate',
      what: 'the enrolment of second factors',
      instead: 'Write the factors of a user as claims.factors, and ask GET /mfa/authenticators.',
    },
    {
      path: '/passwordless',
      what: 'logins by a code in an e-mail or a text message',
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
