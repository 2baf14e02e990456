import { flatMapInPieces } from '../../../base/turns/lists.ts';
import { firstMatching } from '../../../base/turns/matching.ts';
import type { RecordedRequest } from '../../flows/recorded-request.ts';
import { detector, failureIn, sideBySide } from './detector.ts';

const patience = 5;

/** Detects an allowed CORS preflight (Fetch standard) whose request never came. */
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
    const title = `A browser sent a preflight for ${path} but no request`;
    return [failureIn(preflight.event, title, () => explain(preflight, origin))];
  });
});

/** Leaves out refused preflights, which are refusals already. */
function isGranted(request: RecordedRequest): boolean {
  return (
    request.event.method === 'OPTIONS' &&
    request.header('access-control-request-method') !== undefined &&
    request.responseHeader('access-control-allow-origin') !== undefined
  );
}

/** Returns the key that a preflight and its request share. */
function callOf(request: RecordedRequest, method: string): string {
  return JSON.stringify([method, request.event.path, request.header('origin')]);
}

function explain(preflight: RecordedRequest, origin: string) {
  const method = preflight.header('access-control-request-method') ?? '';
  const headers = preflight.header('access-control-request-headers') ?? 'none';
  return {
    comparison: sideBySide(
      'The preflight asked for',
      `${method} from ${origin} with headers: ${headers}`,
      'Expected next',
      `${method} ${preflight.event.path}`,
    ),
    why: `The server allowed the preflight from ${origin}, but the request never came. The browser blocked it, or the user left the page.`,
    others: [
      'The request has credentials (cookies). Only the token endpoint allows them.',
      'A browser extension or the content security policy of the app (connect-src) blocks the call.',
      'The user left the page before the answer arrived.',
    ],
    fixes: [
      'Open the browser console, which names the rule that blocked the request.',
      'Leave out credentials: "include" and withCredentials. A bearer token needs neither.',
    ],
    references: ['RFC 6454 §7'],
  };
}
