/** On every page of ours. `same-origin` and not `no-referrer`: under the latter a form posts with `Origin: null`. */
const base = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'same-origin',
};

const sourcesWith = (images: string) =>
  `default-src 'none'; style-src 'self'; script-src 'self'; img-src ${images}; font-src 'self'; connect-src 'self'`;
const sources = sourcesWith("'self'");
/** A configured logo is part of the page that shows it, as a data URI. */
const policy = `${sourcesWith("'self' data:")}; base-uri 'none'`;

/** Answers of the control API. No opener policy: the report as HTML is sandboxed, and browsers refuse to show both at once. */
export const controlHeaders: Readonly<Record<string, string>> = {
  ...base,
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Content-Security-Policy': "frame-ancestors 'none'",
};

/** Pages that never lead to a client: the dashboard, errors. */
export const dashboardHeaders: Readonly<Record<string, string>> = {
  ...base,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Content-Security-Policy': `${sources}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
};

/**
 * Pages that can end in a redirect to the client, including error pages with a button that repeats the request. No
 * `form-action`, or Chromium blocks the redirect. No opener policy either: a login in a popup must still be able to talk
 * to the page that opened it.
 */
export const loginHeaders: Readonly<Record<string, string>> = {
  ...base,
  'Content-Security-Policy': `${policy}; frame-ancestors 'none'`,
};

/** The consent screen. It shows the logo at the address that the client registered, and no other image from elsewhere. */
export function consentHeaders(logo: string | undefined): Readonly<Record<string, string>> {
  const policy = `${sourcesWithLogo(logo)}; base-uri 'none'; frame-ancestors 'none'`;
  return { ...loginHeaders, 'Content-Security-Policy': policy };
}

/** The page of a device, which shows the same logo and never leads to a client. */
export function deviceHeaders(logo: string | undefined): Readonly<Record<string, string>> {
  const policy = `${sourcesWithLogo(logo)}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;
  return { ...dashboardHeaders, 'Content-Security-Policy': policy };
}

function sourcesWithLogo(logo: string | undefined): string {
  const host = logo === undefined || logo.startsWith('data:') ? '' : ` ${sourceOf(logo)}`;
  return sourcesWith(`'self' data:${host}`);
}

/** The page after a logout, with an iframe for each client of the front channel: those origins may be framed, no other. */
export function logoutHeaders(frames: readonly string[]): Readonly<Record<string, string>> {
  if (frames.length === 0) return loginHeaders;
  const origins = [...new Set(frames.map(sourceOf))].join(' ');
  return { ...loginHeaders, 'Content-Security-Policy': `${policy}; frame-ancestors 'none'; frame-src ${origins}` };
}

/** CSP has no way to write an IPv6 address (CSP Level 3 §2.3.1): only its scheme can be allowed. */
export function sourceOf(url: string): string {
  const { hostname, origin, protocol } = new URL(url);
  return hostname.startsWith('[') ? protocol : origin;
}

/** `check_session_iframe`: every application frames it (OIDC Session Management §3.2), and it shows and does nothing. */
export const checkSessionHeaders: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
  'Content-Security-Policy': "default-src 'none'; script-src 'self'; base-uri 'none'; form-action 'none'",
};

/** The self-posting form of `response_mode=form_post`: framable, because a silent renew may ask for it in an iframe. */
export const formPostHeaders: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
  'Content-Security-Policy': policy,
};
