import type { EventOf } from '../../base/events/event.ts';
import { headerOf } from '../../base/events/exchange.ts';
import { atOnce, type Pieces } from '../../base/turns.ts';
import { type Detector, detectors } from './detectors/index.ts';
import { explainRefusal, titleOf } from './explain.ts';
import { createFaulted } from './faulted.ts';
import { refusalOf } from './history.ts';
import type { Known } from './known.ts';
import { isAnswered, isChallenge, isOrdinary, purposeOf } from './on-purpose.ts';
import type { Explanation, ListedProblem, Problem, ProblemIndex, Refusal, SilentGroup } from './problem.ts';
import { createSilentFailures } from './silent-failures.ts';

interface Source {
  readonly id: string;
  readonly client_id: string | undefined;
  readonly reason: string;
  readonly requestIds: readonly string[];
  readonly lastEventId: number;
  problem(): Problem;
  explain(requestId?: string): Explanation;
}

/** Makes the index of refusals and silent failures of one log. */
export function createProblemIndex(known: Known, watched: readonly Detector[] = detectors): ProblemIndex {
  const refusals = createRefusals(known);
  const failures = createSilentFailures(known, watched);

  function all(): readonly Source[] {
    const refused = refusals.all().map(group => refusalSource(known, group));
    const silent = failures.all().map(silentSource);
    return silent.length === 0 ? refused : [...refused, ...silent].sort((a, b) => b.lastEventId - a.lastEventId);
  }

  return {
    silent: failures,
    *catchUp() {
      yield* refusals.catchUp();
      yield* failures.catchUp();
    },
    latest: limit =>
      all()
        .slice(0, limit)
        .map(each => each.problem()),
    *listed(): Generator<ListedProblem> {
      for (const each of all()) yield { problem: each.problem(), explain: each.explain };
    },
    find: id =>
      all()
        .find(each => each.id === id)
        ?.problem(),
    ofRequest: requestId => shownFor(all(), requestId)?.problem(),
    explain(problem, requestId) {
      const source = all().find(({ id }) => id === problem.id);
      if (source === undefined) throw new Error(`the problem ${problem.id} is forgotten`);
      return source.explain(requestId);
    },
    count: () => refusals.all().length + failures.all().length,
    countsByClient: () => countsByClient(all()),
    newestEventIds: () => all().map(({ lastEventId }) => lastEventId),
  };
}

/** The number of problems by client. */
export function countsByClient(
  all: readonly { readonly client_id?: string | undefined }[],
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { client_id } of all) if (client_id !== undefined) counts.set(client_id, (counts.get(client_id) ?? 0) + 1);
  return counts;
}

/** The problem of a request. Prefers the refusal of the answer itself to the CORS refusal of the same request. */
export function shownFor<T extends Pick<Problem, 'requestIds' | 'reason'>>(
  all: readonly T[],
  requestId: string,
): T | undefined {
  const its = all.filter(({ requestIds }) => requestIds.includes(requestId));
  return its.find(({ reason }) => !reason.startsWith('cors_')) ?? its[0];
}

function refusalSource(known: Known, group: Group): Source {
  const { id, client_id, code, reason, count, firstAt, occurrences, newest } = group;
  const requestIds = occurrences.map(each => each.requestId).reverse();
  const common = { id, reason, requestIds, lastEventId: newest.id };
  return {
    ...common,
    client_id,
    problem() {
      const refusal = refusalOf(known, newest);
      return {
        ...common,
        kind: 'refusal',
        code,
        count,
        firstAt,
        lastAt: newest.at,
        requestId: newest.requestId,
        title: titleOf(known, refusal),
        client_id,
        ...(isByTool(refusal) ? { isByTool: true } : {}),
      };
    },
    explain: wanted =>
      explainRefusal(known, refusalOf(known, occurrences.findLast(each => each.requestId === wanted) ?? newest)),
  };
}

function isByTool({ request }: Refusal): boolean {
  return request !== undefined && headerOf(request.exchange.requestHeaders, 'grantbox-tool') !== undefined;
}

function silentSource({ name, failures, newest, first }: SilentGroup): Source {
  const id = `${first.requestId.replace(/^req_/, 'prb_')}-${name}`;
  const requestIds = failures.map(each => each.requestId).reverse();
  const { client_id, title, at: lastAt, eventId: lastEventId, requestId } = newest;
  const common = { id, reason: name, requestIds, lastEventId };
  return {
    ...common,
    client_id,
    problem: () => ({
      ...common,
      kind: 'silent',
      code: name,
      title,
      count: failures.length,
      firstAt: first.at,
      lastAt,
      requestId,
      client_id,
    }),
    explain: wanted => (failures.findLast(each => each.requestId === wanted) ?? newest).explain(),
  };
}

type Refused = EventOf<'error.returned'>;

interface Group {
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
function createRefusals(known: Known) {
  const { events } = known;
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
      return [...groups.values()].reverse().filter(({ newest }) => !(isChallenge(newest) && isAnswered(known, newest)));
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
