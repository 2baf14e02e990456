import { hostNames, oneOf, origins, seconds, visibleText, wholeNumber } from '../formats.ts';
import { setting, variable } from '../setting.ts';

/** Who may call, and how often. */
export const protectionSettings = {
  corsOrigins: setting(
    'Protection',
    '--cors-origins CORS_ORIGINS',
    origins,
    [],
    'Further origins whose pages may call, besides loopback and those of redirect URIs and `web_origins`',
  ),
  allowedHosts: setting(
    'Protection',
    '--allowed-hosts ALLOWED_HOSTS',
    hostNames,
    [],
    'Further host names this server may be reached by',
  ),
  controlToken: {
    ...variable<string>({
      env: 'CONTROL_TOKEN',
      format: visibleText,
      secret: true,
      defaultText: 'none',
      help: 'Token that the control API and the dashboard ask for: a form in browsers, Authorization: Bearer for scripts',
    }),
    group: 'Protection' as const,
    inFile: true, // tests have no environment
  },
  loginRateLimit: setting(
    'Protection',
    '--login-rate-limit LOGIN_RATE_LIMIT',
    wholeNumber(0, 1_000_000),
    300,
    'Refused logins, and visits of the device and approvals pages, a minute and address; 0 is no limit',
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
  outbound: setting<'loopback' | 'private' | 'any' | undefined>(
    'Protection',
    '--outbound OUTBOUND',
    oneOf(['loopback', 'private', 'any']),
    undefined,
    'Addresses it may call for keys and metadata of clients, for logouts and pings',
    'private, loopback for clients that registered themselves',
  ),
};
