import { branding } from '../branding.ts';
import {
  acrValues,
  audiences,
  dashboardAccess,
  namedOrigins,
  oneOf,
  onOff,
  seconds,
  text,
  wholeNumber,
} from '../formats.ts';
import { setting } from '../setting.ts';

/** The sample backend. */
export const sampleBackendSettings = {
  /** Audiences that the sample backend accepts. Default: any. */
  apiAudience: setting(
    audiences,
    [],
    'Audiences that the sample backend accepts; an empty list accepts any, except tokens requested for a different resource',
    { isLive: true },
  ),
  /** Seconds for which the sample backend still accepts an expired token. Default 0. */
  apiClockSkew: setting(seconds(0, 3600), 0, 'Time for which the sample backend still accepts an expired token', {
    isLive: true,
  }),
  /**
   * How the sample backend checks tokens: `local` verifies JWTs, `introspection` also refuses revoked tokens and
   * accepts opaque ones. Default `local`.
   */
  apiTokenCheck: setting(
    oneOf(['local', 'introspection']),
    'local',
    'How the sample backend checks tokens: `local` verifies JWTs, `introspection` refuses revoked and accepts opaque tokens, too',
    { isLive: true },
  ),
};

/** How users sign in. */
export const loginSettings = {
  /** `picker`, the default, signs in with one click; `password` asks for username and password. */
  loginMode: setting(
    oneOf(['picker', 'password']),
    'picker',
    'Form of the sign-in page: one click on a user, or username and password',
  ),
  /**
   * User who is signed in without a click, by `sub`, username or e-mail; `hint` signs in the user that `login_hint`
   * names. Default: none.
   */
  autoLogin: setting(
    text,
    undefined,
    'User who is signed in without a click, by sub, username or e-mail; `hint` signs in the user that login_hint names',
    { defaultText: 'nobody', isLive: true },
  ),
  /**
   * Effect of `autoLogin` on `prompt=login` and `prompt=select_account`: `silent` signs in, `show` shows the sign-in
   * page. Default `silent`.
   */
  autoLoginPrompt: setting(
    oneOf(['silent', 'show']),
    'silent',
    'Effect of AUTO_LOGIN on prompt=login and select_account: `silent` signs in, `show` shows the sign-in page',
    { isLive: true },
  ),
  /** Asks for consent for clients that do not set `require_consent`. Default: false. */
  consent: setting(onOff, false, 'Asks for consent when a client does not set require_consent', { isLive: true }),
  /**
   * `{ name, logo, color }` on the pages for users, for clients without their own `branding`. The logo is a file or a
   * data URI.
   */
  branding: setting(
    branding,
    {},
    'Name, logo and color on the pages for users, for clients without their own `branding`',
    { defaultText: 'none', isLive: true },
  ),
  /**
   * The `acr` values that a sign-in can reach. Default: every requested value; the sandbox does not check the strength of
   * a sign-in.
   */
  acrValues: setting(
    acrValues,
    [],
    'acr values that a sign-in can reach; a request for other essential values is refused',
    { defaultText: 'any', isLive: true },
  ),
  /** Seconds that a browser stays signed in. Default 28800, eight hours. */
  sessionLifetime: setting(seconds(1), 28_800, 'How long a browser stays signed in', { isLive: true }),
};

/** The dashboard, the pages beside it, and the history that they show. */
export const dashboardSettings = {
  /** Serves `/dashboard`; `readonly` shows everything and changes nothing. Default: true. */
  dashboard: setting(dashboardAccess, 'on', 'Serves /dashboard; `readonly` shows everything and changes nothing'),
  /** Origins of other pages that may read the event stream and the JSON of the dashboard. Default: none. */
  dashboardAllowedOrigins: setting(
    namedOrigins,
    [],
    'Origins of other pages that may read the events and the JSON of the dashboard',
    { defaultText: 'only the origin of the dashboard' },
  ),
  /** Adds `error_uri` to OAuth errors: a link to their explanation in the dashboard. Default: true. */
  errorUri: setting(onOff, true, 'Adds error_uri to errors, which links to their explanation'),
  /** Records requests with headers and bodies. Default: true. */
  recording: setting(
    onOff,
    true,
    'Records requests with headers and bodies; flows and explanations show fewer details when it is off',
  ),
  /** Number of events of each kind that the dashboard keeps. Default 1000. */
  historySize: setting(wholeNumber(100, 100_000), 1000, 'Number of events of each kind that the history keeps'),
  /** Memory of the history in bytes, with headers and bodies. Default 32,000,000. */
  historyBytes: setting(
    wholeNumber(1_000_000, 4_000_000_000),
    32_000_000,
    'Memory limit of the history in bytes, with headers and bodies; the oldest events are removed first',
  ),
};
