import { formatPath, type Path } from '../config/problem.ts';

/** Collects the parts of an export that the written file does not have, or has in a different form. */
export interface Notes {
  /** `meaning` is a clause without a full stop. Paths with the same meaning share a line. */
  tell(path: Path, meaning: string): void;
  /** One line for each meaning. */
  lines(): readonly string[];
}

/** Bounds for hostile files: lines, and paths on a line. */
const mostLines = 500;
const mostPaths = 20;

interface Line {
  /** By the path without its indices, so that a member that each user has is on the line once. */
  readonly paths: Map<string, { readonly first: string; last: string; count: number }>;
  left: number;
}

/** Creates an empty collection. */
export function createNotes(): Notes {
  const kept = new Map<string, Line>();
  let beyond = 0;
  return {
    tell(path, meaning) {
      const line = kept.get(meaning);
      if (line === undefined && kept.size >= mostLines) beyond += 1;
      else add(line ?? added(kept, meaning), path);
    },
    lines: () => [
      ...[...kept].map(([meaning, line]) => `${pathsOf(line)}: ${meaning}`),
      ...(beyond === 0 ? [] : [`and ${beyond} more, which are not listed`]),
    ],
  };
}

function added(kept: Map<string, Line>, meaning: string): Line {
  const line: Line = { paths: new Map(), left: 0 };
  kept.set(meaning, line);
  return line;
}

function add(line: Line, path: Path): void {
  const key = JSON.stringify(path.map(step => (typeof step === 'number' ? 0 : step)));
  const text = shown(path);
  const found = line.paths.get(key);
  if (found === undefined && line.paths.size >= mostPaths) line.left += 1;
  else if (found === undefined) line.paths.set(key, { first: text, last: text, count: 1 });
  else if (found.last !== text) Object.assign(found, { last: text, count: found.count + 1 });
}

/** Control characters are removed, because a terminal would obey them. */
function shown(path: Path): string {
  const text = formatPath(path.map(step => (typeof step === 'string' ? step.slice(0, 100) : step)));
  return text.replace(/\p{Cc}+/gu, ' ') || 'the realm';
}

function pathsOf({ paths, left }: Line): string {
  const each = [...paths.values()].map(({ first, count }) =>
    count === 1 ? first : `${first} and ${count - 1} like it`,
  );
  return [...each, ...(left === 0 ? [] : [`${left} more`])].join(', ');
}
