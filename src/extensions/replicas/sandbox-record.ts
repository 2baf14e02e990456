import type { Engine } from './engine.ts';
import { pairs, script } from './script.ts';

/**
 * The form of everything that replicas keep in the engine. It is raised with a change that a replica of an older version would
 * misread, and only then: replicas of different versions with the same form are one sandbox during an update.
 */
export const sharedFormat = 1;

/** A member of the record that is not the same here. */
export interface RecordDifference {
  readonly name: string;
  readonly here: string;
  readonly there: string;
}

/** A full engine has the record already. */
const agreeScript = script(`
for at = 1, #ARGV, 2 do redis.pcall('HSETNX', KEYS[1], ARGV[at], ARGV[at + 1]) end
return redis.call('HGETALL', KEYS[1])
`);

/**
 * Writes into the record of the sandbox what it lacks, so that an engine that lost its memory has it again. Resolves with what is not the
 * same there, in the order of `here`, and with the record.
 */
export async function agree(engine: Pick<Engine, 'key' | 'run'>, here: ReadonlyMap<string, string>) {
  const answer = (await engine.run(agreeScript, [engine.key('sandbox')], [...here].flat())) as readonly string[];
  const record = new Map(pairs(answer));
  const differences = [...here].flatMap(([name, value]): RecordDifference[] => {
    const there = record.get(name) ?? value;
    return there === value ? [] : [{ name, here: value, there }];
  });
  return { record, differences };
}
