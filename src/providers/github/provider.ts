import type { Provider } from '../../sandbox/provider.ts';

declare module '../../sandbox/config/provider-traits.ts' {
  interface ProviderNames {
    readonly github: true;
    readonly 'github-app': true;
  }
}

const scopes = ['user', 'read:user', 'user:email', 'read:org', 'repo'];

/** An OAuth app of GitHub. */
export const github: Provider = {
  name: 'github',
  options: { issuer: 'local' },
  forms: { issuer: [/^(local|github)$/, 'local or github'] },
  clientDefaults: { access_token_format: 'opaque' },
  settings: { accessTokenLifetime: 31_536_000 },
  scopes,
  paths: ['/login/oauth/', '/api/v3/'],
  sdks: { server: 'github-auth-js', callback: 'github' },
  load: async () => (await import('./preset.ts')).github,
};

/** A GitHub App. */
export const githubApp: Provider = {
  name: 'github-app',
  options: { issuer: 'local' },
  forms: { issuer: [/^(local|github)$/, 'local or github'] },
  clientDefaults: {
    access_token_format: 'opaque',
    grant_types: ['authorization_code', 'refresh_token'],
    refresh_token_lifetime: 15_897_600,
  },
  settings: { accessTokenLifetime: 28_800 },
  scopes,
  paths: [],
  sdks: { server: 'github-auth-js', callback: 'github' },
  load: async () => (await import('./preset.ts')).githubApp,
};
