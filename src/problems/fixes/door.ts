import type { Reason } from '../../oauth/errors.ts';
import type { Fix } from './fix.ts';

/** Refusals of requests that reach no endpoint: by their host, by the origin of their page, by what is not on offer. */
export const doorFixes = {
  cors_not_offered: {
    fix: 'Scripts of other origins may not call this address. Where a page is behind it, send the browser there: a link, a form or location.assign, never fetch. Call the rest from your back end.',
    rfc: 'RFC 6749 §3.1',
  },
  cors_origin_refused: {
    fix: 'Add the origin of the page to web_origins of a client or to CORS_ORIGINS, as the browser sends it: scheme, host and port, without a path and without a slash at the end.',
    rfc: 'RFC 6454 §7',
  },
  host_not_allowed: {
    fix: 'Call the sandbox by the address of its issuer. Where containers or other machines know it by this name, add the name to ALLOWED_HOSTS.',
    rfc: 'RFC 9110 §15.5.20',
  },
  not_offered: {
    fix: 'Switch it on with FEATURES, or do without: the discovery document says what is offered.',
    rfc: 'RFC 9110 §15.6.2',
  },
} as const satisfies Partial<Record<Reason, Fix>>;
