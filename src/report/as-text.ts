import type { CheckResult, ClientReport, ClientScore, Summary, Verdict } from './report.ts';

const words: Readonly<Record<Verdict, string>> = { fail: 'FAIL', warn: 'WARN', pass: 'pass', not_applicable: '-' };

/** A table for a terminal: failures and warnings first, what does not apply only as a number. */
export function reportAsText(report: ClientReport): string {
  const { clients, issuer, unseen, recording, incomplete, summary } = report;
  const notes = [
    ...(clients.length === 0 ? ['No client has done anything yet.'] : []),
    ...(unseen.length === 0 ? [] : [`Not seen: ${unseen.join(', ')}`]),
    ...(recording
      ? []
      : ['Requests are not recorded (RECORDING=off): checks that read bodies and headers saw nothing.']),
    ...(incomplete ? ['The oldest requests are forgotten (HISTORY_SIZE).'] : []),
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

/** What is quoted comes from strangers: it must not move the cursor, or turn the line around. */
function plain(line: string): string {
  return line.replace(/[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069\u200e\u200f]/gu, '\ufffd');
}
