import { defined } from '../../defined.ts';
import type { EventOf, EventType } from '../../events/event.ts';
import type { EventLog } from '../../events/event-log.ts';
import { type ProgressStep, step } from './progress.ts';

/** The steps that one application with a login has done so far. */
export interface Checklist {
  readonly client_id: string;
  readonly logins: number;
  readonly steps: readonly ProgressStep[];
  /** The first missing step as a sentence, and the page that helps; absent if all steps are done. */
  readonly next?: NextStep;
}

export interface NextStep {
  readonly words: string;
  /** Path below the dashboard, and the words of the link. */
  readonly path: string;
  readonly link: string;
}

interface Tick<T extends EventType> {
  readonly type: T;
  readonly name: string;
  /** Whether this event ticks the step. */
  readonly is: (event: EventOf<T>) => boolean;
  readonly next: NextStep;
}

/** Each row is checked against the event of its own type; the cast is safe because `see` compares the types first. */
const tick = <T extends EventType>(row: Tick<T>) => row as unknown as Tick<EventType>;

/** The steps that an event with a client shows, in their order. */
const ticks = [
  tick({
    name: 'login',
    type: 'login.succeeded',
    is: () => true,
    next: { words: 'Nobody has logged in yet.', path: '/connect', link: 'See how to connect' },
  }),
  tick({
    name: 'callback',
    type: 'token.issued',
    is: event => event.grant_type === 'authorization_code' && event.minted !== true,
    next: { words: 'The app has not redeemed its code. Look at its callback.', path: '/flows', link: 'Open the flows' },
  }),
  tick({
    name: 'API call',
    type: 'token.used',
    is: event => event.endpoint === 'api',
    next: { words: 'Call the sample API with the access token.', path: '/api', link: 'Open the sample API' },
  }),
  tick({
    name: 'refresh',
    type: 'token.issued',
    is: event => event.grant_type === 'refresh_token' && event.minted !== true,
    next: {
      words: 'Let the access token expire and see whether the app refreshes it.',
      path: '/clock',
      link: 'Move the clock',
    },
  }),
  tick({
    name: 'logout',
    type: 'session.ended',
    is: event => event.endedBy === undefined,
    next: { words: 'Log out in the app.', path: '/flows', link: 'Open the flows' },
  }),
];

const types = [...new Set(ticks.map(({ type }) => type))];
const mostShown = 4;
/** The most remembered applications, because dynamic registration can create any number. */
const mostKnown = 100;

interface Seen {
  logins: number;
  readonly requests: Map<string, string>;
}

/**
 * The checklists of all applications with a login, the latest first. Each call reads only new events, so that a busy sandbox does
 * not search its whole history.
 */
export function createChecklists(events: EventLog): (discovery: ProgressStep) => readonly Checklist[] {
  const counted = new Map<EventType, number>();
  const apps = new Map<string, Seen>();
  let lastReset = 0;

  /** Moves the application to the end of the map, which makes it the latest. */
  function countLogin(client_id: string): void {
    const app = apps.get(client_id) ?? { logins: 0, requests: new Map() };
    app.logins++;
    apps.delete(client_id);
    apps.set(client_id, app);
    for (const oldest of apps.keys()) if (apps.size > mostKnown) apps.delete(oldest);
  }

  function see(client_id: string, event: EventOf<EventType>): void {
    if (event.type === 'login.succeeded') countLogin(client_id);
    const app = apps.get(client_id);
    for (const { type, name, is } of ticks) {
      if (type === event.type && is(event)) app?.requests.set(name, event.requestId);
    }
  }

  function readNew(): void {
    const reset = events.latest('sandbox.reset', 1)[0]?.id ?? 0;
    if (reset !== lastReset) {
      apps.clear();
      counted.clear();
      lastReset = reset;
    }
    for (const type of types) {
      const count = events.count(type);
      for (const event of events.latest(type, count - (counted.get(type) ?? 0)).reverse()) {
        if ('client_id' in event && event.client_id !== undefined) see(event.client_id, event);
      }
      counted.set(type, count);
    }
  }

  return discovery => {
    readNew();
    return [...apps]
      .reverse()
      .slice(0, mostShown)
      .map(([client_id, app]) => checklist(client_id, app, discovery));
  };
}

function checklist(client_id: string, { logins, requests }: Seen, discovery: ProgressStep): Checklist {
  const missing = ticks.find(({ name }) => !requests.has(name));
  return {
    client_id,
    logins,
    steps: [discovery, ...ticks.map(({ name }) => step(name, requests.get(name)))],
    ...defined({ next: missing?.next }),
  };
}
