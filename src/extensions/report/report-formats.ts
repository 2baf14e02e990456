import { type JunitCase, type JunitSuite, junitXml } from '../../base/text/junit-xml.ts';
import { eachInTurns, type TextPieces, type Turns } from '../../base/turns.ts';
import { templatesFolder } from '../../package.ts';
import { jsonInPieces } from '../../record/flows/exports/json.ts';
import { renderTemplate } from '../../server/http/render-template.ts';
import type { CheckResult, ClientReport, ClientScore, FailOn, Summary, Verdict } from './report.ts';

/** Columns of the overview, from left to right. */
const verdicts: readonly Verdict[] = ['fail', 'warn', 'pass', 'not_applicable'];

/**
 * Renders the report as one HTML page without scripts, fonts or links to other files; it follows the colour scheme of the browser.
 * Each client is rendered separately, because a thousand clients would block the event loop.
 */
export async function* reportAsHtml(report: ClientReport, turns?: Turns): AsyncGenerator<string, void, void> {
  const columns = verdicts.map(verdict => verdictWords[verdict]);
  const page = await render('page', { report, notes: blindSpots(report), verdicts: columns });
  // untrusted text cannot contain this marker, because EJS escapes `<`
  const [head = '', between = '', tail = ''] = page.split(/<!--parts-->\n?/);
  const clients = [...report.clients.entries()];
  yield head;
  yield* eachInTurns(clients, each => row(...each), turns);
  yield between;
  yield* eachInTurns(clients, each => section(...each), turns);
  yield `${tail}\n`;
}

function row(index: number, client: ClientScore): Promise<string> {
  return render('row', {
    client,
    index,
    words: verdictWords,
    counts: verdicts.map(verdict => client.summary[verdict]),
  });
}

function section(index: number, client: ClientScore): Promise<string> {
  const of = (...wanted: readonly Verdict[]) =>
    wanted.flatMap(verdict => client.checks.filter(check => check.verdict === verdict));
  return render('client', {
    client,
    index,
    words: verdictWords,
    findings: of('fail', 'warn'),
    others: of('pass', 'not_applicable'),
  });
}

function render(template: string, view: object): Promise<string> {
  return renderTemplate(`${templatesFolder}/report/${template}.ejs`, view);
}

/** Writes the report as JSON, with the members of `ClientReport`. */
export function* reportAsJson({ clients, unseen, ...head }: ClientReport): TextPieces {
  yield* jsonInPieces({ ...head, clients, unseen }, (value, indent) => JSON.stringify(value, undefined, indent));
  yield '\n';
}

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

const marks: Readonly<Record<Verdict, string>> = { fail: 'FAIL', warn: 'WARN', pass: 'pass', not_applicable: '-' };

/** Writes the report for a terminal: failures and warnings first. Checks that do not apply are only counted. */
export function reportAsText(report: ClientReport): string {
  const { clients, issuer, unseen, summary } = report;
  const notes = [
    ...(clients.length === 0 ? ['No client has sent a request yet.'] : []),
    ...(unseen.length === 0 ? [] : [`Registered but not seen yet: ${unseen.join(', ')}`]),
    ...blindSpots(report),
  ];
  const head = [`Client report of ${issuer}`, '', ...clients.flatMap(clientLines), ...notes, sumOf(summary)];
  return `${head.map(plain).join('\n')}\n`;
}

const order: readonly Verdict[] = ['fail', 'warn', 'pass'];

function clientLines({ client_id, client_name, type, checks, summary }: ClientScore): string[] {
  const name = client_name === client_id ? '' : ` (${client_name})`;
  const shown = order.flatMap(verdict => checks.filter(check => check.verdict === verdict));
  const width = Math.max(0, ...shown.map(({ id }) => id.length));
  return [`${client_id}${name}, ${type}: ${sumOf(summary)}`, ...shown.flatMap(check => checkLines(check, width)), ''];
}

function checkLines({ id, verdict, title, why, references, evidence }: CheckResult, width: number): string[] {
  const first = `  ${marks[verdict]}  ${id.padEnd(width)}  ${title}`;
  if (verdict === 'pass') return [first];
  const indent = ' '.repeat(width + 10);
  const example =
    evidence.example === undefined ? [] : [`${indent}${evidence.requests[0]?.requestId}: ${evidence.example}`];
  return [first, `${indent}${why}`, ...example, `${indent}${references.join(', ')}`];
}

function sumOf({ fail, warn, pass, not_applicable }: Summary): string {
  return `${fail} failed, ${warn} ${warn === 1 ? 'warning' : 'warnings'}, ${pass} passed, ${not_applicable} not applicable`;
}

/** Replaces control characters in untrusted text, which could move the cursor or reverse the line. */
function plain(line: string): string {
  return line.replace(/[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069\u200e\u200f]/gu, '\ufffd');
}

/** Labels of the verdicts on pages. */
export const verdictWords: Readonly<Record<Verdict, string>> = {
  fail: 'Failed',
  warn: 'Warning',
  pass: 'Passed',
  not_applicable: 'Not applicable',
};

/** Sentences about what the server did not check, and about data the report could not read; empty for none. */
export function blindSpots({
  recording,
  incomplete,
  relaxations = [],
}: Pick<ClientReport, 'recording' | 'incomplete' | 'relaxations'>): string[] {
  return [
    ...relaxations.map(sentence => `Relaxed: ${sentence}`),
    ...(recording
      ? []
      : ['Requests are not recorded (RECORDING=off), so checks that read headers and bodies found nothing.']),
    ...(incomplete
      ? ['The history no longer has the oldest requests (HISTORY_SIZE), so checks may have missed some.']
      : []),
  ];
}
