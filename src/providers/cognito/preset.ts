import { defined } from '../../base/defined.ts';
import type { AnyMembers } from '../../base/text/record.ts';
import type { AuthorizationServer } from '../../protocol/authorization-server.ts';
import type { DialectData, MetadataForm, TokenContext } from '../../protocol/dialects/dialect-data.ts';
import { confirmLogout, endSession } from '../../protocol/endpoints/end-session.ts';
import type { EndpointRequest, Reply } from '../../protocol/endpoints/endpoint.ts';
import { lenientParameter, parseParameters } from '../../protocol/parameters.ts';
import { knownClient } from '../../protocol/requests/trusted-target.ts';
import type { PresetOptions, PresetPlace, ProviderPreset } from '../../sandbox/provider.ts';
import { asPage } from '../../server/http/error-replies.ts';
import type { EndpointRoute } from '../../server/http/route.ts';
import { ownRoute } from '../own-route.ts';
import { standardAttributes } from './attributes.ts';

/** Amazon Cognito: one user pool is one issuer. The hosted UI and the user pool API have the same address. */
export const cognito: ProviderPreset = {
  title: 'Cognito',
  dialect: options => ({
    identifier: identifierOf(options),
    metadata,
    forms,
    accessTokenType: 'JWT',
    redirectUriNeeded: true,
    errors,
  }),
  paths: {
    jwks: '/${options.pool}/.well-known/jwks.json',
    userinfo: '/oauth2/userInfo',
    endSession: '/logout',
    confirmLogout: '/logout/confirm',
  },
  routes,
  management: {
    paths: () => [],
    header: 'x-amz-target',
    load: async () => (await import('./pool/user-pool.ts')).createPoolApi,
  },
  unserved: [
    {
      path: '/signup',
      what: 'the sign-up page',
      instead: 'Type a new name on the sign-in page, or call SignUp of the user pool API.',
    },
    {
      path: '/forgotPassword',
      what: 'the page for a forgotten password',
      instead: 'Call ForgotPassword of the user pool API.',
    },
    {
      path: '/oauth2/idpresponse',
      what: 'identity providers behind the pool',
      instead: 'Add the users of the other provider to `users`, with the claim `identities`.',
    },
    {
      path: '/saml2',
      what: 'SAML',
      instead: 'Add the users of the other provider to `users`, with the claim `identities`.',
    },
  ],
  pageIds: { loginButtonName: 'signInSubmitButton' },
};

/** The address with the pool, the identifier of that pool at AWS, or the one that was chosen. */
function identifierOf({ pool = '', issuer = '' }: PresetOptions): string {
  if (issuer === 'local') return '${issuer}/${options.pool}';
  return issuer === 'aws' ? `https://cognito-idp.${pool.split('_')[0]}.amazonaws.com/${pool}` : issuer;
}

/**
 * The metadata of a user pool, which names little: no `code_challenge_methods_supported`, although PKCE works. Clients that
 * look for that member stop, as at Cognito. `response_types_supported` has `token` only if a client may ask for it.
 */
const metadata: MetadataForm = {
  keep: [
    'issuer',
    'authorization_endpoint',
    'token_endpoint',
    'userinfo_endpoint',
    'revocation_endpoint',
    'end_session_endpoint',
    'jwks_uri',
    'response_types_supported',
  ],
  add: {
    id_token_signing_alg_values_supported: ['RS256'],
    scopes_supported: ['openid', 'email', 'phone', 'profile'],
    subject_types_supported: ['public'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
  },
};

type User = TokenContext['user'];

function attributesOf(user: User, names: readonly string[]): AnyMembers {
  return Object.fromEntries(names.map(name => [name, user?.claims[name]]));
}

/** Attributes of the pool: standard ones, and those whose names begin with `custom:`. */
function allAttributes(user: User): AnyMembers {
  const own = Object.keys(user?.claims ?? {}).filter(name => name.startsWith('custom:'));
  return attributesOf(user, [...standardAttributes, ...own]);
}

/** All attributes come with `profile`, and where no scope asks for some (user pool scopes, OAuthScope.OPENID). */
function byScope({ user, scope }: TokenContext): AnyMembers {
  const isWhole = scope.profile || !(scope.email || scope.phone);
  return {
    ...(isWhole && allAttributes(user)),
    ...(scope.email && attributesOf(user, ['email', 'email_verified'])),
    ...(scope.phone && attributesOf(user, ['phone_number', 'phone_number_verified'])),
  };
}

/** The account is one of the documentation of AWS. */
const role = 'arn:aws:iam::123456789012:role/';

function rolesOf(user: User): readonly string[] | undefined {
  const roles = user?.claims.roles;
  return Array.isArray(roles) && roles.length > 0 ? roles.map(name => role + name) : undefined;
}

/** A login with an identity of another provider. */
function identitiesOf(user: User): readonly AnyMembers[] | undefined {
  const identities = user?.claims.identities;
  if (!Array.isArray(identities) || identities.length === 0) return undefined;
  return identities.map(({ user_id: userId, provider }) => {
    return { ...defined({ userId, providerName: provider, providerType: provider }), issuer: null, primary: 'true' };
  });
}

/** Tokens, UserInfo and the token response of a user pool. */
export const forms: DialectData['forms'] = {
  accessToken: {
    omit: ['aud', 'nbf', 'acr', 'amr', 'sid'],
    rules: [
      { claims: { token_use: 'access', version: 2, auth_time: '${token.iat}', aud: ['${...audience}'] } },
      {
        when: 'user',
        claims: {
          auth_time: '${session.auth_time}',
          username: '${user.username}',
          'cognito:groups': '${user.group_names}',
          origin_jti: '${ids.grant}',
          event_id: '${ids.answer}',
        },
      },
    ],
  },
  idToken: {
    omit: ['azp', 'acr', 'amr', 'sid'],
    texts: ['custom:*', 'updated_at'],
    rules: [
      byScope,
      ({ user, ids }) => ({
        token_use: 'id',
        'cognito:username': user?.username,
        'cognito:groups': user?.group_names,
        'cognito:roles': rolesOf(user),
        'cognito:preferred_role': rolesOf(user)?.[0],
        identities: identitiesOf(user),
        origin_jti: ids.grant,
        event_id: ids.answer,
      }),
      { claims: { jti: '${ids.token}' } },
    ],
  },
  userinfo: {
    omit: [],
    texts: ['email_verified', 'phone_number_verified', 'custom:*', 'updated_at', 'identities'],
    rules: [
      ({ user, scope }) => ({
        ...(scope.profile && { ...allAttributes(user), identities: identitiesOf(user) }),
        username: user?.username,
      }),
    ],
  },
  tokenResponse: {
    omit: ['scope'],
    // without rotation a refresh is answered without the refresh token
    rules: [{ when: 'kept_refresh_token', omit: ['refresh_token'], claims: {} }],
  },
};

/** Answers of the token endpoint are an `error` alone, with status 400 (token-endpoint.html). */
const only = (error: string) => ({ status: 400, error, isBare: true }) as const;
const client = only('invalid_client');
const grant = only('invalid_grant');
const request = only('invalid_request');
const unauthorized = only('unauthorized_client');

/** Errors of Cognito by our reason. */
export const errors: DialectData['errors'] = {
  client_unknown: client,
  client_secret_missing: client,
  client_secret_wrong: client,
  client_unidentified: request,
  client_is_public: client,
  parameter_missing: request,
  authentication_method_not_registered: client,
  grant_type_unsupported: only('unsupported_grant_type'),
  grant_type_not_registered: unauthorized,
  code_expired_or_unknown: grant,
  code_replayed: grant,
  code_of_another_client: grant,
  pkce_mismatch: grant,
  pkce_missing: grant,
  // Stack Overflow 50264679: another redirect_uri than the one of the login
  redirect_uri_mismatch: unauthorized,
  redirect_uri_missing: [{ sent: 'none', ...request }],
  refresh_token_expired_or_unknown: grant,
  refresh_token_of_another_client: grant,
  refresh_token_reused: grant,
  authorization_revoked: grant,
  token_ended: grant,
  // userinfo-endpoint.html
  ...Object.fromEntries(
    ['access_token_expired', 'access_token_revoked', 'access_token_unreadable'].map(reason => [
      reason,
      {
        error_description: 'Access token is expired, disabled, or deleted, or the user has globally signed out.',
      },
    ]),
  ),
};

/** The logout of the hosted UI, which has parameters of its own. */
function routes({ base, paths }: PresetPlace): readonly EndpointRoute[] {
  const own = ownRoute('Cognito');
  return [
    own('end_session GET POST', base + paths.endSession, 'logout, also with `logout_uri`', logout, { form: asPage }),
  ];
}

/**
 * With `logout_uri` the browser goes there, and with `redirect_uri` to the login page. Neither asks the user, as at
 * Cognito. Other requests are those of OpenID Connect.
 */
async function logout(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
  const { parameters } = request;
  const client_id = lenientParameter(parameters, 'client_id');
  const logout_uri = lenientParameter(parameters, 'logout_uri');
  if (client_id === undefined) return endSession(server, request);
  if (logout_uri !== undefined)
    return confirmLogout(server, asking(request, { client_id, post_logout_redirect_uri: logout_uri }));
  if (!parameters.values.has('redirect_uri')) return endSession(server, request);
  await knownClient(server, client_id);
  await confirmLogout(server, asking(request, { client_id }));
  const query = new URLSearchParams([...parameters.values]);
  return { kind: 'redirect', location: `${server.issuer}${server.paths.authorize}?${query}`, loggedOut: true };
}

function asking(request: EndpointRequest, parameters: Readonly<Record<string, string>>): EndpointRequest {
  return { ...request, parameters: parseParameters(String(new URLSearchParams(parameters))) };
}
