import type { Request, Response, Router } from 'express';
import { byField, type FieldTexts, formOf, problemText } from '../../../dashboard/form.ts';
import { momentOf } from '../../../dashboard/moment.ts';
import { ownOriginOnly } from '../../../dashboard/own-origin.ts';
import type { PageContext } from '../../../dashboard/page.ts';
import { textOf } from '../../../dashboard/query.ts';
import { OAuthError } from '../../../protocol/errors.ts';
import type { ExamVerdict } from '../exam-module.ts';
import type { ModuleResult } from '../examination.ts';
import { examSummaryWords } from '../examination-formats.ts';
import { planNamed, plans } from '../plans/index.ts';
import { provoked } from '../provoked.ts';
import { formats } from '../results/formats.ts';
import type { BegunRun, ExamineHere } from './examine-here.ts';
import { recordPages, recordPath } from './record-pages.ts';
import type { ExaminationRun } from './run.ts';

/** The fields of the form. */
interface TypedRun {
  readonly plan: string;
  /** Ids with a space between them; empty for all of the plan. */
  readonly modules: string;
  readonly url: string;
  readonly how: string;
  readonly signedIn: string;
  /** `on`: the app can be told its issuer. */
  readonly own: string;
}

type RunRequest = Request<{ id: string }>;

/** `/dashboard/examine`: starts an examination. `/dashboard/examine/<id>` shows one, and asks what the app shows. */
export function examinePages(router: Router, context: PageContext, here: ExamineHere): void {
  router.get('/', async (req, res) => {
    const client = context.clients.find(({ client_id }) => client_id === textOf(req.query.client));
    const [url = ''] = client?.redirect_uris ?? [];
    const origin = URL.canParse(url) ? new URL(url).origin : '';
    const typed = { ...provoking(textOf(req.query.check)), url: origin, how: '', signedIn: '', own: '' };
    await showForm(context, here, res, typed, {});
  });
  router.post('/', async (req, res) => {
    const typed = typedIn(await formOf(req));
    const problems = missingIn(typed);
    if (Object.keys(problems).length > 0) return showForm(context, here, res, typed, problems);
    if (typed.how === 'record') return res.redirect(303, context.base + recordPath(here.runs, typed));
    try {
      res.redirect(303, context.base + at((await here.start(begunBy(typed))).id));
    } catch (error) {
      if (!(error instanceof OAuthError)) throw error;
      await showForm(context, here, res, typed, problemsOf(error));
    }
  });
  recordPages(router, context, here); // before the runs, because its address looks like that of one
  runPages(router, context, here);
}

const at = (id: string) => `/dashboard/examine/${id}`;

function runPages(router: Router, context: PageContext, { runs }: ExamineHere): void {
  const none = (res: Response) => context.forgotten(res, 'examination');
  router.get('/:id', async (req: RunRequest, res) => {
    const run = runs.get(req.params.id);
    if (run === undefined) return none(res);
    run.look();
    const others = runs.list().filter(({ id, state }) => state === 'running' && id !== run.id);
    // between two sign-ins is a moment, and no event says that it is over
    const shown = run.shown().driver === 'asked' ? await run.settled(AbortSignal.timeout(1000)) : run.shown();
    const model = { ...runPage(context, shown, context.noticesFor(req)), others: others.length };
    await context.show(res, { template: 'examination', title: `Examine: ${model.title}`, nav: 'examine', model });
  });
  router.post('/:id/answer', async (req: RunRequest, res) => {
    const run = runs.get(req.params.id);
    if (run === undefined) return none(res);
    const form = await formOf(req);
    const isTaken = run.answer(form.get('signIn') ?? '', { believed: form.get('believed') === 'yes', said: '' });
    if (isTaken) return res.redirect(303, context.base + at(req.params.id));
    context.leadTo(res, at(req.params.id), ['That sign-in no longer waits.']);
  });
  router.post('/:id/stop', async (req: RunRequest, res) => {
    const run = runs.get(req.params.id);
    if (run === undefined) return none(res);
    await run.stop('You stopped it.');
    res.redirect(303, context.base + at(req.params.id));
  });
  router.get(
    '/:id/:format',
    ownOriginOnly(context.events),
    async (req: Request<{ id: string; format: string }>, res) => {
      const { id, format } = req.params;
      const result = runs.get(id)?.shown().result;
      const file = Object.hasOwn(files, format) ? files[format] : undefined;
      const text = result === undefined || file === undefined ? undefined : await formats[format]?.(result, 'fail');
      if (file === undefined || text === undefined) return context.forgotten(res, 'result');
      // an attachment, because it quotes what apps said and must never render as a page of ours
      res.set('Content-Disposition', `attachment; filename="grantbox-examination.${file.extension}"`);
      res.type(`${file.type}; charset=utf-8`).send(text);
    },
  );
}

interface ResultFile {
  readonly name: string;
  readonly extension: string;
  readonly type: string;
}

const files: Readonly<Record<string, ResultFile>> = {
  html: { name: 'One HTML file', extension: 'html', type: 'text/html' },
  json: { name: 'JSON', extension: 'json', type: 'application/json' },
  junit: { name: 'JUnit XML', extension: 'xml', type: 'application/xml' },
  markdown: { name: 'Markdown', extension: 'md', type: 'text/markdown' },
  sarif: { name: 'SARIF', extension: 'sarif', type: 'application/json' },
  badge: { name: 'Badge', extension: 'svg', type: 'image/svg+xml' },
  certificate: { name: 'Certificate', extension: 'certificate.json', type: 'application/json' },
};

function typedIn(form: URLSearchParams): TypedRun {
  const text = (name: string) => form.get(name)?.trim() ?? '';
  return {
    plan: text('plan'),
    modules: text('modules'),
    url: text('url'),
    how: text('how'),
    signedIn: text('signedIn'),
    own: text('own'),
  };
}

/** The modules that provoke a check of the client report, in the first plan that has one of them. */
function provoking(check: string): Pick<TypedRun, 'plan' | 'modules'> {
  const wanted = (Object.hasOwn(provoked, check) && provoked[check]) || [];
  const plan = plans.find(({ modules }) => modules.some(({ id }) => wanted.includes(id)));
  const ids = plan?.modules.map(({ id }) => id).filter(id => wanted.includes(id)) ?? [];
  return { plan: plan?.id ?? '', modules: ids.join(' ') };
}

/** Sentences by field. */
function missingIn({ how, url, signedIn }: TypedRun): FieldTexts {
  if (how === 'record' && !(URL.canParse(url) && /^https?:/.test(url)))
    return { url: ['Expected the http or https address that begins a sign-in.'] };
  if (how !== 'walk') return {};
  return byField([
    ...(url === '' ? [['url', 'Expected the address that begins a sign-in.'] as const] : []),
    ...(signedIn === '' ? [['signedIn', 'Expected a text that only a signed-in page has.'] as const] : []),
  ]);
}

function begunBy({ plan, modules, url, how, signedIn, own }: TypedRun): BegunRun {
  const only = modules === '' ? {} : { modules: modules.split(' ') };
  const issuers = own === 'on' && how !== 'walk' ? {} : { issuers: 'first' as const };
  const steps = ['sign-in', 'sign-out', 'check'] as const;
  if (how === 'walk') return { plan, ...only, driver: { walk: { url, signedIn } }, ...issuers };
  return { plan, ...only, driver: 'asked', steps, ...(url === '' ? {} : { app: url }), ...issuers };
}

const fieldOf: Readonly<Record<string, string>> = { app: 'url', 'driver.walk.url': 'url' };

function problemsOf({ details, description }: OAuthError): FieldTexts {
  const { problems = [{ member: '', sent: description, expected: details.expected ?? '' }] } = details;
  return byField(problems.map(problem => [fieldOf[problem.member] ?? 'all', problemText(problem)] as const));
}

async function showForm(
  context: PageContext,
  { runs }: ExamineHere,
  res: Response,
  typed: TypedRun,
  problems: FieldTexts,
): Promise<void> {
  const now = context.events.wall();
  const model = {
    typed,
    problems,
    issuer: context.issuer,
    plans: plans.map(({ id, title, about, modules }) => ({ id, title, about, count: modules.length })),
    runs: runs.list().map(run => ({ ...runFacts(context, run), at: momentOf(run.startedAt, now) })),
  };
  const status = Object.keys(problems).length === 0 ? 200 : 400;
  await context.show(res, { template: 'examine', title: 'Examine', nav: 'examine', model, status });
}

const stateBadges = {
  running: { word: 'running', look: 'info' },
  done: { word: 'done', look: 'ok' },
  failed: { word: 'not possible', look: 'err' },
  stopped: { word: 'stopped', look: '' },
} as const;

const badges: Readonly<Record<ExamVerdict, { readonly word: string; readonly look: string }>> = {
  fail: { word: 'failed', look: 'err' },
  warn: { word: 'warning', look: 'warn' },
  inconclusive: { word: 'inconclusive', look: '' },
  pass: { word: 'passed', look: 'ok' },
  not_applicable: { word: 'not applicable', look: '' },
};

function runFacts({ base }: PageContext, { id, title, state, modules, of, result }: ExaminationRun) {
  return {
    title,
    href: `${base}/dashboard/examine/${id}`,
    badge: result === undefined ? stateBadges[state] : badges[result.verdict],
    isRunning: state === 'running',
    done: modules.length,
    of,
  };
}

/** The page of one run: the sign-in that waits, findings, and all modules in the order of their plan. */
function runPage(context: PageContext, run: ExaminationRun, notices: readonly string[]) {
  const facts = runFacts(context, run);
  const { modules } = planNamed(run.plan);
  const [waiting] = run.waiting;
  const isFirst = waiting?.issuer === context.issuer;
  const titleOf = (id: string) => modules.find(module => module.id === id)?.title ?? id;
  const rows = modules.flatMap<object>(({ id, title }) => {
    const done = run.modules.find(result => result.id === id);
    if (done !== undefined) return [moduleView(context, done)];
    return run.left.includes(id) ? [{ id, title, isWaiting: run.waiting.some(({ module }) => module === id) }] : [];
  });
  return {
    ...facts,
    notices,
    app: run.app ?? '',
    ...(waiting === undefined ? {} : { waiting: { ...waiting, title: titleOf(waiting.module), isFirst } }),
    error: run.error?.message ?? '',
    summary: run.result === undefined ? '' : examSummaryWords(run.result.summary),
    rows,
    files: Object.entries(files).map(([format, { name }]) => ({ format, name, href: `${facts.href}/${format}` })),
  };
}

function moduleView({ base, events }: PageContext, { requests, verdict, ...module }: ModuleResult) {
  const { id, title, why, gain, right, mend, references } = module;
  return {
    ...{ id, title, why, gain, right, mend, references },
    isFinding: verdict === 'fail' || verdict === 'warn',
    badge: badges[verdict],
    requests: requests.map(({ requestId = '', method, path, status, faults }) => ({
      words: `${method} ${path} ${status}${faults.length === 0 ? '' : `, changed by ${faults.join(', ')}`}`,
      // the issuer of a module has ended with its log
      href: events.ofRequest(requestId).length === 0 ? '' : `${base}/dashboard/requests/${requestId}`,
    })),
  };
}
