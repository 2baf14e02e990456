import type { Export } from '../../flows/exports/export.ts';
import type { Explanation, Problem } from '../../problems/problem.ts';
import type { Desk } from '../desk.ts';

/**
 * The problems of the exported requests, newest first, each with the complete explanation of its newest exported occurrence, because
 * the file lacks the secrets it was made from.
 */
export function* problemsIn({ problems }: Pick<Desk, 'problems'>, { requests }: Export) {
  const exported = new Set(requests.map(each => each.requestId));
  const found: (Problem & { readonly explanation: Explanation })[] = [];
  for (const problem of problems.newestFirst()) {
    const requestIds = problem.requestIds.filter(id => exported.has(id));
    const [requestId] = requestIds;
    if (requestId !== undefined) {
      const count = requestIds.length === problem.requestIds.length ? problem.count : requestIds.length;
      const explanation = withoutChanges(problems.explain(problem, requestId));
      found.push({ ...problem, count, requestId, requestIds, explanation });
    }
    yield;
  }
  return found;
}

/** A file changes nothing, and a proposed change may contain a secret. */
function withoutChanges(explanation: Explanation): Explanation {
  return { ...explanation, fixes: explanation.fixes.map(({ text, snippets }) => ({ text, snippets })) };
}
