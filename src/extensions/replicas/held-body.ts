import type { IncomingMessage } from 'node:http';

/** More than this is left with the sender until the request goes on. */
const mostHeld = 64 * 1024;

/** Lets `go` begin with a request that had to wait, and then gives its body on, so that one who records it misses nothing. */
export interface Pass {
  (go: () => void): void;
  /** Resolves when the body is there, as much as is held of it, or its sender is gone. */
  readonly whole: Promise<void>;
}

/** Keeps the body of a request that has to wait, as the parser hands it over. */
export function holdBody(req: IncomingMessage): Pass {
  const { push } = req;
  let arrived = () => {};
  const whole = new Promise<void>(resolve => {
    arrived = resolve;
  });
  req.once('close', arrived);
  const held: Parameters<typeof push>[] = [];
  let bytes = 0;
  req.push = (...all) => {
    held.push(all);
    const [chunk] = all;
    if (Buffer.isBuffer(chunk)) bytes += chunk.length;
    if (chunk === null || bytes >= mostHeld) arrived();
    return bytes < mostHeld;
  };
  function pass(go: () => void): void {
    req.push = push;
    go();
    for (const each of held.splice(0)) req.push(...each);
  }
  return Object.assign(pass, { whole });
}
