import type { EventOf } from '../../base/events/event.ts';
import type { EventLog } from '../../base/events/event-log.ts';
import { isReuse } from '../../record/flows/correlation/flow-status.ts';
import { isOrdinary } from '../../record/problems/ordinary.ts';

type Refused = EventOf<'error.returned'>;

/** A lower rank matters more: a refused login stops everything, while browsers request unknown paths by themselves. */
const ranks: Readonly<Record<string, number>> = {
  token: 1,
  introspect: 1,
  revoke: 1,
  userinfo: 1,
  register: 1,
  api: 2,
  discovery: 3,
  jwks: 3,
  dashboard: 3,
  unknown: 4,
};
const login = 0;
const mostLookedAt = 100;
/** Seconds before the newest refusal. An older refusal does not hide the newest one. */
const window = 600;

/** Chooses the refusal for Home: of the last ten minutes before the newest one, login before token before API before 404. */
export function refusalThatMatters(events: EventLog): Refused | undefined {
  const refusals = events.latest('error.returned', mostLookedAt).filter(each => isMistake(each, events));
  const since = (refusals[0]?.at ?? 0) - window;
  const rank = ({ endpoint }: Refused) => ranks[endpoint] ?? login;
  const [first] = refusals.filter(({ at }) => at >= since).sort((a, b) => rank(a) - rank(b) || b.id - a.id);
  return first && (causeOf(events, first) ?? first);
}

/** The refusal that revoked the tokens of a login, for a later refusal of one of these tokens. */
function causeOf(events: EventLog, { id, authorizationId }: Refused): Refused | undefined {
  if (authorizationId === undefined) return undefined;
  const reuse = events.ofAuthorization(authorizationId).findLast(event => event.id < id && isReuse(event));
  return reuse && events.ofRequest(reuse.requestId).find(event => event.type === 'error.returned');
}

/** Not a normal part of a flow, and not the work of a fault. */
function isMistake(refused: Refused, events: EventLog): boolean {
  return !isOrdinary(refused) && !events.ofRequest(refused.requestId).some(({ type }) => type === 'fault.applied');
}
