import { jsonIn } from './record.ts';

interface JsonPart {
  readonly kind: 'name' | 'text' | 'value' | '';
  readonly text: string;
}

const token = /("(?:[^"\\]|\\.)*")(\s*:)?|-?\d[\d.eE+-]*|true|false|null/g;

/** The pieces of a JSON object or array for highlighting, in order; undefined for any other text. */
export function jsonParts(text: string): JsonPart[] | undefined {
  if (!/^\s*[[{]/.test(text) || jsonIn(text) === undefined) return undefined;
  const parts: JsonPart[] = [];
  let end = 0;
  for (const { 0: all, 1: quoted, 2: colon = '', index } of text.matchAll(token)) {
    if (index > end) parts.push({ kind: '', text: text.slice(end, index) });
    parts.push({ kind: quoted === undefined ? 'value' : colon === '' ? 'text' : 'name', text: quoted ?? all });
    if (colon !== '') parts.push({ kind: '', text: colon });
    end = index + all.length;
  }
  return [...parts, { kind: '', text: text.slice(end) }];
}
