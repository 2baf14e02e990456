import type { IncomingMessage } from 'node:http';

/** More than this is left with the sender until the request goes on. */
const mostHeld = 64 * 1024;

/** Lets `go` begin with a request that had to wait, and then gives its body on, so that one who records it misses nothing. */
export type Pass = (go: () => void) => void;

/** Keeps the body of a request that has to wait, as the parser hands it over. */
export function holdBody(req: IncomingMessage): Pass {
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
