import type { PresetOptions, ProviderPreset } from '../preset.ts';
import { forms } from './claims.ts';
import { errors } from './errors.ts';
import { metadata } from './metadata.ts';
import { routes } from './routes.ts';
import { unserved } from './unserved.ts';

/** Amazon Cognito: one user pool is one issuer. The hosted UI and the user pool API have the same address. */
export const cognito: ProviderPreset = {
  title: 'Cognito',
  issuerPath: () => '',
  dialect: options => ({
    name: 'cognito',
    options,
    identifier: identifierOf(options),
    metadata,
    forms,
    accessTokenType: 'JWT',
    errors,
  }),
  paths: {
    jwks: '/${options.pool}/.well-known/jwks.json',
    userinfo: '/oauth2/userInfo',
    endSession: '/logout',
    confirmLogout: '/logout/confirm',
  },
  routes,
  management: {
    paths: () => [],
    header: 'x-amz-target',
    load: async () => (await import('./pool/user-pool.ts')).createPoolApi,
  },
  unserved,
  pageIds: { loginButtonName: 'signInSubmitButton' },
};

/** The address with the pool, the identifier of that pool at AWS, or the one that was chosen. */
function identifierOf({ pool = '', issuer = '' }: PresetOptions): string {
  if (issuer === 'local') return '${issuer}/${options.pool}';
  return issuer === 'aws' ? `https://cognito-idp.${pool.split('_')[0]}.amazonaws.com/${pool}` : issuer;
}
