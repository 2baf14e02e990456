import { parseArgs } from 'node:util';
import { nearestName } from '../../base/text/nearest.ts';
import { listing } from '../../base/text/words.ts';
import type { Flags } from '../../sandbox/config/setting-values.ts';
import type { Declared, Flag, Given, ProgramModules } from './command.ts';

/**
 * Reads the arguments of a command: its help, or its words and flags. docs/architecture.md says why yargs is not used.
 */
export function readDeclared(name: string, command: Declared, argv: readonly string[]): CommandLine {
  const before = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv;
  if (before.includes('--help') || before.includes('-h'))
    return { command: 'exit', code: 0, text: commandHelp(name, command) };
  const flagOf = new Map(command.flags.map(flag => [flag.name, flag]));
  const options = Object.fromEntries(
    command.flags.map(flag => [flag.name, { type: flag.value === undefined ? 'boolean' : 'string' } as const]),
  );
  // not strict, because the errors of `parseArgs` name neither the command nor the flag that was probably meant
  const { tokens } = parseArgs({ args: [...argv], options, strict: false, allowPositionals: true, tokens: true });
  const words: string[] = [];
  const flags: Record<string, string[]> = {};
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value);
    if (token.kind !== 'option') continue;
    const flag = flagOf.get(token.name);
    if (flag === undefined) return refuse(unknownFlag(name, token.rawName, token.name, command));
    const problem = flagProblem(flag, token.value, token.inlineValue === true, flags[flag.name]);
    if (problem !== undefined) return refuse(`--${flag.name} ${problem}`);
    flags[flag.name] = [...(flags[flag.name] ?? []), token.value ?? ''];
  }
  const problem = wordProblem(name, command, words);
  if (problem !== undefined) return refuse(problem);
  const given: Given = { words, flags };
  return { command: 'run', name, given };
}

function flagProblem(
  { value: form, choices, isList }: Flag,
  value: string | undefined,
  isInline: boolean,
  before: readonly string[] | undefined,
): string | undefined {
  if (before !== undefined && isList !== true) return 'was given more than once';
  if (form === undefined) return value === undefined ? undefined : 'takes no value';
  if (value === undefined || value === '') return `expects a value: ${form}`;
  // a value that looks like a flag means that the value was forgotten; `--secret=--x` is still possible
  if (value.startsWith('--') && !isInline) return `expects a value: ${form}, but the next word is ${value}`;
  if (choices === undefined || choices.includes(value)) return undefined;
  return `expects ${listing(choices, 'or')}, not ${JSON.stringify(value)}${meant(value, choices)}`;
}

function wordProblem(name: string, { words: rule, flags }: Declared, words: readonly string[]): string | undefined {
  const [first] = words;
  if (rule === undefined) {
    if (first === undefined) return undefined;
    const flag = flags.find(each => each.value !== undefined)?.name;
    const hint = flag === undefined ? '' : `; use flags such as --${flag}`;
    return `${name} takes no words, only flags; found ${JSON.stringify(first)}${hint}`;
  }
  const { choices } = rule;
  const wrong = words.find(word => choices?.includes(word) === false);
  if (choices !== undefined && wrong !== undefined)
    return `${JSON.stringify(wrong)} is not a ${rule.name} of ${name}: expected ${listing(choices, 'or')}${meant(wrong, choices)}`;
  const many = words[rule.most];
  return many === undefined ? undefined : `${JSON.stringify(many)} is an extra ${rule.name}; ${name} takes only one`;
}

function unknownFlag(name: string, typed: string, flagName: string, { flags }: Declared): string {
  const names = flags.map(flag => flag.name);
  const nearest = nearestName(flagName, names);
  const hint = nearest === undefined ? flagsInWords(names) : `did you mean --${nearest}?`;
  return `${typed} is not a flag of ${name}; ${hint}`;
}

function flagsInWords(names: readonly string[]): string {
  if (names.length === 0) return 'the command has no flags';
  return `${names.length === 1 ? 'its only flag is' : 'its flags are'} ${names.map(name => `--${name}`).join(', ')}`;
}

function meant(typed: string, choices: readonly string[]): string {
  const nearest = nearestName(typed, choices);
  return nearest === undefined ? '' : `; did you mean ${nearest}?`;
}

const width = 100;

function commandHelp(name: string, { summary, usage, about, flags, examples }: Declared): string {
  const rows = [
    ...flags.map(flag => [spelt(flag), describe(flag)] as const),
    ['-h, --help', 'Show this help'] as const,
  ];
  const sections = [
    `grantbox ${name}: ${summary}`,
    `Usage:\n  grantbox ${name} ${usage}`,
    ...about.map(paragraph => wrap(paragraph, '').join('\n')),
    `Flags:\n${inColumns(rows)}`,
    ...(examples.length === 0 ? [] : [`Examples:\n${examples.map(exampleText).join('\n\n')}`]),
  ];
  return sections.join('\n\n');
}

function spelt({ name, value }: Flag): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}

function describe({ about, choices, fallback }: Flag): string {
  const values = choices === undefined ? '' : ` (${choices.join(', ')})`;
  return `${about}${values}${fallback === undefined ? '' : ` [default: ${fallback}]`}`;
}

/** Writes the purpose as a shell comment, so that both lines can be copied. */
function exampleText([line, what]: readonly [string, string]): string {
  return `  # ${what}\n${line
    .split('\n')
    .map(each => `  ${each}`)
    .join('\n')}`;
}

/** Two columns, the second one wrapped. */
export function inColumns(rows: readonly (readonly [string, string])[]): string {
  const column = Math.max(...rows.map(([left]) => left.length)) + 4;
  return rows
    .map(([left, right]) => `  ${left}`.padEnd(column) + wrap(right, ' '.repeat(column)).join('\n').trimStart())
    .join('\n');
}

function wrap(text: string, indent: string): string[] {
  const lines: string[] = [];
  let line = indent;
  for (const word of text.split(' ')) {
    if (line.trim() !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = indent;
    }
    line += line === indent ? word : ` ${word}`;
  }
  return [...lines, line];
}

/** The program whose arguments are read. */
export interface Program {
  readonly version: string;
  readonly modules: ProgramModules;
}

/** Result of reading the command line. `exit`: print `text` (to stderr unless `code` is 0) and leave with `code`. */
export type CommandLine =
  | { readonly command: 'start'; readonly flags: Flags }
  | { readonly command: 'healthcheck'; readonly url?: string }
  | { readonly command: 'run'; readonly name: string; readonly given: Given }
  | { readonly command: 'exit'; readonly code: 0 | 1; readonly text: string };

/** Prints one sentence and exits with code 1. */
export function refuse(text: string): CommandLine {
  return { command: 'exit', code: 1, text: `grantbox: ${text}` };
}
