import type { RecordedRequest } from '../../flows/recorded-request.ts';
import { alike, detector, failureIn, type RealTime, sideBySide } from './detector.ts';

const window = 10;
const most = 4;

/** Detects a signed-in browser that requests codes again and again. */
export const redirectLoop = detector('redirect_loop', { request: clueIn }, (clues, time) =>
  alike(clues, ({ browser }) => browser).flatMap(requests => {
    const last = endOfLoop(requests, time);
    if (last === undefined) return [];
    const title = `\`${last.client_id}\` requests codes in a loop`;
    return [failureIn(last.event, title, () => explain(requests.length), last.client_id)];
  }),
);

type Clue = NonNullable<ReturnType<typeof clueIn>>;

function clueIn(request: RecordedRequest) {
  if (!isSilent(request)) return undefined;
  const client_id = request.value('client_id') ?? '';
  return { event: request.event, client_id, browser: `${client_id} ${senderOf(request)}` };
}

/** Returns a key of the browser: its address, program and session. */
function senderOf(request: RecordedRequest): string {
  return `${request.ip} ${request.header('user-agent') ?? ''} ${request.header('cookie') ?? ''}`;
}

/** Tells whether the request got a code at once. A silent renew is left out, because a page may send several. */
function isSilent(request: RecordedRequest): boolean {
  return (
    request.event.endpoint === 'authorize' &&
    request.fact('code.issued') !== undefined &&
    request.value('prompt') !== 'none' &&
    !isAfterLogin(request)
  );
}

/** Tells whether the request comes right after the login page, which repeats its address. */
function isAfterLogin(request: RecordedRequest): boolean {
  return /\/login\b/.test(request.header('referer') ?? '');
}

function endOfLoop(requests: readonly Clue[], { between }: RealTime): Clue | undefined {
  return requests.find(({ event }, index) => {
    const first = requests[index - most + 1];
    return first !== undefined && between(first.event, event) <= window;
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
