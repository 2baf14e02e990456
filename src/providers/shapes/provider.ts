import type { Provider } from '../../sandbox/provider.ts';

declare module '../../sandbox/config/provider-traits.ts' {
  interface ProviderNames {
    readonly clerk: true;
    readonly firebase: true;
    readonly logto: true;
    readonly supabase: true;
    readonly zitadel: true;
  }
}

/** Firebase. */
export const firebase: Provider = {
  name: 'firebase',
  options: { project: 'demo' },
  hasFixedAudience: true,
  settings: { accessTokenLifetime: 3600, idTokenLifetime: 3600 },
  paths: ['/service_accounts/'],
  isShape: true,
  load: async () => (await import('./shapes.ts')).firebase,
};

/** Supabase. */
export const supabase: Provider = {
  name: 'supabase',
  options: {},
  hasFixedAudience: true,
  settings: { accessTokenLifetime: 3600, idTokenLifetime: 3600 },
  paths: ['/auth/v1/'],
  isShape: true,
  load: async () => (await import('./shapes.ts')).supabase,
};

/** Zitadel. */
export const zitadel: Provider = {
  name: 'zitadel',
  options: { organization: '178204173316174381', domain: 'acme.localhost', project: '227622278624280834' },
  settings: { accessTokenLifetime: 43_200, idTokenLifetime: 43_200 },
  paths: ['/oauth/v2/', '/oidc/v1/'],
  isShape: true,
  load: async () => (await import('./shapes.ts')).zitadel,
};

/** Logto. */
export const logto: Provider = {
  name: 'logto',
  options: {},
  settings: { accessTokenLifetime: 3600, idTokenLifetime: 3600 },
  paths: ['/oidc/session/', '/oidc/token'],
  isShape: true,
  load: async () => (await import('./shapes.ts')).logto,
};

/** Clerk. */
export const clerk: Provider = {
  name: 'clerk',
  options: {},
  hasFixedAudience: true,
  paths: ['/oauth/token_info'],
  isShape: true,
  load: async () => (await import('./shapes.ts')).clerk,
};
