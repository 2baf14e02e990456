import type { RecordedRequest } from '../../flows/recorded-request.ts';
import { flatMapInPieces, groupInPieces } from '../../turns/lists.ts';
import { firstMatching } from '../../turns/matching.ts';
import type { Recent } from './detector.ts';
import { detector, failureIn, sideBySide } from './detector.ts';

const window = 10;
const most = 4;

/** A browser that is signed in comes again and again for a code. */
export const redirectLoop = detector('redirect_loop', function* ({ at, since }) {
  const silent = yield* firstMatching(at('authorize'), isSilent);
  const browserOf = (request: RecordedRequest) => `${request.value('client_id') ?? ''} ${senderOf(request)}`;
  const byBrowser = yield* groupInPieces(silent, browserOf);
  return yield* flatMapInPieces(byBrowser.values(), requests => {
    const last = endOfLoop(requests, since);
    if (last === undefined) return [];
    const client_id = last.value('client_id') ?? '';
    const title = `${client_id} asks for a code over and over`;
    return [failureIn(last.event, title, () => explain(requests.length), client_id)];
  });
});

/** What a session, an address and a program have in common. */
function senderOf(request: RecordedRequest): string {
  return `${request.ip} ${request.header('user-agent') ?? ''} ${request.header('cookie') ?? ''}`;
}

/** Answered with a code at once. A silent renew asks by itself, and more than once a page. */
function isSilent(request: RecordedRequest): boolean {
  return request.fact('code.issued') !== undefined && request.value('prompt') !== 'none' && !isAfterLogin(request);
}

/** The same address again, right after the login page. */
function isAfterLogin(request: RecordedRequest): boolean {
  return /\/login\b/.test(request.header('referer') ?? '');
}

function endOfLoop(requests: readonly RecordedRequest[], since: Recent['since']): RecordedRequest | undefined {
  return requests.find((request, index) => {
    const first = requests[index - most + 1];
    return first !== undefined && since(first.event) - since(request.event) <= window;
  });
}

function explain(count: number) {
  return {
    comparison: sideBySide(
      'The browser came',
      `${count} times for a code`,
      'Expected',
      'once, until the token expires',
    ),
    why: `One browser, which is signed in, got at least ${most} codes within ${window} s. The app throws its token away, or does not find it, and starts the login again: a redirect loop.`,
    others: [
      'The route guard runs before the callback has finished, and sends the browser away again.',
      'The token is stored under one origin or path and looked for under another.',
      'The app takes the token for expired: its clock and the one of this server differ.',
    ],
    fixes: [
      'Let the callback finish, store the tokens, and only then go on to a guarded route.',
      'Look for an error of the token request: some libraries start over without a word.',
    ],
    references: ['RFC 9700 §4.1', 'OIDC Core §3.1.2.1'],
  };
}
