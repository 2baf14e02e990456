import { type JunitCase, junitXml } from '../../base/text/junit-xml.ts';
import type { ExamVerdict } from './exam-module.ts';
import type { Examination, ExamSummary, ModuleResult, ShownRequest } from './examination.ts';

/** The mildest verdict that fails a command. */
export type ExamFailOn = 'fail' | 'warn';

const marks: Readonly<Record<ExamVerdict, string>> = {
  fail: 'FAIL',
  warn: 'WARN',
  inconclusive: '?',
  pass: 'pass',
  not_applicable: '-',
};
const order: readonly ExamVerdict[] = ['fail', 'warn', 'inconclusive', 'pass', 'not_applicable'];

/** `1 failed, 0 warnings, 25 passed, 2 not applicable, 0 inconclusive` */
export function examSummaryWords({ fail, warn, pass, not_applicable, inconclusive }: ExamSummary): string {
  const warnings = warn === 1 ? 'warning' : 'warnings';
  return `${fail} failed, ${warn} ${warnings}, ${pass} passed, ${not_applicable} not applicable, ${inconclusive} inconclusive`;
}

/** The note on an app that takes no issuer from the examiner. */
export const oneIssuerWords =
  'The app knows one issuer only, so the modules ran one after the other. If it keeps metadata or keys, it asks for them once: to examine that, too, let --login start it anew with GRANTBOX_ISSUER.';

/** Writes the result for a terminal: what failed first, with all that is needed to mend it. */
export function examinationAsText({ title, modules, summary, issuers, library }: Examination): string {
  const width = Math.max(...modules.map(({ id }) => id.length));
  const lines = order.flatMap(verdict =>
    modules.filter(each => each.verdict === verdict).flatMap((each, at, all) => moduleLines(each, width, all[at + 1])),
  );
  const shared = issuers === 'first' ? [oneIssuerWords, ''] : [];
  const known = library === undefined ? [] : [libraryWords(library, issuers), ''];
  return `${[title, '', ...known, ...shared, ...lines, '', examSummaryWords(summary)].map(plain).join('\n')}\n`;
}

/** `The app uses openid-client. Its requests have the User-Agent openid-client/v6.8.9.` */
export function libraryWords(
  { name, told }: NonNullable<Examination['library']>,
  issuers: Examination['issuers'],
): string {
  return `The ${issuers === 'given' ? 'API' : 'app'} uses ${name}. ${told}`;
}

/** A reason that the next module has, too, is written below that one. */
function moduleLines(module: ModuleResult, width: number, next?: ModuleResult): readonly string[] {
  const { verdict, id, title, why } = module;
  const first = `${marks[verdict].padEnd(4)}  ${id.padEnd(width)}  ${title}`;
  const isRepeated = verdict === 'not_applicable' && next?.why === why;
  if (verdict === 'pass' || isRepeated) return [first];
  const details = verdict === 'fail' || verdict === 'warn' ? findingLines(module) : [why];
  return [first, ...details.map(line => `${' '.repeat(8)}${line}`)];
}

function findingLines({ why, gain, right, mend, requests, references, said }: ModuleResult): readonly string[] {
  return [
    why,
    ...requests.map(requestLine),
    `What it costs: ${gain}`,
    `Right: ${right}`,
    `To mend it: ${mend}`,
    references.join(', '),
    ...(said === '' ? [] : [`It said: ${said.split('\n').at(-1)}`]),
  ];
}

/** `POST /oauth2/token 200, changed by wrong_nonce (req_…)` */
export function requestLine({ method, path, status, faults, requestId }: ShownRequest): string {
  const changed = faults.length === 0 ? '' : `, changed by ${faults.join(', ')}`;
  const named = requestId === undefined ? '' : ` (${requestId})`;
  return `${method} ${path} ${status}${changed}${named}`;
}

/** Replaces control characters in what an app said, which could move the cursor. */
function plain(line: string): string {
  return line.replace(/[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069\u200e\u200f]/gu, '\ufffd');
}

/** Writes JUnit XML: a test case for each module. */
export function examinationAsJunit({ plan, createdAt, modules }: Examination, failOn: ExamFailOn): string {
  const cases = modules.map(module => junitCase(module, plan, failOn));
  return [...junitXml(`Grantbox examination ${plan}`, createdAt, [{ name: plan, cases }])].join('');
}

function junitCase(module: ModuleResult, plan: string, failOn: ExamFailOn): JunitCase {
  const { id, title, verdict, why, seconds } = module;
  const named = { classname: plan, name: `${id}: ${title}`, seconds, message: why };
  const text = [...findingLines(module)].join('\n');
  if (verdict === 'fail' || (failOn === 'warn' && verdict === 'warn'))
    return { ...named, outcome: 'failed', type: verdict, text };
  if (verdict === 'pass' || verdict === 'warn')
    return { ...named, outcome: 'passed', text: verdict === 'warn' ? text : why };
  return { ...named, outcome: 'skipped' };
}

/** Writes Markdown for a pull request: what failed, then a table of all modules. */
export function examinationAsMarkdown({ title, modules, summary }: Examination): string {
  const found = modules.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn');
  const rows = modules.map(
    each => `| ${marks[each.verdict]} | \`${each.id}\` | ${cell(each.title)} | ${cell(each.why)} |`,
  );
  return [
    `### ${title}: ${examSummaryWords(summary)}`,
    '',
    ...found.flatMap(markdownFinding),
    `<details><summary>All ${modules.length} modules</summary>`,
    '',
    '| | module | what the provider does | result |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
    '</details>',
    '',
  ].join('\n');
}

function markdownFinding({ verdict, id, title, why, gain, right, mend, references }: ModuleResult): readonly string[] {
  return [
    `**${marks[verdict]} \`${id}\`** ${cell(title)}`,
    '',
    `- ${cell(why)} ${cell(gain)}`,
    `- Right: ${cell(right)} To mend it: ${cell(mend)}`,
    `- ${references.join(', ')}`,
    '',
  ];
}

function cell(text: string): string {
  return plain(text).replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\n', ' ');
}
