import { expect, it } from 'vitest';
import type { EventFact } from '../../src/events/event.ts';
import { createEventLog } from '../../src/events/event-log.ts';
import type { Exchange } from '../../src/events/exchange.ts';
import { clientReport } from '../../src/report/client-report.ts';
import type { ClientReport } from '../../src/report/report.ts';
import type { Turns } from '../../src/turns/in-turns.ts';

/** A log of so many clients, which counts what is read of it: events of a request, and parts of an exchange. */
function countedLog(clients: number, capacity = 100_000) {
  let reads = 0;
  let held = 0;
  const log = createEventLog({ capacity, now: () => 1000 });
  const exchangeOf = (url: string, body?: string): Exchange => {
    const text = (value: string) => {
      reads++;
      return value;
    };
    return {
      get url() {
        return text(url);
      },
      get ip() {
        return text('127.0.0.1');
      },
      get requestHeaders() {
        return text('Content-Type\napplication/x-www-form-urlencoded');
      },
      get requestBody() {
        return body === undefined ? undefined : { text: text(body), bytes: body.length };
      },
      get responseHeaders() {
        return text('Content-Type\ntext/html');
      },
      weight: 100,
      hold: () => void held++,
      release: () => void held--,
    };
  };
  const add = (requestId: string, endpoint: string, exchange: Exchange, ...facts: readonly EventFact[]) => {
    for (const fact of facts) log.append(fact, requestId);
    const served = { endpoint, method: 'GET', path: `/${endpoint}`, status: 200, milliseconds: 1 };
    log.append({ type: 'request.completed', ...served, exchange } as EventFact, requestId);
  };
  for (let n = 0; n < clients; n++) {
    const client_id = `client-${n}`;
    const query = new URLSearchParams({ client_id, response_type: 'code', state: `state-${n}` });
    add(`req_a${n}`, 'authorize', exchangeOf(`/oauth2/authorize?${query}`));
    const refused = { error: 'invalid_grant', reason: 'code_replayed', description: 'the code came twice' };
    const error = { type: 'error.returned', client_id, ...refused } as EventFact;
    add(`req_t${n}`, 'token', exchangeOf('/oauth2/token', `client_id=${client_id}&code=code-${n}`), error);
  }
  const events: typeof log = {
    ...log,
    ofRequest(requestId) {
      reads++;
      return log.ofRequest(requestId);
    },
  };
  return { events, add, exchangeOf, reads: () => reads, held: () => held };
}

async function reportOf({ events, reads }: ReturnType<typeof countedLog>, onTurn = () => {}) {
  const perTurn: number[] = [];
  let before = 0;
  const turns: Turns = {
    async giveWay() {
      perTurn.push(reads() - before);
      before = reads();
      onTurn();
    },
    // time goes by as work is done
    now: reads,
  };
  const known = { events, issuer: 'http://localhost', base: '', clock: () => 1000, scopes: [], endpoints: [] };
  const report: ClientReport = await clientReport(
    { ...known, registered: () => [], accounts: () => [], recording: true },
    turns,
  );
  perTurn.push(reads() - before);
  return { report, perTurn };
}

it.each([10, 1000])(
  'of %i clients reads a few dozen parts of requests in one turn of the event loop',
  async clients => {
    const log = countedLog(clients);
    const { report, perTurn } = await reportOf(log);
    expect(report.clients).toHaveLength(clients);
    expect(report.clients[0]?.summary.fail).toBeGreaterThan(1);
    expect(perTurn.length).toBeGreaterThan(clients);
    expect(Math.max(...perTurn)).toBeLessThan(50);
  },
);

it('reads what it has begun with, although the log forgets it meanwhile, and lets go of it in the end', async () => {
  const log = countedLog(10, 20);
  const whole = await reportOf(countedLog(10, 20));
  let turn = 0;
  const { report } = await reportOf(log, () => {
    turn++;
    // all ten clients are read by then, and the checks have begun
    if (turn === whole.perTurn.length - 5)
      for (let n = 0; n < 20; n++)
        log.add(`req_n${n}`, 'discovery', log.exchangeOf('/.well-known/openid-configuration'));
  });
  expect(turn).toBeGreaterThan(10);
  expect(report.clients).toEqual(whole.report.clients);
  // the log released each of the twenty once
  expect(log.held()).toBe(-20);
});
