import { arrow } from './arrows.ts';
import { isBrowserApp } from './lanes.ts';
import type { Arrow, Drawing } from './model.ts';
import { type Redirect, redirectTitle } from './redirect.ts';

// Draws the steps between browser, application and user, which this server cannot see.

const openedArrow = arrow('browser', 'client', 'opens the app', {
  words: 'a user wants to log in',
  why: 'A login starts in the app. That happens between browser and app, so this server cannot see it.',
  reference: 'RFC 6749 §4.1',
});

/** The redirect by which the app sends the browser to the authorization endpoint. */
export function redirectedArrow({ flow }: Pick<Drawing, 'flow'>): Arrow {
  const target = flow.steps.find(({ endpoint }) => endpoint === 'authorize')?.path ?? '/oauth2/authorize';
  return {
    from: 'client',
    to: 'browser',
    onwardTo: 'idp',
    isResponse: true,
    title: isBrowserApp(flow) ? `opens ${target}` : `302 ${target}`,
    words: 'redirects the browser to this server',
    why: 'The app generates random values (state, nonce and the PKCE secret), stores them, and sends the browser to this server.',
    reference: 'RFC 6749 §4.1.1',
  };
}

/** The request of the browser to the redirect URI of the app. */
export function callbackArrow(redirect: Redirect): Arrow {
  const methods = { query: 'GET ', fragment: 'GET ', form_post: 'POST ', message: '' };
  return arrow('browser', 'client', methods[redirect.mode] + redirectTitle(redirect), {
    words: 'the response reaches the app',
    why: 'The browser opens the app, which compares state with its own value. This server does not see whether that happens: if the callback fails, no token request follows.',
    reference: 'RFC 6749 §10.12',
  });
}

/** The application stores its tokens. */
export const keptArrow = arrow('client', 'client', 'stores the tokens', {
  words: 'in memory, in a session, or in storage',
  why: 'The app decides where it stores its tokens. This server sees a token again when the app uses it.',
  reference: 'RFC 6749 §10.3',
});

const typedArrow = arrow('browser', 'client', 'username and password', {
  words: 'typed into the app itself',
  why: 'The app sees the password of the user, which it never should. OAuth 2.1 removed this grant for that reason.',
  reference: 'RFC 6749 §4.3.1',
});

const assertedArrow = arrow('client', 'client', 'gets an assertion', {
  words: 'from a trusted issuer',
  why: 'An issuer that this server trusts names the user in a signed JWT.',
  reference: 'RFC 7523 §1',
});

/** The device shows the user code on its screen. */
export const shownArrow = arrow('device', 'browser', 'shows the code', {
  words: 'on its screen, for the user to type',
  why: 'The device has no browser. The user reads the code from its screen and opens the page on a phone or a computer.',
  reference: 'RFC 8628 §3.3',
});

const signOutArrow = arrow('browser', 'client', 'signs out of the app', {
  words: 'the user presses Sign out',
  why: 'The app ends its own session first. That happens between browser and app, so this server cannot see it.',
  reference: 'OIDC RP-Initiated Logout §2',
});

/** The arrows before the first recorded request; empty if the history no longer has the first requests of the flow. */
export function openingArrows({ flow }: Drawing): readonly Arrow[] {
  if (flow.incomplete) return [];
  const begins = openings[flow.kind];
  const isFirst = flow.steps[0]?.joinedBy !== undefined;
  return begins !== undefined && isFirst && startsThere(flow) ? begins : [];
}

const openings: Readonly<Partial<Record<Drawing['flow']['kind'], readonly Arrow[]>>> = {
  authorization_code: [openedArrow],
  hybrid: [openedArrow],
  implicit: [openedArrow],
  password: [typedArrow],
  jwt_bearer: [assertedArrow],
  logout: [signOutArrow],
};

/** A flow that starts with a token request for an unknown code has no login at this server, so nothing was opened before it. */
function startsThere({ kind, steps }: Drawing['flow']): boolean {
  return kind === 'password' || kind === 'jwt_bearer' || steps[0]?.endpoint !== 'token';
}
