import type { Pieces } from '../../turns/in-turns.ts';
import type { Export } from './export.ts';

/** JSON of an object whose empty list `name` gets these items, one in each piece. The list is in so many objects, itself included. */
export function* withList<T>(
  { stringify }: Export,
  { around, name, depth }: { readonly around: object; readonly name: string; readonly depth: number },
  items: readonly T[],
  modelOf: (item: T) => object,
): Pieces<string> {
  const indent = `\n${'  '.repeat(depth + 1)}`;
  const written: string[] = [];
  for (const item of items) {
    written.push(indent + stringify(modelOf(item), 2).replaceAll('\n', indent));
    yield;
  }
  const list = written.length === 0 ? '[]' : `[${written.join(',')}\n${'  '.repeat(depth)}]`;
  // in a text the quotes would be escaped
  return `${stringify(around, 2).replace(`"${name}": []`, () => `"${name}": ${list}`)}\n`;
}
