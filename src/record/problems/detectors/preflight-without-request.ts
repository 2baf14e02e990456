import type { RecordedRequest } from '../../flows/recorded-request.ts';
import { detector, failureIn, sideBySide } from './detector.ts';

const patience = 5;

/** Detects an allowed CORS preflight (Fetch standard) whose request never came. */
export const preflightWithoutRequest = detector(
  'preflight_without_request',
  { request: clueIn },
  (clues, { hasPassed }) => {
    const lastCalls = new Map(clues.map(({ call, event }) => [call, event.id]));
    return clues.flatMap(({ event, awaited, preflight }) => {
      if (preflight === undefined || (lastCalls.get(awaited) ?? 0) > event.id) return [];
      if (!hasPassed(event, patience)) return [];
      const title = `A browser sent a preflight for ${event.path} but no request`;
      return [failureIn(event, title, () => explain(preflight))];
    });
  },
);

/** A request of a script, with the key that it shares with its preflight; a preflight has the key of the awaited request, too. */
function clueIn(request: RecordedRequest) {
  const { event } = request;
  const origin = request.header('origin');
  if (origin === undefined) return undefined;
  const callOf = (method: string) => JSON.stringify([method, event.path, origin]);
  const method = request.header('access-control-request-method') ?? '';
  const preflight = isGranted(request) ? request : undefined;
  return { event, call: callOf(event.method), awaited: callOf(method), preflight };
}

/** Leaves out refused preflights, which are refusals already. */
function isGranted(request: RecordedRequest): boolean {
  return (
    request.event.method === 'OPTIONS' &&
    request.header('access-control-request-method') !== undefined &&
    request.responseHeader('access-control-allow-origin') !== undefined
  );
}

function explain(preflight: RecordedRequest) {
  const origin = preflight.header('origin') ?? '';
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
