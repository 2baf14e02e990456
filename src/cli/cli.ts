import type { CommandLine } from './command-line.ts';

export type { CommandLine } from './command-line.ts';

/** Arguments after the program's name → what to do. Loads yargs only where there is something to parse. */
export async function parseCommandLine(argv: readonly string[], version: string): Promise<CommandLine> {
  const [first] = argv;
  if (first === undefined) return { command: 'start', flags: {} };
  if (first === 'healthcheck' && argv.length === 1) return { command: 'healthcheck' };
  const { parseArguments } = await import('./parse-arguments.ts');
  return parseArguments(argv, version);
}
