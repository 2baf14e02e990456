import type { Provider } from '../../sandbox/provider.ts';

declare module '../../sandbox/config/provider-traits.ts' {
  interface ProviderNames {
    readonly apple: true;
  }
}

/** Sign in with Apple. */
export const apple: Provider = {
  name: 'apple',
  options: { issuer: 'local', team: 'GRANTBOX00', booleans: 'boolean' },
  forms: {
    issuer: [/^(local|apple)$/, 'local or apple'],
    team: [/^[A-Z0-9]{10}$/, 'ten capital letters and digits'],
    booleans: [/^(boolean|text)$/, 'boolean or text'],
  },
  clientDefaults: {
    access_token_format: 'opaque',
    grant_types: ['authorization_code', 'refresh_token'],
    refresh_token_rotation: false,
  },
  settings: { accessTokenLifetime: 3600, idTokenLifetime: 86_400 },
  scopes: ['name'],
  paths: ['/auth/authorize', '/auth/token', '/auth/keys'],
  sdks: { server: 'apple-auth-js', callback: 'apple' },
  load: async () => (await import('./preset.ts')).apple,
};
