import { defined } from '../../base/defined.ts';
import type { EventType } from '../../base/events/event.ts';
import type { ControlCalls } from './control-calls.ts';

/** An event as JSON. Its other members depend on `type`. */
export interface ConnectedEvent {
  /** Counts up. */
  readonly id: number;
  /** Unix seconds of the sandbox's clock. */
  readonly at: number;
  /** The request that caused it, `req_…`, or the call, `call_…`. */
  readonly requestId: string;
  /** The event type, such as `token.issued`. */
  readonly type: string;
  readonly [fact: string]: unknown;
}

/** A filter for events. */
export interface EventQuery {
  /** A query as in the dashboard: `client:frontend status:4xx -code:pkce_mismatch`. */
  readonly q?: string;
  /** One event type, or several. */
  readonly type?: EventType | readonly EventType[];
  /** Only events after this id. */
  readonly after?: number;
  /** Includes headers and bodies of requests, with their secrets. */
  readonly exchange?: boolean;
}

/** The log of a sandbox that runs elsewhere. */
export interface ConnectedEvents {
  /** Matching events, oldest first; at most `limit` (default 100). Without `after`, the newest ones. */
  list(query?: EventQuery & { readonly limit?: number }): Promise<readonly ConnectedEvent[]>;
  /**
   * The first matching event, kept or future.
   * @throws Error if none comes within `timeoutSeconds` (whole seconds, default 10, at most 60)
   */
  waitFor(query?: EventQuery & { readonly timeoutSeconds?: number }): Promise<ConnectedEvent>;
  /** The id of the newest event: pass it as `after` to get only later events. */
  lastId(): Promise<number>;
}

/** Reads the log of an issuer that runs elsewhere, over its control API. */
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
      throw new Error(`events.waitFor: no event matched ${JSON.stringify(query)} within ${timeoutSeconds} s`);
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
