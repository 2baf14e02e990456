/** Bounds of an export: bytes of the file, its nesting, and its names, values and brackets. A realm with 50,000 users is within them. */
export const mostBytes = 64 * 1024 * 1024;
const deepest = 100;
const mostParts = 6_000_000;

/** The value of a text, or why it has none. */
export type Parsed = { readonly value: unknown } | { readonly fault: string };

/** Parses the text of an export. A fault does not quote the text, which has secrets. */
export function readJson(text: string): Parsed {
  const fault = boundsFault(text);
  if (fault !== undefined) return { fault };
  try {
    // a byte order mark, as editors on Windows write it
    return { value: JSON.parse(text.replace(/^\uFEFF/, '')) };
  } catch (error) {
    const at = /at position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
    return { fault: `it is not valid JSON${at === undefined ? '' : ` at character ${at}`}` };
  }
}

/** Counts before anything is made of the text, because parsed JSON can need many times the memory of its text. */
function boundsFault(text: string): string | undefined {
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
