/** On every page. `same-origin` and not `no-referrer`: under the latter a form posts with `Origin: null`. */
const base = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
};

const policy =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; base-uri 'none'";

/** Pages that never lead to a client: the dashboard, errors. */
export const dashboardHeaders: Readonly<Record<string, string>> = {
  ...base,
  'Content-Security-Policy': `${policy}; form-action 'self'; frame-ancestors 'none'`,
};

/**
 * Pages that end in a redirect to the client: no `form-action`, or Chromium blocks the redirect. No opener policy either:
 * a login in a popup must still be able to talk to the page that opened it.
 */
export const loginHeaders: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'same-origin',
  'Content-Security-Policy': `${policy}; frame-ancestors 'none'`,
};

/** The self-posting form of `response_mode=form_post`: framable, because a silent renew may ask for it in an iframe. */
export const formPostHeaders: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
  'Content-Security-Policy': policy,
};
