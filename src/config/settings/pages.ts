import { acrValues, dashboardAccess, namedOrigins, oneOf, onOff, seconds, text, wholeNumber } from '../formats.ts';
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
  autoLogin: setting<string | undefined>(
    'Login',
    '--auto-login AUTO_LOGIN',
    text,
    undefined,
    'The user to sign in without a click, by sub, username or e-mail; `hint`: whom login_hint names',
    'nobody',
  ),
  autoLoginPrompt: setting(
    'Login',
    '--auto-login-prompt AUTO_LOGIN_PROMPT',
    oneOf(['silent', 'show']),
    'silent',
    'Whether prompt=login and select_account are answered without a click too, or show the page',
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
  dashboard: setting(
    'Dashboard',
    '--dashboard DASHBOARD',
    dashboardAccess,
    'on',
    'Whether /dashboard is served; `readonly` shows everything and changes nothing',
  ),
  dashboardAllowedOrigins: setting(
    'Dashboard',
    '--dashboard-allowed-origins DASHBOARD_ALLOWED_ORIGINS',
    namedOrigins,
    [],
    'Origins of other pages that may read the event stream and the JSON of the dashboard',
    'none but its own',
  ),
  errorUri: setting(
    'Dashboard',
    '--error-uri ERROR_URI',
    onOff,
    true,
    'Whether errors carry error_uri to their explanation',
  ),
  recording: setting(
    'Dashboard',
    '--recording RECORDING',
    onOff,
    true,
    'Whether requests are recorded with headers and bodies; without, flows and explanations know less',
  ),
  historySize: setting(
    'Dashboard',
    '--history-size HISTORY_SIZE',
    wholeNumber(100, 100_000),
    1000,
    'How many events of each kind are remembered',
  ),
  historyBytes: setting(
    'Dashboard',
    '--history-bytes HISTORY_BYTES',
    wholeNumber(1_000_000, 4_000_000_000),
    32_000_000,
    'How much memory the history may take, with headers and bodies; the oldest go first',
  ),
};
