import type { Provider } from '../../sandbox/provider.ts';

declare module '../../sandbox/config/provider-traits.ts' {
  interface ProviderNames {
    readonly auth0: true;
  }
  interface TokenActions {
    /** `onExecutePostLogin` of an Action. Its parameters are of any type, so that it keeps those of Auth0. */
    readonly auth0Action: (event: never, api: never) => unknown;
  }
}

/** Auth0. */
export const auth0: Provider = {
  name: 'auth0',
  options: { token_dialect: 'access_token' },
  settings: { accessTokenLifetime: 86_400, idTokenLifetime: 36_000 },
  subjectPrefix: 'auth0|',
  features: ['password', 'implicit'],
  action: {
    member: 'auth0Action',
    title: 'onExecutePostLogin',
    load: async () => (await import('./action.ts')).runAuth0Action,
  },
  paths: ['/oauth/token', '/v2/logout', '/api/v2', '/dbconnections', '/oauth/revoke'],
  sdks: { browser: 'auth0', api: 'auth0-api' },
  load: async () => (await import('./preset.ts')).auth0,
};
