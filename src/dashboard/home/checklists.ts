import type { EventOf, EventType } from '../../base/events/event.ts';
import type { EventLog } from '../../base/events/event-log.ts';
import { newEvents, type ProgressStep, step } from '../../record/progress.ts';

interface Tick<T extends EventType> {
  readonly type: T;
  readonly name: string;
  readonly is: (event: EventOf<T>) => boolean;
  readonly next: { readonly words: string; readonly path: string; readonly link: string };
}

/** Each row is checked against the event of its own type; the cast is safe because `see` compares the types first. */
const tick = <T extends EventType>(row: Tick<T>) => row as unknown as Tick<EventType>;

const ticks = [
  tick({
    name: 'sign-in',
    type: 'login.succeeded',
    is: () => true,
    next: { words: 'Nobody has signed in yet.', path: '/connect', link: 'See how to connect' },
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
    name: 'sign-out',
    type: 'session.ended',
    is: event => event.endedBy === undefined,
    next: { words: 'Sign out in the app.', path: '/flows', link: 'Open the flows' },
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

/** The checklists of all applications with a login, the latest first. */
export function createChecklists(events: EventLog) {
  const apps = new Map<string, Seen>();

  function countLogin(client_id: string): void {
    const app = apps.get(client_id) ?? { logins: 0, requests: new Map() };
    app.logins++;
    apps.delete(client_id);
    apps.set(client_id, app);
    for (const oldest of apps.keys()) if (apps.size > mostKnown) apps.delete(oldest);
  }

  function see(event: EventOf<EventType>): void {
    if (!('client_id' in event) || event.client_id === undefined) return;
    const { client_id } = event;
    if (event.type === 'login.succeeded') countLogin(client_id);
    const app = apps.get(client_id);
    for (const { type, name, is } of ticks) {
      if (type === event.type && is(event)) app?.requests.set(name, event.requestId);
    }
  }

  const readNew = newEvents(events, types, { see, forget: () => apps.clear() });

  return (discovery: ProgressStep) => {
    readNew();
    return [...apps]
      .reverse()
      .slice(0, mostShown)
      .map(([client_id, app]) => checklist(client_id, app, discovery));
  };
}

function checklist(client_id: string, { logins, requests }: Seen, discovery: ProgressStep) {
  const missing = ticks.find(({ name }) => !requests.has(name));
  return {
    client_id,
    logins,
    steps: [discovery, ...ticks.map(({ name }) => step(name, requests.get(name)))],
    next: missing?.next,
  };
}
