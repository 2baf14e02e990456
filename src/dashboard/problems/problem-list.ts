import { createMatcher, parseQuery, type Searchable } from '../../base/events/search.ts';
import { cut } from '../../base/text/words.ts';
import type { Pieces } from '../../base/turns.ts';
import { firstMatching } from '../../base/turns.ts';
import type { Problem } from '../../record/problems/problem.ts';
import type { Desk } from '../desk.ts';
import { momentOf } from '../moment.ts';
import { filterBox, pageLinks, withValue } from '../search/filter-box.ts';

/** Most groups that are kept. */
const mostProblems = 500;
/** The most groups on a page, so that it stays under 120 kB. */
const mostRows = 100;
const longestTitle = 120;
const longestName = 40;

type Seen = (eventId: number) => boolean;

interface ProblemsQuery {
  readonly query: string;
  /** Only problems whose last occurrence was before this event. */
  readonly before?: number | undefined;
}

export function* problemsPage(desk: Desk, { query, before }: ProblemsQuery, isSeen: Seen) {
  const list = problemSearch(isSeen);
  const parsed = parseQuery(query, list.fields);
  const items = yield* keptProblems(desk);
  const action = `${desk.base}/dashboard/problems`;
  const matches = createMatcher(parsed, list, desk.clock());
  const isWanted = (problem: Problem) => (before === undefined || problem.lastEventId < before) && matches(problem);
  const found = yield* firstMatching(items, isWanted, mostRows + 1);
  const shown = found.slice(0, mostRows);
  return {
    query,
    filter: filterBox({
      action,
      query,
      placeholder: 'client:frontend code:invalid_grant is:unseen',
      parsed,
      list,
      items,
    }),
    rows: rowsOf(desk, shown, isSeen, query),
    // the number without the filter
    all: items.length,
    ...pageLinks(action, { query, before }, found.length > mostRows ? shown.at(-1)?.lastEventId : undefined),
  };
}

/** All kept problems, newest first; each is a piece of work. */
export function keptProblems(desk: Desk): Pieces<Problem[]> {
  return firstMatching(desk.problems.newestFirst(), () => true, mostProblems);
}

/** The problems that are new or occurred again since an event. */
export function* newProblemRows(desk: Desk, query: string, after: number, isSeen: Seen) {
  const list = problemSearch(isSeen);
  const matches = createMatcher(parseQuery(query, list.fields), list, desk.clock());
  const isNew = (problem: Problem) => problem.lastEventId > after && matches(problem);
  return rowsOf(desk, yield* firstMatching(desk.problems.newestFirst(), isNew, mostProblems), isSeen, query);
}

function rowsOf({ clock }: Desk, problems: readonly Problem[], isSeen: Seen, query: string) {
  const now = clock();
  return problems.map(({ id, title, code, count, kind, client_id = '', lastAt, lastEventId, isByTool = false }) => ({
    id,
    code,
    count,
    kind,
    isByTool,
    eventId: lastEventId,
    title: cut(title, longestTitle),
    client_id: cut(client_id, longestName),
    links: { code: withValue('', query, 'code', code), client: withValue('', query, 'client', client_id) },
    last: momentOf(lastAt, now),
    isUnseen: !isSeen(lastEventId),
  }));
}

/** The search operators of the list of problems. */
function problemSearch(isSeen: Seen): Searchable<Problem> {
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
