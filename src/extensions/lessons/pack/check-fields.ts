import { nearestName } from '../../../base/text/nearest.ts';
import { curlsIn } from '../text/command.ts';
import { fieldOf, made, namesIn } from '../text/fields.ts';

/** A line of `lesson.md`, and what stands around it. */
interface Line {
  readonly number: number;
  readonly text: string;
  /** The language of the block of code; undefined outside of one. */
  readonly code: string | undefined;
  /** Below a heading `## Task`. */
  readonly isOfTask: boolean;
}

interface FieldFinding {
  readonly line: number;
  readonly found?: string;
  readonly expected: string;
}

/** Placeholders that the page fills by itself; `query` is one of the desk of a lab. */
const given: readonly string[] = ['issuer', 'query', ...made];

/** Problems of the boxes of a lesson and of the commands that have their values, and images, which no page shows. */
export function fieldFindings(file: readonly string[]): readonly FieldFinding[] {
  const lines = linesOf(file);
  const boxes = lines.flatMap(line => {
    const field = line.code === undefined ? fieldOf(line.text) : undefined;
    return field === undefined ? [] : [{ ...line, name: field.name }];
  });
  const lineOf = new Map(boxes.toReversed().map(({ name, number }) => [name, number]));
  const used = new Set(lines.flatMap(({ text }) => namesIn(text)));
  return [
    ...lines.flatMap(line => lineFindings(line, lineOf)),
    ...boxes.flatMap(({ name, number: line, text: found, isOfTask }) => {
      if (!isOfTask) return [{ line, found, expected: 'a box below a heading ## Task' }];
      if (given.includes(name) || lineOf.get(name) !== line)
        return [{ line, found, expected: `a name that nothing else has, not ${name}` }];
      return used.has(name) ? [] : [{ line, found, expected: `a command below that has {{${name}}}` }];
    }),
    ...unquotedFindings(file),
  ];
}

function linesOf(file: readonly string[]): readonly Line[] {
  let code: string | undefined;
  let isOfTask = false;
  return file.map((text, index) => {
    const [, fence] = /^```(.*)$/.exec(text) ?? [];
    const inside = code;
    if (fence !== undefined) code = code === undefined ? fence : undefined;
    if (inside === undefined && text.startsWith('## ')) isOfTask = text.startsWith('## Task ');
    return { number: index + 1, text, code: fence === undefined ? inside : undefined, isOfTask };
  });
}

function lineFindings(
  { number: line, text, code }: Line,
  lineOf: ReadonlyMap<string, number>,
): readonly FieldFinding[] {
  if (code === undefined && /!\[[^\]]*\][([]/.test(text.replace(/`[^`]*`/g, '')))
    return [{ line, found: text, expected: 'words, or messages below ## Picture: an image is not shown' }];
  if (code === undefined && /^\{\{.*:.*\}\}\s*$/.test(text) && fieldOf(text) === undefined)
    return [
      {
        line,
        found: text,
        expected: 'a box {{name: LABEL}} or {{name from MEMBER: LABEL}}, with a small first letter',
      },
    ];
  if (code !== undefined && /\bpaste\b.*\bhere\b/i.test(text))
    return [{ line, found: text, expected: 'a box {{name: LABEL}} above the command, and {{name}} in the command' }];
  return namesIn(text).flatMap(name => {
    const at = lineOf.get(name);
    if (given.includes(name) || (at !== undefined && at < line)) return [];
    const found = `{{${name}}}`;
    if (at !== undefined) return [{ line, found, expected: `its box above this line, not in line ${at}` }];
    const nearest = nearestName(name, [...given, ...lineOf.keys()]);
    const asked = nearest === undefined ? '' : ` (did you mean {{${nearest}}}?)`;
    return [{ line, found, expected: `{{issuer}}, or a name with a box {{${name}: LABEL}} above${asked}` }];
  });
}

/** In a block that is not curl alone, the shell would take a value apart. */
function unquotedFindings(file: readonly string[]): readonly FieldFinding[] {
  return [...file.join('\n').matchAll(/^```(sh|powershell)\n([\s\S]*?)^```$/gm)].flatMap(({ index, 2: block = '' }) => {
    if (curlsIn(block) !== undefined) return [];
    const [name] = namesIn(block.replace(/'[^']*'|"[^"]*"/g, '')).filter(each => !given.includes(each));
    if (name === undefined) return [];
    const line = file.join('\n').slice(0, index).split('\n').length;
    return [{ line, found: `{{${name}}}`, expected: `"{{${name}}}", in quotes, because the block is not curl alone` }];
  });
}
