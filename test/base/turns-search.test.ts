import { expect, it } from 'vitest';
import type { EventFact } from '../../src/base/events/event.ts';
import { createEventLog } from '../../src/base/events/event-log.ts';
import { inTurns, type Pieces } from '../../src/base/turns.ts';
import { listFlows } from '../../src/dashboard/flows/flow-list.ts';
import type { PageContext } from '../../src/dashboard/page.ts';
import { keptProblems, newProblemRows } from '../../src/dashboard/problems/problem-pages.ts';
import { listTokens, parseFilter } from '../../src/dashboard/tokens/token-list.ts';
import { eventFilter } from '../../src/sandbox/control/events/event-filter.ts';
import { findEvents } from '../../src/sandbox/control/events/find-events.ts';

/** A log of so many tokens, which counts how often a search looks at the client of one. */
function countedLog(size: number) {
  let looks = 0;
  const events = createEventLog({ capacity: 100_000, now: () => 1000 });
  const issued = { type: 'token.issued', tokenType: 'access', sub: 'alice', iat: 1000, exp: 1300, minted: false };
  for (let n = 0; n < size; n++) {
    const token = { ...issued, authorizationId: `auth_${n}`, tokenId: `tok_${n}`, token: `value-${n}` };
    const appended = events.append({ ...token, client_id: `client-${n}` } as unknown as EventFact, `req_${n}`);
    Object.defineProperty(appended, 'client_id', {
      get() {
        looks++;
        return `client-${n}`;
      },
    });
  }
  return { events, looks: () => looks };
}

/** Does work in turns of ten looks each, and counts the looks of each turn. */
async function counted<T>(work: Pieces<T>, looks: () => number, onTurn: (turn: number) => void = () => {}) {
  const perTurn: number[] = [];
  let before = looks();
  const giveWay = async () => {
    perTurn.push(looks() - before);
    before = looks();
    onTurn(perTurn.length);
  };
  const done = await inTurns(work, { giveWay, now: looks });
  perTurn.push(looks() - before);
  return { done, perTurn };
}

it.each([100, 10_000])('of %i events looks at ten in one turn of the event loop', async size => {
  const { events, looks } = countedLog(size);
  const wanted = eventFilter({ q: 'client:nobody' }, 1000);
  const { done, perTurn } = await counted(findEvents(events, { wanted, after: undefined, limit: 100 }), looks);
  expect(done).toEqual({ found: [], last_id: size, complete: true });
  expect(looks()).toBe(size);
  expect(Math.max(...perTurn)).toBe(10);
});

it('of 10,000 tokens of the dashboard looks at ten in one turn of the event loop', async () => {
  const { events, looks } = countedLog(10_000);
  const filter = parseFilter('client:nobody');
  const context = { events, clock: () => 1000, flows: { ofToken: () => undefined } };
  const { done, perTurn } = await counted(listTokens(context, { filter, limit: 100 }), looks);
  expect(done.rows).toEqual([]);
  expect(looks()).toBe(10_000);
  expect(Math.max(...perTurn)).toBe(10);
});

it('of 5,000 flows looks at ten in one turn of the event loop', async () => {
  let looks = 0;
  const flows = Array.from({ length: 5000 }, (_, n) => ({
    client_id: `client-${n}`,
    get lastEventId() {
      looks++;
      return n + 1;
    },
  }));
  const context = {
    flows: { latest: () => flows, newestFirst: () => flows, kept: () => 5000 },
    events: createEventLog({ capacity: 1, now: () => 1000 }),
  };
  const asked = { ...context, clock: () => 1000 } as unknown as PageContext; // all that the list reads
  const { done, perTurn } = await counted(listFlows(asked, { query: 'client:nobody' }), () => looks);
  expect(done.rows).toEqual([]);
  expect(looks).toBe(5000);
  expect(Math.max(...perTurn)).toBe(10);
});

it('of 500 problems makes ten in one turn of the event loop, for rows and for all', async () => {
  let made = 0;
  const problems = {
    *newestFirst() {
      for (let n = 500; n > 0; n--) {
        made++;
        yield { id: `prb_${n}`, client_id: `client-${n}`, title: 'refused', lastEventId: n, lastAt: 1000 };
      }
    },
    *listed() {
      for (const problem of this.newestFirst()) yield { problem, fix: '' };
    },
  };
  const context = { problems, clock: () => 1000 } as unknown as PageContext; // all that the list reads
  for (const work of [() => newProblemRows(context, 'client:nobody', 0, () => false), () => keptProblems(context)]) {
    made = 0;
    const { perTurn } = await counted<readonly object[]>(work(), () => made);
    expect(made).toBe(500);
    expect(Math.max(...perTurn)).toBe(10);
  }
});

it('ends where it has found as many as are asked for: the newest, oldest first', async () => {
  const { events, looks } = countedLog(1000);
  const wanted = eventFilter({ q: 'client:client-*' }, 1000);
  const { done } = await counted(findEvents(events, { wanted, after: undefined, limit: 3 }), looks);
  expect(done.found.map(({ id }) => id)).toEqual([998, 999, 1000]);
  expect(looks()).toBe(3);
});

it('leaves what happens meanwhile to the next call', async () => {
  const { events, looks } = countedLog(100);
  const wanted = eventFilter({ q: 'client:client-*' }, 1000);
  const logout = { type: 'session.ended', client_id: 'client-late' } as unknown as EventFact;
  const { done } = await counted(findEvents(events, { wanted, after: 0, limit: 1000 }), looks, turn => {
    if (turn === 5) events.append(logout, 'req_late');
  });
  expect(events.lastId).toBe(101);
  expect(done.last_id).toBe(100);
  expect(done.found).toHaveLength(100);
});
