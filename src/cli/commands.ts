import type { CommandRow } from './command.ts';

/** THE table of commands, beside `start` and `healthcheck`. Help, completion and README are made from it. */
export const commands: ReadonlyMap<string, CommandRow> = new Map([
  [
    'wait',
    { summary: 'waits until a sandbox is ready', load: async () => (await import('./wait-command.ts')).waitCommand },
  ],
  [
    'env',
    {
      summary: 'prints the addresses of a running sandbox as environment variables',
      load: async () => (await import('./env-command.ts')).envCommand,
    },
  ],
  [
    'token',
    {
      summary: 'prints an access token of a running sandbox',
      load: async () => (await import('./token-command.ts')).tokenCommand,
    },
  ],
  [
    'report',
    {
      summary: 'tells how well the clients of a sandbox did, and makes a pipeline red',
      load: async () => (await import('./report-command.ts')).reportCommand,
    },
  ],
  [
    'init',
    {
      summary: 'writes a clients.config.ts with comments',
      load: async () => (await import('./init-command.ts')).initCommand,
    },
  ],
  [
    'validate',
    {
      summary: 'lists all that is wrong with a configuration file, and starts nothing',
      load: async () => (await import('./validate-command.ts')).validateCommand,
    },
  ],
  [
    'schema',
    {
      summary: 'prints the JSON Schema of a configuration file',
      load: async () => (await import('./schema-command.ts')).schemaCommand,
    },
  ],
  [
    'completion',
    {
      summary: 'prints a completion script for bash, zsh or fish',
      load: async () => (await import('./completion-command.ts')).completionCommand,
    },
  ],
]);
