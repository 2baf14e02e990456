import type { Response, Router } from 'express';
import { defined } from '../../base/defined.ts';
import type { ChangeFault } from '../../base/events/change.ts';
import { inTurns } from '../../base/turns.ts';
import { type Explained, explainedRequest } from '../../record/problems/explained-request.ts';
import { explanationView } from '../../record/problems/explanation-view.ts';
import { describe } from '../../record/words/event-words.ts';
import type { Desk } from '../desk.ts';
import { changing } from '../form.ts';
import { serveRows } from '../live/rows.ts';
import { momentOf } from '../moment.ts';
import { integerOf, textOf } from '../query.ts';
import { shareOf } from '../share.ts';
import { fixProblem, letLeadOn } from './fix-problem.ts';
import { problemJson, problemSummary } from './problem-json.ts';
import { keptProblems, newProblemRows, problemsPage } from './problem-list.ts';
import { problemMarkdown } from './problem-markdown.ts';
import { markAllSeen, markSeen, seenBy } from './seen.ts';

/** `/problems`: refusals with their reasons and fixes. */
export function problemPages(router: Router, desk: Desk): void {
  router.get('/problems', async (req, res) => {
    const asked = { query: textOf(req.query.q), before: integerOf(req.query.before) };
    markAllSeen(desk, res); // problems that arrive during the search stay unseen
    const model = await inTurns(problemsPage(desk, asked, seenBy(desk, req)));
    await desk.show(res, { template: 'problems', title: 'Problems', nav: 'problems', model });
  });
  router.get('/problems/latest', (_req, res) => toLatest(desk, res));
  router.get('/problems/:id.md', async (req, res) => {
    const explained = explainedRequest(desk, req.params.id);
    if (explained === undefined) return desk.forgotten(res, 'problem');
    res.type('text/markdown').send(problemMarkdown(desk, explained));
  });
  router.get('/problems/:id', async (req, res) => {
    const explained = explainedRequest(desk, req.params.id);
    if (explained === undefined) return desk.forgotten(res, 'problem');
    if (explained.problem !== undefined) markSeen(desk, res, explained.problem.lastEventId);
    await showProblem(desk, res, explained, { done: textOf(req.query.done) });
  });
  router.post(
    '/problems/:id/fix',
    changing<{ id: string }>(desk, (form, { params: { id } }, res) => fix(desk, id, form, res)),
  );
  problemsApi(router, desk);
}

/** Problems as JSON, and the new rows of the list. */
function problemsApi(router: Router, desk: Desk): void {
  serveRows(router, desk, {
    name: 'problems',
    template: 'problem-rows',
    *read(query, after = 0) {
      return { rows: yield* newProblemRows(desk, query, after, () => false) };
    },
  });
  router.get('/api/v1/problems', async (_req, res) => {
    const problems = await inTurns(keptProblems(desk));
    res.json({ problems: problems.map(problem => problemSummary(desk, problem)) });
  });
  router.get('/api/v1/problems/:id', (req, res) => {
    const { id } = req.params;
    const explained = explainedRequest(desk, id === 'latest' ? (desk.problems.latest(1)[0]?.id ?? '') : id);
    if (explained === undefined)
      res.status(404).json({ error: 'not_found', error_description: 'the history has no problem with this id' });
    else res.json(problemJson(desk, explained));
  });
}

function toLatest(desk: Desk, res: Response): Promise<void> | undefined {
  const [latest] = desk.problems.latest(1);
  if (latest === undefined) return desk.forgotten(res, 'problem');
  res.redirect(302, `${desk.base}/dashboard/problems/${latest.id}`);
  return undefined;
}

async function fix(desk: Desk, id: string, form: URLSearchParams, res: Response): Promise<void> {
  const explained = explainedRequest(desk, id);
  if (explained === undefined) return desk.forgotten(res, 'problem');
  const fixed = await fixProblem(desk, explained, form);
  if ('faults' in fixed) return showProblem(desk, res, explained, { faults: fixed.faults });
  letLeadOn(res);
  res.redirect(303, fixed.location);
}

async function showProblem(
  desk: Desk,
  res: Response,
  explained: Explained,
  { done = '', faults = [] }: { readonly done?: string; readonly faults?: readonly ChangeFault[] },
): Promise<void> {
  const made = whatWasDone(desk, done);
  const model = { ...problemPage(desk, explained, faults), ...defined({ done: made }) };
  if (model.explanation.leadsOn) letLeadOn(res);
  const status = faults.length === 0 ? 200 : 400;
  await desk.show(res, {
    template: 'problem',
    title: model.explanation.title.replaceAll('`', ''),
    nav: 'problems',
    model,
    status,
  });
}

const mostOthers = 20;

/** One problem, explained with one of its occurrences. */
function problemPage(desk: Desk, explained: Explained, faults: readonly ChangeFault[] = []) {
  const { problem, requestId, explanation, error, request } = explained;
  const now = desk.clock();
  const at = error?.at ?? problem?.lastAt ?? now;
  const action = desk.access === 'on' ? `${desk.base}/dashboard/problems/${requestId}/fix` : undefined;
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
    // 0 if it does not count as a problem
    count: problem?.count ?? 0,
    last: momentOf(at, now),
    isByTool: problem?.isByTool ?? false,
    hasFlow: desk.flows.ofRequest(requestId) !== undefined,
    // the other occurrences in the history, newest first
    others: problem?.requestIds.filter(each => each !== requestId).slice(0, mostOthers) ?? [],
    share: shareOf(desk, 'problem', problem?.id ?? requestId),
    markdown: problemMarkdown(desk, explained),
    facts: desk.events.ofRequest(requestId).map(event => ({ ...describe(event), at: momentOf(event.at, now) })),
    // why the fix could not be applied
    faults,
  };
}

/** The message after a fix: `?done=client:web`, if that client exists. */
function whatWasDone({ control }: Desk, done: string) {
  const [kind, id] = [done.split(':', 1)[0], done.slice(done.indexOf(':') + 1)];
  if (kind !== 'client' && kind !== 'user') return undefined;
  const entry = kind === 'client' ? control.clientEntry(id) : control.userEntry(id);
  if (entry === undefined) return undefined;
  return { what: `The ${kind} ${id} was changed`, lines: control.configurationLines(kind, id) };
}
