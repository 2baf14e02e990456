import { flatMapInPieces, groupInPieces } from '../../../base/turns/lists.ts';
import { firstMatching } from '../../../base/turns/matching.ts';
import type { RecordedRequest } from '../../flows/recorded-request.ts';
import type { Recent } from './detector.ts';
import { detector, failureIn, sideBySide } from './detector.ts';

const window = 10;
const most = 4;

/** Detects a signed-in browser that requests codes again and again. */
export const redirectLoop = detector('redirect_loop', function* ({ at, since }) {
  const silent = yield* firstMatching(at('authorize'), isSilent);
  const browserOf = (request: RecordedRequest) => `${request.value('client_id') ?? ''} ${senderOf(request)}`;
  const byBrowser = yield* groupInPieces(silent, browserOf);
  return yield* flatMapInPieces(byBrowser.values(), requests => {
    const last = endOfLoop(requests, since);
    if (last === undefined) return [];
    const client_id = last.value('client_id') ?? '';
    const title = `\`${client_id}\` requests codes in a loop`;
    return [failureIn(last.event, title, () => explain(requests.length), client_id)];
  });
});

/** Returns a key of the browser: its address, program and session. */
function senderOf(request: RecordedRequest): string {
  return `${request.ip} ${request.header('user-agent') ?? ''} ${request.header('cookie') ?? ''}`;
}

/** Tells whether the request got a code at once. A silent renew is left out, because a page may send several. */
function isSilent(request: RecordedRequest): boolean {
  return request.fact('code.issued') !== undefined && request.value('prompt') !== 'none' && !isAfterLogin(request);
}

/** Tells whether the request comes right after the login page, which repeats its address. */
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
    comparison: sideBySide('The browser requested', `${count} codes`, 'Expected', 'one code, until the token expires'),
    why: `A signed-in browser got at least ${most} codes within ${window} s. The app loses its token and starts the login again, which makes a redirect loop.`,
    others: [
      'The route guard runs before the callback has finished, and starts a new login.',
      'The app stores the token under one origin or path, and reads it under a different one.',
      'The app treats the token as expired, because its clock and the clock of this server differ.',
    ],
    fixes: [
      'Let the callback finish and store the tokens before the app opens a guarded route.',
      'Look for an error of the token request. Some libraries start a new login without a message.',
    ],
    references: ['RFC 9700 §4.1', 'OIDC Core §3.1.2.1'],
  };
}
