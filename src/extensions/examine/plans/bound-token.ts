import type { RecordedRequest } from '../../../record/flows/recorded-request.ts';
import type { ExamModule, Seen } from '../exam-module.ts';
import { mustRefuse, observed, repeated } from '../judge.ts';

// Access tokens that are tied to a key of the app (DPoP): each use needs a proof of its own.

const noProof = 'The app sends no DPoP proof.';
const stolen =
  'A token from a log, a proxy or a page works for anybody who finds it, although the app has a key to tie it to.';
const byLibrary =
  'Let the library make each request with the token (a DPoP handle), and write no Authorization header.';

const isProved = (request: RecordedRequest): boolean => request.header('dpop') !== undefined;
const proved = (seen: Seen) => seen.requests.filter(isProved);

/** Requests with a token of these responses that say Bearer. */
function sentBare(seen: Seen, responses: readonly RecordedRequest[]): readonly RecordedRequest[] {
  const tokens = responses.map(({ answer }) => `bearer ${String(answer.access_token)}`);
  const bare = (request: RecordedRequest) => request.header('authorization')?.replace(/^bearer /i, 'bearer ') ?? '';
  return seen.requests.filter(request => tokens.includes(bare(request)));
}

/** The use of tokens with a proof. */
export const boundTokenModules: readonly ExamModule[] = [
  observed({
    id: 'token-without-proof',
    title: 'A token that is tied to a key is sent with a proof',
    references: ['RFC 9449 §7.1', 'RFC 9700 §4.10.1'],
    gain: stolen,
    right: 'Sends Authorization: DPoP and a proof with each request, and the token never without one.',
    mend: byLibrary,
    absent: noProof,
    met: seen => seen.at('token').filter(isProved),
    wrong: seen => sentBare(seen, seen.at('token').filter(isProved)),
    found: 'The app sent a token that is tied to its key without a proof.',
  }),
  observed({
    id: 'proof-reused',
    title: 'Each request has a proof of its own',
    references: ['RFC 9449 §4.2', 'RFC 9449 §11.1'],
    gain: 'Somebody who has seen one request sends it again.',
    right: 'Makes a new proof, with a new jti, for each request.',
    mend: byLibrary,
    absent: noProof,
    met: proved,
    wrong: seen => repeated(proved(seen), request => request.header('dpop')),
    found: 'The app sent the same proof twice.',
  }),
  mustRefuse({
    id: 'dpop-downgrade',
    title: 'The token response says Bearer, although the app sent a proof',
    references: ['RFC 9449 §5'],
    gain: stolen,
    right: 'Requires the token_type DPoP, and uses no other token.',
    mend: 'Compare token_type with DPoP, without regard to case, before the token is used.',
    absent: noProof,
    otherwise: 'warn', // an app whose policy allows both may go on
    faults: [{ fault: 'changed_members', endpoint: 'token', change: { token_type: 'Bearer' } }],
    met: seen => seen.baited.filter(isProved),
    never: sentBare,
  }),
];
