import { marked, type Token, type Tokens } from 'marked';
import type { Question } from '../checks/check.ts';

/** The levels of lessons, in the order of the list. */
export const levels = ['first steps', 'everyday', 'attacks'] as const;
export type Level = (typeof levels)[number];

/** The facts at the top of `lesson.md`. */
export interface FrontMatter {
  readonly title: string;
  /** A lesson of the user may have none. */
  readonly level?: Level;
  /** The end of the sentence "Afterwards you can". */
  readonly aim?: string;
  /** Ids of the lessons to do before. */
  readonly after: readonly string[];
  /** The id of the lab that belongs to the lesson. */
  readonly labId?: string;
  /** The one sentence to remember, shown at the end. */
  readonly remember?: string;
  readonly minutes: number;
  /** Tools that the learner needs. */
  readonly needs: string;
  /** `RFC 6749 §4.4`, each a specification and a section. */
  readonly references: readonly string[];
  /** The date of the last comparison with the specifications: `2026-11-23`. */
  readonly reviewed: string;
  /** The title of the check of the client report that finds the mistake of a lab. */
  readonly check?: string;
  /** The step of a lab at which its defence stops the attack, by its id. */
  readonly stops?: string;
}

export interface TaskText {
  readonly id: string;
  readonly title: string;
  /** Markdown, like the other texts. */
  readonly text: string;
  readonly hints: readonly string[];
  readonly solution: string;
}

/** The questions before the steps of a lab, by the task whose result they predict: the defence is off, then on. */
export const predictions = { attack: 'predict', again: 'predict-again' } as const;
export type LabTask = keyof typeof predictions;

/** The task that a question predicts; undefined for any other question. */
export function roundOf(question: string): LabTask | undefined {
  return (['attack', 'again'] as const).find(task => predictions[task] === question);
}

export interface QuizText {
  readonly question: Question;
  readonly title: string;
  readonly options: readonly QuizOption[];
  /** Shown after the right answer. */
  readonly explanation: string;
}

export interface QuizOption {
  readonly id: string;
  readonly text: string;
  /** Why it is wrong, shown to those who choose it; empty if the text does not say. */
  readonly why: string;
  /** Only in a mystery: what happens where this check is missing. */
  readonly seen?: string;
  /** Only in a mystery: the title of the lab with this attack. */
  readonly lab?: string;
}

/** A heading with its Markdown. */
export interface TitledText {
  readonly title: string;
  readonly text: string;
}

export interface LabText {
  /** By the id of the step, in order. */
  readonly steps: ReadonlyMap<string, TitledText>;
  /** The switch: what it changes. */
  readonly defence: TitledText;
  /** The same mistake in the learner's own client or API. */
  readonly yours: TitledText;
}

export interface LessonText extends FrontMatter {
  /** At most 120 words. */
  readonly story: string;
  /** Who sends what to whom; empty for a lesson without a picture. */
  readonly picture: readonly PictureStep[];
  readonly tasks: readonly TaskText[];
  readonly quizzes: readonly QuizText[];
  readonly lab?: LabText;
}

/**
 * Reads `lesson.md`.
 * @throws TypeError that names the lesson and what is missing in it
 */
export function readLessonText(id: string, file: string): LessonText {
  const [, facts = '', body = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(file) ?? [];
  const [story, ...sections] = sectionsOf(marked.lexer(body), 2);
  const front = frontMatterOf(id, facts);
  const lab = labOf(sections);
  return {
    ...front,
    story: story?.text ?? '',
    picture: sections.find(({ heading }) => heading === 'Picture')?.tokens.flatMap(stepsOf) ?? [],
    tasks: sections.flatMap(section => taskOf(section) ?? []),
    quizzes: [
      ...sections.flatMap(section => quizOf(section) ?? mysteryOf(section) ?? []),
      ...secondPredictionOf(lab, front.stops),
    ],
    lab,
  };
}

/** The question before the second attack: at which step it stops. */
function secondPredictionOf(lab: LabText | undefined, stops: string | undefined): readonly QuizText[] {
  if (lab === undefined || stops === undefined) return [];
  const ids = [...lab.steps.keys()];
  const whyNot = (id: string) =>
    ids.indexOf(id) < ids.indexOf(stops)
      ? 'This step ends as it did with the defence off.'
      : 'The defence stops him at an earlier step.';
  const steps = [...lab.steps].map(([id, { title }]) => ({ id, text: title, why: id === stops ? '' : whyNot(id) }));
  const none = {
    id: 'nowhere',
    text: 'At none: nothing stops him',
    why: 'He is stopped there. Compare the two attacks below.',
  };
  return [
    {
      question: { id: predictions.again, options: [...ids, none.id], right: stops },
      title: 'The same steps with the defence on: at which one does the defence stop Mallory first?',
      options: [...steps, none],
      explanation: '',
    },
  ];
}

/** Undefined for a lesson without steps. */
function labOf(sections: readonly Section[]): LabText | undefined {
  const named = (kind: RegExp) =>
    sections.flatMap(({ heading, text }): readonly (readonly [id: string, text: TitledText])[] => {
      const [, id = '', title] = kind.exec(heading) ?? [];
      return title === undefined ? [] : [[id, { title, text }]];
    });
  const [[, defence] = []] = named(/^Defence(): (.+)$/);
  const [[, yours] = []] = named(/^Yours(): (.+)$/);
  return defence && yours && { steps: new Map(named(/^Step ([\w-]+): (.+)$/)), defence, yours };
}

function stepsOf(token: Token): readonly PictureStep[] {
  return token.type === 'list' ? (token as Tokens.List).items.flatMap(({ text }) => pictureStep(text) ?? []) : [];
}

function frontMatterOf(id: string, lines: string): FrontMatter {
  const members = new Map(lines.split('\n').map(line => [line.split(':', 1)[0] ?? '', afterColon(line)]));
  const member = (name: 'title' | 'minutes' | 'needs' | 'references' | 'reviewed'): string => {
    const value = members.get(name) ?? '';
    if (value === '') throw new TypeError(`lesson ${id}: the front matter of lesson.md has no ${name}`);
    return value;
  };
  return {
    title: member('title'),
    level: levels.find(level => level === members.get('level')),
    aim: members.get('aim'),
    after: members.get('after')?.split(/,\s*/) ?? [],
    labId: members.get('lab'),
    remember: members.get('remember'),
    minutes: Number(member('minutes')),
    needs: member('needs'),
    references: member('references').split(/,\s*/),
    reviewed: member('reviewed'),
    check: members.get('check'),
    stops: members.get('stops'),
  };
}

function afterColon(line: string): string {
  return line.slice(line.indexOf(':') + 1).trim();
}

/** A heading with the text up to the next heading. The first section has no heading. */
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
  const options = (list?.items ?? []).map(({ text, checked }, index) => {
    const [answer = '', ...why] = text.replace(/^\[[ x]\]\s*/, '').split(/\s+::\s+/);
    return { id: 'abcdefgh'.charAt(index), text: answer, why: why.join(' :: '), isRight: checked === true };
  });
  const right = options.find(({ isRight }) => isRight)?.id;
  return {
    question: { id, options: options.map(option => option.id), right },
    title,
    options: options.map(({ isRight: _, ...option }) => option),
    explanation: textOf(tokens.filter(token => token !== list)),
  };
}

/** The question of a mystery: a list of `id: check :: what one sees without it :: what one sees with it :: its lab`. The run has the right one. */
function mysteryOf({ heading, tokens }: Section): QuizText | undefined {
  const [, id, title] = /^Mystery ([\w-]+): (.+)$/.exec(heading) ?? [];
  if (id === undefined || title === undefined) return undefined;
  const list = tokens.find((token): token is Tokens.List => token.type === 'list');
  const options = (list?.items ?? []).map(item => {
    const [option = '', ...rest] = item.text.split(/:\s+/);
    const [text = '', seen = '', why = '', lab = ''] = rest.join(': ').split(/\s+::\s+/);
    return { id: option, text, why, seen, lab };
  });
  return {
    question: { id, options: options.map(option => option.id) },
    title,
    options,
    explanation: textOf(tokens.filter(token => token !== list)),
  };
}

const actors = ['mallory', 'browser', 'client', 'server', 'app', 'api'] as const;
/** Mallory is the attacker, and `app` the demo app. */
export type PictureActor = (typeof actors)[number];

export interface PictureStep {
  readonly from: PictureActor;
  readonly to: PictureActor;
  readonly what: string;
  /** The request of the learner that is this message has this text in its address, its headers or its body. */
  readonly has?: string;
}

/** Reads `browser to server: sign in`, or `client to server: code :: grant_type`; undefined for a line that is not in this form. */
export function pictureStep(line: string): PictureStep | undefined {
  const [, from = '', to = '', what = '', has] = /^(\w+) to (\w+): (.+?)(?: :: (.+))?$/.exec(line) ?? [];
  if (!isActor(from) || !isActor(to) || from === to) return undefined;
  return { from, to, what, ...(has === undefined ? {} : { has }) };
}

function isActor(name: string): name is PictureActor {
  return actors.some(actor => actor === name);
}

/** The actors of a picture with their names, and its messages from lane to lane, counted from 1. */
export function picture(steps: readonly PictureStep[], names: Readonly<Record<PictureActor, string>>) {
  const lanes = actors.filter(actor => steps.some(({ from, to }) => from === actor || to === actor));
  return {
    lanes: lanes.map(actor => names[actor]),
    steps: steps.map(({ from, to, what }) => {
      const [start, end] = [lanes.indexOf(from) + 1, lanes.indexOf(to) + 1];
      return {
        from: names[from],
        to: names[to],
        what,
        first: Math.min(start, end),
        last: Math.max(start, end),
        isBack: end < start,
      };
    }),
  };
}
