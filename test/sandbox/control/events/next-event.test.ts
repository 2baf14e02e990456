import { describe, expect, it } from 'vitest';
import type { EventFact, SandboxEvent } from '../../../../src/base/events/event.ts';
import { createEventLog } from '../../../../src/base/events/event-log.ts';
import type { Turns } from '../../../../src/base/turns.ts';
import { eventFilter } from '../../../../src/sandbox/control/events/event-filter.ts';
import { nextEvent } from '../../../../src/sandbox/control/events/next-event.ts';

const authenticated = (client_id: string): EventFact => ({
  ...{ type: 'client.authenticated', client_id, method: 'client_secret_basic' },
});

function logOf(...names: string[]) {
  const log = createEventLog({ capacity: 10_000, now: () => 1_000_000 });
  for (const name of names) log.append(authenticated(name), 'req_1');
  return log;
}
const isOf = (name: string) => eventFilter({ q: `client:${name}` }, 1_000_000);
const { signal } = new AbortController();

/** Turns of ten looks each; `onTurn` is what else happens in the process between two of them. */
function countedTurns(onTurn: (turn: number) => void = () => {}) {
  const perTurn: number[] = [];
  let looks = 0;
  let before = 0;
  const turns: Turns = {
    async giveWay() {
      perTurn.push(looks - before);
      before = looks;
      onTurn(perTurn.length);
    },
    now: () => looks,
  };
  const counting = (wanted: (event: SandboxEvent) => boolean) => (event: SandboxEvent) => {
    looks++;
    return wanted(event);
  };
  return { turns, perTurn, counting };
}

const others = Array.from({ length: 1000 }, () => 'other');

describe('waiting for an event', () => {
  it('ends with the signal, and leaves no listener', async () => {
    const log = logOf();
    let listeners = 0;
    const { subscribe } = log;
    Object.assign(log, {
      subscribe(listener: (event: SandboxEvent) => void) {
        listeners++;
        const stop = subscribe(listener);
        return () => {
          listeners--;
          stop();
        };
      },
    });
    const ending = new AbortController();
    const waiting = nextEvent(log, isOf('sensor'), { timeout: 60, signal: ending.signal });
    expect(listeners).toBe(1);
    ending.abort();
    expect(await waiting).toBeUndefined();
    expect(listeners).toBe(0);
    expect(await nextEvent(log, isOf('sensor'), { timeout: 60, signal: ending.signal })).toBeUndefined();
  });

  it('does not take what came before', async () => {
    const log = logOf('sensor');
    expect((await nextEvent(log, isOf('sensor'), { timeout: 0, signal }))?.id).toBe(1);
    expect(await nextEvent(log, isOf('sensor'), { after: 1, timeout: 0, signal })).toBeUndefined();
    const waiting = nextEvent(log, isOf('sensor'), { after: 1, timeout: 5, signal });
    log.append(authenticated('sensor'), 'req_2');
    expect((await waiting)?.id).toBe(2);
  });

  it('looks at ten events in one turn of the event loop, of however many', async () => {
    const { turns, perTurn, counting } = countedTurns();
    const waited = nextEvent(logOf(...others), counting(isOf('sensor')), { timeout: 0, signal, turns });
    expect(await waited).toBeUndefined();
    expect(Math.max(...perTurn)).toBe(10);
    expect(perTurn.length).toBeGreaterThan(99);
  });

  it.each([1, 2, 50, 100, 101])('loses none that comes in turn %i of its search', async when => {
    const log = logOf(...others);
    const { turns, counting } = countedTurns(turn => {
      if (turn === when) log.append(authenticated('sensor'), 'req_2');
    });
    const found = await nextEvent(log, counting(isOf('sensor')), { timeout: 60, signal, turns });
    expect(found?.id).toBe(1001);
  });

  it('loses none that comes right after its search', async () => {
    const log = logOf(...others);
    const { turns, perTurn } = countedTurns();
    const waiting = nextEvent(log, isOf('sensor'), { timeout: 60, signal, turns });
    while (perTurn.length === 0) await Promise.resolve();
    log.append(authenticated('sensor'), 'req_2');
    log.append(authenticated('sensor'), 'req_3');
    expect((await waiting)?.id).toBe(1001);
  });

  it('takes the oldest: one that is kept, although another comes while it is searched for', async () => {
    const log = logOf(...others, 'sensor');
    const { turns, counting } = countedTurns(turn => {
      if (turn === 3) log.append(authenticated('sensor'), 'req_2');
    });
    const found = await nextEvent(log, counting(isOf('sensor')), { timeout: 60, signal, turns });
    expect(found?.id).toBe(1001);
  });

  it('finds one that the log has forgotten when its turn comes', async () => {
    const log = logOf(...others, 'sensor');
    const { turns, counting } = countedTurns(turn => {
      if (turn === 3) log.clear();
    });
    const found = await nextEvent(log, counting(isOf('sensor')), { timeout: 60, signal, turns });
    expect(found?.id).toBe(1001);
  });

  it('ends in the middle of its search when it is told to', async () => {
    const ending = new AbortController();
    const { turns, perTurn, counting } = countedTurns(turn => {
      if (turn === 3) ending.abort();
    });
    const searched = { timeout: 60, signal: ending.signal, turns: { ...turns, signal: ending.signal } };
    expect(await nextEvent(logOf(...others), counting(isOf('sensor')), searched)).toBeUndefined();
    expect(perTurn).toHaveLength(3);
  });
});
