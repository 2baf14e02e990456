import type { RecordedRequest } from '../flows/recorded-request.ts';
import { isOrdinary } from '../problems/ordinary.ts';
import { entryFor } from '../problems/reasons/index.ts';
import type { ClientRun, RunRefusal } from './client-run.ts';
import type { Verdict } from './report.ts';

/** What a check found, before it is written down. */
export interface Found {
  readonly verdict: Verdict;
  readonly why: string;
  /** The requests that show it, oldest first; empty for `pass` and `not_applicable`. */
  readonly requests: readonly RecordedRequest[];
}

/** One thing that a client does well or badly, as far as the server sees it. */
export interface Check {
  /** Stable, `pkce_s256`. */
  readonly id: string;
  /** What is expected, in a few words. */
  readonly title: string;
  /** What happened where it was not passed; `reported` of a reason says it more exactly. Default: `title`. */
  readonly failed?: string;
  /** `RFC 7636 §4.2` */
  readonly references: readonly string[];
  /** Reasons of refusals it answers for; the last check is about those that none answers for. */
  readonly reasons?: readonly string[];
  look(run: ClientRun): Found;
}

/** The title of a check: what happened where it was not passed, and otherwise what is expected. */
export function titleOf({ id, title, failed = title, reasons = [] }: Check, { verdict, requests }: Found): string {
  if (verdict !== 'fail' && verdict !== 'warn') return title;
  const refusal = requests[0]?.facts.find(fact => fact.type === 'error.returned' && reasons.includes(fact.reason));
  const reason = refusal?.type === 'error.returned' ? refusal.reason : '';
  if (id === 'pkce_verifier' && reason === 'pkce_missing') return 'A code_verifier was missing';
  return entryFor(reason)?.reported ?? failed;
}

export function passed(why: string): Found {
  return { verdict: 'pass', why, requests: [] };
}

export function notApplicable(why: string): Found {
  return { verdict: 'not_applicable', why, requests: [] };
}

export function found(verdict: 'warn' | 'fail', why: string, requests: readonly RecordedRequest[]): Found {
  return { verdict, why, requests };
}

/** `1 login`, `3 logins` */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

interface RefusalRule extends Omit<Check, 'look' | 'reasons'> {
  readonly reasons: readonly string[];
  /** Only refusals of this endpoint; default: of all. */
  readonly endpoint?: string;
  readonly verdict: 'warn' | 'fail';
  /** What makes the check worth a word where nothing was refused; undefined where there was nothing to refuse. */
  good(run: ClientRun): string | undefined;
  /** Said where `good` has nothing to say. */
  readonly absent: string;
  /** What to do about it. */
  readonly advice: string;
}

/** A check that fails where the server refused for one of these reasons. */
export function refusalCheck({ verdict, good, absent, advice, endpoint, ...rule }: RefusalRule): Check {
  return {
    ...rule,
    look(run) {
      const refusals = refusalsOf(run, rule.reasons).filter(
        ({ error }) => endpoint === undefined || error.endpoint === endpoint,
      );
      if (refusals.length > 0) return found(verdict, whyRefused(refusals, advice), requestsOf(refusals));
      const said = good(run);
      return said === undefined ? notApplicable(absent) : passed(said);
    },
  };
}

/** Refusals for one of these reasons, but for those that belong to a conversation that goes well. */
export function refusalsOf(run: ClientRun, reasons: readonly string[]): readonly RunRefusal[] {
  return run.refusals.filter(({ error }) => reasons.includes(error.reason) && !isOrdinary(error));
}

export function requestsOf(refusals: readonly RunRefusal[]): readonly RecordedRequest[] {
  return refusals.flatMap(({ request }) => (request === undefined ? [] : [request]));
}

/** The reasons with their numbers, and what the server said the first time. */
export function whyRefused(refusals: readonly RunRefusal[], advice: string): string {
  const counts = new Map<string, number>();
  for (const { error } of refusals) counts.set(error.reason, (counts.get(error.reason) ?? 0) + 1);
  const reasons = [...counts].map(([reason, count]) => (count === 1 ? reason : `${reason} ${count} times`)).join(', ');
  const first = refusals[0]?.error.description ?? '';
  return `Refused: ${reasons} (${first}). ${advice}`;
}

/** A check that says what a detector of silent failures found. */
export function silenceCheck(
  rule: Omit<Check, 'look'> & {
    readonly detector: string;
    readonly verdict: 'warn' | 'fail';
    readonly advice: string;
    /** As with refusals. */
    good(run: ClientRun): string | undefined;
    readonly absent: string;
  },
): Check {
  const { detector, verdict, advice, good, absent, ...check } = rule;
  return {
    ...check,
    look(run) {
      const failures = run.silences(detector);
      const [first] = failures;
      const requests = failures.flatMap(({ requestId }) => run.request(requestId) ?? []);
      if (first !== undefined) return found(verdict, `${first.title}. ${advice}`, requests);
      const said = good(run);
      return said === undefined ? notApplicable(absent) : passed(said);
    },
  };
}
