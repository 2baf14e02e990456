import type { RecordedRequest } from '../../../record/flows/recorded-request.ts';
import type { AskedFault } from '../../../server/faults/fault.ts';
import type { ExamModule, ExamPlan, Seen } from '../exam-module.ts';
import { mustAccept, mustRefuse, notMet, untold } from '../judge.ts';
import { baseline } from './baseline.ts';
import { failingRefreshes } from './resilience-refresh.ts';

const noToken = 'The app sent no token request.';
const noMetadata = 'The app did not ask for the metadata: its endpoints are configured, or kept from before.';
const hammered = 'A provider that is in trouble gets more requests than before, from each app at once, and stays down.';
const waits = 'Waits as long as Retry-After says, or gives up and says so.';
const readHeader = 'Read Retry-After before a request is repeated; do not repeat in a loop.';

/** Longer than any sign-in that does not wait takes. */
const pause = 30;

/** A provider that asks for patience: nothing may be asked again before the time is over. */
function patience(
  words: Pick<ExamModule, 'id' | 'title' | 'references'>,
  fault: AskedFault,
  absent: string,
): ExamModule {
  return {
    ...words,
    gain: hammered,
    right: waits,
    mend: readHeader,
    async run(stage) {
      await stage.arm({ ...fault, seconds: pause, times: 1 });
      return stage.signIn();
    },
    judge(seen) {
      const [met] = seen.baited;
      if (met === undefined) return notMet(seen, absent);
      const hasty = askedAgain(seen, met);
      const why = `The app asked again before the ${pause} s of Retry-After were over.`;
      if (hasty.length > 0) return { verdict: 'fail', why, requests: [met, ...hasty] };
      if (seen.believed === undefined) return untold([met]);
      return { verdict: 'pass', why: 'The app did not ask again too soon.', requests: [met] };
    },
  };
}

function askedAgain(seen: Seen, { event }: RecordedRequest): readonly RecordedRequest[] {
  const isHasty = (request: RecordedRequest) =>
    request.event.id > event.id && request.event.at - event.at < pause && request.event.path === event.path;
  return seen.requests.filter(isHasty);
}

/** More requests of one sign-in than any library sends that tries again with a pause. */
const tooMany = 5;

/** The metadata can be had no more after the first sign-in. */
const outageLater: ExamModule = {
  id: 'discovery-later',
  title: 'The metadata answers 503 after the first sign-in',
  references: ['RFC 8414 §3', 'RFC 9111 §4.2.4'],
  gain: 'Nobody can sign in during a short outage of one address, although all others work.',
  right: 'Keeps the metadata that it has, at least for the time of an outage.',
  mend: 'Ask for the metadata once at the start, keep it in memory, and keep the old one if a new one cannot be had.',
  async run(stage) {
    const first = await stage.signIn();
    if (first.believed !== true) return first;
    await stage.arm({ fault: 'unavailable', endpoint: 'discovery', seconds: pause });
    return stage.signIn();
  },
  judge(seen) {
    const { believed, baited, signIns } = seen;
    if (signIns.length < 2) return { verdict: 'inconclusive', why: 'The first sign-in did not work.', requests: [] };
    if (believed === undefined) return untold(baited);
    if (believed) return { verdict: 'pass', why: 'The app signed in again.', requests: seen.at('authorize') };
    const why = 'The app asked for the metadata again, and signed nobody in without it.';
    return { verdict: baited.length === 0 ? 'inconclusive' : 'warn', why, requests: baited };
  },
};

/** The connection for the metadata ends without a response. */
const droppedMetadata: ExamModule = {
  id: 'discovery-dropped',
  title: 'The connection for the metadata is cut',
  references: ['OIDC Discovery §4', 'RFC 9110 §9.2.2'],
  gain: hammered,
  right: 'Tries again with a pause, or gives up and says so.',
  mend: 'Do not repeat a request in a loop: wait longer each time, and give up after some tries.',
  async run(stage) {
    await stage.arm({ fault: 'connection_dropped', endpoint: 'discovery' });
    return stage.signIn();
  },
  judge(seen) {
    const { baited } = seen;
    if (baited.length === 0) return notMet(seen, noMetadata);
    const why = `The app asked for the metadata ${baited.length} times in one sign-in.`;
    if (baited.length > tooMany) return { verdict: 'fail', why, requests: baited };
    return { verdict: 'pass', why: 'The app did not ask again in a loop.', requests: baited };
  },
};

/** Clients on a bad day of the provider. */
export const resilience: ExamPlan = {
  id: 'resilience',
  title: 'A bad day of the provider',
  about: 'For each app that signs people in: what it does when the provider is slow, down or unusual.',
  modules: [
    baseline,
    patience(
      {
        id: 'token-503',
        title: 'The token endpoint answers 503 with Retry-After',
        references: ['RFC 9110 §10.2.3', 'RFC 9110 §15.6.4'],
      },
      { fault: 'unavailable', endpoint: 'token' },
      noToken,
    ),
    patience(
      { id: 'token-429', title: 'The token endpoint answers 429 with Retry-After', references: ['RFC 6585 §4'] },
      { fault: 'rate_limited', endpoint: 'token' },
      noToken,
    ),
    patience(
      { id: 'discovery-503', title: 'The metadata answers 503 with Retry-After', references: ['RFC 9110 §10.2.3'] },
      { fault: 'unavailable', endpoint: 'discovery' },
      noMetadata,
    ),
    mustAccept({
      id: 'token-slow',
      title: 'The token endpoint takes a second',
      references: ['RFC 9110 §9.2.2'],
      gain: 'People cannot sign in as soon as the provider is busy.',
      right: 'Waits for some seconds.',
      mend: 'Set the time limit of the library to ten seconds or so.',
      absent: noToken,
      faults: [{ fault: 'slow', endpoint: 'token', seconds: 1 }],
    }),
    mustRefuse({
      id: 'token-dropped',
      title: 'The connection for the tokens is cut',
      references: ['RFC 9110 §9.2.2', 'RFC 6749 §4.1.2'],
      gain: 'Somebody is signed in without any token.',
      right: 'Signs nobody in, and begins again: the code is used up.',
      mend: 'Let an error of the network end the sign-in.',
      absent: noToken,
      faults: [{ fault: 'connection_dropped', endpoint: 'token' }],
    }),
    mustRefuse({
      id: 'jwks-dropped',
      title: 'The connection for the keys is cut',
      references: ['OIDC Core §10.1', 'RFC 7515 §5.2'],
      gain: 'Somebody who can cut a connection signs an ID token with a key of their own.',
      right: 'Takes no ID token whose key it asked for and did not get.',
      mend: 'Let an error of the JWK Set end the sign-in.',
      absent: 'The app did not ask for the keys: it keeps them, or checks no signature.',
      faults: [{ fault: 'connection_dropped', endpoint: 'jwks' }],
    }),
    droppedMetadata,
    mustAccept({
      id: 'discovery-slow',
      title: 'The metadata comes late',
      references: ['RFC 9110 §9.2.2'],
      gain: 'People cannot sign in as soon as the provider is busy.',
      right: 'Waits for some seconds.',
      mend: 'Set the time limit of the library to ten seconds or so.',
      absent: noMetadata,
      faults: [{ fault: 'slow', endpoint: 'discovery', seconds: 0.3 }],
    }),
    outageLater,
    ...failingRefreshes,
    mustRefuse({
      id: 'token-html',
      title: 'The token endpoint answers with a page in HTML',
      references: ['RFC 6749 §5.1'],
      gain: 'The page of a proxy or of a hotel network passes for a sign-in.',
      right: 'Refuses what is not JSON with an access token.',
      mend: 'Check the status and the Content-Type of the response before its members.',
      absent: noToken,
      faults: [{ fault: 'html_instead_of_json', endpoint: 'token' }],
    }),
    mustRefuse({
      id: 'token-error',
      title: 'The token endpoint answers 400 with an error',
      references: ['RFC 6749 §5.2'],
      gain: 'Somebody whom the provider refused is signed in.',
      right: 'Signs nobody in, and says so.',
      mend: 'Check the status of the token response.',
      absent: noToken,
      faults: [{ fault: 'token_error', error: 'invalid_grant' }],
    }),
    mustAccept({
      id: 'missing-expires-in',
      suite: 'fapi2-security-profile-final-client-test-token-endpoint-response-without-expires_in',
      title: 'The token response has no expires_in',
      references: ['RFC 6749 §5.1'],
      gain: 'People cannot sign in at a provider that leaves out what is optional.',
      right: 'Takes the token and finds out at the API when it has expired.',
      mend: 'Treat expires_in as optional.',
      absent: noToken,
      faults: [{ fault: 'missing_member', member: 'expires_in' }],
    }),
    mustAccept({
      id: 'unknown-token-member',
      title: 'The token response has a member that nobody knows',
      references: ['RFC 6749 §5.1'],
      gain: 'People cannot sign in once the provider adds a member.',
      right: 'Ignores it.',
      mend: 'Read the members that you need by their names.',
      absent: noToken,
      faults: [{ fault: 'changed_members', endpoint: 'token', change: { grantbox_unknown: { a: 1 } } }],
    }),
    mustAccept({
      id: 'unknown-metadata-member',
      title: 'The metadata has a member that nobody knows',
      references: ['RFC 8414 §2', 'OIDC Discovery §3'],
      gain: 'People cannot sign in once the provider adds a member.',
      right: 'Ignores it.',
      mend: 'Read the members that you need by their names.',
      absent: noMetadata,
      faults: [{ fault: 'changed_members', endpoint: 'discovery', change: { grantbox_unknown: ['a'] } }],
    }),
    mustAccept({
      id: 'long-token',
      title: 'The tokens are longer than 16 kB',
      references: ['RFC 6749 §1.4'],
      gain: 'People with many groups cannot sign in.',
      right: 'Keeps tokens where there is room for them, and not in a cookie.',
      mend: 'Keep tokens in the session of the server, and only the name of the session in the cookie.',
      absent: noToken,
      faults: [{ fault: 'huge_token', token: 'id' }],
    }),
    mustAccept({
      id: 'clock-skew',
      title: 'The clock of the provider is half a minute ahead',
      references: ['OIDC Core §3.1.3.7', 'RFC 7519 §4.1.6'],
      gain: 'People cannot sign in as soon as two clocks differ a little.',
      right: 'Allows a difference of a minute or so.',
      mend: 'Set the tolerance of the library (clockTolerance) to a minute.',
      absent: 'The app got no ID token.',
      faults: async stage => {
        stage.issuer.clock.advance(30);
        return [];
      },
      met: seen => seen.at('token'),
    }),
  ],
};
