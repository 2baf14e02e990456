import { createServer } from 'node:net';

/**
 * Below the range that the system takes outgoing ports from: with many connections at a time, one of them would otherwise get
 * the port between this look and its use.
 */
const [first, last] = [20_000, 32_000];
let next = first + Math.floor(Math.random() * (last - first));

/** A port of loopback that nobody listens on. */
export async function unusedPort(): Promise<number> {
  for (;;) {
    next = next >= last ? first : next + 1;
    if (await isUnused(next)) return next;
  }
}

function isUnused(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
