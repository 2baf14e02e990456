import type { ClaimRule } from '../../protocol/dialects/claim-rules.ts';
import type { ClaimForm, DialectData, MetadataForm } from '../../protocol/dialects/dialect-data.ts';
import type { AnswerHeaders, PresetOptions, ProviderPreset } from '../../sandbox/provider.ts';
import { oktaForm } from './api-errors.ts';
import { routes } from './routes.ts';
import { isOrg, orgId, pathsOf } from './servers.ts';

/** Okta: a custom authorization server of an org is one issuer, or the authorization server of the org itself. */
export const okta: ProviderPreset = {
  title: 'Okta',
  issuerPath: options => (isOrg(options) ? '' : `/oauth2/${options.server}`),
  dialect: options => ({
    metadata: metadataOf(options),
    forms: formsOf(options),
    messages: { okta_post_message: '${response}' },
    accessTokenType: '',
    takesBasicId: true,
    scopeNeeded: true,
    redirectUriNeeded: true,
    errors,
  }),
  paths: pathsOf,
  routes,
  form: oktaForm,
  headers,
  management: {
    paths: () => ['/api/v1', '/oauth2/v1/clients'],
    load: async () => (await import('./admin/admin.ts')).createAdminApi,
  },
  unserved: [
    {
      path: '/v1/interact',
      what: 'the Identity Engine (IDX)',
      instead:
        'Begin a sign-in at the authorization endpoint, by a redirect or with a sessionToken of POST /api/v1/authn.',
    },
    {
      path: '/v1/challenge',
      what: 'Direct Authentication with factors',
      instead: 'Begin a sign-in at the authorization endpoint.',
    },
    {
      path: '/v1/oob-authenticate',
      what: 'Direct Authentication out of band',
      instead: 'Use backchannel authentication (POST /v1/bc/authorize) or the device grant.',
    },
    {
      path: '/idp',
      what: 'the Identity Engine (IDX) and MyAccount',
      instead: 'Begin a sign-in at the authorization endpoint. GET /api/v1/users/me returns the profile.',
    },
    {
      path: '/sso',
      what: 'SAML and identity brokering',
      instead: 'The sandbox speaks OpenID Connect: use the endpoints of its metadata.',
    },
    {
      path: '/app',
      what: 'the app links of the end-user dashboard',
      instead: 'Begin a sign-in at the authorization endpoint.',
    },
    {
      path: '/scim',
      what: 'SCIM provisioning',
      instead: 'Create users by POST /api/v1/users.',
    },
  ],
  // those of the Sign-In Widget before the Identity Engine
  pageIds: { username: 'okta-signin-username', password: 'okta-signin-password', loginButton: 'okta-signin-submit' },
};

/** Requests in a minute that Okta allows to most endpoints of a trial org. */
const usualLimit = 600;

/**
 * The headers of each answer of Okta. The requests of the current minute are counted, and refused only where `RATE_LIMIT`
 * is set.
 */
function headers(clock: () => number, limit: number): ReturnType<AnswerHeaders> {
  const most = limit === 0 ? usualLimit : limit;
  let minute = 0;
  let count = 0;
  return requestId => {
    const now = Math.floor(clock() / 60);
    count = now === minute ? count + 1 : 1;
    minute = now;
    return {
      'X-Okta-Request-Id': requestId,
      'X-Rate-Limit-Limit': String(most),
      'X-Rate-Limit-Remaining': String(Math.max(0, most - count)),
      'X-Rate-Limit-Reset': String((minute + 1) * 60),
    };
  };
}

const login = '${user.login}';

/** The names of groups. A group below another one has the names of both, such as `acme/engineering`. */
const groups: ClaimRule = {
  when: ['user', 'scope.groups'],
  claims: { groups: ['Everyone', '${...user.group_names}'] },
};

/** Tokens, UserInfo and introspection of an authorization server without claims of its own. */
function formsOf(options: PresetOptions): DialectData['forms'] {
  return {
    accessToken: accessToken(isOrg(options) ? '${issuer}' : 'api://${options.server}'),
    idToken,
    userinfo: {
      omit: [],
      rules: [
        { when: 'scope.profile', claims: { preferred_username: login, zoneinfo: '${user.claims.zoneinfo}' } },
        groups,
      ],
    },
  };
}

/** `aud` is the audience of the authorization server, unless the client or the request names another. */
function accessToken(aud: string): ClaimForm {
  return {
    omit: ['client_id', 'nbf', 'scope', 'sid', 'acr', 'amr', 'azp'],
    rules: [
      {
        claims: {
          ver: 1,
          jti: 'AT.${token.jti}',
          aud,
          cid: '${client.client_id}',
          scp: '${scope_names}',
          sub: '${client.client_id}',
        },
      },
      { claims: { aud: ['${...audience}'] } },
      { when: 'user', claims: { uid: '${token.sub}', sub: login } },
    ],
  };
}

const idToken: ClaimForm = {
  omit: ['azp', 'acr', 'sid'],
  rules: [
    { claims: { ver: 1, jti: 'ID.${ids.token}', idp: orgId, amr: '${session.amr}' } },
    // for an app with single logout
    { when: 'client.frontchannel_logout_uri', claims: { sid: '${session.sid}' } },
    { when: 'client.backchannel_logout_uri', claims: { sid: '${session.sid}' } },
    { when: 'scope.profile', claims: { name: '${user.claims.name}', preferred_username: login } },
    { when: 'scope.email', claims: { email: '${user.claims.email}' } },
    groups,
  ],
};

const grant = (error_description: string) => ({ status: 400, error: 'invalid_grant', error_description });
const text = (error_description: string) => ({ error_description });
const client = (error_description: string) => ({ status: 401, error: 'invalid_client', error_description });

const unknownScopes = text('One or more scopes are not configured for the authorization server resource.');
const notToPrompt = text('The client specified not to prompt, but the user is not logged in.');
const invalidCode = grant('The authorization code is invalid or has expired.');
// okta-auth-js drops its refresh token at exactly this text (oidc/util/errors.js)
const invalidRefreshToken = grant('The refresh token is invalid or expired.');
const responseTypes = {
  error: 'unsupported_response_type',
  error_description:
    'The response type is not supported by the authorization server. Configured response types: [${expected}]',
};
const severalCredentials =
  'Cannot supply multiple client credentials. Use one of the following: credentials in the Authorization header, credentials in the post body, or a client_assertion in the post body.';

/** Errors of Okta by our reason, in the texts that applications and SDKs compare. `api-errors.ts` has their form. */
export const errors: DialectData['errors'] = {
  client_unknown: {
    status: 400,
    error: 'invalid_client',
    error_description: "Invalid value for 'client_id' parameter.",
  },
  client_unidentified: client('No client credentials found.'),
  client_secret_missing: client('No client credentials found.'),
  client_secret_wrong: client('The client secret supplied for a confidential client is invalid.'),
  authentication_methods_combined: { ...text(severalCredentials), status: 400, error: 'invalid_request' },
  redirect_uri_not_registered: text(
    "The 'redirect_uri' parameter must be a Login redirect URI in the client app settings.",
  ),
  pkce_missing: text("PKCE code challenge is required when the token endpoint authentication method is 'NONE'."),
  pkce_mismatch: grant('PKCE verification failed.'),
  scope_missing: text(
    "The authorization server resource does not have any configured default scopes, 'scope' must be provided.",
  ),
  scope_not_registered: unknownScopes,
  scope_malformed: unknownScopes,
  login_required: notToPrompt,
  user_denied: text('The resource owner or authorization server denied the request.'),
  grant_type_not_registered: text(
    'The client is not authorized to use the provided grant type. Configured grant types: [${expected}].',
  ),
  grant_type_unsupported: text('The authorization grant type is not supported by the authorization server.'),
  response_type_unsupported: responseTypes,
  response_type_not_registered: responseTypes,
  code_expired_or_unknown: invalidCode,
  code_replayed: invalidCode,
  code_of_another_client: invalidCode,
  redirect_uri_mismatch: grant(
    "The 'redirect_uri' does not match the redirection URI used in the authorization request.",
  ),
  refresh_token_expired_or_unknown: invalidRefreshToken,
  refresh_token_of_another_client: invalidRefreshToken,
  refresh_token_reused: invalidRefreshToken,
  authorization_revoked: invalidRefreshToken,
  login_failed: grant('The credentials provided were invalid.'),
  authorization_pending: text('The device authorization is pending. Please try again later.'),
  access_token_unreadable: text('The access token is invalid.'),
  access_token_expired: text('The access token is invalid.'),
  access_token_revoked: text('The access token is invalid.'),
};

const claims = [
  'iss',
  'ver',
  'sub',
  'aud',
  'iat',
  'exp',
  'jti',
  'auth_time',
  'amr',
  'idp',
  'nonce',
  'name',
  'nickname',
  'preferred_username',
  'given_name',
  'middle_name',
  'family_name',
  'email',
  'email_verified',
  'profile',
  'zoneinfo',
  'locale',
  'address',
  'phone_number',
  'picture',
  'website',
  'gender',
  'birthdate',
  'updated_at',
  'at_hash',
  'groups',
];

/**
 * The metadata of an authorization server. The sandbox does not promise what it does not keep: the grants
 * `urn:okta:params:oauth:grant-type:otp` and `oob`, and the scopes `device_sso` and `interclient_access`, are left out.
 */
function metadataOf(options: PresetOptions): MetadataForm {
  return {
    add: {
      ...(!isOrg(options) && { registration_endpoint: '${address}/oauth2/v1/clients' }),
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      claims_supported: claims,
    },
    omit: [
      'authorization_response_iss_parameter_supported',
      'client_id_metadata_document_supported',
      'protected_resources',
      'ui_locales_supported',
      'claim_types_supported',
      'service_documentation',
    ],
  };
}
