import type { ParsedObject } from '../../../protocol/json-parameter.ts';
import type { AskedFault } from '../../../server/faults/fault.ts';
import type { ExamModule, Judged, LogoutTold, Seen, Stage, Taken } from '../exam-module.ts';

// The logout token of OIDC Back-Channel Logout: the provider posts it to the app when it ends a session.

const suitePrefix = 'oidcc-client-test-rp-backchannel-rpinitlogout';
const signedOut = 'Somebody who can reach the address signs out the people of the app.';
const confused = 'A token that was made for something else signs people out.';
const usual =
  'Let the library check the logout token (issuer, audience, algorithms, events), and answer 400 for one that is wrong.';

/** Ends the session at the provider, which tells the app by a logout token. */
async function endSession(stage: Stage): Promise<Taken> {
  const first = await stage.signIn();
  if (first.believed !== true) return { ...first, believed: undefined };
  await stage.issuer.reset('sessions');
  return stage.can('check') ? stage.check() : { believed: undefined, said: '' };
}

const isGood = ({ status }: LogoutTold) => status === 200 || status === 204;

/** The notice by back channel; a verdict where there is none. */
function noticeIn({ notices }: Seen): LogoutTold | Judged {
  const notice = notices.find(({ channel }) => channel === 'back');
  if (notice === undefined)
    return { verdict: 'not_applicable', why: 'The client has no backchannel_logout_uri.', requests: [] };
  if (notice.status !== undefined) return notice;
  const why = `The app did not answer the logout token: ${notice.failure}.`;
  return { verdict: 'inconclusive', why, requests: [], notices: [notice] };
}

interface WrongToken {
  readonly id: string;
  /** The end of the name in the suite; absent for a module of our own. */
  readonly suite?: string;
  readonly title: string;
  readonly gain: string;
  readonly right: string;
  readonly reference?: string;
  readonly fault: WrongFault | ((stage: Stage) => Promise<WrongFault>);
}

type WrongFault = Pick<AskedFault, 'fault' | 'change' | 'header'>;

/** A logout token that a right app refuses with 400. */
function wrongToken({ id, suite, title, gain, right, reference = '§2.6', fault }: WrongToken): ExamModule {
  return {
    id: `back-channel-${id}`,
    ...(suite !== undefined && { suite: `${suitePrefix}-${suite}` }),
    title: `The logout token ${title}`,
    references: [`OIDC Back-Channel Logout ${reference}`, 'OIDC Back-Channel Logout §2.8'],
    gain,
    right,
    mend: usual,
    async run(stage) {
      await stage.arm({ ...(typeof fault === 'function' ? await fault(stage) : fault), token: 'logout' });
      return endSession(stage);
    },
    judge(seen) {
      const notice = noticeIn(seen);
      if ('verdict' in notice) return notice;
      const shown = { requests: [], notices: [notice] };
      const { status } = notice;
      if (status === 400) return { verdict: 'pass', why: 'The app refused it with 400.', ...shown };
      if (!isGood(notice)) return { verdict: 'warn', why: `The app answered ${status} in place of 400.`, ...shown };
      if (seen.believed === true)
        return { verdict: 'warn', why: `The app signed nobody out, and answered ${status} in place of 400.`, ...shown };
      const why = seen.believed === false ? 'The app took it: nobody is signed in any more.' : 'The app took it.';
      return { verdict: 'fail', why: `${why} It answered ${status}.`, ...shown };
    },
  };
}

const wrongClaims = (change: ParsedObject) => ({ fault: 'changed_claims', change });

/** Another algorithm of the same type of key. */
async function otherAlgorithm({ issuer, clientId }: Stage): Promise<WrongFault> {
  const registered = (await issuer.clients.get(clientId))?.id_token_signed_response_alg;
  return { fault: 'changed_claims', header: { alg: registered === 'PS256' ? 'RS256' : 'PS256' } };
}

/** Back-channel logout: a good token, and those that a right app refuses. */
export const backChannelModules: readonly ExamModule[] = [
  {
    id: 'back-channel',
    suite: suitePrefix,
    title: 'The provider ends the session, and posts a logout token to the app',
    references: ['OIDC Back-Channel Logout §2.5', 'OIDC Back-Channel Logout §2.7'],
    gain: 'A session that was ended, such as one of a stolen computer, goes on in the app.',
    right: 'Ends each session with the sid of the token, and answers 200.',
    mend: 'Keep the sid of the ID token with the session of the app, and delete the sessions with that sid.',
    steps: ['check'],
    run: endSession,
    judge(seen) {
      const notice = noticeIn(seen);
      if ('verdict' in notice) return notice;
      const shown = { requests: [], notices: [notice] };
      if (!isGood(notice))
        return { verdict: 'fail', why: `The app answered a good logout token with ${notice.status}.`, ...shown };
      if (seen.believed === undefined)
        return { verdict: 'inconclusive', why: 'Nobody said in time whether somebody is still signed in.', ...shown };
      if (!seen.believed) return { verdict: 'pass', why: 'Nobody is signed in any more.', ...shown };
      return { verdict: 'fail', why: 'The app answered 200, and somebody is still signed in.', ...shown };
    },
  },
  wrongToken({
    id: 'alg-none',
    suite: 'alg-none',
    title: 'has no signature, and its alg is none',
    gain: signedOut,
    right: 'Decides itself which algorithms it accepts, and none is not among them.',
    fault: { fault: 'alg_none' },
  }),
  wrongToken({
    id: 'wrong-alg',
    suite: 'wrong-alg',
    title: 'is signed with another algorithm than the ID tokens of the app',
    gain: 'An attack on an old algorithm works, although provider and app agreed on another one.',
    right: 'Accepts the algorithm of its ID tokens alone.',
    fault: otherAlgorithm,
  }),
  wrongToken({
    id: 'hs256-public-key',
    title: 'is signed with HS256, and the public key is the secret',
    gain: signedOut,
    right: 'Uses a key only with the algorithms that belong to it.',
    fault: { fault: 'hs256_with_public_key' },
  }),
  wrongToken({
    id: 'invalid-sig',
    title: 'has a wrong signature',
    gain: signedOut,
    right: 'Verifies the signature with a key of the JWK Set.',
    fault: { fault: 'bad_signature' },
  }),
  wrongToken({
    id: 'wrong-iss',
    suite: 'wrong-iss',
    title: 'names another issuer',
    gain: signedOut,
    right: 'Compares iss with the issuer of its sign-ins.',
    fault: wrongClaims({ iss: 'https://another-issuer.example' }),
  }),
  wrongToken({
    id: 'wrong-aud',
    suite: 'wrong-aud',
    title: 'is for another client',
    gain: 'Another app that gets a logout token signs out the people of this one.',
    right: 'Requires its own client_id in aud.',
    fault: wrongClaims({ aud: 'another-client' }),
  }),
  wrongToken({
    id: 'expired',
    title: 'has expired',
    gain: 'Somebody who has seen one logout token uses it again.',
    right: 'Compares exp with its clock.',
    fault: { fault: 'expired' },
  }),
  wrongToken({
    id: 'no-event',
    suite: 'no-event',
    title: 'has no events',
    gain: confused,
    right: 'Requires events, which only a logout token has.',
    reference: '§2.4',
    fault: wrongClaims({ events: null }),
  }),
  wrongToken({
    id: 'wrong-event',
    suite: 'wrong-event',
    title: 'is about another event',
    gain: confused,
    right: 'Requires the member backchannel-logout in events.',
    reference: '§2.4',
    fault: wrongClaims({ events: { 'https://another-event.example': {} } }),
  }),
  wrongToken({
    id: 'with-nonce',
    suite: 'with-nonce',
    title: 'has a nonce, as an ID token does',
    gain: 'An ID token, which many people see, passes for a logout token.',
    right: 'Refuses a logout token with a nonce.',
    reference: '§2.4',
    fault: wrongClaims({ nonce: 'a-nonce' }),
  }),
];
