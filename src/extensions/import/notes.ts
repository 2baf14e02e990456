import { formatPath } from '../../sandbox/config/problem.ts';
import { createTrace, type ExportPath, type ExportStep, type Trace } from './trace.ts';

/** Collects the parts of an export that the written file does not have, or has in a different form. */
export interface Notes {
  /** `meaning` is a clause without a full stop. Paths with the same meaning share a line. */
  tell(path: ExportPath, meaning: string): void;
  /** Which values of the export were read. */
  readonly trace: Trace;
  /** One line for each meaning. */
  lines(): readonly string[];
}

/** Bounds for hostile files: lines, and paths on a line. */
const mostLines = 500;
const mostPaths = 100;

interface Line {
  /** By the path without its indices, so that a member that each user has is on the line once. */
  readonly paths: Map<string, { readonly first: string; last: string; count: number }>;
  left: number;
}

/** Creates an empty collection. `files` are the files that hold members of the export, by the first step of a path. */
export function createNotes(files: Readonly<Record<string, string>> = {}): Notes {
  const kept = new Map<string, Line>();
  let beyond = 0;
  return {
    tell(path, meaning) {
      const line = kept.get(meaning);
      if (line === undefined && kept.size >= mostLines) beyond += 1;
      else add(line ?? added(kept, meaning), path, shown(path, files));
    },
    trace: createTrace(),
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

function add(line: Line, path: ExportPath, text: string): void {
  const key = JSON.stringify(path.map(step => (typeof step === 'string' ? step : 0)));
  const found = line.paths.get(key);
  if (found === undefined && line.paths.size >= mostPaths) line.left += 1;
  else if (found === undefined) line.paths.set(key, { first: text, last: text, count: 1 });
  else if (found.last !== text) Object.assign(found, { last: text, count: found.count + 1 });
}

/** `clients["web"].attributes`. Control characters are removed, because a terminal would obey them. */
function shown(path: ExportPath, files: Readonly<Record<string, string>>): string {
  const [first] = path;
  const file = typeof first === 'string' && Object.hasOwn(files, first) ? files[first] : undefined;
  const text = (file === undefined ? path : path.slice(1)).reduce<string>((before, step) => {
    const next = stepText(step);
    return before === '' || next.startsWith('[') ? before + next : `${before}.${next}`;
  }, '');
  const place = file === undefined ? text || 'the export' : `${file}${text === '' ? '' : `: ${text}`}`;
  return place.replace(/\p{Cc}+/gu, ' ');
}

function stepText(step: ExportStep): string {
  if (typeof step === 'object') return `[${JSON.stringify(step.id.slice(0, 100))}]`;
  return formatPath([typeof step === 'string' ? step.slice(0, 100) : step]);
}

function pathsOf({ paths, left }: Line): string {
  const each = [...paths.values()].map(({ first, count }) =>
    count === 1 ? first : `${first} and ${count - 1} like it`,
  );
  return [...each, ...(left === 0 ? [] : [`${left} more`])].join(', ');
}
