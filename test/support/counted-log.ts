import type { EventFact } from '../../src/base/events/event.ts';
import { createEventLog } from '../../src/base/events/event-log.ts';
import type { Exchange } from '../../src/base/events/exchange.ts';
import { inTurns } from '../../src/base/turns.ts';

/** Runs work in turns of ten reads each, and counts the reads of each turn. */
export async function readInTurns(
  work: Parameters<typeof inTurns>[0],
  reads: () => number,
  onTurn: (turn: number) => void = () => {},
) {
  const perTurn: number[] = [];
  let before = 0;
  const giveWay = async () => {
    perTurn.push(reads() - before);
    before = reads();
    onTurn(perTurn.length);
  };
  await inTurns(work, { giveWay, now: reads });
  perTurn.push(reads() - before);
  return perTurn;
}

/** A log of so many clients, which counts what is read of it: events of a request, and parts of an exchange. */
export function countedLog(clients: number, capacity = 100_000) {
  let reads = 0;
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
  reads = 0; // the log itself has weighed each
  const { ofRequest } = log;
  const events = Object.assign(log, {
    ofRequest(requestId: string) {
      reads++;
      return ofRequest(requestId);
    },
  });
  return { events, add, exchangeOf, reads: () => reads };
}
