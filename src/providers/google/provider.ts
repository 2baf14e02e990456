import type { Provider } from '../../sandbox/provider.ts';

declare module '../../sandbox/config/provider-traits.ts' {
  interface ProviderNames {
    readonly google: true;
  }
}

/** Google. */
export const google: Provider = {
  name: 'google',
  options: { issuer: 'local' },
  forms: { issuer: [/^(local|google)$/, 'local or google'] },
  clientDefaults: {
    access_token_format: 'opaque',
    grant_types: ['authorization_code', 'refresh_token'],
    refresh_token_rotation: false,
  },
  settings: { accessTokenLifetime: 3599, idTokenLifetime: 3600 },
  paths: ['/o/oauth2/', '/oauth2/v3/', '/tokeninfo'],
  sdks: { server: 'google-auth-js', callback: 'google' },
  load: async () => (await import('./preset.ts')).google,
};
