import type { RecordedRequest } from '../../record/flows/recorded-request.ts';
import { isOrdinary } from '../../record/problems/on-purpose.ts';
import { entryFor } from '../../record/problems/reasons/index.ts';
import type { ClientRun, RunRefusal } from './client-run.ts';
import type { Verdict } from './report.ts';

/** The result of a check, before it is written into the report. */
export interface Found {
  readonly verdict: Verdict;
  readonly why: string;
  /** The requests that show it, oldest first; empty for `pass` and `not_applicable`. */
  readonly requests: readonly RecordedRequest[];
}

/** One rule for clients, checked against the requests that the server saw. */
export interface Check {
  /** Stable id: `pkce_s256`. */
  readonly id: string;
  /** The expectation in a few words, as a sentence that is true when the check passes. */
  readonly title: string;
  /** Title when the check did not pass. `reported` of a reason takes precedence. Default: `title`. */
  readonly failed?: string;
  /** `RFC 7636 §4.2` */
  readonly references: readonly string[];
  /** Reasons of refusals that this check covers. The last check, `no_other_refusal`, covers the rest. */
  readonly reasons?: readonly string[];
  look(run: ClientRun): Found;
}

/** The title by result: what happened if the check did not pass, and otherwise the expectation. */
export function titleOf({ id, title, failed = title, reasons = [] }: Check, { verdict, requests }: Found): string {
  if (verdict !== 'fail' && verdict !== 'warn') return title;
  const refusal = requests[0]?.facts.find(fact => fact.type === 'error.returned' && reasons.includes(fact.reason));
  const reason = refusal?.type === 'error.returned' ? refusal.reason : '';
  if (id === 'pkce_verifier' && reason === 'pkce_missing') return 'A code_verifier was missing';
  return entryFor(reason)?.reported ?? failed;
}

/** Makes a `pass`; `why` is shown. */
export function passed(why: string): Found {
  return { verdict: 'pass', why, requests: [] };
}

/** Makes a `not_applicable`: nothing was seen that the check is about. */
export function notApplicable(why: string): Found {
  return { verdict: 'not_applicable', why, requests: [] };
}

/** Makes a finding with the requests that show it, oldest first. */
export function found(verdict: 'warn' | 'fail', why: string, requests: readonly RecordedRequest[]): Found {
  return { verdict, why, requests };
}

/** A number with its noun: `1 login`, `3 logins`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}

/** A rule that a client keeps unless a request shows the contrary. */
interface Rule extends Omit<Check, 'look'> {
  readonly verdict: 'warn' | 'fail';
  /** Text for a passed check; undefined if there was nothing to check. */
  good(run: ClientRun): string | undefined;
  /** Text for `not_applicable`, if `good` returns undefined. */
  readonly absent: string;
  /** How to fix the client. */
  readonly advice: string;
}

function ruleCheck({ good, absent, ...check }: Rule, brokenIn: (run: ClientRun) => Found | undefined): Check {
  return {
    ...check,
    look(run) {
      const broken = brokenIn(run);
      if (broken !== undefined) return broken;
      const said = good(run);
      return said === undefined ? notApplicable(absent) : passed(said);
    },
  };
}

/** Makes a check that fails if the server refused a request for one of these reasons; with `endpoint`, only at that endpoint. */
export function refusalCheck({
  endpoint,
  ...rule
}: Rule & Required<Pick<Check, 'reasons'>> & { readonly endpoint?: string }): Check {
  return ruleCheck(rule, run => {
    const refusals = refusalsOf(run, rule.reasons).filter(
      ({ error }) => endpoint === undefined || error.endpoint === endpoint,
    );
    if (refusals.length === 0) return undefined;
    return found(rule.verdict, whyRefused(refusals, rule.advice), requestsOf(refusals));
  });
}

/** Makes a check that reports the findings of a detector of silent failures. */
export function silenceCheck({ detector, ...rule }: Rule & { readonly detector: string }): Check {
  return ruleCheck(rule, run => {
    const failures = run.silences(detector);
    const [first] = failures;
    const requests = failures.flatMap(({ requestId }) => run.request(requestId) ?? []);
    return first && found(rule.verdict, `${first.title}. ${rule.advice}`, requests);
  });
}

/** Refusals for one of these reasons, without those that are a normal part of a flow, such as `authorization_pending`. */
export function refusalsOf(run: ClientRun, reasons: readonly string[]): readonly RunRefusal[] {
  return run.refusals.filter(({ error }) => reasons.includes(error.reason) && !isOrdinary(error));
}

/** The requests of these refusals that are still in the history. */
export function requestsOf(refusals: readonly RunRefusal[]): readonly RecordedRequest[] {
  return refusals.flatMap(({ request }) => (request === undefined ? [] : [request]));
}

/** The reasons with their counts, the description of the first refusal, and the advice. */
export function whyRefused(refusals: readonly RunRefusal[], advice: string): string {
  const counts = new Map<string, number>();
  for (const { error } of refusals) counts.set(error.reason, (counts.get(error.reason) ?? 0) + 1);
  const reasons = [...counts].map(([reason, count]) => (count === 1 ? reason : `${reason} ${count} times`)).join(', ');
  const first = refusals[0]?.error.description ?? '';
  return `Refused: ${reasons} (${first}). ${advice}`;
}
