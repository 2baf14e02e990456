import type { EventOf, SandboxEvent } from '../../../base/events/event.ts';

/** The last deed of somebody: their newest request, with the walk of a browser through the pages of a sign-in that led to it. */
export interface NewestDeed {
  includes(event: SandboxEvent): boolean;
  /** Its newest request was refused. */
  readonly refusal?: EventOf<'error.returned'>;
}

/** `events` are those of an issuer, oldest first. `isApp`: an app sends the requests, each sign-in with all that follows is one deed. */
export function newestDeed(events: readonly SandboxEvent[], isApp = false): NewestDeed {
  const ended = events.filter((event): event is EventOf<'request.completed'> => event.type === 'request.completed');
  const newest = ended.at(-1);
  if (newest === undefined) return { includes: () => true };
  const first = ended.findLastIndex((each, index) => each !== newest && !leadsOn(each, ended[index + 1], isApp));
  const own = new Set(ended.slice(first + 1).map(each => each.requestId));
  const refusal = events.findLast(
    (event): event is EventOf<'error.returned'> =>
      event.type === 'error.returned' && event.requestId === newest.requestId,
  );
  return {
    // what the sandbox itself does, such as a probe of an API, has no request
    includes: ({ id, requestId }) => own.has(requestId) || (id > newest.id && !requestId.startsWith('req_')),
    ...(refusal === undefined ? {} : { refusal }),
  };
}

const pages: ReadonlySet<string> = new Set([
  ...['authorize', 'login', 'consent', 'end_session', 'logout', 'device_verification', 'demo_app'],
]);

/** Requests that an app sends by itself. */
const ofApps: ReadonlySet<string> = new Set(['token', 'jwks', 'api', 'userinfo']);

/**
 * A page of a sign-in, whose form or redirect led to the next one, or whose code to the token endpoint. A second visit of the first page
 * begins anew.
 */
function leadsOn(
  { endpoint }: EventOf<'request.completed'>,
  next: EventOf<'request.completed'> | undefined,
  isApp: boolean,
): boolean {
  if (next === undefined) return false;
  if (isApp && ofApps.has(endpoint) && ofApps.has(next.endpoint)) return true;
  if (!pages.has(endpoint)) return false;
  if (!pages.has(next.endpoint) && next.endpoint !== 'token') return false;
  return !(next.endpoint === 'authorize' && next.status === 200);
}
