import type { EventOf, EventType } from '../base/events/event.ts';
import type { EventLog } from '../base/events/event-log.ts';

/** One step of an app on its way to a working login. `requestId` is the request that did it. */
export type ProgressStep = ReturnType<typeof step>;

const ourOwn = new Set(['dashboard', 'assets', 'health', 'ready', 'home']);
const refused = 400;

/** Whether a request came from the dashboard itself or a probe. Such requests are not shown as activity. */
export function isOurOwn(endpoint: string): boolean {
  return ourOwn.has(endpoint);
}

/**
 * Makes a function that shows each new event of these types to `see`, so that a busy sandbox does not search its whole history.
 * After a reset it calls `forget`.
 */
export function newEvents<T extends EventType>(
  events: EventLog,
  types: readonly T[],
  { see, forget }: { readonly see: (event: EventOf<T>) => void; readonly forget: () => void },
): () => void {
  const counted = new Map<T, number>();
  let lastReset = 0;
  return () => {
    const reset = events.latest('sandbox.reset', 1)[0]?.id ?? 0;
    if (reset !== lastReset) {
      forget();
      counted.clear();
      lastReset = reset;
    }
    for (const type of types) {
      const count = events.count(type);
      for (const event of events.latest(type, count - (counted.get(type) ?? 0)).reverse()) see(event);
      counted.set(type, count);
    }
  };
}

/**
 * The steps of an application: discovery, keys, login, token, API call. A missing step also serves as a diagnosis: "read
 * discovery, nobody logged in".
 */
export function createProgress(events: EventLog): () => ProgressStep[] {
  const calls = new Map<string, string>();
  const readNew = newEvents(events, ['request.completed'], {
    see: ({ endpoint, status, requestId }) => void (status < refused && calls.set(endpoint, requestId)),
    forget: () => calls.clear(),
  });

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
  return { name, done: requestId !== undefined, requestId };
}
