import type { RecordedRequest } from '../../../record/flows/recorded-request.ts';
import type { ExamModule, Judged, Seen, Stage, Taken } from '../exam-module.ts';
import { notMet, untold } from '../judge.ts';

// The state of an app in a browser after its sign-in: its refresh tokens, its silent sign-in, and its tabs.

const isRefresh = (request: RecordedRequest) => request.value('grant_type') === 'refresh_token';
const isSilent = (request: RecordedRequest) => request.value('prompt') === 'none';

/** The access token of the sign-in ends at once, so that the app needs a new one when its page is opened again. */
async function shortSignIn(stage: Stage): Promise<Taken> {
  await stage.arm({ fault: 'changed_members', endpoint: 'token', change: { expires_in: 1 } });
  return stage.signIn();
}

/** Whether a later response replaced the refresh token of this request. */
function isReplaced({ answer, event }: RecordedRequest): boolean {
  return event.status === 200 && typeof answer.refresh_token === 'string';
}

function judgeRefreshes(seen: Seen): Judged {
  const refreshes = seen.at('token').filter(isRefresh);
  if (refreshes.length < 2)
    return notMet(seen, 'The app did not refresh twice, although its access token ended each time.');
  const used = new Set<string>();
  const again = refreshes.filter(request => {
    const token = request.value('refresh_token') ?? '';
    const isAgain = used.has(token);
    if (isReplaced(request)) used.add(token);
    return isAgain;
  });
  if (again.length === 0) return { verdict: 'pass', why: 'Each refresh token was used once.', requests: refreshes };
  return { verdict: 'fail', why: 'The app used a refresh token again that had been replaced.', requests: again };
}

/** More than this is a loop. */
const mostSilent = 3;

function judgeSilent(seen: Seen): Judged {
  const since = seen.checks[0] ?? Number.POSITIVE_INFINITY;
  const asked = seen.at('authorize').filter(request => request.event.id > since && isSilent(request));
  const refused = asked.filter(request => request.responseHeader('location')?.includes('error=login_required'));
  if (refused.length === 0) return notMet(seen, 'The app does not sign in silently (prompt=none).');
  if (refused.length > mostSilent)
    return {
      verdict: 'fail',
      why: `The app asked ${refused.length} times, and was refused each time.`,
      requests: refused,
    };
  if (seen.believed === undefined) return untold(refused);
  if (!seen.believed) return { verdict: 'pass', why: 'The app knows that nobody is signed in.', requests: refused };
  return { verdict: 'fail', why: 'The app still believes that somebody is signed in.', requests: refused };
}

/** Signs out, and opens the page of the app again in the same browser, as a second tab is. */
async function secondTab(stage: Stage): Promise<Taken> {
  const first = await stage.signIn();
  if (first.believed !== true) return first;
  await stage.signOut();
  return stage.check();
}

function judgeSecondTab(seen: Seen): Judged {
  const met = seen.at('token');
  if (seen.checks.length === 0 || met.length === 0) return notMet(seen, 'The app did not sign in.');
  if (seen.believed === undefined) return untold(met);
  if (!seen.believed) return { verdict: 'pass', why: 'Nobody is signed in there, either.', requests: met };
  const requests = seen.at('end_session').length === 0 ? met : seen.at('end_session');
  return { verdict: 'fail', why: 'The page believes that somebody is signed in.', requests };
}

function judgeOldTokens(seen: Seen): Judged {
  const [since] = seen.checks;
  const issued = seen.at('token').filter(({ event }) => event.id <= (since ?? 0) && event.status === 200);
  if (since === undefined || issued.length === 0) return notMet(seen, 'The app got no tokens.');
  const tokens = issued.flatMap(({ answer }) => [answer.access_token, answer.refresh_token].map(String));
  const isUse = (request: RecordedRequest) =>
    tokens.includes(request.header('authorization')?.replace(/^\w+ /, '') ?? '') ||
    tokens.includes(request.value('refresh_token') ?? '');
  const uses = seen.requests.filter(request => request.event.id > since && isUse(request));
  if (uses.length === 0) return { verdict: 'pass', why: 'The tokens were not used any more.', requests: issued };
  return { verdict: 'fail', why: 'The app still has the tokens, and used them.', requests: uses };
}

/** Modules that need more steps than a sign-in. */
export const browserStateModules: readonly ExamModule[] = [
  {
    id: 'refresh-two-tabs',
    title: 'The app refreshes its access token twice, each time with its page opened again',
    references: ['RFC 9700 §4.14.2', 'RFC 6749 §6'],
    gain: 'The provider takes a second use for a theft and ends all tokens: people are signed out at random.',
    right: 'Puts the new refresh token where each tab reads it, and lets one tab refresh at a time.',
    mend: 'Refresh inside navigator.locks, and read the refresh token there, not before.',
    steps: ['check'],
    async run(stage) {
      const first = await shortSignIn(stage);
      if (first.believed !== true) return first;
      await stage.check();
      return stage.check();
    },
    judge: judgeRefreshes,
  },
  {
    id: 'silent-sign-in-refused',
    title: 'The session at the provider has ended, and a silent sign-in is answered login_required',
    references: ['OIDC Core §3.1.2.6', 'OIDC Session Management §3.1'],
    gain: 'The page asks without an end, or shows a person as signed in who is not.',
    right: 'Accepts login_required: nobody is signed in, and a button leads to the sign-in.',
    mend: 'Sign out locally at login_required (signinSilent rejects), and do not try again by itself.',
    steps: ['check'],
    async run(stage) {
      const first = await shortSignIn(stage);
      if (first.believed !== true) return first;
      await stage.issuer.reset('sessions');
      return stage.check();
    },
    judge: judgeSilent,
  },
  {
    id: 'logout-other-tab',
    title: 'Somebody signs out, and opens the app in another tab',
    references: ['OIDC RP-Initiated Logout §2'],
    gain: 'The next person at this computer works in the account, in a tab that was left open.',
    right:
      'Ends the session for all tabs, with what they share, and tells the others (storage event, BroadcastChannel).',
    mend: 'Remove the user from the storage that the tabs share, and listen for its change.',
    steps: ['sign-out', 'check'],
    run: secondTab,
    judge: judgeSecondTab,
  },
  {
    id: 'tokens-after-logout',
    title: 'Somebody has signed out, and the page is opened again',
    references: ['RFC 7009 §1', 'RFC 9700 §4.14.2'],
    gain: 'Tokens that outlive the logout work for everybody who finds them.',
    right: 'Deletes its access token and its refresh token, and revokes them.',
    mend: 'Call removeUser or revokeTokens of the library when somebody signs out.',
    steps: ['sign-out', 'check'],
    run: secondTab,
    judge: judgeOldTokens,
  },
];
