import { expect, it } from 'vitest';
import type { EventFact } from '../../src/base/events/event.ts';
import { createEventLog } from '../../src/base/events/event-log.ts';
import { createEventBatches } from '../../src/dashboard/live.ts';

it('delivers a batch when what has happened is read, with what happened meanwhile', async () => {
  const events = createEventLog({ capacity: 10, now: () => 0 });
  let isAsked = () => {};
  const asked = new Promise<void>(resolve => {
    isAsked = resolve;
  });
  let isRead = () => {};
  const read = new Promise<void>(resolve => {
    isRead = resolve;
  });
  const delivered: number[][] = [];
  const batches = createEventBatches(
    events,
    batch => delivered.push(batch.map(({ id }) => id)),
    () => {
      isAsked();
      return read;
    },
  );
  batches.start();
  events.append({ type: 'sandbox.reset' } as EventFact, 'sandbox');
  await asked;
  events.append({ type: 'sandbox.reset' } as EventFact, 'sandbox');
  expect(delivered).toEqual([]);
  isRead();
  await read;
  await Promise.resolve();
  expect(delivered).toEqual([[1, 2]]);
  batches.stop();
});
