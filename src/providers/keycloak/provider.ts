import type { Provider } from '../../sandbox/provider.ts';

declare module '../../sandbox/config/provider-traits.ts' {
  interface ProviderNames {
    readonly keycloak: true;
  }
}

/** Keycloak 26. */
export const keycloak: Provider = {
  name: 'keycloak',
  options: { realm: 'demo' },
  clientDefaults: { default_scope: 'profile email', refresh_token_rotation: false },
  settings: { accessTokenLifetime: 300, idTokenLifetime: 300 },
  features: ['password'],
  paths: ['/realms/', '/auth/realms/', '/admin/realms'],
  example: 'realm=shop',
  sdks: { browser: 'keycloak' },
  load: async () => (await import('./preset.ts')).keycloak,
};
