import {
  type CommandEntry,
  CommandFailure,
  type CommandRow,
  type Given,
  type Outcome,
  type ProgramModules,
  type World,
} from './command.ts';
import { type CommandLine, readDeclared } from './read-command.ts';

const rows: readonly CommandEntry[] = [
  ['wait', 'waits until a sandbox is ready', () => import('./wait-command.ts')],
  ['env', 'prints the addresses of a running sandbox as environment variables', () => import('./env-command.ts')],
  ['token', 'prints an access token of a running sandbox', () => import('./token-command.ts')],
  ['init', 'writes a clients.config.ts with comments', () => import('./init-command.ts')],
  [
    'validate',
    'lists all problems of a configuration file without starting a server',
    () => import('./validate-command.ts'),
  ],
  ['schema', 'prints the JSON Schema of a configuration file', () => import('./schema-command.ts')],
  ['completion', 'prints a completion script for bash, zsh or fish', () => import('./completion-command.ts')],
];

/**
 * All commands except `start` and `healthcheck`: those of the core, then those of extensions. Help, completion and
 * docs/settings.md are made from them.
 */
export function commandsOf(modules: ProgramModules): ReadonlyMap<string, CommandRow> {
  const all = [...rows, ...modules.extensions.flatMap(({ commands = [] }) => commands)];
  const loaded = (load: CommandEntry[2]) => async () => {
    const { command } = await load();
    return typeof command === 'function' ? command(modules) : command;
  };
  return new Map(all.map(([name, summary, load]) => [name, { summary, load: loaded(load) }]));
}

/** Reads the arguments of a command; undefined for a command that is not in the table. */
export async function readCommand(
  name: string,
  argv: readonly string[],
  modules: ProgramModules,
): Promise<CommandLine | undefined> {
  const row = commandsOf(modules).get(name);
  return row && readDeclared(name, { ...(await row.load()), summary: row.summary }, argv);
}

const expected: Readonly<Record<string, 1 | 2>> = {
  ConfigError: 1,
  ListenError: 1,
};

/** Runs a command of the table. An expected error becomes its sentence; any other is rethrown. */
export async function runCommand(name: string, given: Given, world: Omit<World, 'commands'>): Promise<Outcome> {
  const commands = commandsOf(world.modules);
  const command = await commands.get(name)?.load();
  if (command === undefined) throw new Error(`${name} is not in the table of commands`);
  try {
    return await command.run(given, { ...world, commands });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const code = error instanceof CommandFailure ? error.code : expected[error.name];
    if (code === undefined) throw error;
    return { code, out: '', note: `grantbox ${name}: ${error.message}\n` };
  }
}
