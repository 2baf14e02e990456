import type { EventLog } from '../../base/events/event-log.ts';
import type { Explanation, Problem, ProblemIndex } from '../../record/problems/problem.ts';
import { countsByClient, createProblemIndex, shownFor } from '../../record/problems/problem-index.ts';

/** A problem with the explanation that was made when it was recorded. */
export interface RecordedProblem extends Problem {
  readonly explanation: Explanation;
}

/** The problems of a session file as they were recorded, newest first in the file. */
export function recordedProblems(problems: readonly RecordedProblem[]): ProblemIndex {
  const byId = new Map(problems.map(problem => [problem.id, problem]));
  return {
    *catchUp() {},
    latest: limit => problems.slice(0, limit),
    newestFirst: () => problems,
    listed: () => problems.map(problem => ({ problem, explain: () => problem.explanation })),
    find: id => byId.get(id),
    ofRequest: requestId => shownFor(problems, requestId),
    explain(problem) {
      const recorded = byId.get(problem.id);
      if (recorded === undefined) throw new Error(`the file has no problem ${problem.id}`);
      return recorded.explanation;
    },
    count: () => problems.length,
    countsByClient: () => countsByClient(problems),
    newestEventIds: () => problems.map(({ lastEventId }) => lastEventId),
  };
}

/** The problems that a log shows by itself: the configuration of its server is not known. `now` in Unix seconds. */
export function foundProblems(events: EventLog, issuer: string, now: number): ProblemIndex {
  return createProblemIndex({
    ...{ events, issuer, iss: issuer, base: '', scopes: [], endpoints: [] },
    ...{ clock: () => now, registered: () => [], accounts: () => [] },
  });
}
