import type { Parsed } from './read-json.ts';

const mostCells = 6_000_000;

/** Reads RFC 4180 with a line of names first: one object for each line. */
export function readCsv(text: string): Parsed {
  const rows = rowsOf(text.replace(/^\uFEFF/, ''));
  if (rows === undefined) return { fault: 'a quote in it is never closed' };
  const [names = [], ...lines] = rows.filter(row => row.length > 1 || row[0] !== '');
  if (names.length * lines.length > mostCells)
    return { fault: `it has more than ${mostCells / 1_000_000} million cells` };
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
