// Asks a server that is only just starting, every half millisecond, until it gives the right answer.
import { connect } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';

const pause = new Int32Array(new SharedArrayBuffer(4));

/** Throws when the child ends or 20 s pass. @returns performance.now() at the answer */
export async function firstAnswer(child, port, request) {
  const bytes = onTheWire(request, port);
  const deadline = performance.now() + 20_000;
  let ended = false;
  child.ended.then(() => {
    ended = true;
  });
  while (!(await attempt(port, bytes, request.proof))) {
    if (ended) throw new Error(`ended before it answered ${request.path}: ${child.errors.trim()}`);
    if (performance.now() > deadline) throw new Error(`no good answer of ${request.path} within 20 s`);
    // timers are no finer than 1 ms, and spinning would take one of the cores the server starts on
    Atomics.wait(pause, 0, 0, 0.5);
    await nextTurn();
  }
  return performance.now();
}

function attempt(port, bytes, proof) {
  return new Promise(resolve => {
    let text = '';
    const socket = connect(port, '127.0.0.1');
    const finish = good => {
      socket.destroy();
      resolve(good);
    };
    socket.on('connect', () => socket.write(bytes));
    socket.on('data', part => {
      text += part;
      if (text.startsWith('HTTP/1.1 200') && text.includes(proof)) finish(true);
    });
    socket.on('error', () => finish(false));
    socket.on('close', () => finish(false));
    socket.setTimeout(10_000, () => finish(false));
  });
}

/** Written by hand: an HTTP client would take longer over it than a good server over the answer. */
function onTheWire({ method, path, headers, body = '' }, port) {
  const all = { host: `localhost:${port}`, connection: 'close', 'content-length': body.length, ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
}
