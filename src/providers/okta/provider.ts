import type { Provider } from '../../sandbox/provider.ts';

declare module '../../sandbox/config/provider-traits.ts' {
  interface ProviderNames {
    readonly okta: true;
  }
}

/** Okta. */
export const okta: Provider = {
  name: 'okta',
  options: { server: 'default' },
  settings: { accessTokenLifetime: 3600, idTokenLifetime: 3600 },
  paths: ['/oauth2/default/', '/oauth2/v1/', '/oauth2/aus', '/api/v1/'],
  sdks: { browser: 'okta', api: 'okta-api' },
  load: async () => (await import('./preset.ts')).okta,
};
