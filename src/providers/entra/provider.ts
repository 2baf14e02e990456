import type { Provider } from '../../sandbox/provider.ts';

declare module '../../sandbox/config/provider-traits.ts' {
  interface ProviderNames {
    readonly entra: true;
  }
}

/** Microsoft Entra ID. */
export const entra: Provider = {
  name: 'entra',
  options: { tenant: '6f2d0bd4-7c3e-4a51-9d8f-2b1e5a90c7d3', domain: 'sandbox.onmicrosoft.com' },
  clientDefaults: { subject_type: 'pairwise', refresh_token_rotation: false },
  // an access token of Entra ID lives 60 to 90 minutes
  settings: { accessTokenLifetime: 4500, idTokenLifetime: 3600 },
  features: ['password'],
  without: [
    'introspection',
    'revocation',
    'token-exchange',
    'ciba',
    'par',
    'jar',
    'jarm',
    'rar',
    'claims',
    'dpop',
    'registration',
    'client-id-metadata',
    'protected-resource-metadata',
    'backchannel-logout',
    'session-management',
  ],
  paths: ['/common/', '/organizations/', '/consumers/', '/v1.0/me', '/v1.0/users'],
  sdks: { browser: 'msal-browser', service: 'msal-node', needsTls: true },
  load: async () => (await import('./preset.ts')).entra,
};
