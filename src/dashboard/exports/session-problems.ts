import type { Pieces } from '../../base/turns.ts';
import type { Export } from '../../record/flows/exports/export.ts';
import type { Explanation } from '../../record/problems/problem.ts';
import type { Desk } from '../desk.ts';

/**
 * The problems of the exported requests, newest first, each with the complete explanation of its newest exported occurrence, because
 * the file lacks the secrets it was made from. New requests meanwhile may push out a problem, which stays in the list.
 */
export function* problemsIn({ problems }: Pick<Desk, 'problems'>, { requests }: Export): Pieces<object[]> {
  const exported = new Set(requests.map(each => each.requestId));
  const found: object[] = [];
  yield* problems.catchUp();
  for (const { problem, explain } of problems.listed()) {
    const requestIds = problem.requestIds.filter(id => exported.has(id));
    const [requestId] = requestIds;
    if (requestId !== undefined) {
      const count = requestIds.length === problem.requestIds.length ? problem.count : requestIds.length;
      found.push({ ...problem, count, requestId, requestIds, explanation: withoutChanges(explain(requestId)) });
    }
    yield;
  }
  return found;
}

/** A file changes nothing, and a proposed change may contain a secret. */
function withoutChanges(explanation: Explanation): Explanation {
  return { ...explanation, fixes: explanation.fixes.map(({ text, snippets }) => ({ text, snippets })) };
}
