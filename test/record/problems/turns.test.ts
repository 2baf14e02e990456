import { expect, it } from 'vitest';
import { inTurns } from '../../../src/base/turns.ts';
import { createProblemIndex } from '../../../src/record/problems/problem-index.ts';
import { countedLog, readInTurns } from '../../support/counted-log.ts';
import { knownOf } from './support.ts';

type Counted = ReturnType<typeof countedLog>;

/** Looks at what is new in turns of ten reads each, and counts the reads of each turn. */
async function caughtUp({ events, reads }: Counted, onTurn?: (turn: number) => void) {
  const index = createProblemIndex({ ...knownOf(events, []), clock: () => 1100 });
  const perTurn = await readInTurns(index.catchUp(), reads, onTurn);
  return { index, perTurn };
}

it.each([10, 1000])(
  'of %i clients reads a few dozen parts of requests in one turn of the event loop',
  async clients => {
    const log = countedLog(clients);
    const { index, perTurn } = await caughtUp(log);
    expect(perTurn.length).toBeGreaterThan(clients / 2);
    expect(Math.max(...perTurn)).toBeLessThan(30);
    const before = log.reads();
    expect(index.count()).toBeGreaterThan(0);
    expect(log.reads() - before).toBeLessThan(30 + 1000 /* the newest refusal of each of 500 problems */);
  },
);

it('reads what it has begun with, although the log forgets it meanwhile', async () => {
  const log = countedLog(10, 20);
  const whole = await caughtUp(countedLog(10, 20));
  const { index } = await caughtUp(log, turn => {
    if (turn === 3) log.add('req_late', 'discovery', log.exchangeOf('/.well-known/openid-configuration'));
  });
  expect(index.count()).toBe(whole.index.count());
});

it('goes on with what another has begun', async () => {
  const log = countedLog(100);
  const index = createProblemIndex({ ...knownOf(log.events, []), clock: () => 1100 });
  const alone = countedLog(100);
  await caughtUp(alone);
  await Promise.all([inTurns(index.catchUp()), inTurns(index.catchUp())]);
  expect(log.reads()).toBeLessThan(1.5 * alone.reads());
});
