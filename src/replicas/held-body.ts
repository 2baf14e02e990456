import type { IncomingMessage } from 'node:http';

/** More than this is left with the sender until the request goes on. */
const mostHeld = 64 * 1024;

/**
 * Keeps the body of a request that has to wait, as the parser hands it over. The function returned lets `go` begin with the
 * request and then gives the body on, so that one who records it misses nothing.
 */
export function holdBody(req: IncomingMessage): (go: () => void) => void {
  const { push } = req;
  const held: Parameters<typeof push>[] = [];
  let bytes = 0;
  req.push = (...all) => {
    held.push(all);
    const [chunk] = all;
    if (Buffer.isBuffer(chunk)) bytes += chunk.length;
    return bytes < mostHeld;
  };
  return go => {
    req.push = push;
    go();
    for (const each of held.splice(0)) req.push(...each);
  };
}
