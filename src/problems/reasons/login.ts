import { type Case, sentHeader, shown } from '../case.ts';
import { compareDescribed, compareNearest, compareText, compareWords } from '../compare.ts';
import type { ReasonEntries } from '../entry.ts';
import { span } from '../history.ts';
import { misspelt } from '../nearest-names.ts';
import type { ProposedFix } from '../problem.ts';
import { advice, secondary } from '../remedies.ts';
import { inApp, literal } from '../source-text.ts';

/** Who is logged in, who should be, and what was chosen on the login screen. */
export const loginEntries = {
  login_required: {
    title: 'prompt=none, and the user would have to be asked',
    why: refused => `prompt=none wants an answer without any page. ${causeOf(refused)}`,
    fix: 'There was no session, and prompt=none never shows a page. Log in once without it; in an iframe, check that third-party cookies are not blocked.',
    rfc: 'OIDC Core §3.1.2.6',
    certainty: refused => (isInFrame(refused) && cookieOf(refused) === undefined ? 'likely' : 'certain'),
    others: ['Nobody has logged in in this browser since the start of the sandbox.', 'The user has logged out.'],
    compare: refused =>
      compareWords(stateOf(refused), 'a session that is good for this request', { sentLabel: 'This browser sent' }),
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
        expected: 'no, or of the same site',
        isRight: !isInFrame(refused) || !isCrossSite(refused),
      },
      {
        name: 'asked from',
        sent: sentHeader(refused, 'sec-fetch-site') ?? 'not told',
        expected: 'same-origin, same-site or none',
        isRight: !isCrossSite(refused),
      },
      {
        name: 'address',
        sent: sentHeader(refused, 'host') ?? 'not known',
        expected: hostOf(refused),
        isRight: sentHeader(refused, 'host') === hostOf(refused),
      },
    ],
    fixes: refused => [
      advice('Log in once without prompt=none; later silent requests succeed then.'),
      ...(isInFrame(refused)
        ? [
            advice(
              'Use refresh tokens instead of an iframe: browsers keep cookies of other sites from it.',
              inApp("scope: 'openid offline_access …', automaticSilentRenew: true // oidc-client-ts"),
            ),
          ]
        : []),
    ],
    references: ['OIDC Core §3.1.2.1'],
  },
  hint_of_another_user: {
    title: 'Somebody else is logged in than the request names',
    why: 'id_token_hint, login_hint or the claims parameter names a user, and with prompt=none there is no way to ask that one to log in.',
    fix: 'Somebody else is signed in than the hint names. Leave out the hint, or let the user log in again.',
    rfc: 'OIDC Core §3.1.2.2',
    compare: () => compareWords('a hint at one user', 'the user who is logged in in this browser'),
  },
  hint_invalid: {
    title: 'The id_token_hint is no ID Token of this server and client',
    why: '{description}. A hint that anybody could have written says nothing about who is logged in.',
    fix: 'Send an ID Token this server issued since its start as id_token_hint, or leave the hint out.',
    rfc: 'OIDC RP-Initiated Logout §2',
    reported: 'A logout came with an id_token_hint that is not good',
    compare: compareDescribed({ sent: 'a token that is none of ours' }),
  },
  login_failed: {
    title: 'The user name or password was not accepted',
    why: ({ error }) => `${error.description}`.replace(/\.?$/, '.'),
    fix: 'Check username and password. Where no password is configured for a demo user, any is accepted.',
    rfc: '',
    compare: refused =>
      refused.error.sent === undefined
        ? undefined
        : compareText(refused.error.sent, usersOf(refused), { expectedLabel: 'Users' }),
  },
  password_guessed_too_often: {
    title: 'Too many wrong passwords in a row',
    why: 'A real server stops those who try passwords out, and so does this one for a while.',
    fix: 'Wait as long as Retry-After says, then send the right password. Users without a configured one take any.',
    rfc: 'RFC 6749 §4.3.2',
  },
  user_unknown: {
    title: 'No user is called {sent}',
    why: 'The hint has to name a user by sub, username or e-mail address.',
    fix: 'Use the sub of a demo user, or add this one to clients.config.ts.',
    rfc: '',
    compare: refused => compareNearest(refused.error.sent ?? 'somebody', usersOf(refused), 'Users'),
    fixes: correctOrCreateUser,
  },
  automatic_login_user_unknown: {
    title: 'The login without a click names nobody: {sent}',
    why: '{description}. A rule that names a user who does not exist would otherwise sign in somebody else, or show a page that no test expects.',
    fix: 'Name a user by sub, username or e-mail address as clients.config.ts has it, or take the rule away: sandbox_login, login_hint with AUTO_LOGIN=hint, auto_login of the client, AUTO_LOGIN, nextLogin.',
    rfc: 'OIDC Core §3.1.2.6',
    compare: refused => compareText(refused.error.sent ?? 'somebody', usersOf(refused), { expectedLabel: 'Users' }),
    fixes: correctOrCreateUser,
  },
  chosen_on_login_screen: {
    title: 'Somebody chose this error instead of a login',
    why: 'The login screen, or the call that says who signs in next, can answer with any error, to see what an app does then.',
    fix: 'Nothing to repair: this error was chosen on the login screen, or by nextLogin, to see what your app does with it.',
    rfc: 'OIDC Core §3.1.2.6',
  },
  user_denied: {
    title: 'The user said no',
    why: 'Somebody pressed Deny. Every user may, so an app has to say what happens then.',
    fix: 'Nothing to repair: somebody pressed Deny. Your app should say so and offer another try.',
    rfc: 'RFC 6749 §4.1.2.1',
  },
  next_login_invalid: {
    title: 'What shall happen at the next login cannot be read',
    fix: 'Send a JSON object with sub, and what you want of client, claims and action. The answer says which member is wrong.',
    rfc: 'RFC 9457 §3',
  },
  state_not_checked: {
    title: '{client} redeemed a code that came with a wrong state',
    why: 'The login screen answered with another state than the app had sent, as an attacker would, and the app took it. With that anybody can log a user in as somebody else.',
    fix: 'Your app redeemed a code that came with a state it never sent. Compare state with the one of the request before anything else, and drop the answer where they differ.',
    rfc: 'RFC 6749 §10.12',
    compare: compareDescribed({
      sent: 'the code of an answer with a wrong state',
      expected: 'no token request at all',
    }),
    fixes: () => [
      advice(
        'Compare state before anything else.',
        inApp("if (params.get('state') !== sessionStorage.getItem('state')) throw new Error('state differs');"),
      ),
    ],
    references: ['RFC 9700 §4.7'],
  },
  foreign_origin: {
    title: 'A request came from a page of another origin: {sent}',
    why: 'Forms, the dashboard and the control API answer to pages of this sandbox only. Any website could otherwise change what is configured here (CSRF), or read what was recorded.',
    fix: 'Open the page in the browser itself. Outside a browser, leave out Origin and Sec-Fetch-Site. DASHBOARD_ALLOWED_ORIGINS lets a page of another origin read the JSON and the event stream of the dashboard.',
    rfc: 'RFC 6454 §7',
    compare: refused => compareWords(refused.error.sent ?? 'another origin', new URL(refused.known.issuer).origin),
  },
} as const satisfies ReasonEntries;

const sessionCookie = /(?:^|; *)(?:__Host-)?grantbox_session[^=]*=([^;]*)/;

/** Whether the browser brought a session, in words; never its value. */
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
  'the login is older than max_age': 'Somebody is logged in, but longer ago than max_age allows.',
  'the login has another acr than the request calls essential':
    'Somebody is logged in, but with another acr than the request demands.',
};

function causeOf(refused: Case): string {
  const { error } = refused;
  const known = Object.entries(notForThis).find(([words]) => error.description.includes(words))?.[1];
  if (known !== undefined) return known;
  if (cookieOf(refused) !== undefined)
    return 'The browser sent a session cookie, but its session is not good any more: it has ended, expired, or is from before the last start.';
  if (isInFrame(refused) && isCrossSite(refused))
    return `The request came from an iframe of another site, without the session cookie. ${sameSiteWords(refused)}`;
  if (sentHeader(refused, 'host') !== hostOf(refused))
    return `The request came to ${shown(sentHeader(refused, 'host') ?? 'another name', 80)}, and the session cookie belongs to ${hostOf(refused)}: a browser does not send it to another name.`;
  return `There was no session cookie: ${lastLogin(refused)}`;
}

function sameSiteWords({ known }: Case): string {
  return known.issuer.startsWith('https:')
    ? 'The cookie is SameSite=None, but browsers block cookies of other sites in an iframe, or keep them apart.'
    : 'Over plain HTTP the cookie is SameSite=Lax, and a browser never sends that to an iframe of another site. Pages on localhost are of one site; localhost and 127.0.0.1 are two.';
}

function lastLogin({ known, error }: Case): string {
  const last = known.events.latest('login.succeeded', 1, error.id)[0];
  if (last === undefined) return 'nobody has logged in yet.';
  return `${shown(last.sub, 60)} logged in ${span(error.at - last.at)} before, in another browser or profile, or has logged out since.`;
}

function usersOf({ known }: Case): readonly string[] {
  return [...known.accounts()].map(({ sub }) => sub);
}

/** A slip of the fingers is to be corrected, and made a user only by whoever insists. */
function correctOrCreateUser(refused: Case): readonly ProposedFix[] {
  const meant = misspelt(refused.error.sent ?? '', usersOf(refused));
  if (meant === undefined) return createUser(refused);
  return [advice(`Correct the spelling: ${shown(meant, 80)} is a user.`), ...createUser(refused).map(secondary)];
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
