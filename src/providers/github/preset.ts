import type { DialectData } from '../../protocol/dialects/dialect-data.ts';
import type { ProviderPreset } from '../../sandbox/provider.ts';
import { asApiError } from './error-forms.ts';
import { errors } from './errors.ts';
import { routes } from './routes.ts';
import { scopes } from './scopes.ts';
import { secretOf } from './secret.ts';

const rest = 'GET /user, /user/emails and /user/orgs are there, also below /api/v3.';

/** An OAuth app of GitHub: its tokens do not expire, and there are no refresh tokens. */
export const github: ProviderPreset = presetOf('oauth-app');

/** A GitHub App: its tokens expire, and it has permissions in place of scopes. */
export const githubApp: ProviderPreset = presetOf('app');

function presetOf(kind: 'oauth-app' | 'app'): ProviderPreset {
  const isApp = kind === 'app';
  return {
    title: 'GitHub',
    dialect: options => ({
      identifier: options.issuer === 'github' ? 'https://github.com/login/oauth' : '${issuer}/login/oauth',
      metadata: {
        keep: metadataMembers,
        add: {
          grant_types_supported: ['authorization_code', ...(isApp ? ['refresh_token'] : [])],
          token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
        },
      },
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
    unserved: [
      { path: '/user', what: 'this part of the REST API', instead: rest },
      { path: '/users', what: 'the users of the REST API', instead: rest },
      { path: '/orgs', what: 'the organizations of the REST API', instead: rest },
      { path: '/repos', what: 'the repositories of the REST API', instead: rest },
      { path: '/search', what: 'the search of the REST API', instead: rest },
      { path: '/graphql', what: 'the GraphQL API', instead: rest },
      { path: '/api/v3', what: 'this part of the REST API', instead: rest },
      { path: '/api/graphql', what: 'the GraphQL API', instead: rest },
      {
        path: '/app',
        what: 'the API of GitHub Apps (installations)',
        instead: 'Users sign in to a GitHub App with PRESET=github-app.',
      },
      {
        path: '/login/oauth',
        what: 'this OAuth endpoint',
        instead: 'Use /login/oauth/authorize and /login/oauth/access_token.',
      },
      { path: '/settings', what: 'the settings of an account', instead: 'The dashboard changes users and clients.' },
    ],
    unservedForm: asApiError,
  };
}

/** Those that RFC 8414 §2 requires, and that of PKCE. GitHub does not name its device endpoint there. */
const metadataMembers = [
  'issuer',
  'authorization_endpoint',
  'token_endpoint',
  'response_types_supported',
  'code_challenge_methods_supported',
];

/** The answers of the token endpoint: to an OAuth app without an end, to a GitHub App without scopes. */
const forms: Readonly<Record<'oauth-app' | 'app', DialectData['forms']>> = {
  'oauth-app': {
    tokenResponse: {
      omit: ['expires_in', 'scope'],
      rules: [{ claims: { scope: '', token_type: 'bearer' } }, { claims: { scope: '${scopes}' } }],
    },
  },
  app: {
    tokenResponse: {
      omit: ['scope'],
      rules: [
        { claims: { scope: '', token_type: 'bearer' } },
        { when: 'token.refresh_token', claims: { refresh_token_expires_in: '${lifetimes.refreshToken}' } },
      ],
    },
  },
};
