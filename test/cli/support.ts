import { parseCommandLine } from '../../src/cli/cli.ts';
import type { Outcome, World } from '../../src/cli/command.ts';
import { runCommand } from '../../src/cli/run-command.ts';

/** Runs what would be typed after the program's name, for a command of the table. */
export async function type(
  argv: readonly string[],
  world: Partial<Pick<World, 'cwd' | 'controlToken' | 'environment'>> = {},
): Promise<Outcome> {
  const line = await parseCommandLine(argv, '1.2.3');
  if (line.command === 'exit')
    return line.code === 0
      ? { code: 0, out: `${line.text}\n`, note: '' }
      : { code: line.code, out: '', note: `${line.text}\n` };
  if (line.command !== 'run') throw new Error(`${argv.join(' ')} is no command of the table`);
  return runCommand(line.name, line.given, { cwd: '/nowhere', ...world });
}
