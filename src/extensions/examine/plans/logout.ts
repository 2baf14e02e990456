import type { RecordedRequest } from '../../../record/flows/recorded-request.ts';
import type { AskedFault } from '../../../server/faults/fault.ts';
import type { ExamModule, ExamPlan, Judged, Seen, Stage, Taken } from '../exam-module.ts';
import type { ModuleWords } from '../judge.ts';
import { baseline } from './baseline.ts';
import { backChannelModules } from './logout-token.ts';

const stays = 'People believe that they are signed out, and the next person at this computer works in their account.';
const suitePrefix = 'oidcc-client-test-';
const notSignedIn = 'The sign-in, or the step after it, ended without a result.';

/** The ways in which the provider tells a client of a logout. */
type Channel = 'backchannel_logout_uri' | 'frontchannel_logout_uri';

/** The client is not told in these ways while the module runs, so that it shows one way alone. */
async function withoutChannels(
  { issuer, clientId }: Stage,
  channels: readonly Channel[],
  work: () => Promise<Taken>,
): Promise<Taken> {
  const entry = await issuer.clients.get(clientId);
  const there = channels.filter(channel => entry?.[channel] !== undefined);
  if (there.length === 0) return work();
  await issuer.clients.patch(clientId, Object.fromEntries(there.map(channel => [channel, null])));
  try {
    return await work();
  } finally {
    await issuer.clients.patch(clientId, Object.fromEntries(there.map(channel => [channel, entry?.[channel]])));
  }
}

const both: readonly Channel[] = ['backchannel_logout_uri', 'frontchannel_logout_uri'];

const isEnded = ({ requests }: Seen) => requests.filter(request => request.fact('session.ended') !== undefined);
const fail = (why: string, requests: readonly RecordedRequest[]): Judged => ({ verdict: 'fail', why, requests });

/** The verdict of a logout that reached the app: whether it still believes that somebody is signed in. */
function judgeEnd({ believed }: Seen, requests: readonly RecordedRequest[]): Judged {
  if (believed === undefined)
    return { verdict: 'inconclusive', why: 'Nobody said in time whether somebody is still signed in.', requests };
  if (believed) return fail('The app still believes that somebody is signed in.', requests);
  return { verdict: 'pass', why: 'Nobody is signed in any more.', requests };
}

/** The app signs out, and the provider sends the browser back as the fault says. */
function signsOut({
  fault,
  absent,
  ...words
}: Omit<ModuleWords, 'steps' | 'gain'> & { readonly fault?: AskedFault; readonly absent: string }): ExamModule {
  return {
    ...words,
    gain: stays,
    steps: ['sign-out'],
    run: stage =>
      withoutChannels(stage, both, async () => {
        if (fault !== undefined) await stage.arm({ ...fault, endpoint: 'end_session' });
        const first = await stage.signIn();
        return first.believed === true ? stage.signOut() : { ...first, believed: undefined };
      }),
    judge(seen) {
      const asked = seen.at('end_session');
      const met = fault === undefined ? asked : seen.baited.filter(request => request.value('state') !== undefined);
      if (met.length === 0 && seen.believed === undefined)
        return { verdict: 'inconclusive', why: notSignedIn, requests: [] };
      if (met.length === 0) return { verdict: 'not_applicable', why: absent, requests: [] };
      const refused = asked.filter(({ event }) => event.status >= 400);
      if (refused.length > 0) return fail('The provider refused the logout that the app asked for.', refused);
      const judged = judgeEnd(seen, met);
      if (judged.verdict !== 'pass' || isEnded(seen).length > 0) return judged;
      const why = 'The session at the provider goes on, because the request had no id_token_hint of this session.';
      return { verdict: 'warn', why, requests: met };
    },
  };
}

const noRedirect = 'The app sends no state with its logout, or no post_logout_redirect_uri.';
const ownSession =
  'End the session of the app before the browser goes to end_session_endpoint, and send id_token_hint with it.';

const rpInitiated: readonly ExamModule[] = [
  signsOut({
    id: 'rp-init-logout',
    suite: `${suitePrefix}rp-init-logout`,
    title: 'The app signs out, and the provider sends the browser back',
    references: ['OIDC RP-Initiated Logout §2', 'OIDC RP-Initiated Logout §3'],
    right: 'Ends its own session, and the one at the provider with id_token_hint.',
    mend: ownSession,
    absent: 'The app ends its own session alone: it sent nothing to end_session_endpoint.',
  }),
  signsOut({
    id: 'rp-init-logout-other-state',
    suite: `${suitePrefix}rp-init-logout-other-state`,
    title: 'The browser comes back from the logout with another state',
    references: ['OIDC RP-Initiated Logout §3'],
    right: 'Has ended its session before, and shows no page that the state chooses.',
    mend: ownSession,
    absent: noRedirect,
    fault: { fault: 'wrong_state' },
  }),
  signsOut({
    id: 'rp-init-logout-no-state',
    suite: `${suitePrefix}rp-init-logout-no-state`,
    title: 'The browser comes back from the logout without the state',
    references: ['OIDC RP-Initiated Logout §3'],
    right: 'Has ended its session before, and needs no state for that.',
    mend: ownSession,
    absent: noRedirect,
    fault: { fault: 'missing_state' },
  }),
];

/** The user signs out at the provider, in the browser of the sign-in. */
async function signOutAtProvider(stage: Stage): Promise<Taken> {
  const first = await stage.signIn();
  const [login] = stage.issuer.events.latest('login.succeeded', 1);
  if (first.believed !== true || login === undefined) return { ...first, believed: undefined };
  const hint = await stage.issuer.issueToken({ client: stage.clientId, user: login.sub, type: 'id' });
  const address = new URL(await stage.endpoint('end_session_endpoint'));
  address.searchParams.set('id_token_hint', hint.token);
  return stage.check(address.href);
}

/** A logout that only the browser of the sign-in can tell the app of. `met`: the requests that show that it was told. */
function inBrowser(
  words: Omit<ModuleWords, 'steps' | 'gain'>,
  {
    met,
    absent,
    without,
    member,
  }: {
    met(seen: Seen): readonly RecordedRequest[];
    readonly absent: string;
    readonly without: readonly Channel[];
    /** A member that the metadata lacks, so that the app does not find out in another way. */
    readonly member?: string;
  },
): ExamModule {
  return {
    ...words,
    gain: stays,
    steps: ['check'],
    run: stage =>
      withoutChannels(stage, without, async () => {
        if (member !== undefined) await stage.arm({ fault: 'metadata_missing_member', member });
        return signOutAtProvider(stage);
      }),
    judge(seen) {
      const ended = isEnded(seen);
      const told = met(seen);
      if (ended.length === 0 && seen.believed === undefined)
        return { verdict: 'inconclusive', why: notSignedIn, requests: [] };
      if (ended.length === 0)
        return {
          verdict: 'not_applicable',
          why: 'The check did not open GRANTBOX_OPEN in the browser of the sign-in.',
          requests: [],
        };
      if (told.length === 0) return { verdict: 'not_applicable', why: absent, requests: ended };
      return judgeEnd(seen, [...ended, ...told.filter(request => !ended.includes(request))]);
    },
  };
}

/** Apps that end their session when somebody signs out: there, at the provider, or at another app. */
export const logout: ExamPlan = {
  id: 'logout',
  title: 'Logout',
  about:
    'For each app that signs people out with OpenID Connect, or is told that they signed out elsewhere. It needs --logout and --check.',
  modules: [
    baseline,
    ...rpInitiated,
    inBrowser(
      {
        id: 'front-channel',
        suite: `${suitePrefix}rp-frontchannel-opinitlogout`,
        title: 'Somebody signs out at the provider, which loads the address of the app in a frame',
        references: ['OIDC Front-Channel Logout §2', 'OIDC Front-Channel Logout §3'],
        right: 'Compares iss and sid with those of its session, and ends it.',
        mend: 'Allow the frame (no X-Frame-Options, cookie with SameSite=None), and end the session of this sid.',
      },
      {
        met: seen =>
          seen.notices.some(({ channel, failure }) => channel === 'front' && failure === undefined)
            ? isEnded(seen)
            : [],
        absent: 'The client has no frontchannel_logout_uri.',
        without: ['backchannel_logout_uri'],
        member: 'check_session_iframe',
      },
    ),
    ...backChannelModules,
    inBrowser(
      {
        id: 'session-management',
        title: 'Somebody signs out at the provider, and check_session_iframe says changed',
        references: ['OIDC Session Management §3.1', 'OIDC Session Management §3.2'],
        right: 'Asks with prompt=none once the frame says changed, and ends its session after login_required.',
        mend: 'Switch the session check of the library on (monitorSession, checkLoginIframe).',
      },
      {
        met: seen => seen.at('check_session'),
        absent: 'The app does not load check_session_iframe.',
        without: both,
      },
    ),
  ],
};
