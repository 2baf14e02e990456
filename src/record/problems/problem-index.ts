import { defined } from '../../base/defined.ts';
import { headerOf } from '../../base/events/exchange.ts';
import { type Detector, detectors } from './detectors/index.ts';
import { explainRefusal, titleOf } from './explain.ts';
import { refusalOf } from './history.ts';
import type { Known } from './known.ts';
import type { Explanation, ListedProblem, Problem, ProblemIndex, Refusal, SilentGroup } from './problem.ts';
import { createRefusals, type Group } from './refusals.ts';
import { createSilentFailures } from './silent-failures.ts';

/** A problem whose texts are not written yet. */
interface Source {
  readonly id: string;
  readonly client_id: string | undefined;
  readonly reason: string;
  /** Newest first. */
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
    *newestFirst() {
      for (const each of all()) yield each.problem();
    },
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
        ...defined({ client_id }),
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
      ...defined({ client_id }),
    }),
    explain: wanted => (failures.findLast(each => each.requestId === wanted) ?? newest).explain(),
  };
}
