import type { TextPieces } from '../../turns/text.ts';

interface Around {
  /** The object that the lists are in, with an empty list in the place of each. */
  readonly around: object;
  /** In so many objects are the lists. */
  readonly depth: number;
  /** A value as JSON. */
  stringify(value: unknown, indent?: number): string;
}

/** JSON of an object whose empty lists get these items, by the names of the lists in their order; each item is a piece. */
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

/** What `modelOf` makes of each item, when its turn comes. */
export function* modelsOf<T>(items: Iterable<T>, modelOf: (item: T) => object): Generator<object, void, void> {
  for (const item of items) yield modelOf(item);
}
