import type { CheckResult, ClientReport, ClientScore, Summary, Verdict } from './report.ts';
import { blindSpots } from './report-words.ts';

const words: Readonly<Record<Verdict, string>> = { fail: 'FAIL', warn: 'WARN', pass: 'pass', not_applicable: '-' };

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
  const first = `  ${words[verdict]}  ${id.padEnd(width)}  ${title}`;
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
