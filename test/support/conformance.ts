import { readFileSync } from 'node:fs';

/** The text of docs/conformance.md. */
export const conformance = readFileSync('docs/conformance.md', 'utf8');

/** An item of the checklist that is not a row of a table: `- **O21-01** …`, with a list of the tests that show it. */
interface ConformanceItem {
  readonly id: string;
  /** The requirement, with a remark in parentheses if it has one. */
  readonly text: string;
  /** A file, and the title of a test in it. */
  readonly tests: readonly (readonly [file: string, title: string])[];
}

export const conformanceItems: readonly ConformanceItem[] = conformance.split(/^(?=- \*\*|#|\|)/m).flatMap(part => {
  const [, id, rest] = /^- \*\*([A-Z0-9]+-\d+)\*\*:? ([\s\S]*)/.exec(part) ?? [];
  if (id === undefined || rest === undefined) return [];
  const [text = '', ...files] = rest.split(/^ {2}- /m).map(lines => lines.replaceAll(/\s+/g, ' ').trim());
  return [{ id, text, tests: files.flatMap(titlesIn) }];
});

function titlesIn(line: string): readonly (readonly [string, string])[] {
  const [, file = ''] = /^`([^`]+)`/.exec(line) ?? [];
  return [...line.matchAll(/“([^”]+)”/g)].map(([, title = '']) => [file, title] as const);
}
