import type { RecordedRequest } from '../../../record/flows/recorded-request.ts';
import type { AskedFault } from '../../../server/faults/fault.ts';
import type { ExamModule, Seen, Stage } from '../exam-module.ts';
import { notMet, untold } from '../judge.ts';

// The refresh of an app that refreshes by itself: its first access token ends in a second. Nothing makes another app refresh.

/** Why nothing can be said about an app that refreshes nothing. */
export const noRefresh = 'The app refreshed no token, although its access token was to end in a second.';

/** True for a refresh request. */
export const isRefresh = (request: RecordedRequest) => request.value('grant_type') === 'refresh_token';

/** Signs in with an access token that ends soon; the fault is of the requests that follow the first token response. */
export async function refreshedSignIn(stage: Stage, fault: AskedFault) {
  const { events, faults } = stage.issuer;
  await faults.arm({ fault: 'changed_members', endpoint: 'token', change: { expires_in: 1 }, times: 1 });
  let armed: Promise<void> | undefined;
  const stop = events.hearOwn(event => {
    if (event.type === 'request.completed' && event.endpoint === 'token') armed ??= stage.arm(fault);
  });
  try {
    return await stage.signIn();
  } finally {
    stop();
    await armed;
  }
}

/** The uses of an access token that came with one of these responses. */
function usesOf(seen: Seen, responses: readonly RecordedRequest[]): readonly RecordedRequest[] {
  const tokens = responses.map(({ answer }) => `Bearer ${String(answer.access_token)}`);
  return seen.requests.filter(request => tokens.includes(request.header('authorization') ?? ''));
}

type Words = Pick<ExamModule, 'id' | 'suite' | 'title' | 'gain' | 'right'>;

/** A refresh whose ID token is of another sign-in. */
function wrongRefresh(words: Words, change: Readonly<Record<string, string>>): ExamModule {
  return {
    ...words,
    references: ['OIDC Core §12.2'],
    mend: 'Let the library check the ID token of a refresh, too, and compare iss and sub with those of the sign-in.',
    run: stage => refreshedSignIn(stage, { fault: 'changed_claims', token: 'id', change }),
    judge(seen) {
      const met = seen.baited.filter(isRefresh);
      if (met.length === 0) return notMet(seen, noRefresh);
      const uses = usesOf(seen, met);
      if (uses.length > 0)
        return { verdict: 'fail', why: 'The app used the new access token.', requests: [...met, ...uses] };
      if (seen.believed === undefined) return untold(met);
      if (!seen.believed) return { verdict: 'pass', why: 'The app refused it.', requests: met };
      return { verdict: 'inconclusive', why: 'The app did not use the new access token yet.', requests: met };
    },
  };
}

/** Refreshes, as far as the app does one. */
export const refreshModules: readonly ExamModule[] = [
  {
    id: 'refresh-token',
    title: 'The response to a refresh has no ID token',
    references: ['OIDC Core §12.2', 'RFC 6749 §6'],
    gain: 'People are signed out each time that a token is refreshed.',
    right: 'Takes the new access token, and keeps the ID token that it has.',
    mend: 'Treat id_token as optional in the response to a refresh.',
    run: stage => refreshedSignIn(stage, { fault: 'missing_member', member: 'id_token' }),
    judge(seen) {
      const met = seen.baited.filter(isRefresh);
      if (met.length === 0) return notMet(seen, noRefresh);
      if (seen.believed === undefined) return untold(met);
      if (!seen.believed) return { verdict: 'fail', why: 'The app refused it, although it is right.', requests: met };
      return { verdict: 'pass', why: 'The app went on with the new access token.', requests: met };
    },
  },
  wrongRefresh(
    {
      id: 'refresh-token-invalid-issuer',
      suite: 'oidcc-client-test-refresh-token-invalid-issuer',
      title: 'The ID token of a refresh names another issuer',
      gain: 'A server that the app does not trust changes who is signed in.',
      right: 'Compares iss with that of the first ID token, and uses none of the new tokens if they differ.',
    },
    { iss: 'https://another-issuer.example' },
  ),
  wrongRefresh(
    {
      id: 'refresh-token-invalid-sub',
      suite: 'oidcc-client-test-refresh-token-invalid-sub',
      title: 'The ID token of a refresh names another user',
      gain: 'A person becomes another one in the middle of their session.',
      right: 'Compares sub with that of the first ID token, and uses none of the new tokens if they differ.',
    },
    { sub: 'somebody-else' },
  ),
];
