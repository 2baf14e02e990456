import { printable } from '../../../client/cli/ask.ts';
import { type Given, isOn, type Timing, textOf, type World } from '../../../client/cli/command.ts';
import {
  BaselineFailed,
  chosenModules,
  type Examination,
  examinationOf,
  type ModuleResult,
  type ShownRequest,
} from '../examination.ts';
import { type ApiIssuer, apiIssuer } from './api-issuer.ts';
import { type AnswerFinding, type ApiAnswer, type ApiModule, findingIn, variantsFor } from './api-module.ts';
import { answerOf, apiIn, cooldown, sandboxGiven, withSandboxFlag } from './call-api.ts';
import { resourceServer } from './resource-server.ts';

/**
 * Examines an API: calls it with a good token, and then with tokens that each break one rule.
 * @throws BaselineFailed if it refuses the good token; CommandFailure if it or the sandbox does not answer
 */
export async function examineApi(given: Given, world: World): Promise<Examination> {
  const api = apiIn(given, 'api');
  try {
    const issuer = await apiIssuer(sandboxGiven(given), world);
    return await examined({ api, issuer, isInsecure: isOn(given, 'insecure') }, given, world);
  } catch (error) {
    throw withSandboxFlag(error);
  }
}

interface Examined {
  readonly api: URL;
  readonly issuer: ApiIssuer;
  readonly isInsecure: boolean;
}

async function examined(parts: Examined, given: Given, { timing }: World): Promise<Examination> {
  const [good, ...others] = chosenModules<ApiModule>(resourceServer.modules, given.flags.module);
  const first = await resultOf(parts, good);
  if (first.verdict !== 'pass') throw new BaselineFailed(await whyRefused(parts, first));
  const results = [first];
  // one call after the other, because each may make the API fetch the keys
  for (const module of others) {
    const absent = whyAbsent(module, given);
    if (absent !== undefined) results.push(withVerdict(module, { verdict: 'not_applicable', why: absent }));
    else
      results.push(
        module.needs === 'rotation'
          ? await afterRotation(parts, module, timing ?? realTiming)
          : await resultOf(parts, module),
      );
  }
  return examinationOf(resourceServer, 'given', results);
}

const realTiming: Pick<Timing, 'sleep'> = { sleep: (ms: number) => new Promise(resolve => setTimeout(resolve, ms)) };

function whyAbsent({ needs }: ApiModule, given: Given): string | undefined {
  if (needs === 'scope' && textOf(given, 'scope') === undefined) return 'No scope was named: give it with --scope.';
  if (needs === 'rotation' && !isOn(given, 'rotate'))
    return 'The keys were not rotated: --rotate does it, and waits for 31 s.';
  return undefined;
}

/** A library may wait before it fetches the keys again, so a refusal counts after that time alone. */
async function afterRotation(parts: Examined, module: ApiModule, timing: Pick<Timing, 'sleep'>): Promise<ModuleResult> {
  await parts.issuer.rotate();
  const soon = await resultOf(parts, module);
  if (soon.verdict === 'pass') return soon;
  await timing.sleep(cooldown);
  return resultOf(parts, module);
}

async function resultOf({ api, issuer, isInsecure }: Examined, module: ApiModule): Promise<ModuleResult> {
  const begun = performance.now();
  const answer = await answerOf(api, await issuer.callOf(module), { isInsecure });
  const finding = findingIn(module, answer);
  const shown: ShownRequest = {
    endpoint: 'api',
    method: 'GET',
    path: api.pathname,
    status: answer.status,
    faults: [],
  };
  const seconds = (performance.now() - begun) / 1000;
  const judged = { why: whyOf(module, finding, answer), requests: [shown], seconds, mend: module.mend(issuer.wanted) };
  if (finding?.kind === 'form') return withVerdict(module, { ...judged, ...formWords, verdict: 'warn' });
  return withVerdict(module, { ...judged, verdict: finding === undefined ? 'pass' : (module.otherwise ?? 'fail') });
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
async function whyRefused({ api, issuer, isInsecure }: Examined, { why, mend }: ModuleResult): Promise<string> {
  const { wanted } = issuer;
  const about = `The API refuses a good token, so nothing can be examined. ${why} `;
  if (!(await issuer.gaveKeys()))
    return `${about}Nobody has fetched the keys at ${wanted.jwksUri}, so the API cannot know them. Give it the issuer ${wanted.issuer}, and check that this address can be reached from where the API runs.`;
  for (const { token, reason } of variantsFor(api, issuer.client, wanted.audience)) {
    const { status } = await answerOf(api, await issuer.bearer(token), { isInsecure });
    if (status >= 200 && status < 300) return about + reason;
  }
  return `${about}The API knows the keys, and accepts no other typ or aud that was tried. Its configuration: ${mend}. Read what its log says about the token.`;
}
