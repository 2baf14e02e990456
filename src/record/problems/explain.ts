import { hash } from 'node:crypto';
import type { Change } from '../../base/events/change.ts';
import type { EventOf } from '../../base/events/event.ts';
import { type Case, caseOf } from './case.ts';
import { compareSentAndExpected } from './compare.ts';
import { type ReasonEntry, say } from './entry.ts';
import { exchangeOf } from './history.ts';
import type { Known } from './known.ts';
import { type Purpose, purposeOf } from './on-purpose.ts';
import type { Explanation, Problem, ProblemIndex, ProposedFix, Refusal } from './problem.ts';
import { entryFor } from './reasons/index.ts';

/** Explains a refused request: both values, the reason and the fixes. */
export function explainRefusal(known: Known, refusal: Refusal): Explanation {
  const refused = caseOf(known, refusal);
  const entry = entryFor(refusal.error.reason) ?? unknown;
  const comparison = entry.compare?.(refused) ?? compareSentAndExpected(refused);
  const fields = entry.fields?.(refused) ?? [];
  const note = typeof entry.note === 'function' ? entry.note(refused) : entry.note;
  const explained: Explanation = {
    title: say(entry.title, refused),
    comparison,
    ...(fields.length === 0 ? {} : { fields }),
    why: say(entry.why ?? '{description}.', refused),
    certainty: (typeof entry.certainty === 'function' ? entry.certainty(refused) : entry.certainty) ?? 'certain',
    others: entry.others ?? [],
    fixes: fixesOf(entry, refused),
    note,
    references: [...new Set([...(entry.rfc === '' ? [] : [entry.rfc]), ...(entry.references ?? [])])],
  };
  const purpose = purposeOf(known, refusal);
  return purpose === undefined ? explained : onPurpose(explained, purpose);
}

/** Replaces the explanation of an intended refusal, because a change of the application would not help. */
function onPurpose(explained: Explanation, { title, why, fix }: Purpose): Explanation {
  return {
    ...explained,
    title,
    why,
    certainty: 'certain',
    fixes: [{ text: fix, snippets: [] }],
  };
}

/** Writes only the title, for lists. */
export function titleOf(known: Known, refusal: Refusal): string {
  return (
    purposeOf(known, refusal)?.title ?? say((entryFor(refusal.error.reason) ?? unknown).title, caseOf(known, refusal))
  );
}

const unknown: ReasonEntry = {
  title: ({ error }) => `${error.error}: ${error.description}`,
  fix: '',
  rfc: '',
};

/** Returns the fixes for this request, and the general sentence if none of them concerns the app. */
function fixesOf(entry: ReasonEntry, refused: Case): readonly ProposedFix[] {
  const own = (entry.fixes?.(refused) ?? []).filter(fix => wouldApply(refused, fix));
  const isAppTold = own.some(({ apply }) => apply === undefined);
  const general = isAppTold ? '' : entry.fix;
  const sentence = entry.insteadOfFix === undefined ? general : say(entry.insteadOfFix, refused);
  return sentence === '' ? own : [...own, { text: sentence, snippets: [] }];
}

/** False for a change that the sandbox itself would refuse, or that nobody can check: it may be wrong. */
function wouldApply({ known: { control } }: Case, { apply }: ProposedFix): boolean {
  return apply === undefined || control?.problemsOf(apply.change).length === 0;
}

/** One occurrence of a problem, explained. */
export interface Explained {
  /** Absent for a refusal that is an expected part of the protocol, such as `authorization_pending`. */
  readonly problem?: Problem;
  readonly explanation: Explanation;
  readonly requestId: string;
  readonly error?: EventOf<'error.returned'>;
  readonly request?: EventOf<'request.completed'>;
}

/** `prb_…` gives the newest occurrence, `req_…` the one of that request; undefined if the log does not have it. */
export function explainedRequest(
  known: Known & { readonly problems: ProblemIndex },
  id: string,
): Explained | undefined {
  const { problems } = known;
  const problem = problems.find(id) ?? problems.ofRequest(id);
  const requestId = problem === undefined || problem.requestIds.includes(id) ? id : problem.requestId;
  if (problem === undefined) return refusalAlone(known, requestId);
  return {
    problem,
    requestId,
    explanation: problems.explain(problem, requestId),
    ...recorded(known, requestId, problem.reason),
  };
}

function refusalAlone(known: Known, requestId: string): Explained | undefined {
  const { error, request } = recorded(known, requestId);
  if (error === undefined) return undefined;
  const refusal = request === undefined ? { error } : { error, request };
  return { explanation: explainRefusal(known, refusal), requestId, ...refusal };
}

function recorded(
  known: Pick<Known, 'events'>,
  requestId: string,
  reason?: string,
): Pick<Explained, 'error' | 'request'> {
  const errors = known.events.ofRequest(requestId).filter(event => event.type === 'error.returned');
  const error = errors.find(event => event.reason === reason) ?? errors.at(-1);
  const request = exchangeOf(known, requestId);
  return { error, request };
}

interface FixView extends ProposedFix {
  /** Identifies the change of the button, because the configuration may have changed meanwhile. */
  readonly mark?: string;
}

/** The data of the template of an explanation. */
export interface ExplanationView extends Omit<Explanation, 'fixes'> {
  readonly fixes: readonly FixView[];
  /** The address that the buttons post to; absent if nothing may be changed. */
  readonly fixAction?: string;
  readonly requestId: string;
  /** Whether a button returns to the app, which a policy with `form-action` would block. */
  readonly leadsOn: boolean;
}

export function explanationView(
  explanation: Explanation,
  requestId: string,
  fixAction: string | undefined,
): ExplanationView {
  return {
    ...explanation,
    requestId,
    fixes: explanation.fixes.map(fix => (fix.apply === undefined ? fix : { ...fix, mark: markOf(fix.apply.change) })),
    fixAction,
    leadsOn: fixAction !== undefined && explanation.fixes.some(({ apply }) => apply?.thenContinue === true),
  };
}

const length = 16;

/** Returns a short hash of a change, computed without its secrets. */
export function markOf(change: Change): string {
  return hash('sha256', withoutSecrets(change), 'base64url').slice(0, length);
}

/** Writes a change as JSON with its secrets redacted. */
export function withoutSecrets(change: Change): string {
  return JSON.stringify(change, (name, value: unknown) => (/secret|password/.test(name) ? '[redacted]' : value));
}
