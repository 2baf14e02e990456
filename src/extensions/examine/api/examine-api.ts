import { printable } from '../../../client/cli/ask.ts';
import { type ApiAnswer, ApiSilent, callApi, cooldown, isLetIn } from '../../report/api/api-call.ts';
import {
  type AnswerFinding,
  type ApiModule,
  type ApiStage,
  findingIn,
  variantsFor,
} from '../../report/api/api-module.ts';
import { apiModule, resourceServer } from '../../report/api/resource-server.ts';
import {
  BaselineFailed,
  chosenModules,
  type Examination,
  type ExamineApiOptions,
  examinationOf,
  type ModuleResult,
  type ShownRequest,
} from '../examination.ts';
import { apiLineOf } from '../libraries/api-lines.ts';
import { type ExamLibrary, recognisedFetcher } from '../libraries/recognise.ts';
import { type ApiHost, apiIssuer, type SeenIssuer } from './api-issuer.ts';

type Sleep = (milliseconds: number) => Promise<unknown>;

/** The real time, which a test replaces. */
const realSleep: Sleep = ms => new Promise(resolve => setTimeout(resolve, ms));

/**
 * Examines an API: calls it with a good token, and then with tokens that each break one rule.
 * @throws BaselineFailed if it refuses the good token; ApiSilent if it does not answer; TypeError for an unknown plan, module,
 * client or user
 */
export async function examineApi(
  host: ApiHost,
  { plan = resourceServer.id, api, modules, onResult }: ExamineApiOptions,
  sleep: Sleep = realSleep,
): Promise<Examination> {
  if (plan !== resourceServer.id) throw new TypeError(`examine: found the plan ${plan}, expected ${resourceServer.id}`);
  const [good, ...others] = chosenModules<ApiModule>(resourceServer.modules, modules);
  const issuer = await apiIssuer(host, api);
  const parts = { api: new URL(api.url), issuer, isInsecure: api.insecure === true, pause: () => sleep(cooldown) };
  const results: ModuleResult[] = [];
  const told = (result: ModuleResult) => {
    results.push(result);
    onResult?.(result, { done: results.length, of: others.length + 1 });
  };
  const first = await resultOf(parts, good);
  if (first.verdict !== 'pass') throw new BaselineFailed(await whyRefused(parts, first));
  told(first);
  // one call after the other, because each may make the API fetch the keys
  for (const module of others) {
    const absent = whyAbsent(module, api);
    if (absent !== undefined) told(withVerdict(module, { verdict: 'not_applicable', why: absent }));
    else told(await (module.id === 'rotated' ? afterRotation(parts, module) : resultOf(parts, module)));
  }
  return examinationOf(resourceServer, 'given', ...(await withLibrary(issuer, results)));
}

/** The library is known at the end, when the API has fetched the keys: then its line takes the place of those of several ones. */
async function withLibrary(
  { wanted, keyRequests }: SeenIssuer,
  results: readonly ModuleResult[],
): Promise<[readonly ModuleResult[], ExamLibrary?]> {
  const library = recognisedFetcher(await keyRequests());
  if (library === undefined) return [results];
  const mended = results.map(result => {
    const isGeneral = result.mend !== '' && result.mend === apiModule(result.id).mend(wanted);
    return isGeneral ? { ...result, mend: apiLineOf(library.name, result.id, wanted) ?? result.mend } : result;
  });
  return [mended, library];
}

interface Examined {
  readonly api: URL;
  readonly issuer: SeenIssuer;
  readonly isInsecure: boolean;
  pause(): Promise<unknown>;
}

function whyAbsent({ needs }: ApiModule, { scope, rotate = false }: ExamineApiOptions['api']): string | undefined {
  if (needs === 'scope' && scope === undefined) return 'No scope was named: give it with --scope.';
  if (needs === 'rotation' && !rotate)
    return 'The keys were not rotated: --rotate does it, and waits until the API may fetch them again.';
  return undefined;
}

/** A library may wait before it fetches the keys again, so a refusal counts after that time alone. */
async function afterRotation(parts: Examined, module: ApiModule): Promise<ModuleResult> {
  await parts.issuer.rotate();
  const soon = await resultOf(parts, module);
  if (soon.verdict === 'pass') return soon;
  await parts.pause();
  return resultOf(parts, module);
}

async function resultOf(parts: Examined, module: ApiModule): Promise<ModuleResult> {
  const begun = performance.now();
  const { stage, shown } = stageOf(parts);
  const { issuer } = parts;
  const came = await (module.run?.(stage) ?? callApi(parts.api, await issuer.callOf(module), parts));
  const found = 'verdict' in came ? came : judged(module, came);
  const requests = module.run === undefined ? [shownCall(parts.api, came as ApiAnswer)] : shown;
  const seconds = (performance.now() - begun) / 1000;
  return withVerdict(module, { mend: module.mend(issuer.wanted), ...found, requests, seconds });
}

function judged(module: ApiModule, answer: ApiAnswer): Pick<Result, 'verdict' | 'why' | 'gain' | 'mend'> {
  const finding = findingIn(module, answer);
  const why = whyOf(module, finding, answer);
  if (finding?.kind === 'form') return { ...formWords, why, verdict: 'warn' };
  return { why, verdict: finding === undefined ? 'pass' : (module.otherwise ?? 'fail') };
}

function stageOf({ api, issuer, isInsecure, pause }: Examined): { stage: ApiStage; shown: ShownRequest[] } {
  const shown: ShownRequest[] = [];
  const stage: ApiStage = {
    url: api,
    issuer,
    pause,
    async call(call) {
      const answer = await callApi(api, call, { isInsecure }).catch(silence);
      shown.push(shownCall(api, answer));
      return answer;
    },
  };
  return { stage, shown };
}

function silence(error: unknown): ApiAnswer {
  if (error instanceof ApiSilent) return { failure: error.message };
  throw error;
}

function shownCall({ pathname }: URL, { status = 0 }: ApiAnswer): ShownRequest {
  return { endpoint: 'api', method: 'GET', path: pathname, status, faults: [] };
}

/** A refusal that clients cannot read. */
const formWords = {
  gain: 'A client cannot tell from the response whether it needs a new token, or another scope.',
  mend: 'Answer 401 or 403 with WWW-Authenticate: Bearer and the error code (RFC 6750 §3)',
};

function whyOf(module: ApiModule, finding: AnswerFinding | undefined, { status, challenge = '' }: ApiAnswer): string {
  if (finding === undefined) return `The API answered ${status}.`;
  return challenge === '' || module.expects === 'accept'
    ? finding.problem
    : `${finding.problem} It sent WWW-Authenticate: ${printable(challenge)}`;
}

type Result = Pick<ModuleResult, 'verdict' | 'why'> &
  Partial<Pick<ModuleResult, 'requests' | 'seconds' | 'gain' | 'mend'>>;

function withVerdict({ id, title, references, gain, right }: ApiModule, result: Result): ModuleResult {
  const seconds = Math.round((result.seconds ?? 0) * 1000) / 1000;
  return { id, title, references, gain, right, mend: '', requests: [], said: '', ...result, seconds };
}

/** Looks for the reason why an API refuses a good token: whether it fetched the keys, and which typ or aud it accepts. */
async function whyRefused(
  { api, issuer, isInsecure }: Examined,
  { why, mend, requests }: ModuleResult,
): Promise<string> {
  const { wanted } = issuer;
  const about = `The API refuses a good token, so nothing can be examined. ${why} `;
  if (requests.some(({ status }) => status === 404 || status === 405))
    return `${about}Give an address of the API that answers to GET, with its whole path.`;
  if (!(await issuer.gaveKeys()))
    return `${about}Nobody has fetched the keys at ${wanted.jwksUri}, so the API cannot know them. Give it the issuer ${wanted.issuer}, and check that this address can be reached from where the API runs.`;
  for (const { token, reason } of variantsFor(api, issuer.client, wanted.audience)) {
    if (isLetIn(await callApi(api, issuer.callWith(await issuer.mint(token)), { isInsecure }))) return about + reason;
  }
  return `${about}The API knows the keys, and accepts no other typ or aud that was tried. Its configuration: ${mend}. Read what its log says about the token.`;
}
