import { parseCommandLine } from '../../../src/client/cli/cli.ts';
import type { Outcome, Timing, World } from '../../../src/client/cli/command.ts';
import { runCommand } from '../../../src/client/cli/commands.ts';
import { modules } from '../../../src/modules.ts';

/** A pause of a command takes no time, and 25 seconds by its clock: three attempts in a minute, each as long as it takes. */
export function fastTiming(): Timing {
  let passed = 0;
  return {
    now: () => passed,
    async sleep() {
      passed += 25_000;
    },
  };
}

/** Runs what would be typed after the program's name, for a command of the table. */
export async function type(
  argv: readonly string[],
  world: Partial<Pick<World, 'cwd' | 'controlToken' | 'environment' | 'machine' | 'timing' | 'processBegin'>> = {},
): Promise<Outcome> {
  const line = await parseCommandLine(argv, { version: '1.2.3', modules });
  if (line.command === 'exit')
    return line.code === 0
      ? { code: 0, out: `${line.text}\n`, note: '' }
      : { code: line.code, out: '', note: `${line.text}\n` };
  if (line.command !== 'run') throw new Error(`${argv.join(' ')} is no command of the table`);
  return runCommand(line.name, line.given, { modules, cwd: '/nowhere', ...world });
}
