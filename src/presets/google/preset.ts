import type { ProviderPreset } from '../preset.ts';
import { forms } from './claims.ts';
import { asApiError } from './error-forms.ts';
import { errors } from './errors.ts';
import { metadata } from './metadata.ts';
import { requests, responses, scopes } from './requests.ts';
import { routes } from './routes.ts';
import { unserved } from './unserved.ts';

/** Sign in with Google, and its OAuth endpoints. */
export const google: ProviderPreset = {
  title: 'Google',
  issuerPath: () => '',
  dialect: options => ({
    name: 'google',
    options,
    ...(options.issuer === 'google' && { identifier: 'https://accounts.google.com' }),
    metadata,
    forms,
    accessTokenType: 'at+jwt',
    errors,
    secrets: {
      accessToken: random => `ya29.a0${random}`,
      refreshToken: random => `1//0${random}`,
      code: random => `4/0A${random}`,
    },
    scopes,
    requests,
    responses,
  }),
  paths: {
    authorize: '/o/oauth2/v2/auth',
    token: '/token',
    jwks: '/oauth2/v3/certs',
    userinfo: '/v1/userinfo',
    revoke: '/revoke',
    deviceAuthorization: '/device/code',
    deviceVerification: '/device',
  },
  routes,
  hosts: [
    'accounts.google.com',
    'oauth2.googleapis.com',
    'www.googleapis.com',
    'openidconnect.googleapis.com',
    'www.google.com',
  ],
  unserved,
  unservedForm: asApiError,
};
