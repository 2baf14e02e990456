import type { EventOf } from '../events/event.ts';
import { atOnce, type Pieces } from '../turns/in-turns.ts';
import { createFaulted } from './faulted.ts';
import { exchangeOf } from './history.ts';
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
  /** Newest last; the oldest are forgotten. */
  readonly occurrences: Refused[];
  newest: Refused;
}

const mostGroups = 500;
const mostOccurrences = 50;

/** Refusals in groups; it reads what is new in the log when it is asked, so that a refusal costs its request nothing. */
export function createRefusals(known: Known) {
  const { events } = known;
  /** The group with the newest refusal last. */
  const groups = new Map<string, Group>();
  const isFaulted = createFaulted(events);
  let readTo = 0;
  /** Only when its request is over, it is known whether a fault had to do with it. */
  let waiting: Refused[] = [];
  /** What is not read yet of all up to `readTo`, the oldest last. */
  let unread: Refused[] = [];

  function* catchUp(): Pieces<void> {
    if (events.lastId === readTo && unread.length === 0) return;
    if (events.lastId !== readTo) {
      unread = [...newSince(events, readTo).toReversed(), ...unread, ...waiting.toReversed()];
      waiting = [];
      readTo = events.lastId;
    }
    for (let refused = unread.pop(); refused !== undefined; refused = unread.pop()) {
      if (isUnderway(events, refused)) waiting.push(refused);
      else if (!isFaulted(refused) && !isWanted(known, refused)) add(refused);
      yield;
    }
    yield* prune(groups, events);
  }

  function add(refused: Refused): void {
    const { client_id, error: code, reason, at } = refused;
    const key = JSON.stringify([client_id ?? '', code, reason, pathOf(events, refused)]);
    const group: Group = groups.get(key) ?? {
      ...{ id: idOf(refused), client_id, code, reason, firstAt: at, count: 0, occurrences: [], newest: refused },
    };
    group.count++;
    group.newest = refused;
    group.occurrences.push(refused);
    if (group.occurrences.length > mostOccurrences) group.occurrences.shift();
    groups.delete(key);
    groups.set(key, group);
    // at once: a flood that is read in one go must not be compared with itself
    const [oldest = key] = groups.keys();
    if (groups.size > mostGroups) groups.delete(oldest);
  }

  /** `prb_…`: a request that was refused twice has two. */
  function idOf({ requestId }: Refused): string {
    const id = requestId.replace(/^req_/, 'prb_');
    const isTaken = (wanted: string) => [...groups.values()].some(group => group.id === wanted);
    if (!isTaken(id)) return id;
    for (let n = 2; ; n++) if (!isTaken(`${id}-${n}`)) return `${id}-${n}`;
  }

  return {
    /** Reads what is new; each refusal is a piece. Who cannot wait may read the rest meanwhile. */
    catchUp,
    /** The one with the newest refusal first, without what turned out to be part of a good conversation. */
    all(): readonly Group[] {
      atOnce(catchUp());
      return [...groups.values()].reverse().filter(group => !isPassing(known, group));
    },
  };
}

/** What the log has forgotten, or was told to forget, is no problem any more. */
function* prune(groups: Map<string, Group>, events: Known['events']): Pieces<void> {
  for (const [key, { occurrences }] of groups) {
    while (occurrences[0] !== undefined && !isKept(events, occurrences[0])) occurrences.shift();
    if (occurrences.length === 0) groups.delete(key);
    yield;
  }
}

const few = 100;

/** Oldest first. Mostly nothing or little is new. */
function newSince({ latest, kept }: Known['events'], readTo: number): readonly Refused[] {
  const newest = latest('error.returned', few);
  const isAll = newest.length < few || (newest.at(-1)?.id ?? 0) <= readTo;
  const all = isAll ? newest : latest('error.returned', kept('error.returned'));
  return all.filter(({ id }) => id > readTo).reverse();
}

/** What belongs to a good conversation, and what the owner of the sandbox has brought about. */
function isWanted(known: Known, error: Refused): boolean {
  const request = exchangeOf(known, error.requestId);
  return isOrdinary(error) || purposeOf(known, request === undefined ? { error } : { error, request }) !== undefined;
}

/** A path that is not there, or has no such method, is a mistake of its own: two of them have nothing in common. */
function pathOf(events: Known['events'], { status, requestId }: Refused): string {
  if (!isOfPath(status)) return '';
  for (const event of events.ofRequest(requestId))
    if (event.type === 'request.completed' || event.type === 'page.served') return event.path;
  return '';
}

function isOfPath(status: number): boolean {
  return status === 404 || status === 405;
}

/** Where there were faults, or the path counts, and for as long as the log has it. */
function isUnderway(events: Known['events'], refused: Refused): boolean {
  const isAwaited = events.kept('fault.applied') > 0 || isOfPath(refused.status);
  if (!isAwaited || !refused.requestId.startsWith('req_')) return false;
  return isKept(events, refused) && !events.ofRequest(refused.requestId).some(({ type }) => isOver.has(type));
}

const isOver: ReadonlySet<string> = new Set(['request.completed', 'page.served']);

function isKept(events: Known['events'], { requestId, id }: Refused): boolean {
  return events.ofRequest(requestId).some(event => event.id === id);
}

function isPassing(known: Known, { newest }: Group): boolean {
  return isChallenge(newest) && isAnswered(known, newest);
}
