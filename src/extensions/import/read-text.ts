/** Parsed YAML needs hundreds of bytes for each of its characters. */
const mostYaml = 2 * 1024 * 1024;

const parsers: Readonly<Record<string, (text: string) => Parsed | Promise<Parsed>>> = {
  '.json': readJson,
  '.yaml': readYamlText,
  '.yml': readYamlText,
  '.csv': readCsv,
};

/** The endings of files in a folder that are read. */
export const endings = Object.keys(parsers);

/** Parses the text of a file by its ending; a file with any other ending is JSON. */
export async function readText(name: string, text: string): Promise<Parsed> {
  return (parsers[endingOf(name)] ?? readJson)(text);
}

/** The ending that says how a file is parsed: `.json` for a file with any other. */
export function endingOf(name: string): string {
  const ending = /\.[a-z]+$/i.exec(name)?.[0].toLowerCase() ?? '';
  return Object.hasOwn(parsers, ending) ? ending : '.json';
}

/** Parses YAML. JSON is YAML, too, so that this reads either. */
export async function readYamlText(text: string): Promise<Parsed> {
  if (text.length > mostYaml) return { problem: `it is YAML of more than ${mostYaml / 1024 / 1024} MB` };
  if (isDeep(text)) return { problem: 'it is nested too deep' };
  const { readYaml } = await import('../../sandbox/config/read-yaml.ts');
  const read = readYaml(text);
  if (!('problem' in read)) return { value: read.content };
  return { problem: `it is not valid YAML: ${read.problem}` };
}

const mostLevels = 500;

/**
 * Whether brackets, dashes or spaces nest deeper than any export. The parser calls itself for each level, and Node ends the
 * process if the stack is full while it compiles a regular expression.
 */
function isDeep(text: string): boolean {
  if (new RegExp(`(?:[-?:] +){${mostLevels}}|(?:^|\\n) {${mostLevels}}`).test(text)) return true;
  let depth = 0;
  for (const [mark] of text.matchAll(/[[\]{}]/g)) {
    depth = mark === '[' || mark === '{' ? depth + 1 : Math.max(0, depth - 1);
    if (depth > mostLevels) return true;
  }
  return false;
}

/** Bounds of an export: bytes of the file, its nesting, and its names, values and brackets. A realm with 50,000 users is within them. */
export const mostBytes = 64 * 1024 * 1024;
const deepest = 100;
const mostParts = 6_000_000;

/** The value of a text, or why it has none. */
export type Parsed = { readonly value: unknown } | { readonly problem: string };

/** Parses the text of an export. A problem does not quote the text, which has secrets. */
export function readJson(text: string): Parsed {
  const problem = boundsProblem(text);
  if (problem !== undefined) return { problem };
  try {
    // a byte order mark, as editors on Windows write it
    return { value: JSON.parse(text.replace(/^\uFEFF/, '')) };
  } catch (error) {
    const at = /at position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
    return { problem: `it is not valid JSON${at === undefined ? '' : ` at character ${at}`}` };
  }
}

/** Counts before anything is made of the text, because parsed JSON can need many times the memory of its text. */
function boundsProblem(text: string): string | undefined {
  let depth = 0;
  let parts = 0;
  for (let at = 0; at < text.length; at += 1) {
    const mark = text[at];
    if (mark === '"') at = endOfText(text, at);
    else if (mark === '[' || mark === '{') depth += 1;
    else if (mark === ']' || mark === '}') depth -= 1;
    else if (mark !== ',') continue;
    parts += 1;
    if (depth > deepest) return `it is nested more than ${deepest} levels deep`;
    if (parts > mostParts) return `it has more than ${mostParts / 1_000_000} million names, values and brackets`;
  }
  return undefined;
}

/** The position of the closing quote; the end of the text if there is none. */
function endOfText(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

const mostCells = 6_000_000;

/** Reads RFC 4180 with a line of names first: one object for each line. */
function readCsv(text: string): Parsed {
  const rows = rowsOf(text.replace(/^\uFEFF/, ''));
  if (rows === undefined) return { problem: 'a quote in it is never closed' };
  const [names = [], ...lines] = rows.filter(row => row.length > 1 || row[0] !== '');
  if (names.length * lines.length > mostCells)
    return { problem: `it has more than ${mostCells / 1_000_000} million cells` };
  return { value: lines.map(line => Object.fromEntries(names.map((name, index) => [name.trim(), line[index] ?? '']))) };
}

/** The cells of each line; undefined if a quoted cell has no end. */
function rowsOf(text: string): string[][] | undefined {
  const rows: string[][] = [];
  let row: string[] = [];
  for (let at = 0; at <= text.length; at += 1) {
    const cell = text[at] === '"' ? quotedCell(text, at) : plainCell(text, at);
    if (cell === undefined) return undefined;
    row.push(cell.value);
    at = cell.end;
    if (text[at] === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

interface Cell {
  readonly value: string;
  /** The position of the comma or line end after it. */
  readonly end: number;
}

const cellEnd = /,|\r?\n|$/g;

function plainCell(text: string, at: number): Cell {
  cellEnd.lastIndex = at;
  const [mark = ''] = cellEnd.exec(text) ?? [];
  const start = cellEnd.lastIndex - mark.length;
  return { value: text.slice(at, start), end: mark === '\r\n' ? start + 1 : start };
}

function quotedCell(text: string, at: number): Cell | undefined {
  const parts: string[] = [];
  let from = at + 1;
  for (;;) {
    const quote = text.indexOf('"', from);
    if (quote === -1) return undefined;
    parts.push(text.slice(from, quote));
    if (text[quote + 1] !== '"') return { value: parts.join('"'), end: plainCell(text, quote + 1).end };
    from = quote + 2;
  }
}
