import type { Request, Response, Router } from 'express';
import type { Change, ChangeProblem } from '../../base/events/change.ts';
import { createMatcher, parseQuery, type Searchable } from '../../base/events/search.ts';
import { cut } from '../../base/text/words.ts';
import { firstMatching, inTurns, type Pieces } from '../../base/turns.ts';
import { type Explained, explainedRequest, explanationView, markOf } from '../../record/problems/explain.ts';
import type { ListedProblem, Problem } from '../../record/problems/problem.ts';
import { openAgain } from '../../record/problems/remedies.ts';
import { filterBox, pageLinks, withValue } from '../filter-box.ts';
import { changing } from '../form.ts';
import { serveRows } from '../live-rows.ts';
import { momentOf } from '../moment.ts';
import { type PageContext, shareOf } from '../page.ts';
import { integerOf, textOf } from '../query.ts';
import { problemJson, problemMarkdown, problemSummary } from './problem-formats.ts';
import { markAllSeen, markSeen, seenBy } from './seen.ts';

/** `/problems`: refusals with their reasons and fixes. */
export function problemPages(router: Router, context: PageContext): void {
  router.get('/problems', async (req, res) => {
    const asked = { query: textOf(req.query.q), before: integerOf(req.query.before) };
    markAllSeen(context, res); // problems that arrive during the search stay unseen
    const model = await inTurns(problemsPage(context, asked, seenBy(context, req)));
    await context.show(res, { template: 'problems', title: 'Problems', nav: 'problems', model });
  });
  router.get('/problems/latest', (_req, res) => toLatest(context, res));
  router.get('/problems/:id.md', async (req, res) => {
    const explained = explainedRequest(context, req.params.id);
    if (explained === undefined) return context.forgotten(res, 'problem');
    res.type('text/markdown').send(problemMarkdown(context, explained));
  });
  router.get('/problems/:id', async (req, res) => {
    const explained = explainedRequest(context, req.params.id);
    if (explained === undefined) return context.forgotten(res, 'problem');
    if (explained.problem !== undefined) markSeen(context, res, explained.problem.lastEventId);
    await showProblem(context, res, explained, { done: textOf(req.query.done) });
  });
  router.post(
    '/problems/:id/fix',
    changing<{ id: string }>(context, (form, { params: { id } }, res) => fix(context, id, form, res)),
  );
  problemsApi(router, context);
}

function problemsApi(router: Router, context: PageContext): void {
  serveRows(router, context, {
    name: 'problems',
    template: 'problem-rows',
    *read(query, after = 0) {
      return { rows: yield* newProblemRows(context, query, after, () => false) };
    },
  });
  router.get('/api/v1/problems', async (_req, res) => {
    const problems = await inTurns(keptProblems(context));
    res.json({ problems: problems.map(({ problem }) => problemSummary(context, problem)) });
  });
  router.get('/api/v1/problems/:id', (req, res) => {
    const { id } = req.params;
    const explained = explainedRequest(context, id === 'latest' ? (context.problems.latest(1)[0]?.id ?? '') : id);
    if (explained === undefined)
      res.status(404).json({ error: 'not_found', error_description: 'the history has no problem with this id' });
    else res.json(problemJson(context, explained));
  });
}

function toLatest(context: PageContext, res: Response): Promise<void> | undefined {
  const [latest] = context.problems.latest(1);
  if (latest === undefined) return context.forgotten(res, 'problem');
  res.redirect(302, `${context.base}/dashboard/problems/${latest.id}`);
  return undefined;
}

async function fix(context: PageContext, id: string, form: URLSearchParams, res: Response): Promise<void> {
  const explained = explainedRequest(context, id);
  if (explained === undefined) return context.forgotten(res, 'problem');
  const isInPane = res.req.query.pane !== undefined;
  const fixed = await fixProblem(context, explained, form);
  if (isInPane) return leadToPane(context, res, id, fixed);
  if ('inputProblems' in fixed) return showProblem(context, res, explained, { inputProblems: fixed.inputProblems });
  letLeadOn(res);
  res.redirect(303, fixed.again ?? `${context.base}/dashboard/problems/${explained.requestId}?${doneQuery(fixed)}`);
}

/** Redirects to the list with the same request in its pane, which says what came of the fix. */
function leadToPane(context: PageContext, res: Response, id: string, fixed: Fixed): void {
  const place = `${context.base}/dashboard/requests?${new URLSearchParams([...listOf(res.req), ['open', id]])}`;
  if ('inputProblems' in fixed) context.tell(res, place, fixed.inputProblems.map(notChangedSentence));
  else res.redirect(303, `${place}&${doneQuery(fixed)}`);
}

function notChangedSentence({ member, expected, sent }: ChangeProblem): string {
  return `Not changed. ${member}: expected ${expected}${sent === undefined ? '' : `, not ${sent}`}.`;
}

/** The filter and the page of the list of requests in an address. */
export function listOf({ query }: Pick<Request, 'query'>): URLSearchParams {
  const named = ['q', 'before'].map(name => [name, textOf(query[name])] as const);
  return new URLSearchParams(named.filter(([, value]) => value !== '').map(each => [...each]));
}

async function showProblem(
  context: PageContext,
  res: Response,
  explained: Explained,
  { done = '', inputProblems = [] }: { readonly done?: string; readonly inputProblems?: readonly ChangeProblem[] },
): Promise<void> {
  const made = whatWasDone(context, done);
  const model = { ...problemPage(context, explained, inputProblems), done: made };
  if (model.explanation.leadsOn) letLeadOn(res);
  const status = inputProblems.length === 0 ? 200 : 400;
  await context.show(res, {
    template: 'problem',
    title: model.explanation.title.replaceAll('`', ''),
    nav: 'problems',
    model,
    status,
  });
}

const mostOthers = 20;

function problemPage(context: PageContext, explained: Explained, inputProblems: readonly ChangeProblem[] = []) {
  const { problem, requestId, explanation, error, request } = explained;
  const { events, describe } = context;
  const now = context.clock();
  const at = error?.at ?? problem?.lastAt ?? now;
  const action = context.access === 'on' ? `${context.base}/dashboard/problems/${requestId}/fix` : undefined;
  return {
    // `prb_…`, or the id of the request without a group
    id: problem?.id ?? requestId,
    requestId,
    explanation: explanationView(explanation, requestId, action),
    kind: problem?.kind ?? 'refusal',
    // `GET /oauth2/authorize`; empty if the history has dropped the request
    sentTo: request === undefined ? '' : `${request.method} ${request.path}`,
    code: problem?.code ?? error?.error ?? '',
    description: error?.description ?? '',
    client_id: problem?.client_id ?? error?.client_id ?? '',
    count: problem?.count ?? 0,
    last: momentOf(at, now),
    isByTool: problem?.isByTool ?? false,
    hasFlow: context.flows.ofRequest(requestId) !== undefined,
    // the other occurrences in the history, newest first
    others: problem?.requestIds.filter(each => each !== requestId).slice(0, mostOthers) ?? [],
    share: shareOf(context, 'problem', problem?.id ?? requestId),
    markdown: problemMarkdown(context, explained),
    facts: events.ofRequest(requestId).map(event => ({ ...describe(event), at: momentOf(event.at, now) })),
    inputProblems,
  };
}

/** The message after a fix: `?done=client:web`, if that client exists. */
export function whatWasDone({ control }: PageContext, done: string) {
  const [kind, id] = [done.split(':', 1)[0], done.slice(done.indexOf(':') + 1)];
  if (kind !== 'client' && kind !== 'user') return undefined;
  const entry = kind === 'client' ? control.clientEntry(id) : control.userEntry(id);
  if (entry === undefined) return undefined;
  return { what: `The ${kind} ${id} was changed`, lines: control.configurationLines(kind, id) };
}

type Fixed =
  /** `again` continues the sign-in where the fix can. */
  { readonly done: string; readonly again?: string | undefined } | { readonly inputProblems: readonly ChangeProblem[] };

function doneQuery({ done }: { readonly done: string }): string {
  return `done=${encodeURIComponent(done)}`;
}

async function fixProblem(context: PageContext, explained: Explained, form: URLSearchParams): Promise<Fixed> {
  const { explanation, request } = explained;
  const apply = explanation.fixes[integerOf(form.get('fix')) ?? -1]?.apply;
  if (apply === undefined || markOf(apply.change) !== form.get('mark')) return { inputProblems: [changedMeanwhile] };
  const changed = await context.control.apply(apply.change, 'dashboard');
  if (!changed.ok) return { inputProblems: changed.problems.length === 0 ? [notChanged] : changed.problems };
  return { done: doneOf(apply.change), again: apply.thenContinue ? openAgain({ request }) : undefined };
}

const changedMeanwhile: ChangeProblem = {
  member: 'fix',
  expected: 'a fix that the page offers now: the configuration has changed since the page was opened, so reload it',
};

const notChanged: ChangeProblem = {
  member: 'configuration',
  expected: 'a change that is possible at run time',
};

function doneOf(change: Change): string {
  if (change.kind === 'client.create') return `client:${String(change.members.client_id)}`;
  if (change.kind === 'user.create') return `user:${String(change.members.sub)}`;
  if ('client_id' in change) return `client:${change.client_id}`;
  return 'sub' in change ? `user:${change.sub}` : '';
}

/** The redirect back into the app. It must have no `form-action`, and no opener policy that would cut off a popup. */
function letLeadOn(res: Response): void {
  const policy = String(res.getHeader('Content-Security-Policy') ?? '');
  res.set('Content-Security-Policy', policy.replace(/form-action [^;]*;? ?/, ''));
  res.removeHeader('Cross-Origin-Opener-Policy');
}

const mostProblems = 500;
/** The most groups on a page, so that it stays under 120 kB. */
const mostRows = 60;
const longestTitle = 120;
const longestFix = 200;
/** The longest text that the pointer shows where a row cuts it. */
const longestHint = 200;
const longestName = 40;

type Seen = (eventId: number) => boolean;

interface ProblemsQuery {
  readonly query: string;
  readonly before?: number | undefined;
}

function* problemsPage(context: PageContext, { query, before }: ProblemsQuery, isSeen: Seen) {
  const list = problemSearch(isSeen);
  const parsed = parseQuery(query, list.fields);
  const items = yield* keptProblems(context);
  const action = `${context.base}/dashboard/problems`;
  const matches = createMatcher(parsed, list, context.clock());
  const isWanted = ({ problem }: ListedProblem) =>
    (before === undefined || problem.lastEventId < before) && matches(problem);
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
      items: items.map(({ problem }) => problem),
    }),
    rows: yield* rowsOf(context, shown, isSeen, query),
    all: items.length,
    ...pageLinks(action, { query, before }, found.length > mostRows ? shown.at(-1)?.problem.lastEventId : undefined),
  };
}

/** All kept problems, newest first; each is a piece of work. */
export function keptProblems(context: PageContext): Pieces<ListedProblem[]> {
  return firstMatching(context.problems.listed(), () => true, mostProblems);
}

/** The problems that are new or occurred again since an event. */
export function* newProblemRows(context: PageContext, query: string, after: number, isSeen: Seen) {
  const list = problemSearch(isSeen);
  const matches = createMatcher(parseQuery(query, list.fields), list, context.clock());
  const isNew = ({ problem }: ListedProblem) => problem.lastEventId > after && matches(problem);
  const found = yield* firstMatching(context.problems.listed(), isNew, mostProblems);
  return yield* rowsOf(context, found, isSeen, query);
}

/** Explains one problem in each piece of work. */
function* rowsOf({ clock }: PageContext, problems: readonly ListedProblem[], isSeen: Seen, query: string) {
  const rows: ReturnType<typeof toRow>[] = [];
  for (const problem of problems) {
    rows.push(toRow(problem, clock(), isSeen, query));
    yield;
  }
  return rows;
}

function toRow({ problem, explain }: ListedProblem, now: number, isSeen: Seen, query: string) {
  const { id, title, code, count, kind, client_id = '', lastAt, lastEventId, isByTool = false } = problem;
  return {
    id,
    code,
    count,
    kind,
    isByTool,
    eventId: lastEventId,
    title: cutWords(title, longestTitle),
    fix: cutWords(explain().fixes[0]?.text ?? '', longestFix),
    client_id: cut(client_id, longestName),
    titles: { problem: cut(title, longestHint), client_id: cut(client_id, longestHint) },
    links: { code: withValue('', query, 'code', code), client: withValue('', query, 'client', client_id) },
    last: momentOf(lastAt, now),
    isUnseen: !isSeen(lastEventId),
  };
}

/** Cuts a text with code between backticks, and closes the code that it cuts. */
function cutWords(text: string, longest: number): string {
  const words = cut(text, longest);
  return words.split('`').length % 2 === 0 ? `${words}\`` : words;
}

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
