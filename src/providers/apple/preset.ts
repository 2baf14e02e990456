import { hash } from 'node:crypto';
import type { AuthorizationServer } from '../../protocol/authorization-server.ts';
import type { ClaimRule } from '../../protocol/dialects/claim-rules.ts';
import type {
  DialectData,
  MetadataForm,
  RequestForm,
  ResponseForm,
  ScopeForm,
} from '../../protocol/dialects/dialect-data.ts';
import { forgetGrant } from '../../protocol/dialects/wire.ts';
import type { EndpointRequest, Reply } from '../../protocol/endpoints/endpoint.ts';
import { revoke } from '../../protocol/endpoints/revoke.ts';
import { token } from '../../protocol/endpoints/token.ts';
import { OAuthError } from '../../protocol/errors.ts';
import { lenientParameter } from '../../protocol/parameters.ts';
import { findToken } from '../../protocol/tokens/find-token.ts';
import type { PresetPlace, ProviderPreset } from '../../sandbox/provider.ts';
import { asJson } from '../../server/http/error-replies.ts';
import type { EndpointRoute } from '../../server/http/route.ts';
import { forClients, ownRoute, withoutKeptRefreshToken } from '../own-route.ts';

/** Seconds of six months, which Apple allows a client secret. */
const sixMonths = 15_777_000;

/** Sign in with Apple. The sandbox is one team of developers. */
export const apple: ProviderPreset = {
  title: 'Apple',
  dialect: options => ({
    ...(options.issuer === 'apple' && { identifier: 'https://appleid.apple.com' }),
    metadata,
    forms: forms(options.booleans === 'text'),
    accessTokenType: 'at+jwt',
    redirectUriNeeded: true,
    errors,
    secrets: {
      accessToken: random => secretOf('a', random),
      refreshToken: random => secretOf('r', random),
      code: random => secretOf('c', random),
    },
    scopes,
    requests,
    responses,
    secretJwt: { alg: 'ES256', iss: options.team ?? '', aud: 'https://appleid.apple.com', longest: sixMonths },
  }),
  paths: { authorize: '/auth/authorize', token: '/auth/token', jwks: '/auth/keys', revoke: '/auth/revoke' },
  routes,
  hosts: ['appleid.apple.com'],
  unserved: [
    { path: '/auth', what: 'this endpoint', instead: 'Use /auth/authorize, /auth/token, /auth/keys and /auth/revoke.' },
    {
      path: '/appleauth',
      what: 'the scripts and pages of Sign in with Apple JS',
      instead: 'Send the browser to /auth/authorize, which the script opens as well.',
    },
  ],
};

/** A text such as `c1a2….0.mrqs.Fx3…`. */
function secretOf(kind: string, random: string): string {
  return `${kind}${hash('sha256', random).slice(0, 32)}.0.mrqs.${random}`;
}

/**
 * The members of Apple's discovery document. `claims_supported` is without `transfer_sub` and `real_user_status`, which only some
 * users have.
 */
const metadata: MetadataForm = {
  keep: ['issuer', 'authorization_endpoint', 'token_endpoint', 'revocation_endpoint', 'jwks_uri'],
  add: {
    response_types_supported: ['code'],
    response_modes_supported: ['query', 'fragment', 'form_post'],
    // the sub of a user is one of the team, and the sandbox is one team
    subject_types_supported: ['pairwise'],
    id_token_signing_alg_values_supported: ['RS256'],
    scopes_supported: ['openid', 'email', 'name'],
    token_endpoint_auth_methods_supported: ['client_secret_post'],
    claims_supported: [
      'aud',
      'email',
      'email_verified',
      'exp',
      'iat',
      'is_private_email',
      'iss',
      'nonce',
      'nonce_supported',
      'sub',
    ],
  },
};

/** Tokens and answers. `areTexts` writes the booleans about the address as text, as older tokens have them. */
function forms(areTexts: boolean): DialectData['forms'] {
  return {
    idToken: {
      omit: ['azp', 'sid', 'acr', 'amr'],
      ...(areTexts && { texts: ['email_verified', 'is_private_email'] }),
      rules: [
        { when: 'token.nonce', claims: { nonce_supported: true } },
        {
          when: ['user', 'scope.email'],
          claims: {
            email: '${user.claims.email}',
            email_verified: '${user.claims.email_verified}',
            is_private_email: false,
          },
        },
        {
          // a user who hides the own address has one at Apple, which is always verified
          when: ['user.claims.relay_email', 'scope.email'],
          claims: { email: '${user.claims.relay_email}', email_verified: true, is_private_email: true },
        },
        { when: 'user', claims: { real_user_status: '${user.claims.real_user_status}' } },
        { when: 'user', claims: { transfer_sub: '${user.claims.transfer_sub}' } },
      ],
    },
    tokenResponse: { omit: ['scope'], rules: [] },
  };
}

/** Each login gives an ID token. */
const scopes: ScopeForm = { adds: [{ scope: 'openid' }] };

const requests: RequestForm = {
  demandedMode: {
    mode: 'form_post',
    scopes: ['name', 'email'],
    description: 'response_mode must be form_post when name or email scope is requested.',
  },
};

const name = { firstName: '${user.claims.given_name}', lastName: '${user.claims.family_name}' };

/** `user` with this address. It comes with the first grant of a user to a client, and never again. */
function userRules(email: string, ...when: readonly string[]): readonly ClaimRule[] {
  return [
    { when: ['first', 'scope.email', ...when], claims: { user: { email } } },
    { when: ['first', 'scope.name', 'scope.email', ...when], claims: { user: { name, email } } },
  ];
}

const responses: ResponseForm = {
  omit: ['iss', 'session_state'],
  rules: [
    { when: ['first', 'scope.name'], claims: { user: { name } } },
    ...userRules('${user.claims.email}'),
    ...userRules('${user.claims.relay_email}', 'user.claims.relay_email'),
  ],
};

const grant = (error_description: string) => ({ status: 400, error: 'invalid_grant', error_description });
const badCode = grant('The code has expired or has been revoked.');
const badToken = grant('The token has expired or has been revoked.');
/** Apple says only this of any problem with a client secret. The description is that of the sandbox. */
const badClient = { status: 400, error: 'invalid_client' };

/** Errors of Apple by our reason (TN3107). */
export const errors: DialectData['errors'] = {
  client_unknown: badClient,
  client_unidentified: badClient,
  client_secret_missing: badClient,
  client_secret_wrong: badClient,
  client_assertion_malformed: badClient,
  client_assertion_alg_refused: badClient,
  client_assertion_key_unknown: badClient,
  client_assertion_signature_wrong: badClient,
  client_assertion_issuer_mismatch: badClient,
  client_assertion_client_mismatch: badClient,
  client_assertion_audience_mismatch: badClient,
  client_assertion_time_malformed: badClient,
  client_assertion_expired: badClient,
  client_assertion_not_yet_valid: badClient,
  client_assertion_lives_too_long: badClient,
  code_expired_or_unknown: badCode,
  code_replayed: badCode,
  code_of_another_client: grant('client_id mismatch. The code was not issued to ${sent}.'),
  refresh_token_expired_or_unknown: badToken,
  refresh_token_of_another_client: grant('client_id mismatch. The refresh token was not issued to ${sent}.'),
  authorization_revoked: badToken,
  token_ended: badToken,
  redirect_uri_not_registered: {
    status: 400,
    error: 'invalid_request',
    error_description: 'Invalid web redirect url.',
  },
  user_denied: { error: 'user_cancelled_authorize', error_description: 'The user cancelled the authorization.' },
};

function routes({ base, paths }: PresetPlace): readonly EndpointRoute[] {
  const own = ownRoute('Apple');
  const rules = { form: asJson, ...forClients } as const;
  return [
    own('token POST', base + paths.token, 'token endpoint', appleToken, { ...rules, credentials: true }),
    own('revoke POST', base + paths.revoke, 'revocation endpoint', revokeToken, rules),
    own('userinfo GET POST', base + paths.userinfo, 'answer for UserInfo', noUserinfo, rules),
  ];
}

async function appleToken(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
  return withoutKeptRefreshToken(await token(server, request), request);
}

/** Revocation. The next login of the user is a first one, so the name comes again. */
async function revokeToken(server: AuthorizationServer, request: EndpointRequest): Promise<Reply> {
  const sent = lenientParameter(request.parameters, 'token');
  const found = sent === undefined ? undefined : await findToken(server, sent);
  await revoke(server, request);
  if (found !== undefined) {
    const sub = String(found.record?.authorization.sub ?? found.claims.sub);
    await forgetGrant(server, [found.client_id, sub]);
  }
  return { kind: 'text', type: 'application/json', body: '' };
}

async function noUserinfo(): Promise<Reply> {
  throw new OAuthError('invalid_request', 'not_offered', 'Apple has no UserInfo endpoint', {
    status: 501,
    expected: 'Read the ID token, and `user` of the first authorization response.',
  });
}
