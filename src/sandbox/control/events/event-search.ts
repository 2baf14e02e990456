import type { SandboxEvent } from '../../../base/events/event.ts';
import type { Exchange } from '../../../base/events/exchange.ts';
import type { Contents, Searchable } from '../../../base/events/search.ts';
import { readUnverified } from '../../../protocol/unverified-jwt.ts';
import { bodyContents, headerContents } from '../../../record/flows/contents.ts';

type Members = Readonly<Record<string, unknown>>;

/** Search fields of events: the grammar of the dashboard, with operators for events of any type. */
export const eventSearch: Searchable<SandboxEvent> = {
  fields: {
    type: { of: ({ type }) => type },
    client: { of: event => member(event, 'client_id') },
    user: { of: event => member(event, 'sub') },
    endpoint: { of: event => member(event, 'endpoint') },
    method: { of: event => member(event, 'method') },
    path: { of: event => member(event, 'path') },
    status: { of: statusOf },
    ms: { of: event => member(event, 'milliseconds') },
    code: { of: event => [member(event, 'error'), member(event, 'reason')].filter(each => each !== undefined) },
    scope: { of: scopesOf },
    token: { of: event => [member(event, 'tokenId'), member(event, 'about')].filter(each => each !== undefined) },
    authorization: { of: event => member(event, 'authorizationId') },
    request: { of: ({ requestId }) => requestId },
    grant: { of: event => member(event, 'grant_type') },
    header: {
      path: true,
      slow: true,
      within: (event, path) => withExchange(event, exchange => headerContents(exchange, path.join('.'))),
    },
    body: { slow: true, within: event => withExchange(event, bodyContents) },
    member: { path: true, of: (event, path) => valuesAt(event, path) },
    claim: { path: true, slow: true, of: (event, path) => valuesAt(decodedToken(event), path) },
  },
  words: event =>
    Object.entries(event).flatMap(([name, value]) => (typeof value === 'string' && name !== 'token' ? [value] : [])),
  exact: event => ('token' in event && typeof event.token === 'string' ? [event.token] : []),
  at: ({ at }) => at,
};

/** A member of an event of any type; undefined where that type has no such member. */
function member(event: SandboxEvent, name: string): unknown {
  return (event as unknown as Members)[name];
}

/** Undefined for an event that is not a recorded request. */
function withExchange(event: SandboxEvent, read: (exchange: Exchange) => Contents): Contents | undefined {
  return event.type === 'request.completed' ? read(event.exchange) : undefined;
}

function statusOf(event: SandboxEvent): unknown[] {
  const status = member(event, 'status');
  return typeof status === 'number' ? [status, `${Math.floor(status / 100)}xx`] : [];
}

function scopesOf(event: SandboxEvent): unknown {
  const scope = member(event, 'scope');
  return typeof scope === 'string' ? scope.split(' ') : undefined;
}

/** The claims of a JWT, or those stored for an opaque token; undefined for other events. */
export function decodedToken(event: SandboxEvent): object | undefined {
  if (event.type !== 'token.issued') return undefined;
  if (event.claims !== undefined) return event.claims;
  try {
    return readUnverified(event.signed ?? event.token).claims;
  } catch {
    return undefined; // a refresh token says nothing
  }
}

/**
 * Values at a path. A list yields each of its elements, and a name may contain dots. Recorded requests and answers are
 * not searched.
 */
function valuesAt(value: unknown, path: readonly string[]): unknown[] {
  if (Array.isArray(value)) return value.flatMap(each => valuesAt(each, path));
  const [name, ...rest] = path;
  if (name === undefined) return [value];
  if (typeof value !== 'object' || value === null || name === 'exchange') return [];
  const whole = path.join('.');
  const found = Object.keys(value).find(each => each === whole || each.toLowerCase() === whole.toLowerCase());
  if (found !== undefined) return valuesAt((value as Members)[found], []);
  return Object.hasOwn(value, name) ? valuesAt((value as Members)[name], rest) : [];
}
