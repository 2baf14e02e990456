import { defined } from '../../base/defined.ts';
import { inTurns } from '../../base/turns.ts';
import type { ProblemIndex } from '../../record/problems/problem.ts';
import type { ProblemFinder } from './message.ts';

/** `isRefused` is a quick look at the log, because most requests cause no problem. */
export function createProblemFinder(
  problems: ProblemIndex,
  isRefused: (requestId: string) => boolean,
  pageOf: (id: string) => string | undefined,
): ProblemFinder {
  return {
    async foundBy(requestId) {
      if (!isRefused(requestId)) return undefined;
      await inTurns(problems.catchUp());
      const problem = problems.ofRequest(requestId);
      if (problem === undefined || problem.requestIds.at(-1) !== requestId || problem.count > problem.requestIds.length)
        return undefined;
      const { id, kind, client_id, code, reason, title } = problem;
      return { id, kind, code, reason, title, requestId, ...defined({ client_id, page: pageOf(id) }) };
    },
  };
}
