import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { sendText } from '../../../src/server/http/send-text.ts';

/** An answer whose reader takes a chunk when it is told to. */
function slowAnswer(method = 'GET') {
  const taken: string[] = [];
  let take: (() => void) | undefined;
  const res = new Writable({
    highWaterMark: 1,
    write(chunk, _encoding, done) {
      taken.push(String(chunk));
      take = done;
    },
  });
  return {
    res: Object.assign(res, { req: Object.assign(new EventEmitter(), { method }) }) as unknown as ServerResponse,
    taken,
    take: () => take?.(),
  };
}

const longChunk = 'x'.repeat(64 * 1024);

function countedText(chunks: number, chunk = longChunk) {
  let [made, isEnded] = [0, false];
  async function* text() {
    try {
      for (; made < chunks; made++) yield chunk;
    } finally {
      isEnded = true;
    }
  }
  return { text: text(), made: () => made, isEnded: () => isEnded };
}

const aFewTurns = async () => {
  for (let turn = 0; turn < 20; turn++) await new Promise(resolve => void setImmediate(resolve));
};

it('asks for a chunk when the reader has taken the one before', async () => {
  const { res, taken, take } = slowAnswer();
  const { text, made } = countedText(50);
  const sent = sendText(res, text);
  await aFewTurns();
  expect(made()).toBeLessThan(3);
  for (let chunk = 0; chunk < 50; chunk++) {
    take();
    await aFewTurns();
  }
  await sent;
  expect(taken).toHaveLength(50);
});

it('writes short pieces as long chunks', async () => {
  const { res, taken, take } = slowAnswer();
  const sent = sendText(res, countedText(100, 'x'.repeat(1024)).text);
  for (let chunk = 0; chunk < 3; chunk++) {
    await aFewTurns();
    take();
  }
  await sent;
  expect(taken.map(each => each.length)).toEqual([64 * 1024, 36 * 1024]);
});

it('makes no more for a reader who hangs up, which is no failure', async () => {
  const { res } = slowAnswer();
  const { text, made, isEnded } = countedText(50);
  const sent = sendText(res, text);
  await aFewTurns();
  res.destroy();
  await sent;
  expect(made()).toBeLessThan(3);
  expect(isEnded()).toBe(true);
});

it('closes the connection of an answer that cannot be finished', async () => {
  const { res, take } = slowAnswer();
  async function* broken() {
    yield longChunk;
    throw new Error('broken');
  }
  const sent = sendText(res, broken());
  await aFewTurns();
  take();
  await expect(sent).rejects.toThrow('broken');
  expect(res.destroyed).toBe(true);
});

it('makes nothing for a HEAD', async () => {
  const { res, taken } = slowAnswer('HEAD');
  const { text, made } = countedText(50);
  await sendText(res, text);
  expect([made(), taken]).toEqual([0, []]);
});
