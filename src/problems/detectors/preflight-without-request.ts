import type { RecordedRequest } from '../../flows/recorded-request.ts';
import { flatMapInPieces } from '../../turns/lists.ts';
import { firstMatching } from '../../turns/matching.ts';
import { detector, failureIn, sideBySide } from './detector.ts';

const patience = 5;

/** A browser asked whether it may (Fetch standard, CORS preflight), and then did not. */
export const preflightWithoutRequest = detector('preflight_without_request', function* ({ since, requests }) {
  const isWaiting = (request: RecordedRequest) => isGranted(request) && since(request.event) > patience;
  const preflights = yield* firstMatching(requests, isWaiting);
  const paths = new Set(preflights.map(({ event }) => event.path));
  const lastCalls = new Map<string, number>();
  for (const request of paths.size === 0 ? [] : requests) {
    const { method, path, id } = request.event;
    if (paths.has(path)) lastCalls.set(callOf(request, method), id);
    yield;
  }
  return yield* flatMapInPieces(preflights, preflight => {
    const method = preflight.header('access-control-request-method') ?? '';
    const { path, id } = preflight.event;
    if ((lastCalls.get(callOf(preflight, method)) ?? 0) > id) return [];
    const origin = preflight.header('origin') ?? '';
    const title = `A browser asked whether it may call ${path}, and did not`;
    return [failureIn(preflight.event, title, () => explain(preflight, origin))];
  });
});

/** A preflight that was refused is a refusal, and told as one. */
function isGranted(request: RecordedRequest): boolean {
  return (
    request.event.method === 'OPTIONS' &&
    request.header('access-control-request-method') !== undefined &&
    request.responseHeader('access-control-allow-origin') !== undefined
  );
}

/** What a preflight and the request it is for have in common. */
function callOf(request: RecordedRequest, method: string): string {
  return JSON.stringify([method, request.event.path, request.header('origin')]);
}

function explain(preflight: RecordedRequest, origin: string) {
  const method = preflight.header('access-control-request-method') ?? '';
  const headers = preflight.header('access-control-request-headers') ?? 'none';
  return {
    comparison: sideBySide(
      'The browser asked for',
      `${method} from ${origin} with headers: ${headers}`,
      'Expected next',
      `${method} ${preflight.event.path}`,
    ),
    why: `The preflight from ${origin} was answered with yes, and the request itself never came. The browser blocked it, or the page was left.`,
    others: [
      'The request is made with credentials (cookies), and this address does not allow those: only the token endpoint does.',
      'An extension of the browser, or its content security policy (connect-src of the app), blocks the call.',
      'The page navigated away while the answer was on its way.',
    ],
    fixes: [
      'Look at the console of the browser: it names the rule that blocked the request.',
      'Leave out credentials: "include" and withCredentials; a bearer token needs neither.',
    ],
    references: ['RFC 6454 §7'],
  };
}
