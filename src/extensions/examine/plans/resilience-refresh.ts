import type { RecordedRequest } from '../../../record/flows/recorded-request.ts';
import type { AskedFault } from '../../../server/faults/fault.ts';
import type { ExamModule, Seen } from '../exam-module.ts';
import { notMet } from '../judge.ts';
import { isRefresh, noRefresh, refreshedSignIn } from './refresh.ts';

type Words = Pick<ExamModule, 'id' | 'title' | 'references' | 'gain' | 'right' | 'mend'>;

interface Disturbed {
  /** The fault of the refresh. */
  readonly fault: AskedFault;
  /** How often the same refresh token may be sent after that. */
  readonly most: number;
}

/** A refresh that fails: the same refresh token is not sent again and again. */
function failing(words: Words, { fault, most }: Disturbed): ExamModule {
  return {
    ...words,
    run: stage => refreshedSignIn(stage, fault),
    judge(seen) {
      const met = seen.requests.find(request => isRefresh(request) && !isAnswered(request));
      if (met === undefined) return notMet(seen, noRefresh);
      const again = sentAgain(seen, met);
      if (again.length > most)
        return { verdict: 'fail', why: 'The app sent the same refresh token again.', requests: [met, ...again] };
      return { verdict: 'pass', why: 'The app did not send the same refresh token in a loop.', requests: [met] };
    },
  };
}

/** True if the app got new tokens. */
function isAnswered({ event, facts }: RecordedRequest): boolean {
  return event.status === 200 && !facts.some(fact => fact.type === 'fault.applied' && fact.effect === 'cut');
}

function sentAgain(seen: Seen, met: RecordedRequest): readonly RecordedRequest[] {
  const token = met.value('refresh_token');
  return seen.requests.filter(each => each.event.id > met.event.id && each.value('refresh_token') === token);
}

const loops =
  'An app that repeats a refresh which was refused sends requests for ever, and the provider takes it for a thief.';
const signInAgain = 'Forget the tokens when invalid_grant comes, and begin a sign-in.';

/** Refreshes that fail. */
export const failingRefreshes: readonly ExamModule[] = [
  failing(
    {
      id: 'refresh-expired',
      title: 'The refresh token has expired, or was revoked',
      references: ['RFC 6749 §5.2', 'RFC 7009 §2.1'],
      gain: loops,
      right: 'Sends it no more, and lets the person sign in again.',
      mend: signInAgain,
    },
    { fault: { fault: 'token_error', error: 'invalid_grant' }, most: 0 },
  ),
  failing(
    {
      id: 'refresh-503',
      title: 'A refresh is answered with 503 and Retry-After',
      references: ['RFC 9110 §10.2.3', 'RFC 9110 §15.6.4'],
      gain: 'A provider that is in trouble gets more requests than before, from each app at once, and stays down.',
      right: 'Waits as long as Retry-After says, or gives up and says so. The refresh token stays good.',
      mend: 'Read Retry-After before a request is repeated; do not repeat in a loop.',
    },
    { fault: { fault: 'unavailable', endpoint: 'token', seconds: 30, times: 1 }, most: 0 },
  ),
  failing(
    {
      id: 'refresh-race',
      title: 'Another tab of the app has used the refresh token',
      references: ['RFC 9700 §4.14.2', 'RFC 6749 §10.4'],
      gain: 'The provider takes the second use for a theft, and signs the person out in all tabs.',
      right:
        'Refreshes in one tab at a time. After invalid_grant it reads the tokens of the other tab, or lets the person sign in again.',
      mend: 'Hold a lock while a refresh runs (navigator.locks, or one promise for all requests), and forget the token after invalid_grant.',
    },
    { fault: { fault: 'refresh_race', times: 1 }, most: 0 },
  ),
  failing(
    {
      id: 'refresh-lost',
      title: 'The response to a refresh gets lost',
      references: ['RFC 9700 §4.14.2', 'RFC 9110 §9.2.2'],
      gain: loops,
      right: 'Tries once more at the most, and then lets the person sign in again.',
      mend: 'Repeat a refresh once after an error of the network, and not in a loop.',
    },
    { fault: { fault: 'connection_dropped', endpoint: 'token' }, most: 1 },
  ),
];
