import type { TextPieces } from '../../turns/text.ts';

interface Around {
  /** The object that contains the lists, each still empty. */
  readonly around: object;
  /** Number of objects around the lists. */
  readonly depth: number;
  stringify(value: unknown, indent?: number): string;
}

/** Writes the JSON of an object and fills its empty lists, by name and in order, with items; each item is a piece. */
export function* withLists(
  { around, depth, stringify }: Around,
  lists: Readonly<Record<string, Iterable<object>>>,
): TextPieces {
  const indent = `\n${'  '.repeat(depth + 1)}`;
  let rest = `${stringify(around, 2)}\n`;
  for (const [name, items] of Object.entries(lists)) {
    const begin = `"${name}": [`; // in a text the quotes would be escaped
    const place = rest.indexOf(`${begin}]`) + begin.length;
    yield rest.slice(0, place);
    rest = rest.slice(place);
    let separator = '';
    for (const item of items) {
      yield separator + indent + stringify(item, 2).replaceAll('\n', indent);
      separator = ',';
    }
    if (separator !== '') yield `\n${'  '.repeat(depth)}`;
  }
  yield rest;
}

export function* modelsOf<T>(items: Iterable<T>, modelOf: (item: T) => object): Generator<object, void, void> {
  for (const item of items) yield modelOf(item);
}
