import type { ProviderPreset } from '../preset.ts';
import { forms } from './claims.ts';
import { asApiError } from './error-forms.ts';
import { errors } from './errors.ts';
import { routes } from './routes.ts';
import { scopes } from './scopes.ts';
import { secretOf } from './secret.ts';
import { unserved } from './unserved.ts';

/** An OAuth app of GitHub: its tokens do not expire, and there are no refresh tokens. */
export const github: ProviderPreset = presetOf('oauth-app');

/** A GitHub App: its tokens expire, and it has permissions in place of scopes. */
export const githubApp: ProviderPreset = presetOf('app');

function presetOf(kind: 'oauth-app' | 'app'): ProviderPreset {
  const isApp = kind === 'app';
  return {
    title: 'GitHub',
    issuerPath: () => '',
    dialect: options => ({
      name: isApp ? 'github-app' : 'github',
      options,
      identifier: options.issuer === 'github' ? 'https://github.com/login/oauth' : '${issuer}/login/oauth',
      // GitHub has no metadata: this document names the issuer of its authorization responses
      metadata: { keep: ['issuer'], omit: [], add: {} },
      forms: forms[kind],
      accessTokenType: 'at+jwt',
      errors,
      secrets: {
        accessToken: random => secretOf(isApp ? 'ghu' : 'gho', random, 30),
        refreshToken: random => secretOf('ghr', random, 70),
      },
      scopes,
      requests: { defaults: { response_type: 'code' }, subPaths: true },
      responses: { omit: ['session_state'], rules: [] },
    }),
    paths: {
      authorize: '/login/oauth/authorize',
      token: '/login/oauth/access_token',
      userinfo: '/user',
      deviceAuthorization: '/login/device/code',
      deviceVerification: '/device',
    },
    routes,
    management: {
      paths: () => ['/applications', '/api/v3/applications'],
      load: async () => (await import('./api/applications.ts')).createApplicationsApi,
    },
    hosts: ['github.com', 'api.github.com'],
    unserved,
    unservedForm: asApiError,
  };
}
