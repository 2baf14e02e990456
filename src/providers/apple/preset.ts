import { hash } from 'node:crypto';
import type { ClaimRule } from '../../protocol/dialects/claim-rules.ts';
import type {
  DialectData,
  MetadataForm,
  RequestForm,
  ResponseForm,
  ScopeForm,
} from '../../protocol/dialects/dialect-data.ts';
import type { ProviderPreset } from '../../sandbox/provider.ts';
import { errors } from './errors.ts';
import { routes } from './routes.ts';

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
