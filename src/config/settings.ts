import {
  audiences,
  type Format,
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

/** One row of the table: everything there is to know about a setting. */
export interface Setting<T = unknown> {
  readonly group: SettingGroup;
  /** Absent where the setting is for the environment only: secrets and whole lists do not belong on a command line. */
  readonly flag?: string;
  readonly env: string;
  readonly format: Format<T>;
  readonly default: T;
  /** What the help says instead of the default itself. */
  readonly defaultText?: string;
  /** One line, starting with a capital, without a full stop. */
  readonly help: string;
  /** Whether `clients.config.ts` may set it by its name. */
  readonly inFile: boolean;
  /** Never printed. */
  readonly secret?: true;
}

export const settingGroups = [
  'Server',
  'Registration',
  'Tokens',
  'Login',
  'Dashboard',
  'Protection',
  'Sample backend',
  'Log',
] as const;
export type SettingGroup = (typeof settingGroups)[number];

export const signingAlgs: readonly SigningAlg[] = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

/** A setting with a flag, which a file may set too. */
function setting<T>(
  group: SettingGroup,
  row: { flag: string; default: NoInfer<T> } & Omit<Setting<T>, 'group' | 'inFile' | 'flag' | 'default'>,
): Setting<T> {
  return { group, inFile: true, ...row };
}
/** A setting for the environment alone, for pipelines that cannot mount a file. */
function variable<T>(row: Omit<Setting<T | undefined>, 'group' | 'inFile' | 'default'>): Setting<T | undefined> {
  return { group: 'Registration', inFile: false, default: undefined, ...row };
}

/** THE table of settings, by name. Flags, environment, file, defaults, `--help` and the README are all made from it. */
export const settings = {
  port: setting('Server', {
    flag: 'port',
    env: 'PORT',
    format: wholeNumber(0, 65_535),
    default: 9000,
    help: 'Port to listen on; 0 takes a free one',
  }),
  host: setting('Server', {
    flag: 'host',
    env: 'HOST',
    format: hostName,
    default: 'localhost',
    help: 'Address to listen on; localhost is 127.0.0.1 and ::1',
  }),
  issuer: setting<string | undefined>('Server', {
    flag: 'issuer',
    env: 'ISSUER',
    format: issuerUrl,
    default: undefined,
    defaultText: 'http://localhost:<port>',
    help: 'Issuer identifier: the address clients know this server by',
  }),
  label: setting('Server', {
    flag: 'label',
    env: 'SANDBOX_LABEL',
    format: text,
    default: '',
    defaultText: 'none',
    help: 'Name of this sandbox, shown on its pages',
  }),

  configFile: {
    ...setting<string | undefined>('Registration', {
      flag: 'config',
      env: 'CONFIG_FILE',
      format: filePath,
      default: undefined,
      defaultText: 'clients.config.* in the working directory, else built in',
      help: 'File with clients, users, scopes, collections and settings',
    }),
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

  signingAlg: setting('Tokens', {
    flag: 'signing-alg',
    env: 'SIGNING_ALG',
    format: oneOf(signingAlgs),
    default: 'RS256',
    help: 'Algorithm that signs access tokens',
  }),
  keysFile: setting<string | undefined>('Tokens', {
    flag: 'keys-file',
    env: 'KEYS_FILE',
    format: filePath,
    default: undefined,
    defaultText: 'fresh keys on start',
    help: 'JWK Set file with private keys',
  }),
  scopeClaim: setting('Tokens', {
    flag: 'scope-claim',
    env: 'SCOPE_CLAIM',
    format: oneOf(['string', 'array']),
    default: 'string',
    help: 'Form of the scope claim in access tokens',
  }),
  codeLifetime: setting('Tokens', {
    flag: 'code-lifetime',
    env: 'CODE_LIFETIME',
    format: seconds(1),
    default: 60,
    help: 'Lifetime of authorization codes',
  }),
  accessTokenLifetime: setting('Tokens', {
    flag: 'access-token-lifetime',
    env: 'ACCESS_TOKEN_LIFETIME',
    format: seconds(1),
    default: 300,
    help: 'Lifetime of access tokens, for clients that set none',
  }),
  idTokenLifetime: setting('Tokens', {
    flag: 'id-token-lifetime',
    env: 'ID_TOKEN_LIFETIME',
    format: seconds(1),
    default: 300,
    help: 'Lifetime of ID Tokens',
  }),
  refreshTokenLifetime: setting('Tokens', {
    flag: 'refresh-token-lifetime',
    env: 'REFRESH_TOKEN_LIFETIME',
    format: seconds(1),
    default: 86_400,
    help: 'Lifetime of refresh tokens',
  }),
  requirePkce: setting('Tokens', {
    flag: 'require-pkce',
    env: 'REQUIRE_PKCE',
    format: onOff,
    default: false,
    help: 'Demands PKCE of confidential clients too',
  }),

  loginMode: setting('Login', {
    flag: 'login-mode',
    env: 'LOGIN_MODE',
    format: oneOf(['picker', 'password']),
    default: 'picker',
    help: 'Login by one click, or with user name and password',
  }),
  sessionLifetime: setting('Login', {
    flag: 'session-lifetime',
    env: 'SESSION_LIFETIME',
    format: seconds(1),
    default: 28_800,
    help: 'How long a browser stays signed in',
  }),

  dashboard: setting('Dashboard', {
    flag: 'dashboard',
    env: 'DASHBOARD',
    format: onOff,
    default: true,
    help: 'Whether /dashboard is served',
  }),
  errorUri: setting('Dashboard', {
    flag: 'error-uri',
    env: 'ERROR_URI',
    format: onOff,
    default: true,
    help: 'Whether errors carry error_uri to their explanation',
  }),
  historySize: setting('Dashboard', {
    flag: 'history-size',
    env: 'HISTORY_SIZE',
    format: wholeNumber(100, 100_000),
    default: 2000,
    help: 'How many events are remembered',
  }),

  corsOrigins: setting('Protection', {
    flag: 'cors-origins',
    env: 'CORS_ORIGINS',
    format: origins,
    default: '*',
    help: 'Origins that browsers may call from',
  }),
  allowedHosts: setting('Protection', {
    flag: 'allowed-hosts',
    env: 'ALLOWED_HOSTS',
    format: hostNames,
    default: [],
    help: 'Further host names this server may be reached by',
  }),
  loginRateLimit: setting('Protection', {
    flag: 'login-rate-limit',
    env: 'LOGIN_RATE_LIMIT',
    format: wholeNumber(0, 1_000_000),
    default: 300,
    help: 'Logins a minute and address; 0 is no limit',
  }),
  rateLimit: setting('Protection', {
    flag: 'rate-limit',
    env: 'RATE_LIMIT',
    format: wholeNumber(0, 1_000_000),
    default: 0,
    help: 'Protocol requests a minute and address; 0 is no limit',
  }),
  metadataMaxAge: setting('Protection', {
    flag: 'metadata-max-age',
    env: 'METADATA_MAX_AGE',
    format: seconds(0, 86_400),
    default: 0,
    help: 'How long metadata and keys may be cached; 0 is never',
  }),

  apiAudience: setting('Sample backend', {
    flag: 'api-audience',
    env: 'API_AUDIENCE',
    format: audiences,
    default: [],
    help: 'Audiences the sample backend accepts; none means any',
  }),
  apiClockSkew: setting('Sample backend', {
    flag: 'api-clock-skew',
    env: 'API_CLOCK_SKEW',
    format: seconds(0, 3600),
    default: 0,
    help: 'How long an expired token still passes',
  }),

  logLevel: setting('Log', {
    flag: 'log-level',
    env: 'LOG_LEVEL',
    format: oneOf(['silent', 'error', 'warn', 'info', 'debug']),
    default: 'info',
    help: 'How much is logged',
  }),
  logFormat: setting('Log', {
    flag: 'log-format',
    env: 'LOG_FORMAT',
    format: oneOf(['auto', 'pretty', 'json']),
    default: 'auto',
    help: 'Pretty on a terminal and JSON lines otherwise, or always one of them',
  }),
};

export type SettingName = keyof typeof settings;
export type SettingValues = {
  readonly [Name in SettingName]: (typeof settings)[Name] extends Setting<infer T> ? T : never;
};

/** The table as a list, in its order. */
export const settingList: readonly (Setting & { readonly name: SettingName })[] = Object.entries(settings).map(
  ([name, row]) => ({ ...(row as Setting), name: name as SettingName }),
);

/** The default as the help and the README show it. */
export function formatDefault({ default: value, defaultText }: Setting): string {
  if (defaultText !== undefined) return defaultText;
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return Array.isArray(value) ? (value.length === 0 ? 'none' : value.join(' ')) : String(value);
}

/** The README's table of settings, in Markdown. */
export function renderSettingsTable(): string {
  const rows = settingList.map(row => {
    const flag = row.flag === undefined ? '–' : `\`--${row.flag}\``;
    return [row.help, flag, `\`${row.env}\``, row.format.values, formatDefault(row)];
  });
  return [['setting', 'flag', 'environment', 'values', 'default'], ['---', '---', '---', '---', '---'], ...rows]
    .map(cells => `| ${cells.map(cell => cell.replaceAll('|', '\\|').replaceAll('<', '&lt;')).join(' | ')} |`)
    .join('\n');
}
