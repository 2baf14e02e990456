import type { ExamModule, Seen } from '../exam-module.ts';
import { mustRefuse, startsOf } from '../judge.ts';

// The hashes in an ID token that tie a code and an access token to it (OIDC Core §3.3.2.11, §3.1.3.6).

const otherCode =
  'Somebody puts a code of their own next to the ID token of a user, and the app mixes the two accounts.';
const otherToken = 'Somebody puts an access token of their own next to the ID token of a user (token substitution).';

const mend = 'Give the library the whole response and the type that you asked for, so that it compares the hashes.';

/** True if the browser brings the ID token together with one of these. */
const asks = (seen: Seen, what: 'code' | 'token') =>
  startsOf(seen).some(request => {
    const types = request.value('response_type')?.split(' ') ?? [];
    return types.includes('id_token') && types.includes(what);
  });

const withCode = {
  references: ['OIDC Core §3.3.2.10', 'OIDC Core §3.3.2.11'],
  gain: otherCode,
  mend,
  absent: 'The app does not ask for response_type=code id_token.',
  met: (seen: Seen) => (asks(seen, 'code') ? seen.baited : []),
} as const;

const withToken = {
  references: ['OIDC Core §3.1.3.8', 'OIDC Core §3.2.2.9'],
  gain: otherToken,
  mend,
} as const;

const changed = (change: Readonly<Record<string, string | null>>) => [
  { fault: 'changed_claims', token: 'id', change } as const,
];

/** An ID token next to a code or an access token that is not its own. */
export const tokenHashModules: readonly ExamModule[] = [
  mustRefuse({
    ...withCode,
    id: 'invalid-chash',
    suite: 'oidcc-client-test-invalid-chash',
    title: 'The ID token belongs to another code',
    right: 'Compares c_hash with the hash of the code.',
    faults: changed({ c_hash: 'bm90LXRoZS1oYXNoLW9mIQ' }),
  }),
  mustRefuse({
    ...withCode,
    id: 'missing-chash',
    suite: 'oidcc-client-test-missing-chash',
    title: 'The ID token does not say to which code it belongs',
    right: 'Requires c_hash in an ID token that comes with a code.',
    faults: changed({ c_hash: null }),
  }),
  gentleInCodeFlow(
    mustRefuse({
      ...withToken,
      id: 'invalid-athash',
      suite: 'oidcc-client-test-invalid-athash',
      title: 'The ID token belongs to another access token',
      right: 'Compares at_hash with the hash of the access token.',
      absent: 'The app got no ID token, because it does not ask for the scope openid.',
      faults: changed({ at_hash: 'bm90LXRoZS1oYXNoLW9mIQ' }),
    }),
  ),
  mustRefuse({
    ...withToken,
    id: 'missing-athash',
    suite: 'oidcc-client-test-missing-athash',
    title: 'The ID token does not say to which access token it belongs',
    right: 'Requires at_hash in an ID token that comes with an access token through the browser.',
    absent: 'The app gets its access token from the token endpoint, where at_hash is optional.',
    met: seen => (asks(seen, 'token') ? seen.baited : []),
    faults: changed({ at_hash: null }),
  }),
];

/** Tokens of the token endpoint come straight from the provider, so that the comparison is no duty there. */
function gentleInCodeFlow(module: ExamModule): ExamModule {
  return {
    ...module,
    judge(seen) {
      const judged = module.judge(seen);
      if (judged.verdict !== 'fail' || asks(seen, 'token')) return judged;
      const why = `${judged.why} Both tokens came from the token endpoint, where a client may leave this out.`;
      return { ...judged, verdict: 'warn', why };
    },
  };
}
