import type { Explained } from '../../record/problems/explained-request.ts';
import { withoutSecrets } from '../../record/problems/explanation-view.ts';
import type { Comparison, Explanation, Problem, ProposedFix } from '../../record/problems/problem.ts';
import { textOf } from '../../record/problems/url-difference.ts';
import { referenceUrl } from '../../server/http/views.ts';
import type { Desk } from '../desk.ts';

/** A problem of the list. */
export function problemSummary({ issuer }: Pick<Desk, 'issuer'>, problem: Problem) {
  return { ...problem, links: { problem: `${issuer}/dashboard/problems/${problem.id}` } };
}

/** One occurrence with all facts of its page, without secrets. */
export function problemJson(desk: Desk, { problem, explanation, requestId, error }: Explained) {
  const at = `${desk.issuer}/dashboard`;
  const isInFlow = desk.flows.ofRequest(requestId) !== undefined;
  return {
    ...(problem ?? { kind: 'refusal', code: error?.error, reason: error?.reason, count: 0 }),
    requestId,
    ...(error === undefined ? {} : { status: error.status, error: error.error, error_description: error.description }),
    ...explanationJson(explanation),
    links: {
      problem: `${at}/problems/${problem?.id ?? requestId}`,
      request: `${at}/requests/${requestId}`,
      ...(isInFlow ? { flow: `${at}/flows/by-request/${requestId}` } : {}),
    },
  };
}

function explanationJson({ comparison, references, fixes, ...rest }: Explanation) {
  return {
    ...rest,
    ...(comparison === undefined ? {} : comparisonJson(comparison)),
    fixes: fixes.map(fixJson),
    references: references.map(name => ({ name, url: referenceUrl(name) })),
  };
}

function comparisonJson({ sent, expected, sentLabel, expectedLabel }: Comparison) {
  return {
    sent: textOf(sent),
    expected: expected.map(({ value, ...each }) => ({ value: textOf(value), ...each })),
    comparison: { sentLabel, sent, expectedLabel, expected },
  };
}

function fixJson({ text, apply, snippets }: ProposedFix) {
  if (apply === undefined) return { text, snippets };
  const { label, change, thenContinue } = apply;
  return { text, apply: { label, change: JSON.parse(withoutSecrets(change)), thenContinue }, snippets };
}
