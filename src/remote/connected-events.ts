import { defined } from '../defined.ts';
import type { EventType } from '../events/event.ts';
import type { ControlCalls } from './control-calls.ts';

/** An event as JSON: facts of the request or the call by name; the further members depend on `type`. */
export interface ConnectedEvent {
  /** Counts up. */
  readonly id: number;
  /** Unix seconds of the sandbox's clock. */
  readonly at: number;
  readonly requestId: string;
  readonly type: string;
  readonly [fact: string]: unknown;
}

/** Which events are meant. */
export interface EventQuery {
  /** As one types it into the dashboard: `client:frontend status:4xx -code:pkce_mismatch`. */
  readonly q?: string;
  /** One type, or several. */
  readonly type?: EventType | readonly EventType[];
  /** Only events after this id. */
  readonly after?: number;
  /** Whether requests come with headers and bodies, secrets and all. */
  readonly exchange?: boolean;
}

/** The log of a sandbox that runs elsewhere. */
export interface ConnectedEvents {
  /** Oldest first; at most `limit` (100) of them, the newest unless `after` is said. */
  list(query?: EventQuery & { readonly limit?: number }): Promise<readonly ConnectedEvent[]>;
  /**
   * The first event that matches, among those kept or still to come.
   * @throws Error where none has come in so many whole seconds (10, at most 60)
   */
  waitFor(query?: EventQuery & { readonly timeoutSeconds?: number }): Promise<ConnectedEvent>;
  /** The id of the newest event: the `after` of what happens from now on. */
  lastId(): Promise<number>;
}

export function createConnectedEvents(calls: ControlCalls): ConnectedEvents {
  async function list(name: string, query: Readonly<Record<string, string>>) {
    const { content } = await calls({ name: `events.${name}`, method: 'GET', path: `/events${queryText(query)}` });
    return content as { readonly events: readonly ConnectedEvent[]; readonly last_id: number };
  }
  return {
    list: async ({ limit, ...query } = {}) =>
      (await list('list', { ...wireOf(query), ...(limit === undefined ? {} : { limit: String(limit) }) })).events,
    lastId: async () => (await list('lastId', { limit: '1' })).last_id,
    async waitFor({ timeoutSeconds = 10, ...query } = {}) {
      const asked = queryText({ ...wireOf(query), timeout: String(timeoutSeconds) });
      const call = { name: 'events.waitFor', method: 'GET', path: `/events/wait${asked}` } as const;
      const { status, content } = await calls({ ...call, timeoutSeconds: timeoutSeconds + 10 });
      if (status !== 204) return (content as { readonly event: ConnectedEvent }).event;
      throw new Error(`events.waitFor: no event came in ${timeoutSeconds} s that matches ${JSON.stringify(query)}`);
    },
  };
}

function wireOf({ q, type, after, exchange }: EventQuery): Readonly<Record<string, string>> {
  return {
    ...defined({ q }),
    ...(type === undefined ? {} : { type: [type].flat().join(',') }),
    ...(after === undefined ? {} : { after: String(after) }),
    ...(exchange === undefined ? {} : { exchange: String(exchange) }),
  };
}

function queryText(query: Readonly<Record<string, string>>): string {
  const text = new URLSearchParams(query).toString();
  return text === '' ? '' : `?${text}`;
}
