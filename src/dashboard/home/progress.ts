import { defined } from '../../defined.ts';
import type { EventLog } from '../../events/event-log.ts';

/** One step of an app on its way to a working login. `requestId` is the request that did it. */
export type ProgressStep = ReturnType<typeof step>;

const ourOwn = new Set(['dashboard', 'assets', 'health', 'ready', 'home']);
const refused = 400;

/** Whether a request came from the dashboard itself or a probe. Such requests are not shown as activity. */
export function isOurOwn(endpoint: string): boolean {
  return ourOwn.has(endpoint);
}

/**
 * The steps of an application: discovery, keys, login, token, API call. A missing step also serves as a diagnosis: "read
 * discovery, nobody logged in". Reads only new events, so that a busy sandbox does not search its whole history.
 */
export function createProgress(events: EventLog): () => ProgressStep[] {
  const calls = new Map<string, string>();
  let counted = 0;
  let lastReset = 0;

  function readNew(): void {
    const reset = events.latest('sandbox.reset', 1)[0]?.id ?? 0;
    if (reset !== lastReset) {
      calls.clear();
      counted = 0;
      lastReset = reset;
    }
    const count = events.count('request.completed');
    for (const { endpoint, status, requestId } of events.latest('request.completed', count - counted).reverse()) {
      if (status < refused) calls.set(endpoint, requestId);
    }
    counted = count;
  }

  return () => {
    readNew();
    return [
      step('discovery', calls.get('discovery')),
      step('keys', calls.get('jwks')),
      step('login', events.latest('login.succeeded', 1)[0]?.requestId),
      step('token', events.latest('token.issued', 1)[0]?.requestId),
      step('API call', calls.get('api')),
    ];
  };
}

export function step(name: string, requestId: string | undefined) {
  return { name, done: requestId !== undefined, ...defined({ requestId }) };
}
