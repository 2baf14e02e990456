import { hash } from 'node:crypto';
import type { DialectData } from '../../protocol/dialects/dialect-data.ts';
import type { ProviderPreset } from '../../sandbox/provider.ts';
import { asApiError } from './error-forms.ts';
import { routes, scopes } from './routes.ts';

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

const answered = (error: string, error_description: string) => ({ status: 200, error, error_description });
const badCode = answered('bad_verification_code', 'The code passed is incorrect or expired.');
const badCredentials = answered(
  'incorrect_client_credentials',
  'The client_id and/or client_secret passed are incorrect.',
);
const badRefreshToken = answered('bad_refresh_token', 'The refresh token passed is incorrect or expired.');
const badDevice = answered('incorrect_device_code', 'The device_code provided is not valid.');
const otherRedirect = 'The redirect_uri MUST match the registered callback URL for this application.';

/** Errors of GitHub by our reason. The token endpoint answers them with the status 200. */
export const errors: DialectData['errors'] = {
  client_unknown: badCredentials,
  client_unidentified: badCredentials,
  client_secret_missing: badCredentials,
  client_secret_wrong: badCredentials,
  code_expired_or_unknown: badCode,
  code_replayed: badCode,
  code_of_another_client: badCode,
  pkce_mismatch: badCode,
  pkce_missing: badCode,
  parameter_missing: badCode,
  user_unverified: answered('unverified_user_email', 'The user must have a verified primary email.'),
  redirect_uri_mismatch: answered('redirect_uri_mismatch', otherRedirect),
  redirect_uri_not_registered: { status: 400, error: 'redirect_uri_mismatch', error_description: otherRedirect },
  user_denied: answered('access_denied', 'The user has denied your application access.'),
  grant_type_unsupported: answered('unsupported_grant_type', 'The grant type is not supported.'),
  grant_type_not_registered: [
    {
      sent: 'urn:ietf:params:oauth:grant-type:device_code',
      ...answered('device_flow_disabled', 'Device Flow must be explicitly enabled for this App.'),
    },
    answered('unsupported_grant_type', 'The grant type is not supported.'),
  ],
  refresh_token_expired_or_unknown: badRefreshToken,
  refresh_token_of_another_client: badRefreshToken,
  refresh_token_reused: badRefreshToken,
  authorization_revoked: badRefreshToken,
  token_ended: badRefreshToken,
  authorization_pending: answered('authorization_pending', 'The authorization request is still pending.'),
  polled_too_fast: answered('slow_down', 'Too many requests have been made in the same timeframe.'),
  device_code_expired: answered('expired_token', 'The device_code has expired.'),
  device_code_unknown: badDevice,
  device_code_used: badDevice,
};

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A token with a prefix, `length` random letters and digits, and their checksum in six more. */
function secretOf(prefix: string, random: string, length: number): string {
  const letters = inBase62(BigInt(`0x${hash('sha512', random)}`))
    .padStart(length, '0')
    .slice(-length);
  return `${prefix}_${letters}${inBase62(BigInt(crc32(letters))).padStart(6, '0')}`;
}

function inBase62(number: bigint): string {
  let [rest, text] = [number, ''];
  for (; rest > 0n; rest /= 62n) text = digits.charAt(Number(rest % 62n)) + text;
  return text;
}

/** The checksum of ISO 3309, as zip files have it. */
function crc32(text: string): number {
  let rest = ~0;
  for (const byte of Buffer.from(text)) {
    rest ^= byte;
    for (let bit = 0; bit < 8; bit++) rest = (rest >>> 1) ^ (rest & 1 ? 0xedb88320 : 0);
  }
  return ~rest >>> 0;
}
