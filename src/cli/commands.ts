import { type Command, CommandFailure, type CommandRow, type Given, type Outcome, type World } from './command.ts';
import type { CommandLine } from './command-line.ts';
import { readDeclared } from './read-command.ts';

const rows: readonly (readonly [name: string, summary: string, load: () => Promise<Command>])[] = [
  ['wait', 'waits until a sandbox is ready', async () => (await import('./wait-command.ts')).waitCommand],
  [
    'env',
    'prints the addresses of a running sandbox as environment variables',
    async () => (await import('./env-command.ts')).envCommand,
  ],
  [
    'token',
    'prints an access token of a running sandbox',
    async () => (await import('./token-command.ts')).tokenCommand,
  ],
  [
    'report',
    'checks the clients of a sandbox, and can fail a pipeline',
    async () => (await import('./report-command.ts')).reportCommand,
  ],
  ['init', 'writes a clients.config.ts with comments', async () => (await import('./init-command.ts')).initCommand],
  [
    'validate',
    'lists all problems of a configuration file without starting a server',
    async () => (await import('./validate-command.ts')).validateCommand,
  ],
  [
    'schema',
    'prints the JSON Schema of a configuration file',
    async () => (await import('./schema-command.ts')).schemaCommand,
  ],
  [
    'completion',
    'prints a completion script for bash, zsh or fish',
    async () => (await import('./completion-command.ts')).completionCommand,
  ],
];

/** THE table of commands, beside `start` and `healthcheck`. Help, completion and docs/command-line.md are made from it. */
export const commands: ReadonlyMap<string, CommandRow> = new Map(
  rows.map(([name, summary, load]) => [name, { summary, load }]),
);

/** Reads the arguments of a command of the table; undefined where the table has no such command. */
export async function readCommand(name: string, argv: readonly string[]): Promise<CommandLine | undefined> {
  const row = commands.get(name);
  return row && readDeclared(name, { ...(await row.load()), summary: row.summary }, argv);
}

/** Runs a command of the table. A failure becomes sentences; an error of ours is rethrown. */
export async function runCommand(name: string, given: Given, world: Omit<World, 'commands'>): Promise<Outcome> {
  const command = await commands.get(name)?.load();
  if (command === undefined) throw new Error(`${name} is not in the table of commands`);
  try {
    return await command.run(given, { ...world, commands });
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    return { code: error.code, out: '', note: `grantbox ${name}: ${error.message}\n` };
  }
}
