import { createServer } from 'node:net';

// Below the range that the system takes outgoing ports from: a connection to a port of that range on which nobody
// listens yet can, by chance, connect to itself and so keep the server from it.
let next = 20_000 + (process.pid % 5000);

export async function freePort() {
  for (;;) {
    next = next >= 32_000 ? 20_000 : next + 1;
    if (await isFree(next)) return next;
  }
}

function isFree(port) {
  return new Promise(resolve => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
