import type { ProviderPreset } from '../preset.ts';
import { formsOf } from './claims.ts';
import { oktaForm } from './error-form.ts';
import { errors } from './errors.ts';
import { headers } from './headers.ts';
import { metadataOf } from './metadata.ts';
import { routes } from './routes.ts';
import { isOrg, pathsOf } from './servers.ts';
import { unserved } from './unserved.ts';

/** Okta: a custom authorization server of an org is one issuer, or the authorization server of the org itself. */
export const okta: ProviderPreset = {
  title: 'Okta',
  issuerPath: options => (isOrg(options) ? '' : `/oauth2/${options.server}`),
  dialect: options => ({
    name: 'okta',
    options,
    metadata: metadataOf(options),
    forms: formsOf(options),
    messages: { okta_post_message: '${response}' },
    accessTokenType: '',
    takesBasicId: true,
    scopeNeeded: true,
    errors,
  }),
  paths: pathsOf,
  routes,
  form: oktaForm,
  headers,
  management: {
    paths: () => ['/api/v1', '/oauth2/v1/clients'],
    load: async () => (await import('./admin/admin.ts')).createAdminApi,
  },
  unserved,
  // those of the Sign-In Widget before the Identity Engine
  pageIds: { username: 'okta-signin-username', password: 'okta-signin-password', loginButton: 'okta-signin-submit' },
};
