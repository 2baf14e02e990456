import { type Arrow, arrow, type Drawing, isBrowserApp, type LaneId, type Milestone } from './model.ts';
import { type Redirect, redirectTitle } from './parts.ts';

// Draws the steps between browser, application and user, which this server cannot see.

const openedArrow = arrow('browser', 'client', 'opens the app', {
  words: 'a user wants to sign in',
  why: 'A sign-in starts in the app. That happens between browser and app, so this server cannot see it.',
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

interface Planned {
  readonly until: Milestone;
  arrows(drawing: Drawing): readonly Arrow[];
}

const planned = (from: LaneId, to: LaneId, title: string, words: string, reference: string): Arrow =>
  arrow(from, to, title, { words, why: 'Not reached: the flow stopped earlier.', reference });

const answer = (...of: Parameters<typeof planned>): Arrow => ({ ...planned(...of), isResponse: true });

const loginPage: Planned = {
  until: 'login',
  arrows: ({ seen }) =>
    seen.has('answered') ? [] : [planned('browser', 'idp', 'POST /login', 'picks a user', 'OIDC Core §3.1.2.3')],
};

function back(names: string, reference: string): Planned {
  return {
    until: 'answered',
    arrows({ flow }) {
      const uri = flow.redirect_uri ?? 'http://localhost/callback';
      const callback = callbackArrow({ uri, parameters: [], mode: 'query' });
      const title = callback.title.replace(/^GET /, '');
      return [
        { ...answer('idp', 'browser', `302 ${title}${names}`, 'returns to the app', reference), onwardTo: 'client' },
        { ...callback, title: `${callback.title}${names}`, why: 'Not reached: the flow stopped earlier.' },
      ];
    },
  };
}

const tokens: Planned = {
  until: 'tokens',
  arrows: ({ client, flow }) => {
    const isAsked = flow.steps.some(({ endpoint }) => endpoint === 'token');
    const request = planned(client, 'idp', 'POST /oauth2/token', 'requests tokens', 'RFC 6749 §3.2');
    return [
      ...(isAsked ? [] : [request]),
      answer('idp', client, '200 access_token', 'returns tokens', 'RFC 6749 §5.1'),
    ];
  },
};

const call: Planned = {
  until: 'used',
  arrows: ({ client, seen }) =>
    seen.has('tokens')
      ? []
      : [planned(client, 'api', 'GET /api/…', 'calls the API with the access token', 'RFC 6750 §2.1')],
};

const code = [loginPage, back('?code&state', 'RFC 6749 §4.1.2'), tokens, call];

const device: readonly Planned[] = [
  {
    until: 'asked',
    arrows: () => [
      answer('idp', 'device', '200 device_code, user_code', 'returns two codes', 'RFC 8628 §3.2'),
      { ...shownArrow, why: 'Not reached: the flow stopped earlier.' },
    ],
  },
  {
    until: 'decided',
    arrows: ({ seen }) => [
      ...(seen.has('page')
        ? []
        : [planned('browser', 'idp', 'GET /oauth2/device_verification', 'opens the page', 'RFC 8628 §3.3')]),
      planned(
        'browser',
        'idp',
        'POST /oauth2/device_verification',
        'types the code, then allows or denies',
        'RFC 8628 §3.3',
      ),
    ],
  },
  tokens,
];

const ciba: readonly Planned[] = [
  {
    until: 'asked',
    arrows: () => [answer('idp', 'client', '200 auth_req_id', 'returns an id to poll with', 'OIDC CIBA §7.3')],
  },
  {
    until: 'decided',
    arrows: () => [planned('browser', 'idp', 'POST /approvals', 'allows or denies', 'OIDC CIBA §8')],
  },
  tokens,
];

const plans: Readonly<Partial<Record<Drawing['flow']['kind'], readonly Planned[]>>> = {
  authorization_code: code,
  hybrid: code,
  implicit: [loginPage, back('#access_token', 'OIDC Core §3.2.2.5'), call],
  device,
  ciba,
  client_credentials: [tokens, call],
  password: [tokens, call],
  token_exchange: [tokens, call],
  jwt_bearer: [tokens, call],
  refresh_token: [tokens, call],
  logout: [
    {
      until: 'logged out',
      arrows: () => [planned('browser', 'idp', 'POST /logout', 'confirms the logout', 'OIDC RP-Initiated Logout §2')],
    },
  ],
};

/** The arrows that an unfinished or failed flow did not reach; empty for a finished one. */
export function nextArrows(drawing: Drawing): readonly Arrow[] {
  const { flow, seen } = drawing;
  if (flow.status === 'ok' || seen.has('tokens')) return [];
  return (plans[flow.kind] ?? []).flatMap(({ until, arrows }) => (seen.has(until) ? [] : arrows(drawing)));
}
