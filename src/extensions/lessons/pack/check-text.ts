import { pictureStep } from '../text/picture.ts';

/** A problem of `lesson.md` with its line. */
export interface TextFinding {
  readonly line: number;
  readonly found?: string;
  readonly expected: string;
}

const facts = ['title', 'minutes', 'needs', 'references', 'reviewed'] as const;

/** All problems of a `lesson.md`. */
export function checkText(file: string): readonly TextFinding[] {
  const lines = file.split('\n');
  const end = lines.indexOf('---', 1);
  if (lines[0] !== '---' || end === -1)
    return [{ line: 1, expected: `front matter between two lines of --- with ${facts.join(', ')}` }];
  return [...frontMatterFindings(lines.slice(1, end)), ...headingFindings(lines, end), ...pictureFindings(lines)];
}

function frontMatterFindings(lines: readonly string[]): readonly TextFinding[] {
  const formats: Partial<Record<string, readonly [RegExp, string]>> = {
    minutes: [/^[1-9]\d*$/, 'a whole number of minutes'],
    reviewed: [/^\d{4}-\d\d-\d\d$/, 'the day of the last review, such as 2026-11-23'],
  };
  return facts.flatMap(name => {
    const index = lines.findIndex(each => each.startsWith(`${name}:`));
    const found = lines[index]?.slice(name.length + 1).trim() ?? '';
    if (found === '') return [{ line: Math.max(1, index + 2), expected: `${name}: and its value in the front matter` }];
    const [format, expected] = formats[name] ?? [/./, ''];
    return format.test(found) ? [] : [{ line: index + 2, found: `${name}: ${found}`, expected }];
  });
}

/** A line that is no message would not be drawn. */
function pictureFindings(lines: readonly string[]): readonly TextFinding[] {
  const start = lines.indexOf('## Picture');
  if (start === -1) return [];
  const length = lines.slice(start + 1).findIndex(line => line.startsWith('#'));
  return lines.slice(start + 1, length === -1 ? undefined : start + 1 + length).flatMap((found, index) => {
    if (found === '' || pictureStep(found.replace(/^- /, '')) !== undefined) return [];
    return [{ line: start + 2 + index, found, expected: '- FROM to TO: TEXT, with browser, client, server or api' }];
  });
}

/** Reports headings that belong neither to a task nor to a quiz, because their text would be lost. */
function headingFindings(lines: readonly string[], from: number): readonly TextFinding[] {
  let isCode = false;
  return lines.flatMap((line, index) => {
    if (line.startsWith('```')) isCode = !isCode;
    if (isCode || index < from) return [];
    const at = { line: index + 1, found: line };
    if (/^## (?!(Task|Quiz) [\w-]+: .|Picture$)/.test(line))
      return [{ ...at, expected: '## Task ID: TITLE, ## Quiz ID: TITLE or ## Picture' }];
    return /^### (?!(Hint|Solution)$)/.test(line) ? [{ ...at, expected: '### Hint or ### Solution' }] : [];
  });
}
