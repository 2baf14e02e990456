import type { ProviderPreset } from '../preset.ts';
import { dialectData } from './dialect.ts';
import { aliasesOf } from './places.ts';
import { routes } from './routes.ts';
import { unserved } from './unserved.ts';

/** Microsoft Entra ID: one tenant is one issuer. */
export const entra: ProviderPreset = {
  title: 'Microsoft Entra ID',
  issuerPath: ({ tenant }) => `/${tenant}`,
  aliases: aliasesOf,
  dialect: dialectData,
  paths: {
    authorize: '/oauth2/v2.0/authorize',
    token: '/oauth2/v2.0/token',
    jwks: '/discovery/v2.0/keys',
    userinfo: '/oidc/userinfo',
    endSession: '/oauth2/v2.0/logout',
    deviceAuthorization: '/oauth2/v2.0/devicecode',
    deviceVerification: '/oauth2/deviceauth',
  },
  routes,
  unserved,
  // the ids of the pages at login.microsoftonline.com, which end-to-end tests select
  pageIds: { loginForm: 'i0281', username: 'i0116', password: 'i0118', loginButton: 'idSIButton9' },
};
