import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import type { EventFact } from '../../../../src/base/events/event.ts';
import { createEventLog, type EventLog } from '../../../../src/base/events/event-log.ts';
import { type EventStreamOptions, placeIn, streamEvents } from '../../../../src/sandbox/control/events/event-stream.ts';
import { setContext } from '../../../../src/server/http/request-context.ts';

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** About 20 kB on the wire. */
const big: EventFact = {
  ...{ type: 'error.returned', endpoint: 'token', form: 'json', status: 400, error: 'invalid_request' },
  ...{ reason: 'parameter_missing', description: 'x'.repeat(20_000) },
};
const small: EventFact = { type: 'sandbox.reset' };

function logOf(count: number, capacity = 1000): EventLog {
  const log = createEventLog({ capacity, now: () => 0 });
  for (let n = 0; n < count; n++) log.append(big, 'req_1');
  return log;
}

interface Frame {
  readonly event: string;
  readonly id: number | undefined;
  readonly data: string;
}

/** A reader of the stream, over a real socket that it reads from only when it is told to. */
async function follow(log: EventLog, options: Partial<EventStreamOptions> = {}) {
  const leave = new AbortController();
  const server = createServer((req, res) => {
    setContext(req, { id: 'req_1', emit: () => {}, endpoint: 'control' });
    const given = { wanted: () => true, withExchange: false, signal: leave.signal, ...options };
    streamEvents(log, given, res).catch(() => {});
    server.emit('streaming', res);
  });
  const streaming = once(server, 'streaming') as Promise<[ServerResponse]>;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    .setEncoding('utf8')
    .pause();
  ends.push(() => {
    leave.abort();
    socket.destroy();
    server.close();
  });
  const chunks: string[] = [];
  let tail = '';
  let heard = () => {};
  socket.on('data', (chunk: string) => {
    chunks.push(chunk);
    tail = (tail + chunk).slice(-50_000);
    heard();
  });
  socket.on('close', () => heard());
  socket.write('GET / HTTP/1.0\r\n\r\n');
  const [res] = await streaming;
  return {
    res,
    /** Reads on until the newest event of the log has come. */
    async read(): Promise<Frame[]> {
      const last = `id: ${log.start}:${log.lastId}\n`;
      await new Promise<void>(resolve => {
        heard = () => {
          if (socket.closed || (tail.includes(last) && tail.endsWith('\n\n'))) resolve();
        };
        socket.resume();
        heard();
      });
      socket.pause();
      return framesIn(chunks.join(''));
    },
  };
}

function framesIn(text: string): Frame[] {
  return text.split('\n\n').flatMap(frame => {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(frame)?.[1];
    const [event, id] = [field('event'), field('id')];
    return event === undefined ? [] : [{ event, id: placeIn(id ?? '')?.id, data: field('data') ?? '' }];
  });
}

const idsOf = (frames: readonly Frame[]) => frames.flatMap(({ id }) => (id === undefined ? [] : [id]));
const gapsIn = (frames: readonly Frame[]) => frames.filter(({ event }) => event === 'gap').map(({ data }) => data);
const upTo = (last: number, first = 1) => Array.from({ length: last - first + 1 }, (_, n) => first + n);

it('replays all there is, however much that is', async () => {
  const reader = await follow(logOf(500), { after: { id: 0 } });
  const frames = await reader.read();
  expect(idsOf(frames)).toEqual(upTo(500));
  expect(gapsIn(frames)).toEqual([]);
});

it('reads what is kept over several turns, and loses nothing that happens meanwhile', async () => {
  const log = logOf(0);
  for (let n = 0; n < 100; n++) log.append(small, 'req_1');
  let looks = 0;
  const looksOfTurns: number[] = [];
  const reader = await follow(log, {
    after: { id: 0 },
    wanted: () => ++looks > 0,
    turns: {
      async giveWay() {
        looksOfTurns.push(looks);
        if (looksOfTurns.length <= 5) log.append(small, 'req_1');
      },
      now: () => looks, // a turn of ten milliseconds is one of ten looks
    },
  });
  expect(idsOf(await reader.read())).toEqual(upTo(105));
  const perTurn = looksOfTurns.map((sum, turn) => sum - (looksOfTurns[turn - 1] ?? 0));
  expect(Math.max(...perTurn)).toBe(10);
});

it('holds little for a reader that does not read, and tells all of it once that reads on', async () => {
  const log = logOf(0);
  const reader = await follow(log);
  for (let n = 0; n < 300; n++) log.append(big, 'req_1');
  expect(reader.res.writableLength).toBeLessThan(300_000);
  const frames = await reader.read();
  expect(idsOf(frames)).toEqual(upTo(300));
  expect(gapsIn(frames)).toEqual([]);
});

it('says once that something was dropped, where the reader was too slow for the history', async () => {
  const log = logOf(0, 50);
  const reader = await follow(log, { after: { id: 0 } });
  for (let n = 0; n < 600; n++) log.append(big, 'req_1');
  const frames = await reader.read();
  const ids = idsOf(frames);
  expect(gapsIn(frames)).toHaveLength(1);
  const place = frames.findIndex(({ event }) => event === 'gap');
  const before = idsOf(frames.slice(0, place));
  expect(gapsIn(frames)).toEqual([`{"after":${before.at(-1)}}`]);
  expect(before).toEqual(upTo(before.length));
  expect(idsOf(frames.slice(place))).toEqual(upTo(600, 551));
  expect(ids).toEqual([...new Set(ids)]);
});

it('says a loss once, though what is kept is older in part', async () => {
  const log = logOf(0, 100);
  log.append(small, 'req_1');
  for (let n = 0; n < 300; n++) log.append(big, 'req_1');
  const frames = await (await follow(log, { after: { id: 0 } })).read();
  expect(gapsIn(frames)).toEqual(['{"after":0}']);
  expect(idsOf(frames)).toEqual([1, ...upTo(301, 202)]);
});

const startsIn = (frames: readonly Frame[]) => frames.filter(({ event }) => event === 'start').map(({ data }) => data);
/** Last-Event-ID of a browser that read the log up to this event. */
const readUpTo = (log: EventLog, id: number) => placeIn(`${log.start}:${id}`);

it('names another start, and tells all of it, where the last id is of an earlier one, however many there were', async () => {
  for (const id of [1, 2, 3, 4711]) {
    const log = logOf(3);
    const frames = await (await follow(log, { after: readUpTo(logOf(0), id) })).read();
    expect(startsIn(frames)).toEqual([JSON.stringify({ start: log.start })]);
    expect(gapsIn(frames)).toEqual([]);
    expect(idsOf(frames)).toEqual([1, 2, 3]);
  }
});

it('says that another start has forgotten some already', async () => {
  const frames = await (await follow(logOf(30, 10), { after: readUpTo(logOf(0), 2) })).read();
  expect(frames.slice(0, 2).map(({ event, data }) => [event, data])).toEqual([
    ['start', expect.any(String)],
    ['gap', '{"after":0}'],
  ]);
  expect(idsOf(frames)).toEqual(upTo(30, 21));
});

it('resumes after the last id of this start, and names no start', async () => {
  const log = logOf(5);
  const frames = await (await follow(log, { after: readUpTo(log, 3) })).read();
  expect(frames.map(({ event }) => event)).toEqual(['error.returned', 'error.returned']);
  expect(idsOf(frames)).toEqual([4, 5]);
});

it('takes a bare id for one of this start, unless that has not come so far', async () => {
  const log = logOf(3);
  expect(idsOf(await (await follow(log, { after: placeIn('2') })).read())).toEqual([3]);
  const frames = await (await follow(log, { after: placeIn('4711') })).read();
  expect(startsIn(frames)).toHaveLength(1);
  expect(idsOf(frames)).toEqual([1, 2, 3]);
});

it('reads no place in other texts', () => {
  for (const text of ['', 'abc', '-1', '1.5', 'start:', ':3', 'a b:3', '1'.repeat(16)])
    expect(placeIn(text)).toBeUndefined();
});

it('goes on with what happens after a replay that had to wait', async () => {
  const log = logOf(500);
  const reader = await follow(log, { after: { id: 400 } });
  await reader.read();
  log.append(small, 'req_1');
  const frames = await reader.read();
  expect(idsOf(frames)).toEqual(upTo(501, 401));
});

it('tells nothing of what is not asked for, and has no gap because of it', async () => {
  const log = logOf(200);
  log.append(small, 'req_1');
  const frames = await (await follow(log, { after: { id: 0 }, wanted: ({ type }) => type === 'sandbox.reset' })).read();
  expect(frames).toMatchObject([{ event: 'sandbox.reset', id: 201 }]);
});
