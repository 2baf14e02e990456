import type { CommandLine, Program } from './read-command.ts';

/** Turns the arguments after the program's name into a command. It loads yargs only to parse the flags of `start`. */
export async function parseCommandLine(argv: readonly string[], program: Program): Promise<CommandLine> {
  const [first, ...others] = argv;
  if (first === undefined) return { command: 'start', flags: {} };
  const isHelp = first === 'help' || (/^(--help|-h)$/.test(first) && others[0]?.startsWith('-') === false);
  if (isHelp) return parseCommandLine([...others.slice(0, 1), '--help'], program);
  if (first === 'healthcheck') {
    if (others.length === 0) return { command: 'healthcheck' };
    return (await import('./healthcheck-command.ts')).readHealthcheck(others);
  }
  if (first !== 'start' && !first.startsWith('-')) {
    const { readCommand } = await import('./commands.ts');
    const read = await readCommand(first, others, program.modules);
    if (read !== undefined) return read;
  }
  const { parseArguments } = await import('./parse-arguments.ts');
  return parseArguments(argv, program);
}
