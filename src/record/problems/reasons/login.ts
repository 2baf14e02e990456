import { allowsPostLogoutRedirectUri } from '../../../protocol/clients/client.ts';
import { type Case, named, sentHeader, shown } from '../case.ts';
import {
  compareDescribed,
  compareNearest,
  compareText,
  compareUrls,
  compareWords,
  misspelt,
  registeredFor,
} from '../compare.ts';
import type { ReasonEntries } from '../entry.ts';
import { span } from '../history.ts';
import type { ProposedFix } from '../problem.ts';
import { advice, secondary } from '../remedies.ts';
import { inApp, literal } from '../source-text.ts';
import { mendAddress, sentAddress } from './client-address.ts';

/** Refused logins, and errors that somebody chose on the sign-in page. */
export const loginEntries = {
  login_required: {
    title: 'The user must sign in, but `prompt=none` forbids a sign-in page',
    why: refused => `With \`prompt=none\` the server answers without a page. ${causeOf(refused)}`,
    fix: 'Sign in once without prompt=none, which never shows a page. In an iframe, check that third-party cookies are not blocked.',
    rfc: 'OIDC Core §3.1.2.6',
    certainty: refused => (isInFrame(refused) && cookieOf(refused) === undefined ? 'likely' : 'certain'),
    others: ['Nobody has signed in with this browser since the sandbox started.', 'The user has signed out.'],
    compare: refused =>
      compareWords(stateOf(refused), 'a session that fits this request', { sentLabel: 'This browser sent' }),
    fields: refused => [
      {
        name: 'session cookie',
        sent: cookieOf(refused) ?? 'not sent',
        expected: 'sent',
        isRight: cookieOf(refused) !== undefined,
      },
      {
        name: 'in an iframe',
        sent: isInFrame(refused) ? 'yes' : 'no',
        expected: 'no, or from the same site',
        isRight: !isInFrame(refused) || !isCrossSite(refused),
      },
      {
        name: 'sent from',
        sent: sentHeader(refused, 'sec-fetch-site') ?? 'not sent',
        expected: 'same-origin, same-site or none',
        isRight: !isCrossSite(refused),
      },
      {
        name: 'address',
        sent: sentHeader(refused, 'host') ?? 'not sent',
        expected: hostOf(refused),
        isRight: sentHeader(refused, 'host') === hostOf(refused),
      },
    ],
    fixes: refused => [
      advice('Sign in once without `prompt=none`. Later silent requests succeed.'),
      ...(isInFrame(refused)
        ? [
            advice(
              'Use refresh tokens instead of an iframe. Browsers block cookies of other sites in an iframe.',
              inApp("scope: 'openid offline_access …', automaticSilentRenew: true // oidc-client-ts"),
            ),
          ]
        : []),
    ],
    references: ['OIDC Core §3.1.2.1'],
  },
  hint_of_another_user: {
    title: 'A different user is signed in than the request names',
    why: 'The id_token_hint, the login_hint or the claims parameter names a user. With `prompt=none` the server cannot ask this user to sign in.',
    fix: 'Leave out the hint, or let the user whom it names sign in.',
    rfc: 'OIDC Core §3.1.2.2',
    compare: () => compareWords('a hint for one user', 'a hint for the user of this session'),
  },
  hint_invalid: {
    title: ({ error }) =>
      isOtherToken(error.sent)
        ? `The id_token_hint is ${error.sent}`
        : 'The id_token_hint is not an ID token of this server and client',
    why: ({ error }) =>
      isOtherToken(error.sent)
        ? 'This server issued the token, but only an ID token names the user and the client of a sign-in.'
        : `${error.description}. Anybody could have written such a hint, so it proves nothing.`,
    fix: 'Send an ID token of this server as id_token_hint, issued since its last start, or leave the hint out.',
    rfc: 'OIDC RP-Initiated Logout §2',
    reported: 'A logout had an invalid id_token_hint',
    compare: compareDescribed({ sent: 'a token that this server did not issue' }),
  },
  login_failed: {
    title: 'The user name or password was not accepted',
    why: ({ error }) => `${error.description}`.replace(/\.?$/, '.'),
    fix: 'Check username and password. A demo user without a configured password accepts any password.',
    rfc: '',
    compare: refused =>
      refused.error.sent === undefined
        ? undefined
        : compareText(refused.error.sent, usersOf(refused), { expectedLabel: 'Users' }),
  },
  password_guessed_too_often: {
    title: 'Too many wrong passwords in a row',
    why: 'The server blocks password guessing for a while, as a real one does.',
    fix: 'Wait for the seconds in Retry-After, then send the right password. A user without a configured password accepts any.',
    rfc: 'RFC 6749 §4.3.2',
  },
  user_unknown: {
    title: 'Unknown user `{sent}`',
    why: 'The hint must name a user by sub, username or e-mail address.',
    fix: 'Use the sub of a demo user, or add this user to clients.config.ts.',
    rfc: '',
    compare: refused => compareNearest(refused.error.sent ?? 'somebody', usersOf(refused), 'Users'),
    fixes: correctOrCreateUser,
  },
  automatic_login_user_unknown: {
    title: 'The automatic sign-in names an unknown user: `{sent}`',
    why: '{description}. The server refuses the rule, so that no test signs in the wrong user or waits for a sign-in page.',
    fix: 'Name a user by the sub, username or e-mail address in clients.config.ts, or remove the rule: sandbox_login, login_hint with AUTO_LOGIN=hint, auto_login of the client, AUTO_LOGIN or nextLogin.',
    rfc: 'OIDC Core §3.1.2.6',
    compare: refused => compareText(refused.error.sent ?? 'somebody', usersOf(refused), { expectedLabel: 'Users' }),
    fixes: correctOrCreateUser,
  },
  chosen_on_login_screen: {
    title: 'Somebody chose this error instead of a sign-in',
    why: 'The sign-in page and nextLogin can return any error, so that you can see how your app reacts.',
    fix: 'Nothing to fix: somebody chose this error on the sign-in page or by nextLogin. Check how your app reacts.',
    rfc: 'OIDC Core §3.1.2.6',
  },
  user_denied: {
    title: 'The user denied access',
    why: 'Somebody pressed Deny. Every user may do this, so an app must handle the response.',
    fix: 'Nothing to fix: somebody pressed Deny. Your app should say so and offer another try.',
    rfc: 'RFC 6749 §4.1.2.1',
  },
  next_login_invalid: {
    title: 'The rule for the next sign-in is malformed',
    fix: 'Send a JSON object with sub, and optionally client, claims and action. The response names the wrong member.',
    rfc: 'RFC 9457 §3',
  },
  state_not_checked: {
    title: '{client} redeemed a code from a response with a wrong state',
    why: 'The sign-in page returned a wrong state, as an attacker would, and the app accepted it. An attacker could sign a user in to a different account this way.',
    fix: 'Compare the state of the response with the state of the request first, and drop the response if they differ. Your app redeemed a code with a state that it never sent.',
    rfc: 'RFC 6749 §10.12',
    compare: compareDescribed({
      sent: 'the code of a response with a wrong state',
      expected: 'no token request at all',
    }),
    fixes: () => [
      advice(
        'Compare the state first.',
        inApp("if (params.get('state') !== sessionStorage.getItem('state')) throw new Error('state differs');"),
      ),
    ],
    references: ['RFC 9700 §4.7'],
  },
  foreign_origin: {
    title: 'A page of a different origin sent the request: `{sent}`',
    why: 'Forms, the dashboard and the control API answer only to pages of this sandbox. Otherwise any website could change the configuration (CSRF) or read the recorded requests.',
    fix: 'Open the page in the browser itself. Outside a browser, leave out Origin and Sec-Fetch-Site. DASHBOARD_ALLOWED_ORIGINS lets a page of a different origin read the JSON and the event stream of the dashboard.',
    rfc: 'RFC 6454 §7',
    compare: refused => compareWords(refused.error.sent ?? 'a different origin', new URL(refused.known.issuer).origin),
  },
} as const satisfies ReasonEntries;

const sessionCookie = /(?:^|; *)(?:__Host-)?grantbox_session[^=]*=([^;]*)/;

/** Returns `sent` if the browser sent a session cookie, never its value. */
function cookieOf(refused: Case): string | undefined {
  const value = sessionCookie.exec(sentHeader(refused, 'cookie') ?? '')?.[1];
  return value === undefined || value === '' ? undefined : 'sent';
}

function isInFrame(refused: Case): boolean {
  return sentHeader(refused, 'sec-fetch-dest') === 'iframe';
}

function isCrossSite(refused: Case): boolean {
  return sentHeader(refused, 'sec-fetch-site') === 'cross-site';
}

function hostOf({ known }: Case): string {
  return new URL(known.issuer).host;
}

function stateOf(refused: Case): string {
  const cookie = cookieOf(refused) === undefined ? 'no session cookie' : 'a session cookie';
  return `${cookie}${isInFrame(refused) ? ', from an iframe' : ''}`;
}

const notForThis: Readonly<Record<string, string>> = {
  'the sign-in is older than max_age': 'A user is signed in, but the sign-in is older than max_age allows.',
  'the acr of the sign-in is not one the request marks as essential':
    'A user is signed in, but the sign-in does not have the acr that the request demands.',
};

function causeOf(refused: Case): string {
  const { error } = refused;
  const known = Object.entries(notForThis).find(([words]) => error.description.includes(words))?.[1];
  if (known !== undefined) return known;
  if (cookieOf(refused) !== undefined)
    return 'The browser sent a session cookie, but its session has ended or expired, or is from before the last start.';
  if (isInFrame(refused) && isCrossSite(refused))
    return `An iframe of a different site sent the request, without the session cookie. ${sameSiteWords(refused)}`;
  if (sentHeader(refused, 'host') !== hostOf(refused))
    return `The request was sent to ${shown(sentHeader(refused, 'host') ?? 'a different host', 80)}, but the session cookie belongs to ${hostOf(refused)}. A browser sends a cookie only to its own host.`;
  return `The browser sent no session cookie: ${lastLogin(refused)}`;
}

function sameSiteWords({ known }: Case): string {
  return known.issuer.startsWith('https:')
    ? 'The cookie is SameSite=None, but browsers block or partition cookies of other sites in an iframe.'
    : 'Over plain HTTP the cookie is SameSite=Lax, which a browser never sends to an iframe of a different site. All ports of localhost are one site; localhost and 127.0.0.1 are two.';
}

function lastLogin({ known, error }: Case): string {
  const last = known.events.latest('login.succeeded', 1, error.id)[0];
  if (last === undefined) return 'nobody has signed in yet.';
  return `${shown(last.sub, 60)} signed in ${span(error.at - last.at)} before, in a different browser or profile, or has signed out since.`;
}

function isOtherToken(sent = ''): boolean {
  return /^an? (access token|logout token|JWT with typ)/.test(sent);
}

function usersOf({ known }: Case): readonly string[] {
  return [...known.accounts()].map(({ sub }) => sub);
}

/** Proposes to correct a misspelt user. To create the user as written is the second choice. */
function correctOrCreateUser(refused: Case): readonly ProposedFix[] {
  const meant = misspelt(refused.error.sent ?? '', usersOf(refused));
  if (meant === undefined) return createUser(refused);
  return [advice(`Correct the spelling. \`${shown(meant, 80)}\` is a user.`), ...createUser(refused).map(secondary)];
}

function createUser({ error }: Case): readonly ProposedFix[] {
  const sub = error.sent ?? '';
  if (sub === '' || sub.length > 100 || sub.includes('...')) return [];
  const label = `Create the user ${shown(sub, 60)}`;
  const members = { sub };
  return [
    {
      text: `${label}.`,
      apply: { label, change: { kind: 'user.create', members }, thenContinue: false },
      snippets: [{ where: 'clients.config.ts', code: `users: [${literal(members)}]` }],
    },
  ];
}

/** Refused post_logout_redirect_uris (OIDC RP-Initiated Logout §2, §3). */
export const logoutEntries = {
  post_logout_redirect_uri_mismatch: {
    title: refused =>
      refused.client === undefined
        ? 'The logout names a post_logout_redirect_uri but no client'
        : `The post_logout_redirect_uri is not registered for ${named(refused.who)}`,
    why: refused =>
      refused.client === undefined
        ? 'Each client registers its own addresses, but the request has neither id_token_hint nor client_id. Many libraries lose the hint if the app removes the user from the storage before the logout.'
        : 'We compare character by character, as with redirect_uris. Otherwise a logout link could lead anywhere.',
    fix: "Add the address to the client's post_logout_redirect_uris, character by character, and send id_token_hint or client_id.",
    rfc: 'OIDC RP-Initiated Logout §3',
    reported: 'A logout had an unregistered post_logout_redirect_uri',
    compare: refused => {
      const registered = refused.client?.post_logout_redirect_uris ?? [];
      if (registered.length === 0)
        return compareWords(sentUri(refused), refused.error.expected ?? 'no registered address', {
          expectedLabel: refused.client === undefined ? 'Missing' : 'Registered',
        });
      return compareUrls(sentUri(refused), (refused.error.expected ?? '').split('\n'), registeredFor(refused));
    },
    fixes: refused =>
      refused.client === undefined ? sayWhose(refused) : mendAddress(refused, 'post_logout_redirect_uri'),
  },
} as const satisfies ReasonEntries;

/** Proposes to name the client that has the address, or to register the address if no client has it. */
function sayWhose(refused: Case): readonly ProposedFix[] {
  const uri = sentUri(refused);
  const owner = [...refused.known.registered()].find(each => allowsPostLogoutRedirectUri(each, uri));
  const hint = inApp('signoutRedirect({ id_token_hint: user.id_token })');
  if (owner !== undefined) {
    const { client_id } = owner;
    const id = inApp(`client_id: ${literal(client_id)}`);
    return [
      advice(
        `Send the ID token of the user, or the client_id. The client \`${shown(client_id, 80)}\` has the address.`,
        hint,
        id,
      ),
    ];
  }
  return [
    advice('Send the ID token of the user, or the client_id.', hint),
    advice('Register the address for the client. No client has it yet.', {
      where: 'clients.config.ts',
      code: `post_logout_redirect_uris: ${literal([uri])},`,
    }),
  ];
}

function sentUri(refused: Case): string {
  return sentAddress(refused, 'post_logout_redirect_uri');
}
