import { expect, it } from 'vitest';
import type { EventFact } from '../../../src/base/events/event.ts';
import { createEventLog } from '../../../src/base/events/event-log.ts';
import { detector } from '../../../src/record/problems/detectors/detector.ts';
import { createSilentFailures } from '../../../src/record/problems/silent-failures.ts';
import { errorFact, knownOf, now, requestFact } from './support.ts';

const patience = 20;

/** Silent failures of a detector that counts its reads and looks: each refusal is one, after a while. */
function watched({ capacity = 100, later = 0 } = {}) {
  let time = now;
  const counts = { reads: 0, looks: 0 };
  const events = createEventLog({ capacity, now: () => time });
  const slow = detector(
    'slow',
    {
      event(event) {
        counts.reads++;
        return event.type === 'error.returned' ? event : undefined;
      },
    },
    (clues, { hasPassed }) => {
      counts.looks++;
      return clues
        .filter(clue => hasPassed(clue, patience))
        .map(({ at, id, requestId }) => ({
          ...{ title: 'slow', at, eventId: id, requestId },
          explain: () => ({
            ...{ title: 'slow', why: 'slow', certainty: 'likely', others: [], fixes: [], references: [] },
          }),
        }));
    },
  );
  const failures = createSilentFailures(knownOf(events), [slow], later);
  return {
    ...{ events, counts },
    refuse: (requestId: string) => events.append(errorFact(), requestId),
    wait: (seconds: number) => {
      time += seconds;
    },
    found: () => failures.all().flatMap(({ failures: all }) => all.map(({ requestId }) => requestId)),
  };
}

it('a detector reads each event once, and looks again for another clue alone', () => {
  const { events, counts, refuse, found, wait } = watched();
  refuse('req_1');
  wait(patience + 1);
  expect(found()).toEqual(['req_1']);
  expect(counts).toEqual({ reads: 1, looks: 1 });
  events.append({ type: 'key.rotated' } as EventFact, 'req_2');
  events.append(requestFact('token', {}), 'req_3');
  expect(found()).toEqual(['req_1']);
  expect(counts).toEqual({ reads: 1, looks: 1 });
  refuse('req_4');
  expect(found()).toEqual(['req_1']);
  expect(counts).toEqual({ reads: 2, looks: 2 });
});

it('a wait that is over is noticed without another event, and not looked for before', () => {
  const { counts, refuse, found, wait } = watched();
  refuse('req_1');
  wait(5);
  refuse('req_2');
  expect(found()).toEqual([]);
  wait(patience - 6);
  expect(found()).toEqual([]);
  expect(counts.looks).toBe(1);
  wait(2);
  expect(found()).toEqual(['req_1']);
  wait(5);
  expect(found()).toEqual(['req_1', 'req_2']);
  wait(1000);
  expect(found()).toEqual(['req_1', 'req_2']);
  expect(counts.looks).toBe(3);
  wait(-1020); // the clock of the machine was set back
  expect(found()).toEqual([]);
});

it('a report of an issuer that has ended looks later', () => {
  const { refuse, found } = watched({ later: 3600 });
  refuse('req_1');
  expect(found()).toEqual(['req_1']);
});

it('a detector forgets what the log forgets', () => {
  const { events, refuse, found, wait } = watched({ capacity: 2 });
  for (const id of ['req_1', 'req_2', 'req_3']) refuse(id);
  wait(patience + 1);
  expect(found()).toEqual(['req_2', 'req_3']);
  refuse('req_4');
  wait(patience + 1);
  expect(found()).toEqual(['req_3', 'req_4']);
  events.clear();
  expect(found()).toEqual([]);
});

it.each(['before it was read', 'after it was read'])(
  'a request that met a fault is no clue, if that is told %s',
  when => {
    const { events, refuse, found, wait } = watched();
    for (const id of ['req_1', 'req_2']) refuse(id);
    if (when === 'after it was read') found();
    events.append({ type: 'fault.applied', endpoint: 'token', fault: 'x', effect: 'respond' } as EventFact, 'req_1');
    refuse('req_1');
    wait(patience + 1);
    expect(found()).toEqual(['req_2']);
  },
);
