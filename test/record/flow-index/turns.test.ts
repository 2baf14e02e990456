import { expect, it } from 'vitest';
import type { EventFact } from '../../../src/base/events/event.ts';
import { createEventLog } from '../../../src/base/events/event-log.ts';
import { flatMapInPieces, inTurns } from '../../../src/base/turns.ts';
import { createFlowIndex } from '../../../src/record/flows/flow-index.ts';
import { readInTurns } from '../../support/counted-log.ts';

/** A log of so many logins, which counts how often somebody asks it for the events of a request. */
function countedLog(logins: number, capacity = 100_000) {
  const events = createEventLog({ capacity, now: () => 1000 });
  const { ofRequest } = events;
  let reads = 0;
  Object.assign(events, {
    ofRequest(requestId: string) {
      reads++;
      return ofRequest(requestId);
    },
  });
  const logIn = (n: number) => {
    const url = `/oauth2/authorize?${new URLSearchParams({ client_id: `client-${n}`, response_type: 'code' })}`;
    const exchange = { url, ip: '127.0.0.1', requestHeaders: '', responseHeaders: '' };
    const served = { endpoint: 'authorize', method: 'GET', path: '/oauth2/authorize', status: 200, milliseconds: 1 };
    events.append({ type: 'request.completed', ...served, exchange } as EventFact, `req_${n}`);
  };
  for (let n = 0; n < logins; n++) logIn(n);
  return { events, logIn, reads: () => reads };
}

/** Reads what is new in turns of ten reads each, and counts the reads of each turn. */
async function caughtUp({ events, reads }: ReturnType<typeof countedLog>, onTurn?: (turn: number) => void) {
  const flows = createFlowIndex(events, () => 1000);
  const perTurn = await readInTurns(flows.catchUp(), reads, onTurn);
  return { flows, perTurn };
}

it.each([10, 1000])('reads a few of %i new requests in one turn of the event loop', async logins => {
  const log = countedLog(logins);
  const { flows, perTurn } = await caughtUp(log);
  expect(Math.max(...perTurn)).toBeLessThan(20);
  const before = log.reads();
  expect(flows.count()).toBe(logins);
  expect(log.reads()).toBe(before); // nothing was left to read
});

it('reads what comes meanwhile, too, and leaves out what the log forgets before its turn', async () => {
  const log = countedLog(50, 60);
  const { flows } = await caughtUp(log, turn => {
    if (turn === 3) for (let n = 50; n < 100; n++) log.logIn(n);
  });
  const names = flows.latest(1000).map(({ client_id }) => client_id);
  expect(names).toEqual(Array.from({ length: 60 }, (_, n) => `client-${99 - n}`));
});

it('makes a few of 1000 flows in one turn of the event loop', async () => {
  const { events } = countedLog(1000);
  let made = 0;
  const flows = createFlowIndex(events, () => {
    made++; // each flow asks what time it is
    return 1000;
  });
  const perTurn: number[] = [];
  let before = 0;
  const giveWay = async () => {
    perTurn.push(made - before);
    before = made;
  };
  const names = flatMapInPieces(flows.newestFirst(), ({ client_id = '' }) => [client_id]);
  expect(await inTurns(names, { giveWay, now: () => made })).toHaveLength(1000);
  await giveWay();
  expect(Math.max(...perTurn)).toBeLessThan(20);
  expect(flows.kept()).toBe(1000);
});
