import { createHash } from 'node:crypto';
import { defined } from '../../../base/defined.ts';
import type { ParsedObject } from '../../../protocol/json-parameter.ts';
import type { FaultAnswer, FaultKind } from '../fault.ts';
import { changed, without } from './metadata.ts';

const style =
  ':root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}body{max-width:44rem;margin:2rem auto;padding:0 1rem}iframe{box-sizing:border-box;width:100%;height:20rem;border:1px solid GrayText}';
const styleHash = createHash('sha256').update(style).digest('base64');

/** A page that opens an address in a frame, then in the whole window. It has no scripts, so its policy allows none. */
function sentTwice(location: string, seconds: number): FaultAnswer {
  const to = escaped(location);
  const title = 'Back to the app, twice';
  const body = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<link rel="icon" href="data:,"><style>${style}</style>
<meta http-equiv="refresh" content="${Math.ceil(seconds)}; url=${to}"></head>
<body><h1>${title}</h1>
<p>The fault <code>double_redirect</code> is armed in the sandbox. The frame below has called the app already, and this
page goes there in a moment. <a href="${to}">Continue</a></p>
<iframe src="${to}" title="The app, called for the first time"></iframe></body></html>`;
  const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; img-src data:; frame-src ${sourceOf(location)}; base-uri 'none'; frame-ancestors 'none'`;
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-store',
    'Content-Security-Policy': policy,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'same-origin',
  };
  return { status: 200, headers, body };
}

/** Returns the CSP source of the address. A private scheme or an IPv6 address allows only the scheme. */
function sourceOf(location: string): string {
  const { hostname, origin, protocol } = new URL(location);
  return origin === 'null' || hostname.startsWith('[') ? protocol : origin;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, each => `&#${each.charCodeAt(0)};`);
}

const authorize = { place: 'authorize', endpoints: ['authorize'], endpoint: 'authorize', parameters: {} } as const;

/** The redirect after a logout has a state, too (OIDC RP-Initiated Logout §3). */
const anyRedirect = { ...authorize, endpoints: ['authorize', 'end_session'] } as const;

/** Faults of the authorization response. They do not affect the login page. */
export const authorizeFaults: readonly FaultKind[] = [
  {
    ...authorize,
    name: 'authorize_error',
    title: 'An error instead of a code',
    about: 'The redirect returns an OAuth error to the client.',
    parameters: { error: 'access_denied' },
    effect: {
      does: 'respond',
      respond: ({ state, iss }, { parameters: { error } }) => ({
        error,
        error_description: 'a fault that was armed in the sandbox',
        ...defined({ state, iss }),
      }),
    },
  },
  {
    ...anyRedirect,
    name: 'wrong_state',
    title: 'Wrong state',
    about: 'The redirect has a state that the client did not send (CSRF, RFC 6749 §10.12).',
    effect: { does: 'respond', respond: parameters => ({ ...parameters, state: 'not-the-state-that-was-sent' }) },
  },
  {
    ...anyRedirect,
    name: 'missing_state',
    title: 'No state',
    about: 'The redirect has no state, although the client sent one.',
    effect: { does: 'respond', respond: parameters => without(parameters, 'state') },
  },
  {
    ...authorize,
    name: 'wrong_iss',
    title: 'Wrong iss',
    about: 'The redirect has the iss of a different issuer (mix-up, RFC 9207 §2.4).',
    effect: { does: 'respond', respond: (parameters, { issuer }) => ({ ...parameters, iss: `${issuer}.other` }) },
  },
  {
    ...authorize,
    name: 'missing_iss',
    title: 'No iss',
    about: 'The redirect has no iss, although the metadata promises it (RFC 9207 §2.3).',
    effect: { does: 'respond', respond: parameters => without(parameters, 'iss') },
  },
  {
    ...authorize,
    name: 'double_redirect',
    title: 'The callback is called twice',
    about:
      'A page opens the redirect URI in a frame and, some seconds later, as the whole page. The client receives the same code twice, as after a double click, a reload or a prefetch.',
    parameters: { seconds: 1 },
    effect: { does: 'replace', replace: (location, { parameters }) => sentTwice(location, parameters.seconds) },
  },
  {
    ...authorize,
    name: 'wrong_code',
    title: 'Unknown code',
    about: 'The redirect has a code that the token endpoint does not know.',
    effect: {
      does: 'respond',
      respond: parameters =>
        'code' in parameters ? { ...parameters, code: 'a-code-that-was-never-issued' } : parameters,
    },
  },
  {
    ...authorize,
    name: 'reversed_parameters',
    title: 'Another order',
    about: 'The redirect has its parameters in the reverse order.',
    effect: {
      does: 'respond',
      respond: parameters => Object.fromEntries(Object.entries(parameters).reverse()),
    },
  },
  {
    ...anyRedirect,
    name: 'changed_parameters',
    title: 'Changed parameters',
    about: 'The redirect has other parameters: `change` adds or replaces them, and null removes one.',
    parameters: { change: {} },
    effect: {
      does: 'respond',
      respond: (parameters, { parameters: { change } }) => changed(parameters, texts(change)),
    },
  },
];

/** Parameters are text; other values become their JSON. */
function texts(change: ParsedObject): Readonly<Record<string, string | null>> {
  const text = (value: unknown) => (value === null || typeof value === 'string' ? value : JSON.stringify(value));
  return Object.fromEntries(Object.entries(change).map(([name, value]) => [name, text(value)]));
}
