import { recordIn } from '../../base/text/record.ts';
import type { RecordedRequest } from '../../record/flows/recorded-request.ts';
import type { AskedFault } from '../../server/faults/fault.ts';
import type { ExamModule, ExamStep, Judged, Seen, Stage } from './exam-module.ts';

/** The words of a module. */
export type ModuleWords = Omit<ExamModule, 'run' | 'judge'>;

/** How a module misbehaves. The issuer is known when it runs. */
type Faults = readonly AskedFault[] | ((stage: Stage) => Promise<readonly AskedFault[]>);

interface Bait {
  readonly faults: Faults;
  /** Why nothing can be said if the app never met it: `The app does not ask for UserInfo.` */
  readonly absent: string;
  /** The requests that met it. Default: those whose answer a fault of the module changed. */
  met?(seen: Seen): readonly RecordedRequest[];
}

interface MustRefuse extends ModuleWords, Bait {
  /** `warn` where the specification only recommends the check. Default: `fail`. */
  readonly otherwise?: 'warn' | 'fail';
  /** Requests that a right app does not send once it has met the bait; each of them decides. */
  never?(seen: Seen, met: readonly RecordedRequest[]): readonly RecordedRequest[];
}

/** A module that a right app refuses: nobody is signed in, and no forbidden request is sent. */
export function mustRefuse({ faults, absent, met, otherwise = 'fail', never, ...words }: MustRefuse): ExamModule {
  return {
    ...words,
    run: stage => armedSignIn(stage, faults),
    judge(seen) {
      const bait = met?.(seen) ?? seen.baited;
      if (bait.length === 0) return notMet(seen, absent);
      const wrong = never?.(seen, bait) ?? [];
      if (wrong.length > 0)
        return {
          verdict: otherwise,
          why: `The app went on: ${requestWords(wrong)}.`,
          requests: [...bait, ...wrong],
        };
      if (seen.believed === undefined) return untold(bait);
      if (!seen.believed) return { verdict: 'pass', why: 'The app refused it.', requests: bait };
      return { verdict: otherwise, why: 'The app took it: somebody is signed in.', requests: bait };
    },
  };
}

interface MustAccept extends ModuleWords, Bait {
  /** Requests that show that the app did it right; none fails the module. Default: the sign-in decides alone. */
  needs?(seen: Seen): readonly RecordedRequest[];
  /** Says what is wrong if there is none of `needs`, or one of `never`. */
  readonly without?: string;
  /** Requests that a right app does not send; each of them decides. */
  never?(seen: Seen): readonly RecordedRequest[];
}

/** A module that looks unusual and is right: a right app signs in. */
export function mustAccept({ faults, absent, met, needs, without = '', never, ...words }: MustAccept): ExamModule {
  return {
    ...words,
    run: stage => armedSignIn(stage, faults),
    judge(seen) {
      const bait = met?.(seen) ?? seen.baited;
      if (bait.length === 0) return notMet(seen, absent);
      const wrong = never?.(seen) ?? [];
      if (wrong.length > 0) return { verdict: 'fail', why: without, requests: wrong };
      if (seen.believed === undefined) return untold(bait);
      if (!seen.believed) return { verdict: 'fail', why: 'The app refused it, although it is right.', requests: bait };
      const shown = needs?.(seen);
      if (shown?.length === 0) return { verdict: 'fail', why: without, requests: bait };
      return { verdict: 'pass', why: 'The app signed in.', requests: shown ?? bait };
    },
  };
}

async function armedSignIn(stage: Stage, faults: Faults) {
  for (const fault of typeof faults === 'function' ? await faults(stage) : faults) await stage.arm(fault);
  return stage.signIn();
}

/** The bait was not taken: no verdict about the check, but one that is never a pass. */
export function notMet({ believed, requests }: Seen, absent: string): Judged {
  if (believed === undefined && requests.length === 0)
    return { verdict: 'inconclusive', why: 'The app sent no request in time.', requests: [] };
  return { verdict: 'not_applicable', why: absent, requests: [] };
}

const stepFlags: Readonly<Record<ExamStep, string>> = {
  'sign-in': '--login or --login-url',
  'sign-out': '--logout with a command that signs out of the app, or --logout-url (in a test or a script: logout)',
  check: '--check with a command that asks the app whether somebody is signed in (in a test or a script: check)',
};

/** Nobody does a step that the module needs. */
export function missingStep(step: ExamStep): Judged {
  return { verdict: 'not_applicable', why: `Give ${stepFlags[step]}.`, requests: [] };
}

/** Nobody said in time what the app made of it. */
export function untold(requests: readonly RecordedRequest[]): Judged {
  const why = 'The time was up before the sign-in ended, so nobody can tell what the app made of it.';
  return { verdict: 'inconclusive', why, requests };
}

/** `POST /oauth2/token`, or how many more. */
function requestWords(requests: readonly RecordedRequest[]): string {
  const [first] = requests;
  if (first === undefined) return 'no request';
  const { method, path } = first.event;
  return requests.length === 1 ? `${method} ${path}` : `${method} ${path} and ${requests.length - 1} more`;
}

/** The authorization request of each sign-in with its parameters: the pushed one, or the first of the browser. */
export function startsOf(seen: Seen): readonly RecordedRequest[] {
  return firstsAt(seen, 'par', 'authorize');
}

/** The first request of each sign-in at one of these endpoints; a later endpoint counts where there is none at one before. */
export function firstsAt(seen: Seen, ...endpoints: readonly string[]): readonly RecordedRequest[] {
  return seen.signIns.flatMap((begin, index) => {
    const isOfIt = ({ event }: RecordedRequest) =>
      event.id > begin && event.id <= (seen.signIns[index + 1] ?? event.id);
    return endpoints.flatMap(endpoint => seen.at(endpoint).find(isOfIt) ?? []).slice(0, 1);
  });
}

/** A parameter of an authorization request, also of a signed one (RFC 9101). */
export function requested(request: RecordedRequest, name: string): string | undefined {
  const [, claims = ''] = request.value('request')?.split('.') ?? [];
  const value = recordIn(Buffer.from(claims, 'base64url').toString())?.[name];
  return request.value(name) ?? (typeof value === 'string' ? value : undefined);
}

interface Observed extends ModuleWords {
  /** The requests that it is about. None: it does not apply. */
  met(seen: Seen): readonly RecordedRequest[];
  readonly absent: string;
  /** The wrong ones among the requests. */
  wrong(seen: Seen): readonly RecordedRequest[];
  /** Says what is wrong with those. */
  readonly found: string;
  /** How often the app signs in. Default: once. */
  readonly times?: number;
  /** `warn` where the specification only recommends it. Default: `fail`. */
  readonly otherwise?: 'warn' | 'fail';
}

/** A module in which nothing is wrong with the provider: the requests of the app decide. */
export function observed({ met, absent, wrong, found, times = 1, otherwise = 'fail', ...words }: Observed): ExamModule {
  return {
    ...words,
    async run(stage) {
      let taken = await stage.signIn();
      for (let time = 1; time < times && taken.believed === true; time++) taken = await stage.signIn();
      return taken;
    },
    judge(seen) {
      const about = met(seen);
      if (about.length < times) return notMet(seen, absent);
      const broken = wrong(seen);
      if (broken.length > 0) return { verdict: otherwise, why: found, requests: broken };
      return { verdict: 'pass', why: 'Each request was as it should be.', requests: about };
    },
  };
}

/** Requests that have the same value as an earlier one. */
export function repeated(
  requests: readonly RecordedRequest[],
  read: (request: RecordedRequest) => string | undefined,
): readonly RecordedRequest[] {
  const values = requests.map(read);
  return requests.filter((_, index) => values[index] !== undefined && values.indexOf(values[index]) < index);
}

/** The requests to an endpoint that came after one of these. */
export function after(seen: Seen, met: readonly RecordedRequest[], endpoint: string): readonly RecordedRequest[] {
  const from = Math.min(...met.map(({ event }) => event.id));
  return seen.at(endpoint).filter(({ event }) => event.id > from);
}
