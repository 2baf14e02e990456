import { defined } from '../../base/defined.ts';
import type { AnyMembers } from '../../base/text/record.ts';
import type { DialectData, TokenContext } from '../../protocol/dialects/dialect-data.ts';
import { standardAttributes } from './attributes.ts';

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
