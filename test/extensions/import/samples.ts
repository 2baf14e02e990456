/** A small export of each format but that of Keycloak. */
export const samples: Readonly<Record<string, unknown>> = {
  'mock-oauth2-server': {
    tokenProvider: { keyProvider: { algorithm: 'ES256' } },
    tokenCallbacks: [
      {
        issuerId: 'a',
        tokenExpiry: 1,
        requestMappings: [{ requestParam: 'code', match: 'x', claims: { sub: 's', aud: ['b'] } }],
      },
    ],
  },
  'oidc-server-mock': {
    CLIENTS_CONFIGURATION_INLINE: [
      {
        ClientId: 'a',
        ClientSecrets: ['s'],
        AllowedGrantTypes: ['implicit'],
        RedirectUris: ['http://localhost'],
        Claims: [{ Type: 'a', Value: 'b' }],
      },
    ],
    USERS_CONFIGURATION_INLINE: [{ SubjectId: 'u', Claims: [{ Type: 'a', Value: '1', ValueType: 'integer' }] }],
    API_RESOURCES_INLINE: [{ Name: 'api', Scopes: ['s'], UserClaims: ['a'] }],
  },
  auth0: {
    clients: [
      {
        name: 'a',
        callbacks: ['http://localhost'],
        jwt_configuration: { lifetime_in_seconds: 1 },
        refresh_token: { rotation_type: 'x' },
      },
    ],
    resourceServers: [{ identifier: 'api', scopes: [{ value: 's', description: 'd' }] }],
    clientGrants: [{ client_id: 'a', audience: 'api', scope: ['s'] }],
  },
  'auth0 users': [{ email: 'a@b.c', custom_password_hash: { hash: { value: '$pbkdf2$i=1$c2FsdA$aGFzaA' } } }],
  entra: {
    appId: 'a',
    signInAudience: 'x',
    web: { redirectUris: ['http://localhost'] },
    api: { oauth2PermissionScopes: [{ value: 's' }] },
  },
  firebase: { users: [{ localId: '1', customAttributes: '{"a":1}', email: 'a@b.c' }] },
  cognito: { Users: [{ Username: 'a', Attributes: [{ Name: 'sub', Value: 'b' }] }] },
};
