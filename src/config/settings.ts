import {
  audiences,
  filePath,
  hostName,
  hostNames,
  issuerUrl,
  jsonList,
  oneOf,
  onOff,
  origins,
  redirectUris,
  seconds,
  text,
  visibleText,
  wholeNumber,
} from './formats.ts';
import type { SigningAlg } from './sandbox-config.ts';
import { type Setting, setting, variable } from './setting.ts';

export { type Setting, type SettingGroup, settingGroups } from './setting.ts';

export const signingAlgs: readonly SigningAlg[] = [
  ...(['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'] as const),
  ...(['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'] as const),
];

/** THE table of settings, by name. Flags, environment, file, defaults, `--help` and the README are all made from it. */
export const settings = {
  port: setting('Server', '--port PORT', wholeNumber(0, 65_535), 9000, 'Port to listen on; 0 takes a free one'),
  host: setting('Server', '--host HOST', hostName, 'localhost', 'Address to listen on; localhost is 127.0.0.1 and ::1'),
  issuer: setting<string | undefined>(
    'Server',
    '--issuer ISSUER',
    issuerUrl,
    undefined,
    'Issuer identifier: the address clients know this server by',
    'http://localhost:<port>',
  ),
  label: setting('Server', '--label SANDBOX_LABEL', text, '', 'Name of this sandbox, shown on its pages', 'none'),

  configFile: {
    ...setting<string | undefined>(
      'Registration',
      '--config CONFIG_FILE',
      filePath,
      undefined,
      'File with clients, users, scopes, collections and settings',
      'clients.config.* in the working directory, else built in',
    ),
    inFile: false,
  },
  clients: variable<readonly unknown[]>({
    env: 'CLIENTS',
    format: jsonList('clients'),
    secret: true,
    defaultText: 'those of the file',
    help: 'All clients, as a JSON list',
  }),
  users: variable<readonly unknown[]>({
    env: 'USERS',
    format: jsonList('users'),
    secret: true,
    defaultText: 'those of the file',
    help: 'All users, as a JSON list',
  }),
  frontendClientId: variable<string>({
    env: 'FRONTEND_CLIENT_ID',
    format: visibleText,
    defaultText: 'frontend',
    help: 'Renames the client frontend',
  }),
  frontendRedirectUris: variable<readonly string[]>({
    env: 'FRONTEND_REDIRECT_URIS',
    format: redirectUris,
    defaultText: 'those of the file',
    help: 'Replaces the redirect URIs of the client frontend',
  }),
  sensorClientId: variable<string>({
    env: 'SENSOR_CLIENT_ID',
    format: visibleText,
    defaultText: 'sensor',
    help: 'Renames the client sensor',
  }),
  sensorClientSecret: variable<string>({
    env: 'SENSOR_CLIENT_SECRET',
    format: visibleText,
    secret: true,
    defaultText: 'that of the file',
    help: 'Replaces the secret of the client sensor',
  }),

  signingAlg: setting(
    'Tokens',
    '--signing-alg SIGNING_ALG',
    oneOf(signingAlgs),
    'RS256',
    'Algorithm that signs access tokens',
  ),
  keysFile: setting<string | undefined>(
    'Tokens',
    '--keys-file KEYS_FILE',
    filePath,
    undefined,
    'JWK Set file with private keys',
    'fresh keys on start',
  ),
  scopeClaim: setting(
    'Tokens',
    '--scope-claim SCOPE_CLAIM',
    oneOf(['string', 'array']),
    'string',
    'Form of the scope claim in access tokens',
  ),
  codeLifetime: setting('Tokens', '--code-lifetime CODE_LIFETIME', seconds(1), 60, 'Lifetime of authorization codes'),
  accessTokenLifetime: setting(
    'Tokens',
    '--access-token-lifetime ACCESS_TOKEN_LIFETIME',
    seconds(1),
    300,
    'Lifetime of access tokens, for clients that set none',
  ),
  idTokenLifetime: setting('Tokens', '--id-token-lifetime ID_TOKEN_LIFETIME', seconds(1), 300, 'Lifetime of ID Tokens'),
  refreshTokenLifetime: setting(
    'Tokens',
    '--refresh-token-lifetime REFRESH_TOKEN_LIFETIME',
    seconds(1),
    86_400,
    'Lifetime of refresh tokens',
  ),
  requirePkce: setting(
    'Tokens',
    '--require-pkce REQUIRE_PKCE',
    onOff,
    false,
    'Demands PKCE of confidential clients too',
  ),

  loginMode: setting(
    'Login',
    '--login-mode LOGIN_MODE',
    oneOf(['picker', 'password']),
    'picker',
    'Login by one click, or with user name and password',
  ),
  sessionLifetime: setting(
    'Login',
    '--session-lifetime SESSION_LIFETIME',
    seconds(1),
    28_800,
    'How long a browser stays signed in',
  ),

  dashboard: setting('Dashboard', '--dashboard DASHBOARD', onOff, true, 'Whether /dashboard is served'),
  errorUri: setting(
    'Dashboard',
    '--error-uri ERROR_URI',
    onOff,
    true,
    'Whether errors carry error_uri to their explanation',
  ),
  historySize: setting(
    'Dashboard',
    '--history-size HISTORY_SIZE',
    wholeNumber(100, 100_000),
    1000,
    'How many events of each kind are remembered',
  ),

  corsOrigins: setting(
    'Protection',
    '--cors-origins CORS_ORIGINS',
    origins,
    '*',
    'Origins that browsers may call from',
  ),
  allowedHosts: setting(
    'Protection',
    '--allowed-hosts ALLOWED_HOSTS',
    hostNames,
    [],
    'Further host names this server may be reached by',
  ),
  loginRateLimit: setting(
    'Protection',
    '--login-rate-limit LOGIN_RATE_LIMIT',
    wholeNumber(0, 1_000_000),
    300,
    'Logins a minute and address; 0 is no limit',
  ),
  rateLimit: setting(
    'Protection',
    '--rate-limit RATE_LIMIT',
    wholeNumber(0, 1_000_000),
    0,
    'Protocol requests a minute and address; 0 is no limit',
  ),
  metadataMaxAge: setting(
    'Protection',
    '--metadata-max-age METADATA_MAX_AGE',
    seconds(0, 86_400),
    0,
    'How long metadata and keys may be cached; 0 is never',
  ),

  apiAudience: setting(
    'Sample backend',
    '--api-audience API_AUDIENCE',
    audiences,
    [],
    'Audiences the sample backend accepts; none means any',
  ),
  apiClockSkew: setting(
    'Sample backend',
    '--api-clock-skew API_CLOCK_SKEW',
    seconds(0, 3600),
    0,
    'How long an expired token still passes',
  ),

  logLevel: setting(
    'Log',
    '--log-level LOG_LEVEL',
    oneOf(['silent', 'error', 'warn', 'info', 'debug']),
    'info',
    'How much is logged',
  ),
  logFormat: setting(
    'Log',
    '--log-format LOG_FORMAT',
    oneOf(['auto', 'pretty', 'json']),
    'auto',
    'Pretty on a terminal and JSON lines otherwise, or always one of them',
  ),
};

export type SettingName = keyof typeof settings;
export type SettingValues = {
  readonly [Name in SettingName]: (typeof settings)[Name] extends Setting<infer T> ? T : never;
};

/** The table as a list, in its order. */
export const settingList: readonly (Setting & { readonly name: SettingName })[] = Object.entries(settings).map(
  ([name, row]) => ({ ...(row as Setting), name: name as SettingName }),
);
