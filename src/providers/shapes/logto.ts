import { type AnyMembers, isRecord } from '../../base/text/record.ts';
import type { TokenContext } from '../../protocol/dialects/dialect-data.ts';
import { shapePreset } from './claim-shape.ts';

const ofUser = { roles: '${user.claims.roles}', username: '${user.username}' };

/** Organizations are in ID Tokens by scopes that Logto reserves; the roles are pairs of an organization and a role. */
const rules = [
  { when: ['user', 'scope.roles'], claims: { roles: ofUser.roles } },
  { when: ['user', 'scope.profile'], claims: { username: ofUser.username } },
  { when: ['user', 'scope.custom_data'], claims: { custom_data: '${user.claims.user_metadata}' } },
  { when: ['user', 'scope.identities'], claims: { identities: '${user.claims.identities}' } },
  ({ user, scope }: TokenContext) => ({
    organizations: scope['urn:logto:scope:organizations'] && listed(user, ({ id }) => id),
    organization_roles:
      scope['urn:logto:scope:organization_roles'] &&
      listed(user, ({ id, roles }) => (Array.isArray(roles) ? roles.map(role => `${id}:${role}`) : [])),
  }),
];

/** What `each` makes of the organizations of a user that have an id; undefined where that is nothing. */
function listed(user: TokenContext['user'], each: (organization: AnyMembers) => unknown): unknown {
  const all = [user?.claims.organizations ?? []].flat().filter(isRecord);
  const found = all.filter(({ id }) => id !== undefined).flatMap(each);
  return found.length === 0 ? undefined : found;
}

/** Logto: the paths of node-oidc-provider, and its organizations. */
export const logto = shapePreset({
  title: 'Logto',
  issuerPath: () => '/oidc',
  paths: {
    authorize: '/auth',
    token: '/token',
    jwks: '/jwks',
    userinfo: '/me',
    endSession: '/session/end',
    introspect: '/token/introspection',
    revoke: '/token/revocation',
    deviceAuthorization: '/device/auth',
    deviceVerification: '/device',
    register: '/reg',
    pushedAuthorizationRequest: '/request',
  },
  forms: {
    accessToken: { omit: ['nbf', 'acr', 'amr', 'sid', 'auth_time'], rules: [] },
    idToken: { omit: [], rules },
    userinfo: { omit: [], rules },
  },
});
