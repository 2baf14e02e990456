import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import type { EventFact } from '../../../src/base/events/event.ts';
import { createBreakpoints } from '../../../src/server/http/breakpoints.ts';
import { setContext } from '../../../src/server/http/request-context.ts';

function bench() {
  const timers = new Set<() => void>();
  const facts: EventFact[] = [];
  const breakpoints = createBreakpoints({
    endpoints: ['token'],
    now: () => 1000.7,
    after(_seconds, run) {
      timers.add(run);
      return () => void timers.delete(run);
    },
  });
  const sockets: EventEmitter[] = [];
  let count = 0;
  /** Sends an answer; the result is what has left. */
  function answer(): string[] {
    const left: string[] = [];
    const socket = new EventEmitter();
    sockets.push(socket);
    const req = { method: 'POST', url: '/oauth2/token?x=1', socket } as unknown as IncomingMessage;
    setContext(req, { id: `req_${++count}`, endpoint: 'token', emit: fact => void facts.push(fact) });
    const res = {
      headersSent: false,
      destroyed: false,
      statusCode: 200,
      getHeader: () => undefined,
      writeHead: () => res,
      end: (body: string) => void left.push(body),
    } as unknown as ServerResponse;
    breakpoints.tap(req, res);
    res.writeHead(200, ['Content-Type', 'text/plain']).end('body');
    return left;
  }
  return { breakpoints, timers, facts, sockets, answer };
}

it('a held response continues by itself when its time is over', async () => {
  const { breakpoints, timers, facts, answer } = bench();
  breakpoints.set({ endpoint: 'token', seconds: 30 });
  const left = answer();
  expect(breakpoints.held()).toMatchObject([{ requestId: 'req_1', path: '/oauth2/token', heldAt: 1000, until: 1030 }]);
  for (const run of [...timers]) run();
  await Promise.resolve();
  expect(left).toEqual(['body']);
  expect(facts.at(-1)).toEqual({ type: 'response.continued', endpoint: 'token', by: 'time' });
  expect(timers.size).toBe(0);
});

it('a held response is forgotten when its client is gone', () => {
  const { breakpoints, timers, facts, sockets, answer } = bench();
  breakpoints.set({ endpoint: 'any' });
  answer();
  sockets[0]?.emit('close');
  expect(breakpoints.held()).toEqual([]);
  expect(timers.size).toBe(0);
  expect(facts.at(-1)).toMatchObject({ by: 'gone' });
});

it('at most fifty responses are held at a time', () => {
  const { breakpoints, answer } = bench();
  breakpoints.set({ endpoint: 'token', times: 'always' });
  const answers = Array.from({ length: 51 }, answer);
  expect(breakpoints.held()).toHaveLength(50);
  expect(answers.at(-1)).toEqual(['body']);
});
