import { marked, type Token, type Tokens } from 'marked';
import type { Question } from '../checks/check.ts';

/** The facts at the top of `lesson.md`. */
export interface FrontMatter {
  readonly title: string;
  readonly minutes: number;
  /** Tools that the learner needs. */
  readonly needs: string;
  /** `RFC 6749 §4.4`, each a specification and a section. */
  readonly references: readonly string[];
  /** The day on which somebody compared the text with the specifications: `2026-11-23`. */
  readonly reviewed: string;
}

export interface TaskText {
  readonly id: string;
  readonly title: string;
  /** Markdown, as everything below. */
  readonly text: string;
  readonly hints: readonly string[];
  readonly solution: string;
}

export interface QuizText {
  readonly question: Question;
  readonly title: string;
  readonly options: readonly { readonly id: string; readonly text: string }[];
  /** Shown after the right answer. */
  readonly explanation: string;
}

export interface LessonText extends FrontMatter {
  /** At most 120 words. */
  readonly story: string;
  readonly tasks: readonly TaskText[];
  readonly quizzes: readonly QuizText[];
}

/**
 * Reads `lesson.md`.
 * @throws TypeError that names the lesson and what is missing in it
 */
export function readLessonText(id: string, file: string): LessonText {
  const [, facts = '', body = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(file) ?? [];
  const [story, ...sections] = sectionsOf(marked.lexer(body), 2);
  return {
    ...frontMatterOf(id, facts),
    story: story?.text ?? '',
    tasks: sections.flatMap(section => taskOf(section) ?? []),
    quizzes: sections.flatMap(section => quizOf(section) ?? []),
  };
}

function frontMatterOf(id: string, lines: string): FrontMatter {
  const members = new Map(lines.split('\n').map(line => [line.split(':', 1)[0] ?? '', afterColon(line)]));
  const member = (name: keyof FrontMatter): string => {
    const value = members.get(name) ?? '';
    if (value === '') throw new TypeError(`lesson ${id}: the front matter of lesson.md has no ${name}`);
    return value;
  };
  return {
    title: member('title'),
    minutes: Number(member('minutes')),
    needs: member('needs'),
    references: member('references').split(/,\s*/),
    reviewed: member('reviewed'),
  };
}

function afterColon(line: string): string {
  return line.slice(line.indexOf(':') + 1).trim();
}

/** A heading with all that follows until the next one; the first section has no heading. */
interface Section {
  readonly heading: string;
  readonly text: string;
  readonly tokens: readonly Token[];
}

function sectionsOf(tokens: readonly Token[], depth: number): readonly Section[] {
  const sections: { heading: string; tokens: Token[] }[] = [{ heading: '', tokens: [] }];
  for (const token of tokens) {
    if (token.type === 'heading' && token.depth === depth) sections.push({ heading: token.text, tokens: [] });
    else sections.at(-1)?.tokens.push(token);
  }
  return sections.map(section => ({ ...section, text: textOf(section.tokens) }));
}

function textOf(tokens: readonly Token[]): string {
  return tokens
    .map(({ raw }) => raw)
    .join('')
    .trim();
}

function taskOf({ heading, tokens }: Section): TaskText | undefined {
  const [, id, title] = /^Task ([\w-]+): (.+)$/.exec(heading) ?? [];
  if (id === undefined || title === undefined) return undefined;
  const [text, ...parts] = sectionsOf(tokens, 3);
  return {
    id,
    title,
    text: text?.text ?? '',
    hints: parts.filter(part => part.heading === 'Hint').map(part => part.text),
    solution: parts.find(part => part.heading === 'Solution')?.text ?? '',
  };
}

function quizOf({ heading, tokens }: Section): QuizText | undefined {
  const [, id, title] = /^Quiz ([\w-]+): (.+)$/.exec(heading) ?? [];
  if (id === undefined || title === undefined) return undefined;
  const list = tokens.find((token): token is Tokens.List => token.type === 'list');
  const options = (list?.items ?? []).map(({ text, checked }, index) => ({
    id: 'abcdefgh'.charAt(index),
    text: text.replace(/^\[[ x]\]\s*/, ''),
    isRight: checked === true,
  }));
  const right = options.find(({ isRight }) => isRight)?.id;
  return {
    question: { id, options: options.map(option => option.id), ...(right === undefined ? {} : { right }) },
    title,
    options: options.map(option => ({ id: option.id, text: option.text })),
    explanation: textOf(tokens.filter(token => token !== list)),
  };
}
