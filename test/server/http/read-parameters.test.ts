import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { readForm } from '../../../src/server/http/read-parameters.ts';

const server = createServer();
afterEach(() => void server.close());

/** A request whose Content-Length promises more than was sent so far, and what ends its connection. */
async function halfSent(): Promise<{ req: IncomingMessage; goAway: () => Promise<void> }> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  socket.write(
    'POST /token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n' +
      'Content-Length: 100\r\n\r\ngrant_type=',
  );
  const [req] = (await once(server, 'request')) as [IncomingMessage];
  const goAway = async () => {
    const closed = new Promise(resolve => req.once('close', resolve));
    req.on('error', () => {});
    socket.destroy();
    await closed;
  };
  return { req, goAway };
}

/** What became of the work once everything that is due has run. */
async function outcomeOf(work: Promise<unknown>): Promise<unknown> {
  const settled = work.catch((error: unknown) => error);
  await setImmediate();
  return Promise.race([settled, setImmediate('still waiting')]);
}

describe('a client that goes away before its body ends', () => {
  const endedEarly = { description: 'the body ended early' };

  it('ends the reading of the body', async () => {
    const { req, goAway } = await halfSent();
    const reading = readForm(req);
    reading.catch(() => {});
    await goAway();
    expect(await outcomeOf(reading)).toMatchObject(endedEarly);
  });

  it('ends a reading that begins only afterwards', async () => {
    const { req, goAway } = await halfSent();
    await goAway();
    expect(await outcomeOf(readForm(req))).toMatchObject(endedEarly);
  });
});
