import { createServer } from 'node:net';

/**
 * Below the range from which the system takes the ports of connections and of servers without a port of their own: any of these
 * could otherwise get the port between this look and its use.
 */
const [first, last] = [20_000, 32_000];
/** Each worker of the tests has ports of its own. */
const workers = 8;
const worker = Number(process.env.VITEST_POOL_ID ?? 0) % workers;
let next = Math.floor((Math.random() * (last - first)) / workers);

/** A port of loopback that nobody listens on, for a server that must know its address before it starts. */
export async function freePort(): Promise<number> {
  for (;;) {
    next = (next + 1) % ((last - first) / workers);
    const port = first + next * workers + worker;
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
