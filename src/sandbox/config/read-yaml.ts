import { type Document, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument, visit } from 'yaml';
import { formatPath, type Path } from './problem.ts';

/** The value of the text with the positions of its members, or a description of its problem. */
export type YamlContent =
  | {
      readonly content: unknown;
      /**
       * `12:5`, the line and column of the member with this path, or of its nearest parent; undefined outside the
       * document.
       */
      readonly place: (path: string) => string | undefined;
    }
  | { readonly problem: string };

/** Limit for expanded aliases: otherwise a few short lines could expand to gigabytes ("billion laughs"). */
const maxAliasCount = 100;

/**
 * Reads one YAML 1.2 document by the core schema. Refuses tags of other schemas, keys that are not text, and duplicate
 * keys; `<<` merges. A problem ends with line and column if they are known. It quotes no value, because the value could
 * be a secret.
 */
export function readYaml(text: string): YamlContent {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, {
    version: '1.2',
    schema: 'core',
    resolveKnownTags: false,
    merge: true,
    stringKeys: true,
    prettyErrors: false,
    lineCounter,
  });
  // the library only warns of an unknown tag and would read its value as text
  const [error] = [...document.errors, ...document.warnings];
  const problem = error === undefined ? aliasProblem(document) : { words: wordsOf(error), offset: error.pos[0] };
  if (problem !== undefined) {
    const { line, col } = lineCounter.linePos(problem.offset);
    return { problem: `${problem.words} (line ${line}, column ${col})` };
  }
  try {
    return { content: document.toJS({ maxAliasCount }), place: path => placeIn(document, lineCounter, path) };
  } catch (thrown) {
    return { problem: thrown instanceof Error ? thrown.message : String(thrown) };
  }
}

interface Problem {
  readonly words: string;
  readonly offset: number;
}

function wordsOf({ code, message }: { readonly code: string; readonly message: string }): string {
  if (code === 'MULTIPLE_DOCS') return 'the file has more than one document';
  return code === 'UNEXPECTED_TOKEN' ? message.replace(/: .*/s, '') : message;
}

/** An alias without an anchor, or inside its own anchor: its value would have no end. */
function aliasProblem(document: Document): Problem | undefined {
  let problem: Problem | undefined;
  visit(document, {
    Alias(_key, node, ancestors) {
      const target = node.resolve(document);
      if (target !== undefined && !ancestors.includes(target)) return undefined;
      const reason = target === undefined ? 'no earlier anchor has this name' : 'the alias is inside its own anchor';
      problem = { words: `alias *${node.source}: ${reason}`, offset: node.range?.[0] ?? 0 };
      return visit.BREAK;
    },
  });
  return problem;
}

/** A member that came through an alias gets the position of the alias. */
function placeIn(document: Document, lineCounter: LineCounter, path: string): string | undefined {
  let nearest: number | undefined;
  for (const [at, offset] of placesIn(document.contents, [])) {
    if (path === at || path.startsWith(`${at}.`) || path.startsWith(`${at}[`)) nearest = offset;
  }
  if (nearest === undefined) return undefined;
  const { line, col } = lineCounter.linePos(nearest);
  return `${line}:${col}`;
}

/** Each member and item with the offset of its key or first character; nested ones follow their parent. */
function* placesIn(node: unknown, path: Path): Generator<readonly [path: string, offset: number]> {
  if (isMap(node)) {
    for (const { key, value } of node.items) {
      if (!isScalar(key)) continue;
      const inside = [...path, String(key.value)];
      yield [formatPath(inside), key.range?.[0] ?? 0];
      yield* placesIn(value, inside);
    }
  }
  if (!isSeq(node)) return;
  for (const [index, item] of node.items.entries()) {
    const inside = [...path, index];
    yield [formatPath(inside), offsetOf(item)];
    yield* placesIn(item, inside);
  }
}

function offsetOf(item: unknown): number {
  return isNode(item) ? (item.range?.[0] ?? 0) : 0;
}
