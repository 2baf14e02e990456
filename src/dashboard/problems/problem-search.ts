import type { Searchable } from '../../events/search/match.ts';
import type { Problem } from '../../problems/problem.ts';

/** What the list of problems can be searched by. */
export function problemSearch(isSeen: (eventId: number) => boolean): Searchable<Problem> {
  return {
    fields: {
      client: { suggested: true, of: problem => problem.client_id },
      code: { suggested: true, of: problem => problem.code },
      reason: { suggested: true, of: problem => problem.reason },
      kind: { values: ['refusal', 'silent'], of: problem => problem.kind },
      is: {
        values: ['unseen', 'tool'],
        of: problem => [...(isSeen(problem.lastEventId) ? [] : ['unseen']), ...(problem.isByTool ? ['tool'] : [])],
      },
    },
    words: ({ id, title, client_id, code, reason, requestIds }) => [id, title, client_id, code, reason, ...requestIds],
    at: problem => problem.lastAt,
  };
}
