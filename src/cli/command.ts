import type { AddressVariables } from './default-address.ts';

/** A flag of a command, in words. */
export interface Flag {
  /** Without the dashes. */
  readonly name: string;
  /** The placeholder of its value in the help, such as `<url>`; absent for a switch, which has no value. */
  readonly value?: string;
  /** The only values there are. */
  readonly choices?: readonly string[];
  /** May be given more than once. */
  readonly isList?: boolean;
  /** One sentence without a full stop. */
  readonly about: string;
  /** Default, in words. */
  readonly fallback?: string;
}

/** A command in words: parsing, help and completion are made of it. */
export interface Declared {
  /** Purpose, in half a line. */
  readonly summary: string;
  /** The usage after the name in the help: `[<variant>…] [flags]`. */
  readonly usage: string;
  /** Description, a sentence or paragraph per entry. */
  readonly about: readonly string[];
  /** Words after its name; absent: there are none. Without choices, any word will do. */
  readonly words?: { readonly name: string; readonly choices?: readonly string[]; readonly most: number };
  readonly flags: readonly Flag[];
  /** Lines to type, without the program's name, and what they do. */
  readonly examples: readonly (readonly [line: string, what: string])[];
}

/** A command of the program other than `start` and `healthcheck`. Its summary is in the table of commands. */
export interface Command extends Omit<Declared, 'summary'> {
  /**
   * @throws CommandFailure where it cannot do what was asked
   */
  run(given: Given, world: World): Promise<Outcome>;
}

/** Arguments after the name of a command: names and form are checked, values are not. */
export interface Given {
  readonly words: readonly string[];
  /** By name; a switch that is on has one empty text. */
  readonly flags: Readonly<Record<string, readonly string[]>>;
}

/** A row of the table of commands. */
export interface CommandRow extends Pick<Declared, 'summary'> {
  /** Called for the one that was typed. */
  load(): Promise<Command>;
}

/** Facts about the process for a command. */
export interface World {
  /** The working directory, which relative paths begin at. */
  readonly cwd: string;
  /** The variable CONTROL_TOKEN, for sandboxes that demand it. */
  readonly controlToken?: string | undefined;
  /** Where a sandbox is that was started with the same variables. */
  readonly environment?: AddressVariables | undefined;
  /** Clock and timers of a command; absent: the real ones. */
  readonly timing?: Timing | undefined;
  /** All commands, itself included. */
  readonly commands: ReadonlyMap<string, CommandRow>;
}

/** Clock and timers, in milliseconds. */
export interface Timing {
  now(): number;
  sleep(milliseconds: number): Promise<unknown>;
}

/** `out` goes to standard output, `note` to standard error; each ends with a line feed, or is empty. */
export interface Outcome {
  /** Exit code: 0 done; 1 refused, or not as was asked for; 2 no sandbox answered. */
  readonly code: 0 | 1 | 2;
  readonly out: string;
  readonly note: string;
}

/** Ends a command with a sentence for the user about the failure and its repair. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  readonly code: 1 | 2;
  /** The sentence alone, without its full stop. */
  readonly reason: string;
  constructor(reason: string, code: 1 | 2 = 1, advice = '') {
    super(advice === '' ? reason : `${reason}${/[.?!]$/.test(reason) ? '' : '.'} ${advice}`);
    this.code = code;
    this.reason = reason;
  }
}

/** Done; `out` gets its line feed here. */
export function done(out: string, note = ''): Outcome {
  return { code: 0, out: withLineFeed(out), note: withLineFeed(note) };
}

/** Data for a program: JSON in lines. */
export function asJsonText(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

/** The value of a flag; undefined where it was not given. */
export function textOf({ flags }: Given, name: string): string | undefined {
  return flags[name]?.at(-1);
}

/** True if the flag was given. */
export function isOn({ flags }: Given, name: string): boolean {
  return flags[name] !== undefined;
}

/** The value of `--format`, which `--json` is short for. */
export function formatOf(given: Given, fallback: string): string {
  const format = textOf(given, 'format');
  if (!isOn(given, 'json')) return format ?? fallback;
  if (format === undefined || format === 'json') return 'json';
  throw new CommandFailure(`--json and --format ${format} cannot be used together`);
}

function withLineFeed(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
