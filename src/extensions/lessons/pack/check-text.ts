import { pictureStep, type QuizText } from '../text/lesson-text.ts';
import { fieldFindings } from './check-fields.ts';
import { facts, frontMatterFindings, type TextFinding } from './front-matter.ts';

/** All problems of a `lesson.md`, but those that only its code can tell. */
export function checkText(file: string, isLab = false): readonly TextFinding[] {
  const lines = file.split('\n');
  const end = lines.indexOf('---', 1);
  if (lines[0] !== '---' || end === -1)
    return [{ line: 1, expected: `front matter between two lines of --- with ${facts.join(', ')}` }];
  return [
    ...frontMatterFindings(lines.slice(1, end)),
    ...headingFindings(lines, end, isLab),
    ...pictureFindings(lines),
    ...fieldFindings(lines),
  ];
}

/** A line that is no message would not be drawn. */
function pictureFindings(lines: readonly string[]): readonly TextFinding[] {
  const start = lines.indexOf('## Picture');
  if (start === -1) return [];
  const length = lines.slice(start + 1).findIndex(line => line.startsWith('#'));
  return lines.slice(start + 1, length === -1 ? undefined : start + 1 + length).flatMap((found, index) => {
    if (found === '' || pictureStep(found.replace(/^- /, '')) !== undefined) return [];
    return [
      {
        line: start + 2 + index,
        found,
        expected: '- FROM to TO: TEXT, with browser, client, server, api, app or mallory',
      },
    ];
  });
}

const headings = {
  lesson: [/^## (?!(Task|Quiz) [\w-]+: .|Picture$)/, '## Task ID: TITLE, ## Quiz ID: TITLE or ## Picture'],
  lab: [
    /^## (?!(Task|Quiz|Step) [\w-]+: .|(Defence|Yours): .|Picture$)/,
    '## Step ID: TITLE, ## Task ID: TITLE, ## Quiz ID: TITLE, ## Defence: TITLE, ## Yours: TITLE or ## Picture',
  ],
} as const;

const ofLabs = /^## (Step|Defence|Yours)\b/;
const needsLab = '`lab` in lesson.ts, because only a lab has this heading';

/** Reports headings that the page does not know, because their text would be lost. */
function headingFindings(lines: readonly string[], from: number, isLab: boolean): readonly TextFinding[] {
  const [stranger, expected] = headings[isLab ? 'lab' : 'lesson'];
  let isCode = false;
  return lines.flatMap((line, index) => {
    if (line.startsWith('```')) isCode = !isCode;
    if (isCode || index < from) return [];
    const at = { line: index + 1, found: line };
    if (stranger.test(line)) return [{ ...at, expected: isLab || !ofLabs.test(line) ? expected : needsLab }];
    return /^### (?!(Hint|Solution)$)/.test(line) ? [{ ...at, expected: '### Hint or ### Solution' }] : [];
  });
}

/** A question with one answer is none. */
export function quizFindings(file: string, quizzes: readonly QuizText[]): readonly TextFinding[] {
  const lines = file.split('\n');
  return quizzes
    .filter(({ options }) => options.length < 2)
    .map(({ question: { id } }) => {
      const line = lines.findIndex(each => each.startsWith(`## Quiz ${id}:`)) + 1;
      return { line, expected: `a list with two answers or more below ## Quiz ${id}` };
    });
}
