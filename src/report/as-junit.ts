import type { CheckResult, ClientReport, ClientScore, FailOn } from './report.ts';

/** JUnit XML: a test suite for each client, a test case for each check. `failOn: 'warn'` makes warnings failures, too. */
export function reportAsJunit(report: ClientReport, failOn: FailOn = 'fail'): string {
  const suites = report.clients.map(client => suite(client, report, failOn));
  const checks = report.clients.flatMap(client => client.checks);
  const attributes = `name="Grantbox client report ${xml(report.issuer)}" ${counts(checks, failOn)}`;
  return ['<?xml version="1.0" encoding="UTF-8"?>', `<testsuites ${attributes}>`, ...suites, '</testsuites>', ''].join(
    '\n',
  );
}

function suite(client: ClientScore, { createdAt }: ClientReport, failOn: FailOn): string {
  const name = xml(client.client_id);
  const timestamp = createdAt.replace(/(\.\d+)?Z$/, '');
  const cases = client.checks.map(check => testCase(check, name, failOn));
  const attributes = `name="${name}" ${counts(client.checks, failOn)} timestamp="${timestamp}"`;
  return [`  <testsuite ${attributes}>`, ...cases, '  </testsuite>'].join('\n');
}

function counts(checks: readonly CheckResult[], failOn: FailOn): string {
  const failures = checks.filter(check => isFailure(check, failOn)).length;
  const skipped = checks.filter(({ verdict }) => verdict === 'not_applicable').length;
  return `tests="${checks.length}" failures="${failures}" errors="0" skipped="${skipped}" time="0"`;
}

function isFailure({ verdict }: CheckResult, failOn: FailOn): boolean {
  return verdict === 'fail' || (failOn === 'warn' && verdict === 'warn');
}

function testCase(check: CheckResult, client: string, failOn: FailOn): string {
  const { id, title, verdict, why } = check;
  const open = `    <testcase classname="grantbox.${client}" name="${xml(`${id}: ${title}`)}" time="0">`;
  return [open, `      ${outcome()}`, '    </testcase>'].join('\n');

  function outcome(): string {
    if (verdict === 'not_applicable') return `<skipped message="${xml(why)}"/>`;
    if (isFailure(check, failOn))
      return `<failure type="${verdict}" message="${xml(why)}">${xml(details(check))}</failure>`;
    return `<system-out>${xml(verdict === 'warn' ? `warning: ${details(check)}` : why)}</system-out>`;
  }
}

function details({ why, references, evidence: { count, requests, example } }: CheckResult): string {
  return [
    why,
    ...(example === undefined ? [] : [`example: ${example}`]),
    `requests: ${count} (${requests.map(({ requestId }) => requestId).join(', ')})`,
    `see ${references.join(', ')}`,
  ].join('\n');
}

// What no XML 1.0 document may hold, escaped or not (§2.2); halves of surrogate pairs among it.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufffe\uffff]|\p{Cs}/gu;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Any text, for an element or an attribute. */
function xml(text: string): string {
  return text.replace(forbidden, '\ufffd').replace(/[&<>"']/g, sign => entities[sign] ?? sign);
}
