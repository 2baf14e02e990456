import { describe, expect, it } from 'vitest';
import type { EventFact } from '../../../src/base/events/event.ts';
import { inTurns } from '../../../src/base/turns.ts';
import { createProblemIndex } from '../../../src/record/problems/problem-index.ts';
import { countedLog } from '../../support/counted-log.ts';
import { workOf } from '../../support/work.ts';
import { errorFact, knownOf } from './support.ts';

const fault = { type: 'fault.applied', fault: 'expired', effect: 'bend', endpoint: 'token' } as EventFact;

/** A log of so many faulted requests, and of as many refusals that have nothing to do with them. */
function faultedLog(size: number) {
  const log = countedLog(0);
  for (let n = 0; n < size; n++) {
    log.add(`req_f${n}`, 'token', log.exchangeOf('/oauth2/token', `code=f${n}`), fault);
    log.add(`req_r${n}`, 'token', log.exchangeOf('/oauth2/token', `code=r${n}`), errorFact());
  }
  return log;
}

const indexOf = ({ events }: ReturnType<typeof faultedLog>) =>
  createProblemIndex({ ...knownOf(events, []), clock: () => 1000 }, []);

describe('whether refusals are the work of faults', () => {
  it('takes four times as much work with four times as many, and no more', () => {
    const workFor = (size: number) => {
      const index = indexOf(faultedLog(size));
      return workOf(() => expect(index.count()).toBe(1));
    };
    workFor(10); // what is made once
    expect(workFor(400) / workFor(100)).toBeLessThan(5);
  });

  it('reads a few dozen parts of faulted requests in one turn of the event loop', async () => {
    const log = faultedLog(500);
    const { reads } = log;
    const perTurn: number[] = [];
    let before = reads();
    const giveWay = async () => {
      perTurn.push(reads() - before);
      before = reads();
    };
    await inTurns(indexOf(log).catchUp(), { giveWay, now: reads });
    await giveWay();
    expect(Math.max(...perTurn)).toBeLessThan(40);
  });
});
