import { expect, it, vi } from 'vitest';
import type { EventFact } from '../../src/base/events/event.ts';
import { createEventLog } from '../../src/base/events/event-log.ts';
import { now, runDashboard } from './running-dashboard.ts';

/** A log of requests that counts how many of them somebody has read. */
function countedLog() {
  const read = new Set<string>();
  const events = createEventLog({ capacity: 10_000, now: () => now });
  const { ofRequest } = events;
  Object.assign(events, {
    ofRequest(requestId: string) {
      read.add(requestId);
      return ofRequest(requestId);
    },
  });
  let number = 0;
  const add = (requests: number) => {
    const exchange = { url: '/oauth2/jwks', ip: '127.0.0.1', requestHeaders: '', responseHeaders: '' };
    const served = { endpoint: 'jwks', method: 'GET', path: '/oauth2/jwks', status: 200, milliseconds: 1, exchange };
    for (let n = 0; n < requests; n++)
      events.append({ type: 'request.completed', ...served } as EventFact, `req_${number++}`);
  };
  return { events, add, read };
}

/** Work in pieces has one of these turns. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise(resolve => void setImmediate(resolve));
}

it('a dashboard reads what happens a thousand events at a time, also while nobody looks', async () => {
  const { events, add, read } = countedLog();
  await using _dashboard = await runDashboard({ events });
  add(999);
  await turns(20);
  expect(read.size).toBe(0);
  add(1);
  await vi.waitFor(() => expect(read.size).toBe(1000));
  add(1000);
  await vi.waitFor(() => expect(read.size).toBe(2000));
});

it('a dashboard that is closed reads nothing ahead', async () => {
  const { events, add, read } = countedLog();
  await using dashboard = await runDashboard({ events });
  add(999);
  dashboard.close();
  add(1001);
  await turns(20);
  expect(read.size).toBe(0);
});
