import { nearestName } from '../../../base/text/nearest.ts';
import { levels } from '../text/lesson-text.ts';

/** A problem of `lesson.md` with its line. */
export interface TextFinding {
  readonly line: number;
  readonly found?: string;
  readonly expected: string;
  /** The name that is probably meant. */
  readonly nearest?: string | undefined;
}

/** The lines that each lesson has. */
export const facts = ['title', 'minutes', 'needs', 'references', 'reviewed'] as const;
const others = ['level', 'aim', 'after', 'lab', 'remember'] as const;

const formats: Partial<Record<string, readonly [RegExp, string]>> = {
  minutes: [/^[1-9]\d*$/, 'a whole number of minutes'],
  reviewed: [/^\d{4}-\d\d-\d\d$/, 'the day of the last review, such as 2026-11-23'],
  aim: [/[^.]$/, 'the end of the sentence "Afterwards you can", without its period'],
};

/** Problems of the lines between the two lines of `---`. */
export function frontMatterFindings(lines: readonly string[]): readonly TextFinding[] {
  const missing = facts.flatMap(name => {
    const index = lines.findIndex(line => line.startsWith(`${name}:`));
    const isThere = index >= 0 && textAfter(lines[index]) !== '';
    return isThere ? [] : [{ line: Math.max(1, index + 2), expected: `${name}: and its value in the front matter` }];
  });
  return [
    ...missing,
    ...lines.flatMap((found, index) => lineFindings(found).map(each => ({ line: index + 2, ...each }))),
  ];
}

/** A name that is like no other is kept: it may be of use to the author. */
function lineFindings(found: string): readonly Omit<TextFinding, 'line'>[] {
  const [name = '', value] = [found.split(':', 1)[0], textAfter(found)];
  const known = [...facts, ...others, 'check', 'stops'];
  const meant = known.includes(name) || !found.includes(':') ? undefined : nearestName(name, known);
  if (meant !== undefined) return [{ found: name, expected: 'a name of the front matter', nearest: meant }];
  if (value === '') return others.some(each => each === name) ? [{ found, expected: `${name}: and its value` }] : [];
  if (name === 'level' && !levels.some(level => level === value))
    return [{ found, expected: levels.join(', '), nearest: nearestName(value, levels) }];
  const [format, expected] = formats[name] ?? [/./, ''];
  return format.test(value) ? [] : [{ found, expected }];
}

function textAfter(line = ''): string {
  return line.slice(line.indexOf(':') + 1).trim();
}

/** The ids of all lessons, and of those that are labs. */
export interface KnownIds {
  readonly all: readonly string[];
  readonly labs: readonly string[];
}

/** Problems of the names of other lessons: in `after` those of lessons, in `lab` that of a lab. */
export function nameFindings(file: string, id: string, { all, labs }: KnownIds): readonly TextFinding[] {
  const lines = file.split('\n');
  const strangers = (name: string, known: readonly string[], expected: string) => {
    const index = lines.slice(0, lines.indexOf('---', 1)).findIndex(line => line.startsWith(`${name}:`));
    if (index === -1) return [];
    return textAfter(lines[index])
      .split(/,\s*/)
      .filter(each => !known.includes(each))
      .map(found => ({ line: index + 1, found, expected, nearest: nearestName(found, known) }));
  };
  const lessons = all.filter(each => each !== id && !labs.includes(each));
  return [...strangers('after', lessons, 'the id of a different lesson'), ...strangers('lab', labs, 'the id of a lab')];
}
