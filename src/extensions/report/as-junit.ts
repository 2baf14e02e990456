import type { TextPieces } from '../../base/turns.ts';
import { type JunitCase, type JunitSuite, junitXml } from './junit-xml.ts';
import type { CheckResult, ClientReport, FailOn } from './report.ts';

/**
 * Writes JUnit XML: a test suite for each client and a test case for each check, followed by the suites `beside`. With
 * `failOn: 'warn'`, warnings are failures, too.
 */
export function* reportAsJunit(
  { issuer, createdAt, clients }: ClientReport,
  failOn: FailOn = 'fail',
  beside: readonly JunitSuite[] = [],
): TextPieces {
  const suites: JunitSuite[] = [];
  for (const { client_id, checks } of clients) {
    suites.push({ name: client_id, cases: checks.map(check => caseOf(check, client_id, failOn)) });
    yield '';
  }
  yield* junitXml(`Grantbox client report ${issuer}`, createdAt, [...suites, ...beside]);
}

function caseOf(check: CheckResult, client_id: string, failOn: FailOn): JunitCase {
  const { id, title, expectation, verdict, why } = check;
  // the name must not depend on the verdict, because tools compare runs by it
  const message = title === expectation ? why : `${title}. ${why}`;
  const named = { classname: client_id, name: `${id}: ${expectation}`, seconds: 0, message };
  if (verdict === 'not_applicable') return { ...named, outcome: 'skipped' };
  if (verdict === 'fail' || (failOn === 'warn' && verdict === 'warn'))
    return { ...named, outcome: 'failed', type: verdict, text: details(check) };
  return { ...named, outcome: 'passed', text: verdict === 'warn' ? `warning: ${details(check)}` : why };
}

function details({ why, references, evidence: { count, requests, example } }: CheckResult): string {
  return [
    why,
    ...(example === undefined ? [] : [`example: ${example}`]),
    `requests: ${count} (${requests.map(({ requestId }) => requestId).join(', ')})`,
    `see ${references.join(', ')}`,
  ].join('\n');
}
