import { expectedName } from '../../../base/text/nearest.ts';
import { OAuthError } from '../../../protocol/errors.ts';
import { refusedInput } from '../../../sandbox/control/refusal.ts';
import type { Issuer } from '../../../sandbox/extension.ts';
import type { SandboxIssuer } from '../../../sandbox/library/calls.ts';
import { handleOf } from '../../../sandbox/library/handle.ts';
import { lookupFor } from '../../../server/outbound/outbound.ts';
import { type SignInRecord, userIn } from '../drive/recorded-login.ts';
import { type Walk, walkSteps } from '../drive/walk-login.ts';
import type { ExamSteps } from '../driver.ts';
import type { ExamStep } from '../exam-module.ts';
import type { ExamHost, ExamineOptions } from '../examination.ts';
import { plans } from '../plans/index.ts';
import { decideCiba } from './decide-ciba.ts';
import { type AskedRun, createExaminations, type Examinations, mostRuns } from './examinations.ts';
import type { ExaminationRun } from './run.ts';

/** An examination that a page or a call of the control API asks for. */
export interface BegunRun extends Omit<ExamineOptions, keyof ExamSteps | 'onResult' | 'signal'> {
  /** The address of the app, for the page of the run. */
  readonly app?: string | undefined;
  /** The steps that somebody can do for the driver `asked`. Default: only sign in. */
  readonly steps?: readonly ExamStep[];
  readonly driver:
    | 'asked'
    | { readonly walk: Pick<Walk, 'url' | 'signedIn' | 'logoutUrl'> }
    | { readonly recorded: SignInRecord };
}

/** The examiner of a running sandbox. */
export interface ExamineHere {
  readonly runs: Examinations;
  /** @throws OAuthError for what cannot be examined */
  start(begun: BegunRun): Promise<ExaminationRun>;
}

/** Loads the examiner of the first issuer. */
export function examineHere(issuer: Issuer): ExamineHere {
  const host = hostOf(issuer);
  const runs = createExaminations(host, issuer.sandbox.now);

  async function asked({ driver, user, steps = [], ...begun }: BegunRun): Promise<AskedRun> {
    requireKnown(begun);
    requireAddress('app', begun.app);
    if (driver === 'asked') return { seconds: 300, sideBySide: 1, ...begun, user, steps, driver };
    const reach = issuer.first?.config.outbound ?? 'private';
    // the certificate of this sandbox is its own
    const way = { isInsecure: issuer.sandbox.tls !== undefined, lookup: (at: URL) => lookupFor(at.href, reach) };
    if ('recorded' in driver) {
      const { url, forms, signedIn } = driver.recorded;
      const replayed = walkSteps({ url, forms, signedIn, ...way });
      return { app: url, ...begun, user: user ?? userIn(driver.recorded), steps: replayed, driver: 'recorded' };
    }
    requireAddress('driver.walk.url', driver.walk.url);
    requireAddress('driver.walk.logoutUrl', driver.walk.logoutUrl);
    const [first] = await host.first.users.list();
    const walked = walkSteps({ ...driver.walk, ...way });
    return { app: driver.walk.url, ...begun, user: user ?? first?.sub, steps: walked, driver: 'walk' };
  }
  return {
    runs,
    async start(begun) {
      if (!issuer.config.recording)
        throw wrong('', 'RECORDING=off', 'a sandbox that records: verdicts are read from the requests');
      const run = runs.start(await asked(begun));
      if (run !== undefined) return run;
      throw new OAuthError('temporarily_unavailable', 'control_busy', 'too many examinations run', {
        sent: `one more than ${mostRuns}`,
        expected: `at most ${mostRuns} at a time: stop one with DELETE /_sandbox/examinations/{id}`,
        headers: { 'Retry-After': '5' },
      });
    },
  };
}

function wrong(member: string, sent: string, expected: string): OAuthError {
  return refusedInput([{ member, sent, expected }]);
}

function requireAddress(member: string, url: string | undefined): void {
  if (url !== undefined && (!URL.canParse(url) || !/^https?:/.test(url)))
    throw wrong(member, url, 'an http or https address');
}

function requireKnown({ plan = 'relying-party', modules = [] }: Pick<BegunRun, 'plan' | 'modules'>): void {
  const found = plans.find(({ id }) => id === plan);
  const names = (found?.modules ?? []).map(({ id }) => id);
  const unknown = modules.find(name => !names.includes(name));
  if (found === undefined) {
    const known = plans.map(({ id }) => id);
    throw wrong('plan', plan, expectedName(plan, known));
  }
  if (unknown !== undefined) throw wrong('modules', unknown, expectedName(unknown, names));
}

/** Where the modules of an issuer run: it is the first, and makes others. */
function hostOf(issuer: Issuer): ExamHost {
  let before: Promise<unknown> = Promise.resolve();
  const issuers = new WeakMap<SandboxIssuer, Issuer>();
  const handle = (of: Issuer) => {
    const handled = handleOf(of);
    issuers.set(handled, of);
    return handled;
  };
  return {
    first: handle(issuer),
    async decide(at, answer) {
      const of = issuers.get(at);
      if (of !== undefined) await decideCiba(of, answer);
    },
    async alone(work, signal) {
      signal?.throwIfAborted();
      let hasBegun = false;
      const done = before.then(() => {
        signal?.throwIfAborted();
        hasBegun = true;
        return work();
      });
      before = done.catch(() => {});
      const isOver = new AbortController();
      const left = new Promise<never>((_resolve, reject) => {
        signal?.addEventListener('abort', () => hasBegun || reject(signal.reason), { signal: isOver.signal });
      });
      return Promise.race([done, left]).finally(() => isOver.abort());
    },
    async make(config = {}) {
      const made = await issuer.first?.issuers();
      if (made === undefined) throw new TypeError('examine: this issuer cannot make others');
      const { issuer: own, stop } = await made.createHere(config, {}, { hasOwnQuota: true });
      return { issuer: handle(own), stop };
    },
  };
}
