import type { Provider } from '../../sandbox/provider.ts';

/** Auth0. */
export const auth0: Provider = {
  name: 'auth0',
  options: { token_dialect: 'access_token' },
  settings: { accessTokenLifetime: 86_400, idTokenLifetime: 36_000 },
  subjectPrefix: 'auth0|',
  features: ['password', 'implicit'],
  paths: ['/oauth/token', '/v2/logout', '/api/v2', '/dbconnections', '/oauth/revoke'],
  load: async () => (await import('./preset.ts')).auth0,
};
