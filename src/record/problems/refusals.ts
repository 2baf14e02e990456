import type { EventOf } from '../../base/events/event.ts';
import { atOnce, type Pieces } from '../../base/turns/in-turns.ts';
import { createFaulted } from './faulted.ts';
import { refusalOf } from './history.ts';
import type { Known } from './known.ts';
import { purposeOf } from './on-purpose.ts';
import { isAnswered, isChallenge, isOrdinary } from './ordinary.ts';

type Refused = EventOf<'error.returned'>;

/** Refusals of one client for one cause. */
export interface Group {
  readonly id: string;
  readonly client_id: string | undefined;
  readonly code: string;
  readonly reason: string;
  readonly firstAt: number;
  count: number;
  /** Newest last. The oldest are dropped. */
  readonly occurrences: Refused[];
  newest: Refused;
}

const mostGroups = 500;
const mostOccurrences = 50;

/** Groups the refusals of the log. It reads new events on demand, so that a refusal costs its request nothing. */
export function createRefusals(known: Known) {
  const { events } = known;
  /** The group with the newest refusal last. */
  const groups = new Map<string, Group>();
  const faulted = createFaulted(events);
  let readTo = 0;
  let forgotten = 0;
  /** Refusals of running requests. A fault may still meet such a request. */
  let waiting: Refused[] = [];
  /** Unread refusals up to `readTo`, oldest last. */
  let unread: Refused[] = [];

  function* catchUp(): Pieces<void> {
    if (events.lastId === readTo && unread.length === 0) return;
    if (events.lastId !== readTo) {
      unread = [...events.keptSince(readTo, ['error.returned']).toReversed(), ...unread, ...waiting.toReversed()];
      waiting = [];
      readTo = events.lastId;
    }
    while (unread.length > 0) {
      yield* faulted.catchUp();
      const refused = unread.pop();
      if (refused !== undefined) take(refused);
      yield;
    }
    if (events.newestForgotten === forgotten) return;
    forgotten = events.newestForgotten;
    yield* prune(groups, events);
  }

  function take(refused: Refused): void {
    if (isUnderway(events, refused)) waiting.push(refused);
    else if (!faulted.isWorkOf(refused) && !isWanted(known, refused)) add(refused, groups, events);
  }

  return {
    /** Reads new refusals in pieces, one for each. `all` may be called meanwhile. */
    catchUp,
    /** Returns the groups, newest refusal first, without normal parts of a successful flow. */
    all(): readonly Group[] {
      atOnce(catchUp());
      return [...groups.values()].reverse().filter(group => !isPassing(known, group));
    },
  };
}

function add(refused: Refused, groups: Map<string, Group>, events: Known['events']): void {
  const { client_id, error: code, reason } = refused;
  const key = JSON.stringify([client_id ?? '', code, reason, pathOf(events, refused)]);
  const group = groups.get(key) ?? newGroup(refused, groups);
  group.count++;
  group.newest = refused;
  group.occurrences.push(refused);
  if (group.occurrences.length > mostOccurrences) group.occurrences.shift();
  groups.delete(key);
  groups.set(key, group);
  // at once, because newGroup compares its id with all groups and a flood would make that slow
  const [oldest = key] = groups.keys();
  if (groups.size > mostGroups) groups.delete(oldest);
}

function newGroup(refused: Refused, groups: ReadonlyMap<string, Group>): Group {
  const { client_id, error: code, reason, at: firstAt } = refused;
  const id = idOf(refused, groups);
  return { id, client_id, code, reason, firstAt, count: 0, occurrences: [], newest: refused };
}

/** Makes an id `prb_…`. A request with two refusals gets two ids. */
function idOf({ requestId }: Refused, groups: ReadonlyMap<string, Group>): string {
  const id = requestId.replace(/^req_/, 'prb_');
  const taken = new Set([...groups.values()].map(group => group.id));
  if (!taken.has(id)) return id;
  for (let n = 2; ; n++) if (!taken.has(`${id}-${n}`)) return `${id}-${n}`;
}

/** Removes refusals that the log has dropped. */
function* prune(groups: Map<string, Group>, events: Known['events']): Pieces<void> {
  for (const [key, { occurrences }] of groups) {
    while (occurrences[0] !== undefined && !events.isKept(occurrences[0])) occurrences.shift();
    if (occurrences.length === 0) groups.delete(key);
    yield;
  }
}

/** Tells whether a refusal is a normal part of a flow, or was caused on purpose. */
function isWanted(known: Known, error: Refused): boolean {
  return isOrdinary(error) || purposeOf(known, refusalOf(known, error)) !== undefined;
}

/** Returns the path of a 404 or 405, because each wrong path is a separate mistake. */
function pathOf(events: Known['events'], { status, requestId }: Refused): string {
  if (!isOfPath(status)) return '';
  for (const event of events.ofRequest(requestId))
    if (event.type === 'request.completed' || event.type === 'page.served') return event.path;
  return '';
}

function isOfPath(status: number): boolean {
  return status === 404 || status === 405;
}

/** Tells whether to wait for the end of a request, which decides about faults and names the path. */
function isUnderway(events: Known['events'], refused: Refused): boolean {
  const isAwaited = events.kept('fault.applied') > 0 || isOfPath(refused.status);
  if (!isAwaited || !refused.requestId.startsWith('req_')) return false;
  return events.isKept(refused) && !events.ofRequest(refused.requestId).some(({ type }) => isOver.has(type));
}

const isOver: ReadonlySet<string> = new Set(['request.completed', 'page.served']);

function isPassing(known: Known, { newest }: Group): boolean {
  return isChallenge(newest) && isAnswered(known, newest);
}
