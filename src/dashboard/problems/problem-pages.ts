import type { Request, Response, Router } from 'express';
import { defined } from '../../base/defined.ts';
import type { ChangeFault } from '../../base/events/change.ts';
import { inTurns } from '../../base/turns/in-turns.ts';
import { type Explained, explainedRequest } from '../../record/problems/explained-request.ts';
import type { Desk } from '../desk.ts';
import { serveRows } from '../live/rows.ts';
import { integerOf, textOf } from '../query.ts';
import { fixProblem, letLeadOn } from './fix-problem.ts';
import { problemJson, problemSummary } from './problem-json.ts';
import { keptProblems, newProblemRows, problemsPage } from './problem-list.ts';
import { problemMarkdown } from './problem-markdown.ts';
import { problemPage, whatWasDone } from './problem-page.ts';
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
  router.post('/problems/:id/fix', (req, res) => fix(desk, req, res));
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

async function fix(desk: Desk, req: Request<{ id: string }>, res: Response): Promise<void> {
  const explained = explainedRequest(desk, req.params.id);
  if (explained === undefined) return desk.forgotten(res, 'problem');
  const fixed = await fixProblem(desk, explained, req);
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
