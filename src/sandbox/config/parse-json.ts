/** JSON.parse without a byte order mark, whose error does not quote the surrounding text, which may be secret. */
export function parseJson(marked: string): { readonly value: unknown } | { readonly problem: string } {
  const json = marked.replace(/^\ufeff/, '');
  if (json.trim() === '') return { problem: 'it is empty' };
  try {
    return { value: JSON.parse(json) };
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    const token = /^Unexpected token '?(\S)'?/.exec(message)?.[1];
    const position = /at position (\d+)/.exec(message)?.[1];
    const unexpected = token === undefined ? '' : `, unexpected ${token}`;
    const place = json.includes('\n') ? ` at line ${lineAt(json, Number(position ?? json.length))}` : '';
    const character = position === undefined || place !== '' ? '' : ` at character ${position}`;
    return { problem: `it is not valid JSON${unexpected}${place}${character}` };
  }
}

/** The line of a character of a text, from 1. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
