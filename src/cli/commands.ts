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
  [
    'state',
    'exports and imports what a running sandbox remembers',
    async () => (await import('./state-command.ts')).stateCommand,
  ],
  [
    'workshop',
    'starts a sandbox as the room of a workshop in the local network',
    async () => (await import('./workshop-command.ts')).workshopCommand,
  ],
  [
    'mcp',
    'answers the questions of a coding agent about a running sandbox',
    async () => (await import('./mcp-command.ts')).mcpCommand,
  ],
  ['init', 'writes a clients.config.ts with comments', async () => (await import('./init-command.ts')).initCommand],
  [
    'import',
    'writes a clients.config.ts from an export of Keycloak, Auth0 and others',
    async () => (await import('./import-command.ts')).importCommand,
  ],
  [
    'twin',
    'writes a clients.config.ts that looks like your tenant, and tells how much',
    async () => (await import('./twin-command.ts')).twinCommand,
  ],
  [
    'open',
    'shows a recorded session, or a login at any provider as HAR, read-only',
    async () => (await import('./open-command.ts')).openCommand,
  ],
  [
    'reproduce',
    'writes a test that repeats a recorded problem and fails as it did',
    async () => (await import('./reproduce-command.ts')).reproduceCommand,
  ],
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
  ['lessons', 'lists, tests and writes lessons', async () => (await import('./lessons-command.ts')).lessonsCommand],
  ['lesson', 'calls your own API for a lesson', async () => (await import('./lesson-command.ts')).lessonCommand],
  [
    'completion',
    'prints a completion script for bash, zsh or fish',
    async () => (await import('./completion-command.ts')).completionCommand,
  ],
];

/** The table of all commands except `start` and `healthcheck`. Help, completion and docs/command-line.md are made from it. */
export const commands: ReadonlyMap<string, CommandRow> = new Map(
  rows.map(([name, summary, load]) => [name, { summary, load }]),
);

/** Reads the arguments of a command; undefined for a command that is not in the table. */
export async function readCommand(name: string, argv: readonly string[]): Promise<CommandLine | undefined> {
  const row = commands.get(name);
  return row && readDeclared(name, { ...(await row.load()), summary: row.summary }, argv);
}

/** Runs a command of the table. A CommandFailure becomes sentences; any other error is rethrown. */
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
