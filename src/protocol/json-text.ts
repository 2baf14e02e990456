interface JsonProblem {
  readonly line: number;
  readonly column: number;
  readonly reason: string;
}

interface TypedObject {
  readonly value: Readonly<Record<string, unknown>>;
  readonly lines: ReadonlyMap<string, number>;
}

type State = 'start' | 'value' | 'value or ]' | 'name' | 'name or }' | ':' | ', or }' | ', or ]' | 'end';

const expected: Readonly<Record<State, string>> = {
  start: 'an object, { … }',
  value: 'a value',
  'value or ]': 'a value or ]',
  name: 'a name in double quotes (is there a comma too many?)',
  'name or }': 'a name in double quotes, or }',
  ':': 'a colon after the name',
  ', or }': 'a comma or }',
  ', or ]': 'a comma or ]',
  end: 'nothing more',
};

interface Reader {
  state: State;
  readonly open: (Set<string> | undefined)[];
  readonly lines: Map<string, number>;
  readonly deepest: number;
}

const token =
  /[ \t\r\n]+|[{}[\]:,]|"(?:[ !#-[\]-\u{10ffff}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)(?!\w)/uy;

/**
 * Reads a JSON object (RFC 8259) and reports where it breaks off. `JSON.parse` gives no line, and its messages differ
 * between engines. Stricter than JSON: an object may not repeat a name.
 */
export function readJsonObject(text: string, deepest: number): TypedObject | JsonProblem {
  const reader: Reader = { state: 'start', open: [], lines: new Map(), deepest };
  let at = 0;
  while (at < text.length) {
    token.lastIndex = at;
    const found = token.exec(text)?.[0];
    const reason = found === undefined ? unreadable(text.slice(at)) : take(reader, found, () => lineAt(text, at));
    if (reason !== undefined) return problemAt(text, at, reason);
    at += found?.length ?? 1;
  }
  if (reader.state !== 'end')
    return problemAt(text, text.length, `it ends here, but ${expected[reader.state]} is missing`);
  return { value: JSON.parse(text), lines: reader.lines };
}

const signs: Readonly<Record<string, Partial<Record<State, State>>>> = {
  ':': { ':': 'value' },
  ',': { ', or }': 'name', ', or ]': 'value' },
};

function take(reader: Reader, found: string, line: () => number): string | undefined {
  if (/^[ \t\r\n]/.test(found)) return undefined;
  if (found === '{' || found === '[') return open(reader, found);
  const { state } = reader;
  const unexpected = `${shown(found)} is not expected here; expected: ${expected[state]}`;
  if (found === '}' || found === ']') return close(reader, found) ? undefined : unexpected;
  const sign = signs[found];
  if (sign !== undefined) return sign[state] === undefined ? unexpected : go(reader, sign[state]);
  if (state === 'value' || state === 'value or ]') return go(reader, afterValue(reader));
  const isName = found.startsWith('"') && (state === 'name' || state === 'name or }');
  return isName ? name(reader, JSON.parse(found), line) : unexpected;
}

function go(reader: Reader, state: State): undefined {
  reader.state = state;
}

function afterValue({ open }: Reader): State {
  if (open.length === 0) return 'end';
  return open.at(-1) === undefined ? ', or ]' : ', or }';
}

function open(reader: Reader, bracket: '{' | '['): string | undefined {
  const isStart = reader.state === 'start' && bracket === '{';
  if (!isStart && reader.state !== 'value' && reader.state !== 'value or ]') {
    return `${bracket} is not expected here; expected: ${expected[reader.state]}`;
  }
  if (reader.open.length === reader.deepest) return `it is nested deeper than ${reader.deepest} levels`;
  reader.open.push(bracket === '{' ? new Set() : undefined);
  return go(reader, bracket === '{' ? 'name or }' : 'value or ]');
}

function close(reader: Reader, bracket: '}' | ']'): boolean {
  const closing: readonly State[] = bracket === '}' ? ['name or }', ', or }'] : ['value or ]', ', or ]'];
  if (!closing.includes(reader.state)) return false;
  reader.open.pop();
  reader.state = afterValue(reader);
  return true;
}

function name(reader: Reader, text: string, line: () => number): string | undefined {
  const names = reader.open.at(-1);
  if (names?.has(text)) return `${shown(JSON.stringify(text))} appears twice in the same object`;
  if (text === '__proto__') return '__proto__ cannot be a name';
  names?.add(text);
  if (reader.open.length === 1) reader.lines.set(text, line());
  return go(reader, ':');
}

function unreadable(rest: string): string {
  if (rest.startsWith('"')) return 'this text is not closed or contains a line break or an invalid \\';
  if (rest.startsWith("'")) return 'text must be in double quotes';
  if (rest.startsWith('/') || rest.startsWith('#')) return 'JSON has no comments';
  const [word = ''] = /^[\w$.+-]+|^./su.exec(rest) ?? [];
  return `${shown(word)} is not a JSON value; text must be in double quotes`;
}

function shown(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

function lineAt(text: string, at: number): number {
  return text.slice(0, at).split('\n').length;
}

function problemAt(text: string, at: number, reason: string): JsonProblem {
  const before = text.slice(0, at);
  return { line: lineAt(text, at), column: at - before.lastIndexOf('\n'), reason };
}
