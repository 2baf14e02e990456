import { shapePreset } from './claim-shape.ts';

const ofUser = { roles: '${user.claims.roles}', username: '${user.username}' };

/** Organizations are in ID Tokens by scopes that Logto reserves; the roles are pairs of an organization and a role. */
const rules = [
  { when: ['user', 'scope.roles'], claims: { roles: ofUser.roles } },
  { when: ['user', 'scope.profile'], claims: { username: ofUser.username } },
  { when: ['user', 'scope.custom_data'], claims: { custom_data: '${user.claims.user_metadata}' } },
  { when: ['user', 'scope.identities'], claims: { identities: '${user.claims.identities}' } },
  {
    when: ['user', 'scope[urn:logto:scope:organizations]'],
    claims: { organizations: { $map: 'user.claims.organizations', $as: '${value.id}' } },
  },
  {
    when: ['user', 'scope[urn:logto:scope:organization_roles]'],
    claims: {
      organization_roles: {
        $map: 'user.claims.organizations',
        $as: { $map: 'value.roles', $as: '${outer.id}:${value}' },
      },
    },
  },
];

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
