import type { DialectData } from '../../protocol/dialects/dialect-data.ts';
import { standardAttributes } from './attributes.ts';

function attributes(...names: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(names.map(name => [name, `\${user.claims.${name}}`]));
}

/** Attributes of the pool: standard ones, and those whose names begin with `custom:`. */
const allAttributes = {
  ...attributes(...standardAttributes),
  '...': { $each: 'user.claims', $match: '^custom:', $as: '${value}' },
};

/** All attributes come with `profile`, and where no scope asks for some (user pool scopes, OAuthScope.OPENID). */
const byScope = [
  { when: ['user', 'scope.profile'], claims: allAttributes },
  { when: ['user', '!scope.profile', '!scope.email', '!scope.phone'], claims: allAttributes },
  { when: ['user', 'scope.email'], claims: attributes('email', 'email_verified') },
  { when: ['user', 'scope.phone'], claims: attributes('phone_number', 'phone_number_verified') },
];

const groups = '${user.group_names}';
/** The account is one of the documentation of AWS. */
const role = 'arn:aws:iam::123456789012:role/';

/** A login with an identity of another provider. */
const identities = {
  $map: 'user.claims.identities',
  $as: {
    userId: '${value.user_id}',
    providerName: '${value.provider}',
    providerType: '${value.provider}',
    issuer: null,
    primary: 'true',
  },
};

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
          'cognito:groups': groups,
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
      ...byScope,
      {
        claims: {
          token_use: 'id',
          'cognito:username': '${user.username}',
          'cognito:groups': groups,
          'cognito:roles': { $map: 'user.claims.roles', $as: `${role}\${value}` },
          'cognito:preferred_role': `${role}\${user.claims.roles[0]}`,
          identities,
          origin_jti: '${ids.grant}',
          event_id: '${ids.answer}',
          jti: '${ids.token}',
        },
      },
    ],
  },
  userinfo: {
    omit: [],
    texts: ['email_verified', 'phone_number_verified', 'custom:*', 'updated_at', 'identities'],
    rules: [
      { when: 'scope.profile', claims: { ...allAttributes, identities } },
      { claims: { username: '${user.username}' } },
    ],
  },
  tokenResponse: {
    omit: ['scope'],
    // without rotation a refresh is answered without the refresh token
    rules: [{ when: 'kept_refresh_token', omit: ['refresh_token'], claims: {} }],
  },
};
