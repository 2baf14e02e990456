import type { TextPieces } from '../turns.ts';

/** One JUnit test case with its result. */
export interface JunitCase {
  /** Written after the prefix `grantbox.`. */
  readonly classname: string;
  readonly name: string;
  readonly seconds: number;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  /** The kind of a failure. Default: `failed`. */
  readonly type?: string;
  /** One sentence. */
  readonly message: string;
  /** The full text. Default: `message`. */
  readonly text?: string;
}

/** Test cases of one subject. */
export interface JunitSuite {
  readonly name: string;
  readonly cases: readonly JunitCase[];
}

/** Writes a whole JUnit document; `createdAt` is ISO 8601. */
export function* junitXml(name: string, createdAt: string, suites: readonly JunitSuite[]): TextPieces {
  const timestamp = createdAt.replace(/(\.\d+)?Z$/, '');
  yield '<?xml version="1.0" encoding="UTF-8"?>\n';
  yield `<testsuites name="${xml(name)}" ${counts(suites.flatMap(({ cases }) => cases))}>\n`;
  for (const suite of suites) {
    yield `  <testsuite name="${xml(suite.name)}" ${counts(suite.cases)} timestamp="${timestamp}">\n`;
    for (const each of suite.cases) yield `${caseXml(each)}\n`;
    yield '  </testsuite>\n';
  }
  yield '</testsuites>\n';
}

function counts(cases: readonly JunitCase[]): string {
  const count = (wanted: JunitCase['outcome']) => cases.filter(({ outcome }) => outcome === wanted).length;
  const seconds = cases.reduce((sum, each) => sum + each.seconds, 0);
  return `tests="${cases.length}" failures="${count('failed')}" errors="0" skipped="${count('skipped')}" time="${time(seconds)}"`;
}

function caseXml({ classname, name, seconds, ...outcome }: JunitCase): string {
  const open = `    <testcase classname="grantbox.${xml(classname)}" name="${xml(name)}" time="${time(seconds)}">`;
  return [open, `      ${outcomeXml(outcome)}`, '    </testcase>'].join('\n');
}

function outcomeXml({
  outcome,
  type = 'failed',
  message,
  text = message,
}: Pick<JunitCase, 'outcome' | 'type' | 'message' | 'text'>): string {
  if (outcome === 'skipped') return `<skipped message="${xml(message)}"/>`;
  if (outcome === 'failed') return `<failure type="${xml(type)}" message="${xml(message)}">${xml(text)}</failure>`;
  return `<system-out>${xml(text)}</system-out>`;
}

/** Seconds, to the millisecond; `0` for none. */
function time(seconds: number): string {
  return String(Math.round(seconds * 1000) / 1000);
}

// Characters that are not allowed in XML 1.0 even when escaped (§2.2), including halves of surrogate pairs.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufffe\uffff]|\p{Cs}/gu;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Escapes a text for an element or an attribute; forbidden characters become U+FFFD. */
export function xml(text: string): string {
  return text.replace(forbidden, '\ufffd').replace(/[&<>"']/g, sign => entities[sign] ?? sign);
}
