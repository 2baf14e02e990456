import { CommandFailure, type Given, type Outcome, type World } from './command.ts';
import { commands } from './commands.ts';

/** Runs a command of the table. What it cannot do becomes sentences; a mistake of ours is thrown on. */
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
