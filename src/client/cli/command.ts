import type { Readable, Writable } from 'node:stream';
import type { Config } from '../../sandbox/config/config.ts';
import type { Environment, Flags } from '../../sandbox/config/setting-values.ts';
import type { Extension, Modules } from '../../sandbox/extension.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { WithRemote } from '../remote/connected-issuer.ts';

/** A flag of a command, with its help. */
export interface Flag {
  /** Without the dashes. */
  readonly name: string;
  /** The placeholder of its value in the help, such as `<url>`; absent for a switch, which has no value. */
  readonly value?: string;
  /** All allowed values. */
  readonly choices?: readonly string[];
  /** The flag may be repeated. */
  readonly isList?: boolean;
  /** One sentence without a full stop. */
  readonly about: string;
  /** The default in words, for the help. */
  readonly fallback?: string;
}

/** A command in words. Parsing, help and completion are made from it. */
export interface Declared {
  /** Purpose, in half a line. */
  readonly summary: string;
  /** The usage after the name in the help: `[<variant>…] [flags]`. */
  readonly usage: string;
  /** Description, a sentence or paragraph per entry. */
  readonly about: readonly string[];
  /** The words after the name; absent if the command takes none. Without `choices`, any word is allowed. */
  readonly words?: { readonly name: string; readonly choices?: readonly string[]; readonly most: number };
  readonly flags: readonly Flag[];
  /** Example lines without the name of the program, with their purpose. */
  readonly examples: readonly (readonly [line: string, what: string])[];
}

/** A command of the program other than `start` and `healthcheck`. Its summary is in the table of commands. */
export interface Command extends Omit<Declared, 'summary'> {
  /**
   * @throws CommandFailure if it cannot do its work
   */
  run(given: Given, world: World): Promise<Outcome>;
}

/** The arguments after the name of a command. Names and form are checked, values are not. */
export interface Given {
  readonly words: readonly string[];
  /** Values by flag; a switch that is on has one empty text. */
  readonly flags: Readonly<Record<string, readonly string[]>>;
}

/** A row of the table of commands. */
export interface CommandRow extends Pick<Declared, 'summary'> {
  /** Loads the command when it is run. */
  load(): Promise<Command>;
}

/** A command in the table, loaded when it is run. The help of some depends on the modules. */
export type CommandEntry = readonly [
  name: string,
  summary: string,
  load: () => Promise<{ readonly command: Command | ((modules: ProgramModules) => Command) }>,
];

/** An extension that has commands. */
export interface WithCommands {
  readonly commands?: readonly CommandEntry[];
  /** Facts that a start prints. */
  announced?(sandbox: Sandbox, config: Config): Announced | undefined;
  /** Files that the extension reads at a start, besides the configuration; absent for none. */
  readonly counted?: ReadBesides;
}

/** How `grantbox validate` checks files that a start reads besides the configuration. */
export interface ReadBesides {
  /** The sentence about them in the help of `grantbox validate`. */
  readonly about: string;
  /**
   * Reads the files, and resolves to how many there are of each kind, by its name.
   * @throws ConfigError where there are problems
   */
  count(config: Config): Promise<Readonly<Record<string, number | undefined>>>;
}

/** Facts for a person and for a log collector, and lines below them for a person alone. */
export interface Announced {
  readonly facts: Readonly<Record<string, string>>;
  lines(): Promise<readonly string[]>;
}

/** The modules of the program: extensions may bring commands. */
export interface ProgramModules extends Modules {
  readonly extensions: readonly (Extension & WithCommands & WithRemote)[];
}

/** Facts about the process for a command. */
export interface World {
  /** The working directory, the base of relative paths. */
  readonly cwd: string;
  /** The variable CONTROL_TOKEN, for a sandbox that requires it. */
  readonly controlToken?: string | undefined;
  /** The variables of the process. */
  readonly environment?: Environment | undefined;
  /** Names of this machine in its networks. */
  readonly machine?: Machine | undefined;
  /** Clock and timers of a command; absent: the real ones. */
  readonly timing?: Timing | undefined;
  /** When a process began, in Unix milliseconds, or undefined if it has ended; absent: as the system says. */
  readonly processBegin?: ((pid: number) => number | undefined) | undefined;
  /** Standard input and output, for a command that talks with a program. */
  readonly streams?: (() => Streams) | undefined;
  /** A terminal for the progress of long work; absent where nobody watches. */
  readonly terminal?: Pick<Writable, 'write'> | undefined;
  readonly modules: ProgramModules;
  /** All commands, itself included. */
  readonly commands: ReadonlyMap<string, CommandRow>;
}

export interface Streams {
  readonly input: Readable;
  readonly output: Writable;
}

/** An address of this machine. */
export interface MachineAddress {
  /** The name of the network interface, such as `eth0`. */
  readonly name: string;
  readonly address: string;
  readonly family: string;
  /** True for loopback. */
  readonly internal: boolean;
}

export interface Machine {
  addresses(): readonly MachineAddress[];
  hostname(): string;
}

/** Clock and timers, in milliseconds. */
export interface Timing {
  /** Unix time. */
  now(): number;
  sleep(milliseconds: number): Promise<unknown>;
}

/** `out` goes to standard output, `note` to standard error; each ends with a line feed, or is empty. */
export interface Outcome {
  /** Exit code: 0 success; 1 a refusal or an unwanted result; 2 no sandbox answered, or a file is not of the expected kind. */
  readonly code: 0 | 1 | 2;
  readonly out: string;
  readonly note: string;
  /** Flags for a sandbox that the command starts. The process then runs until it is stopped. */
  readonly start?: Flags;
  /** A server that the command has started. The process then runs until it is stopped. */
  readonly running?: { stop(): Promise<void> };
}

/** Ends a command with a sentence for the user about the failure and its repair. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
  readonly code: 1 | 2;
  /** The sentence without the advice and without its full stop. */
  readonly reason: string;
  constructor(reason: string, code: 1 | 2 = 1, advice = '') {
    super(advice === '' ? reason : `${reason}${/[.?!]$/.test(reason) ? '' : '.'} ${advice}`);
    this.code = code;
    this.reason = reason;
  }
}

/** Ends with code 0. It adds the line feed to `out`. */
export function done(out: string, note = ''): Outcome {
  return { code: 0, out: withLineFeed(out), note: withLineFeed(note) };
}

/** Formats data for a program as indented JSON. */
export function asJsonText(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

/** The value of a flag; undefined if the flag was not given. */
export function textOf({ flags }: Given, name: string): string | undefined {
  return flags[name]?.at(-1);
}

/** True if the flag was given. */
export function isOn({ flags }: Given, name: string): boolean {
  return flags[name] !== undefined;
}

/** The value of `--format`. `--json` is short for `--format json`. */
export function formatOf(given: Given, fallback: string): string {
  const format = textOf(given, 'format');
  if (!isOn(given, 'json')) return format ?? fallback;
  if (format === undefined || format === 'json') return 'json';
  throw new CommandFailure(`--json and --format ${format} cannot be used together`);
}

function withLineFeed(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
