import { arrow } from './arrows.ts';
import { isBrowserApp } from './lanes.ts';
import type { Arrow, Drawing } from './model.ts';
import { type Redirect, redirectTitle } from './redirect.ts';

// What happens between browser, application and user, where this server sees nothing.

const openedArrow = arrow('browser', 'client', 'opens the app', {
  words: 'somebody wants to log in',
  why: 'A login begins in the app. It happens between browser and app, so this server cannot see it.',
  reference: 'RFC 6749 §4.1',
});

export function redirectedArrow({ flow }: Pick<Drawing, 'flow'>): Arrow {
  const target = flow.steps.find(({ endpoint }) => endpoint === 'authorize')?.path ?? '/oauth2/authorize';
  return {
    from: 'client',
    to: 'browser',
    onwardTo: 'idp',
    isResponse: true,
    title: isBrowserApp(flow) ? `opens ${target}` : `302 ${target}`,
    words: 'sends the browser here',
    why: 'The app makes up its random values, state, nonce and the PKCE secret, keeps them, and sends the browser to this server.',
    reference: 'RFC 6749 §4.1.1',
  };
}

export function callbackArrow(redirect: Redirect): Arrow {
  const method = redirect.mode === 'form_post' ? 'POST' : 'GET';
  return arrow('browser', 'client', `${method} ${redirectTitle(redirect)}`, {
    words: 'the answer reaches the app',
    why: 'The browser goes on to the app, which compares state with its own. This server does not see whether that happens: if the callback fails, no token request follows.',
    reference: 'RFC 6749 §10.12',
  });
}

export const keptArrow = arrow('client', 'client', 'keeps the tokens', {
  words: 'in memory, in a session, or in storage',
  why: 'Where the app keeps them is its own affair. This server sees tokens again when they are used.',
  reference: 'RFC 6749 §10.3',
});

const typedArrow = arrow('browser', 'client', 'name and password', {
  words: 'typed into the app itself',
  why: 'The app sees the password, which it never should: that is why OAuth 2.1 has removed this grant.',
  reference: 'RFC 6749 §4.3.1',
});

const assertedArrow = arrow('client', 'client', 'gets an assertion', {
  words: 'from another server',
  why: 'Somebody this server trusts has said in a signed JWT who the user is.',
  reference: 'RFC 7523 §1',
});

export const shownArrow = arrow('device', 'browser', 'shows the code', {
  words: 'on its screen, for the user to type',
  why: 'The device has no browser. The user reads the code from its screen and opens the page on a phone or a computer.',
  reference: 'RFC 8628 §3.3',
});

const signOutArrow = arrow('browser', 'client', 'signs out of the app', {
  words: 'somebody presses Sign out',
  why: 'The app ends its own session first. That happens between browser and app, so this server cannot see it.',
  reference: 'OIDC RP-Initiated Logout §2',
});

/** What came before the first request; empty where the beginning is forgotten. */
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

/** A code that nobody knows begins with the token request: then nothing was opened here. */
function startsThere({ kind, steps }: Drawing['flow']): boolean {
  return kind === 'password' || kind === 'jwt_bearer' || steps[0]?.endpoint !== 'token';
}
