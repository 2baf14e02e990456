import type { Explanation, Problem, ProblemIndex } from '../problems/problem.ts';

/** A problem with the explanation that was made when it was recorded. */
export interface RecordedProblem extends Problem {
  readonly explanation: Explanation;
}

/** The problems of a session file as they were recorded, newest first in the file. */
export function recordedProblems(problems: readonly RecordedProblem[]): ProblemIndex {
  const byId = new Map(problems.map(problem => [problem.id, problem]));
  // several problems may have one request: a refusal of its answer goes before one of CORS
  const ofRequest = (requestId: string) => {
    const its = problems.filter(({ requestIds }) => requestIds.includes(requestId));
    return its.find(({ reason }) => !reason.startsWith('cors_')) ?? its[0];
  };
  return {
    *catchUp() {},
    latest: limit => problems.slice(0, limit),
    newestFirst: () => problems,
    find: id => byId.get(id),
    ofRequest,
    explain(problem) {
      const recorded = byId.get(problem.id);
      if (recorded === undefined) throw new Error(`the file has no problem ${problem.id}`);
      return recorded.explanation;
    },
    count: () => problems.length,
    countsByClient() {
      const counts = new Map<string, number>();
      for (const { client_id } of problems)
        if (client_id !== undefined) counts.set(client_id, (counts.get(client_id) ?? 0) + 1);
      return counts;
    },
    newestEventIds: () => problems.map(({ lastEventId }) => lastEventId),
  };
}
