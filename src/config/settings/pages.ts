import { branding } from '../branding.ts';
import { acrValues, dashboardAccess, namedOrigins, oneOf, onOff, seconds, text, wholeNumber } from '../formats.ts';
import { setting } from '../setting.ts';

/** Login and dashboard. */
export const pageSettings = {
  /** `picker`, the default, signs in with one click; `password` asks for username and password. */
  loginMode: setting(
    'Login',
    '--login-mode LOGIN_MODE',
    oneOf(['picker', 'password']),
    'picker',
    'Form of the login page: one click on a user, or username and password',
  ),
  /**
   * User who is signed in without a click, by `sub`, username or e-mail; `hint` signs in the user that `login_hint`
   * names. Default: none.
   */
  autoLogin: setting(
    'Login',
    '--auto-login AUTO_LOGIN',
    text,
    undefined,
    'User who is signed in without a click, by sub, username or e-mail; `hint` signs in the user that login_hint names',
    { defaultText: 'nobody', isLive: true },
  ),
  /**
   * Effect of `autoLogin` on `prompt=login` and `prompt=select_account`: `silent` signs in, `show` shows the login
   * page. Default `silent`.
   */
  autoLoginPrompt: setting(
    'Login',
    '--auto-login-prompt AUTO_LOGIN_PROMPT',
    oneOf(['silent', 'show']),
    'silent',
    'Effect of AUTO_LOGIN on prompt=login and select_account: `silent` signs in, `show` shows the login page',
    { isLive: true },
  ),
  /** Asks for consent for clients that do not set `require_consent`. Default: false. */
  consent: setting(
    'Login',
    '--consent CONSENT',
    onOff,
    false,
    'Asks for consent when a client does not set require_consent',
    { isLive: true },
  ),
  /**
   * `{ name, logo, color }` on the pages for users, for clients without their own `branding`. The logo is a file or a
   * data URI.
   */
  branding: setting(
    'Login',
    '--branding BRANDING',
    branding,
    {},
    'Name, logo and color on the pages for users, for clients without their own `branding`',
    { defaultText: 'none', isLive: true },
  ),
  /**
   * The `acr` values that a login can reach. Default: every requested value; the sandbox does not check the strength of
   * a login.
   */
  acrValues: setting(
    'Login',
    '--acr-values ACR_VALUES',
    acrValues,
    [],
    'acr values that a login can reach; a request for other essential values is refused',
    { defaultText: 'any', isLive: true },
  ),
  /** Seconds that a browser stays signed in. Default 28800, eight hours. */
  sessionLifetime: setting(
    'Login',
    '--session-lifetime SESSION_LIFETIME',
    seconds(1),
    28_800,
    'How long a browser stays signed in',
    { isLive: true },
  ),
  /** Serves `/dashboard`; `readonly` shows everything and changes nothing. Default: true. */
  dashboard: setting(
    'Dashboard',
    '--dashboard DASHBOARD',
    dashboardAccess,
    'on',
    'Serves /dashboard; `readonly` shows everything and changes nothing',
  ),
  /** Origins of other pages that may read the event stream and the JSON of the dashboard. Default: none. */
  dashboardAllowedOrigins: setting(
    'Dashboard',
    '--dashboard-allowed-origins DASHBOARD_ALLOWED_ORIGINS',
    namedOrigins,
    [],
    'Origins of other pages that may read the event stream and the JSON of the dashboard',
    { defaultText: 'only the origin of the dashboard' },
  ),
  /** Adds `error_uri` to OAuth errors: a link to their explanation in the dashboard. Default: true. */
  errorUri: setting(
    'Dashboard',
    '--error-uri ERROR_URI',
    onOff,
    true,
    'Adds error_uri to errors, which links to their explanation',
  ),
  /** Offers lessons at `/lessons`, which check themselves by the requests of the learner. Default: true. */
  lessons: setting(
    'Dashboard',
    '--lessons LESSONS',
    onOff,
    true,
    'Offers lessons at /lessons and in the control API; `off` leaves out the pages, the operations and the navigation',
    { isWhole: true },
  ),
  /**
   * Number of seats of a workshop: learners get a sandbox each at `/join`, and the trainer watches the board at `/room`.
   * Default: no workshop.
   */
  workshop: setting(
    'Dashboard',
    '--workshop WORKSHOP',
    wholeNumber(1, 60),
    undefined,
    'Seats of a workshop: learners get a sandbox each at /join, and CONTROL_TOKEN, or a key printed at the start, opens the board at /room',
    { isWhole: true, defaultText: 'no workshop' },
  ),
  /** Records requests with headers and bodies. Default: true. */
  recording: setting(
    'Dashboard',
    '--recording RECORDING',
    onOff,
    true,
    'Records requests with headers and bodies; flows and explanations show fewer details when it is off',
  ),
  /** Number of events of each kind that the dashboard keeps. Default 1000. */
  historySize: setting(
    'Dashboard',
    '--history-size HISTORY_SIZE',
    wholeNumber(100, 100_000),
    1000,
    'Number of events of each kind that the history keeps',
  ),
  /** Memory of the history in bytes, with headers and bodies. Default 32,000,000. */
  historyBytes: setting(
    'Dashboard',
    '--history-bytes HISTORY_BYTES',
    wholeNumber(1_000_000, 4_000_000_000),
    32_000_000,
    'Memory limit of the history in bytes, with headers and bodies; the oldest events are removed first',
  ),
};
