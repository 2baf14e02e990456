import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { holdBody } from '../../src/extensions/replicas/door.ts';

/** What the listener answers to a request with this body. */
async function answerOf(listener: RequestListener, body: string): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    return await (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body })).text();
  } finally {
    server.close().closeAllConnections();
  }
}

const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn++) await new Promise(resolve => setImmediate(resolve));
};

/** Counts the bytes that the parser hands over from now on. */
function countPushed(req: IncomingMessage): () => number {
  let bytes = 0;
  const { push } = req;
  req.push = (...all) => {
    if (Buffer.isBuffer(all[0])) bytes += all[0].length;
    return push.apply(req, all);
  };
  return () => bytes;
}

it.each([5, 200_000])(
  'gives one that begins late the whole body of %i bytes, and the chunks to watch',
  async length => {
    const answer = await answerOf((req, res) => {
      const pass = holdBody(req);
      turns(20).then(() =>
        pass(() => {
          const pushed = countPushed(req);
          text(req).then(read => res.end(`${read.length} ${pushed()}`));
        }),
      );
    }, 'x'.repeat(length));
    expect(answer).toBe(`${length} ${length}`);
  },
);

it('leaves a refused request nothing that keeps its connection from the next one', async () => {
  const server = createServer((req, res) => {
    const pass = holdBody(req);
    turns(3).then(() => pass(() => res.end(req.url)));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  for (const path of ['/a', '/b', '/c'])
    expect(await (await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', body: 'unread' })).text()).toBe(
      path,
    );
  server.close().closeAllConnections();
});
