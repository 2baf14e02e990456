import { hash } from 'node:crypto';
import type { ProviderPreset } from '../preset.ts';
import { forms } from './claims.ts';
import { errors } from './errors.ts';
import { metadata } from './metadata.ts';
import { requests, responses, scopes } from './requests.ts';
import { routes } from './routes.ts';
import { unserved } from './unserved.ts';

/** Seconds of six months, which Apple allows a client secret. */
const sixMonths = 15_777_000;

/** Sign in with Apple. The sandbox is one team of developers. */
export const apple: ProviderPreset = {
  title: 'Apple',
  issuerPath: () => '',
  dialect: options => ({
    name: 'apple',
    options,
    ...(options.issuer === 'apple' && { identifier: 'https://appleid.apple.com' }),
    metadata,
    forms: forms(options.booleans === 'text'),
    accessTokenType: 'at+jwt',
    errors,
    secrets: {
      accessToken: random => secretOf('a', random),
      refreshToken: random => secretOf('r', random),
      code: random => secretOf('c', random),
    },
    scopes,
    requests,
    responses,
    secretJwt: { alg: 'ES256', iss: options.team ?? '', aud: 'https://appleid.apple.com', longest: sixMonths },
  }),
  paths: { authorize: '/auth/authorize', token: '/auth/token', jwks: '/auth/keys', revoke: '/auth/revoke' },
  routes,
  hosts: ['appleid.apple.com'],
  unserved,
};

/** A text such as `c1a2….0.mrqs.Fx3…`. */
function secretOf(kind: string, random: string): string {
  return `${kind}${hash('sha256', random).slice(0, 32)}.0.mrqs.${random}`;
}
