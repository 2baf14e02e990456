import { acrValues, oneOf, onOff, seconds, wholeNumber } from '../formats.ts';
import { setting } from '../setting.ts';

/** Login and dashboard. */
export const pageSettings = {
  loginMode: setting(
    'Login',
    '--login-mode LOGIN_MODE',
    oneOf(['picker', 'password']),
    'picker',
    'Login by one click, or with user name and password',
  ),
  consent: setting(
    'Login',
    '--consent CONSENT',
    onOff,
    false,
    'Whether clients that do not say require_consent ask for consent',
  ),
  acrValues: setting(
    'Login',
    '--acr-values ACR_VALUES',
    acrValues,
    [],
    'The acr values a login can reach; others are refused where they are essential',
    'any',
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
};
