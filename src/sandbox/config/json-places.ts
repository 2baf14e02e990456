import { lineAt } from './parse-json.ts';
import { formatPath, type Path } from './problem.ts';

/** The places of the members of a JSON text. */
export interface JsonPlaces {
  /** `12`: the line of the member with this path, or of its nearest parent; undefined for neither. */
  place(path: string): string | undefined;
  /** The first member that is there twice: JSON.parse keeps the later one without a word (RFC 8259 §4). */
  readonly repeated?: { readonly path: string; readonly line: number };
}

/** Finds the members of valid JSON. */
export function jsonPlaces(json: string): JsonPlaces {
  const offsets = new Map<string, number>();
  for (const [path, offset] of membersIn(json)) {
    const name = formatPath(path);
    if (offsets.has(name)) return { place: () => undefined, repeated: { path: name, line: lineAt(json, offset) } };
    offsets.set(name, offset);
  }
  return {
    place(path) {
      const parents = [...offsets.keys()].filter(
        name => path === name || path.startsWith(`${name}.`) || path.startsWith(`${name}[`),
      );
      const nearest = offsets.get(parents.reduce((a, b) => (b.length > a.length ? b : a), ''));
      return nearest === undefined ? undefined : String(lineAt(json, nearest));
    },
  };
}

/** An object or list that is open at a place: the name of its current member, or its number. */
interface Open {
  step: string | number;
  isName: boolean;
}

function* membersIn(json: string): Generator<readonly [path: Path, offset: number]> {
  const open: Open[] = [];
  for (const { 0: token, index } of json.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]/g)) {
    const inner = open.at(-1);
    if (token === '{') open.push({ step: '', isName: true });
    else if (token === '[') open.push({ step: 0, isName: false });
    else if (token === '}' || token === ']') open.pop();
    else if (token === ',' || token === ':') pass(inner, token);
    else if (inner?.isName) {
      inner.step = String(JSON.parse(token));
      yield [open.map(({ step }) => step), index];
    }
  }
}

function pass(inner: Open | undefined, token: string): void {
  if (inner === undefined) return;
  if (typeof inner.step === 'string') inner.isName = token === ',';
  else inner.step++;
}
