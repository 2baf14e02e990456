import type { RecordedRequest } from '../../flows/recorded-request.ts';
import { likely, sideBySide } from './likely.ts';
import { detector, seenIn } from './recent.ts';

const patience = 5;

/** A browser asked whether it may (Fetch standard, CORS preflight), and then did not. */
export const preflightWithoutRequest = detector('preflight_without_request', ({ since, requests }) => {
  return requests.flatMap((preflight, index) => {
    if (!isGranted(preflight) || since(preflight.event) <= patience) return [];
    if (someAfter(index, requests, other => follows(preflight, other))) return [];
    const { path } = preflight.event;
    const origin = preflight.header('origin') ?? '';
    const title = `A browser asked whether it may call ${path}, and did not`;
    return [{ ...seenIn(preflight.event), title, explain: () => explain(title, preflight, origin) }];
  });
});

/** What follows mostly follows at once: to begin with the oldest takes seconds in a long history. */
function someAfter(index: number, requests: readonly RecordedRequest[], isIt: (other: RecordedRequest) => boolean) {
  for (let after = index + 1; after < requests.length; after++) {
    const other = requests[after];
    if (other !== undefined && isIt(other)) return true;
  }
  return false;
}

/** A preflight that was refused is a refusal, and told as one. */
function isGranted(request: RecordedRequest): boolean {
  return (
    request.event.method === 'OPTIONS' &&
    request.header('access-control-request-method') !== undefined &&
    request.responseHeader('access-control-allow-origin') !== undefined
  );
}

function follows(preflight: RecordedRequest, request: RecordedRequest): boolean {
  const { event } = request;
  return (
    event.id > preflight.event.id &&
    event.method === preflight.header('access-control-request-method') &&
    event.path === preflight.event.path &&
    request.header('origin') === preflight.header('origin')
  );
}

function explain(title: string, preflight: RecordedRequest, origin: string) {
  const method = preflight.header('access-control-request-method') ?? '';
  const headers = preflight.header('access-control-request-headers') ?? 'none';
  return likely({
    title,
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
  });
}
