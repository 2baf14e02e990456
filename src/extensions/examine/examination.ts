import { defined } from '../../base/defined.ts';
import type { RecordedRequest } from '../../record/flows/recorded-request.ts';
import { isOurOwn } from '../../record/progress.ts';
import type { SandboxIssuer } from '../../sandbox/library/calls.ts';
import { createDriver, type Driver, type ExamSteps } from './driver.ts';
import type { CibaAnswer, ExamModule, ExamPlan, ExamVerdict, Judged, LogoutTold } from './exam-module.ts';
import { missingStep } from './judge.ts';
import { lineOf } from './libraries/lines.ts';
import { type ExamLibrary, recognisedLibrary } from './libraries/recognise.ts';
import type { McpCall } from './mcp/serve-mcp.ts';
import { planNamed } from './plans/index.ts';
import { createStage, requestsSince, type StagedApp } from './stage.ts';

/** The subject of an examination. */
export interface ExamineOptions extends ExamSteps {
  /** The id of the plan. Default: `relying-party`. */
  readonly plan?: string;
  /** Only these modules of the plan, after its baseline. Default: all. */
  readonly modules?: readonly string[];
  /** Username, e-mail address or `sub` of the user whom the provider signs in without a click. Default: the login does what a person does. */
  readonly user?: string | undefined;
  /** Seconds for each step in the app. Default: 30. */
  readonly seconds?: number;
  /** How many modules run at once, where each has an issuer of its own. Default: 4. */
  readonly sideBySide?: number;
  /** `first`: the app knows the first issuer alone, so no other is tried. Default: the baseline finds out. */
  readonly issuers?: 'first';
  /** Ends the examination, which then rejects with the reason of the signal. */
  readonly signal?: AbortSignal;
  /** Called with each module that is done. */
  onResult?(result: ModuleResult, progress: { readonly done: number; readonly of: number }): void;
}

/** The subject of an examination of an API, by the plan `resource-server`. */
export interface ExamineApiOptions extends Pick<ExamineOptions, 'modules' | 'onResult'> {
  readonly plan?: 'resource-server';
  readonly api: ExaminedApi;
}

/** An API, and the tokens that it is called with. */
export interface ExaminedApi {
  /** An address that needs a token, and answers to GET. */
  readonly url: string | URL;
  /** The `aud` that the API expects. Default: as the client is registered. */
  readonly audience?: string | undefined;
  /** The scope that the API asks for. Default: all of the client, and the modules about scopes do not apply. */
  readonly scope?: string | undefined;
  /** The `client_id` that the tokens are for. Default: the first client that has users. */
  readonly client?: string | undefined;
  /** The user whom the tokens are for. Default: the first. */
  readonly user?: string | undefined;
  /** Replaces the keys at the end, also while they cannot be had, and waits until the API fetches the new ones. Default: no. */
  readonly rotate?: boolean;
  /** Accepts any certificate of the API. Default: no. */
  readonly insecure?: boolean;
}

/** A request that shows a verdict. */
export interface ShownRequest {
  /** `req_…`, as in the log of the issuer; absent for a call of an API, which the issuer did not see. */
  readonly requestId?: string;
  /** The name of the endpoint: `token`. */
  readonly endpoint: string;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly status: number;
  /** The faults that changed the answer. */
  readonly faults: readonly string[];
}

/** The result of one module. */
export interface ModuleResult
  extends Pick<ExamModule, 'id' | 'suite' | 'title' | 'references' | 'gain' | 'right' | 'mend'> {
  readonly verdict: ExamVerdict;
  readonly why: string;
  /** The requests that show it, oldest first, at most ten. */
  readonly requests: readonly ShownRequest[];
  /** The last lines that the app said; empty for none. */
  readonly said: string;
  /** How long it took, in seconds. */
  readonly seconds: number;
}

/** How many modules have each verdict. */
export type ExamSummary = Readonly<Record<ExamVerdict, number>>;

/** The whole result. */
export interface Examination {
  readonly format: 'grantbox-examination';
  readonly version: 1;
  readonly plan: string;
  readonly title: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** `own`: each module had an issuer of its own. `first`: all modules shared the one that the app knows. `given`: the one that an API trusts. */
  readonly issuers: 'own' | 'first' | 'given';
  /** The library of the app or the API; absent if its requests do not tell. */
  readonly library?: ExamLibrary;
  /** The worst verdict. */
  readonly verdict: ExamVerdict;
  readonly summary: ExamSummary;
  readonly modules: readonly ModuleResult[];
}

/** Where modules run. */
export interface ExamHost {
  /** The first issuer of the sandbox, for an app that knows no other. */
  readonly first: SandboxIssuer;
  /** Keeps the first issuer for one module. Who waits for it leaves when the signal aborts. */
  alone<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** Makes an issuer for one module. */
  make(config?: object): Promise<{ readonly issuer: SandboxIssuer; stop(): void }>;
  /** Answers the requests of a user of one of these issuers. */
  decide(issuer: SandboxIssuer, answer: CibaAnswer): Promise<void>;
}

/** The baseline failed: then no other result would mean anything. */
export class BaselineFailed extends Error {
  override readonly name = 'BaselineFailed';
}

/**
 * Examines an app: runs each module of a plan, and judges from the requests and from what the app says.
 * @throws BaselineFailed if the app cannot sign in where nothing is wrong; TypeError for an unknown plan or module
 */
export async function examine(host: ExamHost, options: ExamineOptions): Promise<Examination> {
  const { sideBySide = 4, seconds = 30, signal, onResult } = options;
  const plan = planNamed(options.plan ?? 'relying-party');
  const [baseline, ...others] = chosenModules(plan.modules, options.modules);
  const driver = createDriver(options, { seconds, user: options.user, signal });
  const first = await runBaseline(host, baseline, driver, options.issuers);
  const results: ModuleResult[] = [first.result];
  const told = (result: ModuleResult) => {
    results.push(result);
    onResult?.(result, { done: results.length, of: others.length + 1 });
  };
  onResult?.(first.result, { done: 1, of: others.length + 1 });
  const place = placeOf(host, first.issuers);
  const run = (issuer: SandboxIssuer, module: ExamModule) =>
    runModule(issuer, module, { ...first, driver, make: host.make, decide: host.decide });
  const waiting = [...others];
  const lanes = Array.from({ length: first.issuers === 'own' ? sideBySide : 1 }, async () => {
    for (let module = waiting.shift(); module !== undefined; module = waiting.shift())
      told(await place(issuer => run(issuer, module as ExamModule)));
  });
  await Promise.allSettled(lanes); // so that nothing of it is left when one has failed
  await Promise.all(lanes);
  signal?.throwIfAborted();
  return examinationOf(plan, first.issuers, inOrder(results, [baseline, ...others]), first.library);
}

/**
 * The baseline of a plan, and the modules that are to follow it.
 * @throws TypeError for a name that is not in the plan
 */
export function chosenModules<Module extends { readonly id: string }>(
  modules: readonly Module[],
  names: readonly string[] | undefined,
): readonly [Module, ...Module[]] {
  const [baseline, ...others] = modules as readonly [Module, ...Module[]]; // no plan is empty, by its test
  if (names === undefined) return [baseline, ...others];
  const unknown = names.filter(name => !modules.some(({ id }) => id === name));
  if (unknown.length === 0) return [baseline, ...others.filter(({ id }) => names.includes(id))];
  const known = modules.map(({ id }) => id).join(', ');
  throw new TypeError(`examine: found the module ${unknown.join(', ')}, expected some of ${known}`);
}

type Place = <T>(work: (issuer: SandboxIssuer) => Promise<T>) => Promise<T>;

/** Where modules run: an issuer each, or the first issuer, one module after the other. */
function placeOf({ first, alone, make }: ExamHost, issuers: AppIssuers): Place {
  if (issuers === 'own')
    return async work => {
      const { issuer, stop } = await make();
      try {
        return await work(issuer);
      } finally {
        stop();
      }
    };
  return work =>
    alone(async () => {
      try {
        return await work(first);
      } finally {
        await first.faults.clear();
        first.clock.reset();
        await first.reset('sessions');
      }
    });
}

type AppIssuers = Exclude<Examination['issuers'], 'given'>;

interface Baseline {
  readonly result: ModuleResult;
  readonly issuers: AppIssuers;
  /** Both are empty if the app asked for no sign-in, and `redirectUri` is if the user answers on another device. */
  readonly clientId: string;
  readonly redirectUri: string;
  readonly library: ExamLibrary | undefined;
}

/** The facts of an app before its baseline. */
const unknown = { clientId: '', redirectUri: '', library: undefined };

/** The baseline also finds out whether the app uses the issuer that it is told. */
async function runBaseline(
  host: ExamHost,
  module: ExamModule,
  driver: Driver,
  issuers: ExamineOptions['issuers'],
): Promise<Baseline> {
  const before = host.first.events.lastId;
  const run = async (issuer: SandboxIssuer) => {
    const begin = issuer.events.lastId;
    const result = await runModule(issuer, module, { ...unknown, driver, make: host.make, decide: host.decide });
    const [asked] = issuer.events.latest('authorization.requested', 1);
    const clientId = (asked ?? issuer.events.latest('ciba.requested', 1)[0])?.client_id ?? '';
    const redirectUri = asked?.redirect_uri ?? '';
    const library = recognisedLibrary(requestsSince(issuer, begin));
    const refusal = issuer.events.latest('error.returned', 1)[0]?.description;
    const isUnknown = (issuer.events.latest('login.succeeded', 1)[0]?.id ?? 0) <= begin;
    return { result, clientId, redirectUri, library, refusal, isUnknown };
  };
  if (issuers !== 'first') {
    const own = await placeOf(host, 'own')(run);
    if (own.result.verdict === 'pass') return { ...own, issuers: 'own' };
    if (!isAskedSince(host.first, before)) throw new BaselineFailed(baselineWords(host, own));
  }
  const first = await placeOf(host, 'first')(run);
  if (first.result.verdict === 'pass') return { ...first, issuers: 'first' };
  throw new BaselineFailed(baselineWords(host, first));
}

/** Whether an app has sent a request to this issuer. */
function isAskedSince({ events }: SandboxIssuer, before: number): boolean {
  const completed = events.latest('request.completed', Number.POSITIVE_INFINITY);
  return completed.some(({ id, endpoint }) => id > before && !isOurOwn(endpoint));
}

interface Tried {
  readonly result: ModuleResult;
  /** The last refusal of the provider, in words. */
  readonly refusal: string | undefined;
  /** Nobody signed in at the provider. */
  readonly isUnknown: boolean;
}

function baselineWords({ first }: ExamHost, tried: Tried): string {
  const { said } = tried.result;
  const words = `The app cannot sign in where nothing is wrong, so nothing can be examined. ${whatCame(tried, first)}`;
  return said === '' ? words : `${words}\nIt said: ${said}`;
}

function whatCame({ result: { requests }, refusal, isUnknown }: Tried, { issuer }: SandboxIssuer): string {
  const last = requests.at(-1);
  if (last === undefined)
    return `It sent no request to the issuer that it was told, and none to ${issuer}. Check that it runs, and that its issuer is one of these two.`;
  if (refusal !== undefined) return `The provider refused: ${refusal}.`;
  if (last.endpoint === 'authorize' && last.status === 200 && isUnknown)
    return 'The provider showed its sign-in page, and nobody signed in there. Name a user with --user (in a test: user), or let the sign-in click on one.';
  return `The provider refused nothing, and answered ${last.method} ${last.path} with ${last.status}.`;
}

interface App extends StagedApp, Pick<Baseline, 'library'> {}

async function runModule(issuer: SandboxIssuer, module: ExamModule, app: App): Promise<ModuleResult> {
  const missing = module.steps?.find(step => !app.driver.can(step));
  if (missing !== undefined) return resultOf(module, missingStep(missing), '', 0);
  const begun = performance.now();
  const stage = createStage(issuer, app, module.id);
  try {
    const taken = await module.run(stage);
    const judged = module.judge(await stage.seen(taken));
    const mend = lineOf(app.library?.name, module.id) ?? module.mend;
    return resultOf({ ...module, mend }, judged, taken.said, (performance.now() - begun) / 1000);
  } finally {
    stage.end();
  }
}

const mostShown = 10;

function resultOf(module: ExamModule, judged: Judged, said: string, seconds: number): ModuleResult {
  const { id, suite, title, references, gain, right, mend } = module;
  const { verdict, why, requests, notices = [], calls = [] } = judged;
  return {
    id,
    ...(suite === undefined ? {} : { suite }),
    title,
    verdict,
    why,
    references,
    gain,
    right,
    mend,
    requests: [...calls.map(shownCall), ...requests.map(shownRequest), ...notices.map(shownNotice)].slice(0, mostShown),
    said,
    seconds: Math.round(seconds * 1000) / 1000,
  };
}

function shownRequest({ event }: RecordedRequest): ShownRequest {
  const { requestId, endpoint, method, path, status, faults = [] } = event;
  return { requestId, endpoint, method, path, status, faults };
}

/** A notice of the provider to the app. An app that did not answer has the status 0. */
function shownNotice({ url, status = 0 }: LogoutTold): ShownRequest {
  return { endpoint: 'backchannel_logout_uri', method: 'POST', path: new URL(url).pathname, status, faults: [] };
}

function shownCall({ endpoint = 'mcp', method, path, status }: McpCall): ShownRequest {
  return { endpoint, method, path, status, faults: [] };
}

function inOrder(results: readonly ModuleResult[], modules: readonly ExamModule[]): readonly ModuleResult[] {
  return modules.flatMap(({ id }) => results.find(result => result.id === id) ?? []);
}

/** The whole result of a plan. */
export function examinationOf(
  { id, title }: Pick<ExamPlan, 'id' | 'title'>,
  issuers: Examination['issuers'],
  modules: readonly ModuleResult[],
  library?: ExamLibrary,
): Examination {
  const count = (verdict: ExamVerdict) => modules.filter(module => module.verdict === verdict).length;
  const summary: ExamSummary = {
    fail: count('fail'),
    warn: count('warn'),
    inconclusive: count('inconclusive'),
    pass: count('pass'),
    not_applicable: count('not_applicable'),
  };
  const verdict = (['fail', 'warn', 'inconclusive', 'pass'] as const).find(each => summary[each] > 0);
  return {
    format: 'grantbox-examination',
    version: 1,
    plan: id,
    title,
    createdAt: new Date().toISOString(),
    issuers,
    ...defined({ library }),
    verdict: verdict ?? 'not_applicable',
    summary,
    modules,
  };
}
