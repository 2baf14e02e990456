import { connect } from 'node:net';
import { createInterface } from 'node:readline';

/**
 * The commands that clients send to the engine at `port` while `work` runs, as `MONITOR` shows them. What a script runs inside the
 * engine is not among them, and neither are the pings of idle connections.
 */
export async function commandsDuring(port: number, work: () => Promise<void>): Promise<string[]> {
  const socket = connect(port, '127.0.0.1');
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
  socket.write('MONITOR\r\n');
  await lines.next(); // +OK
  await work();
  const end = crypto.randomUUID();
  await sendOnce(port, `ECHO ${end}\r\n`);
  const seen: string[] = [];
  for (;;) {
    const { value = '', done } = await lines.next();
    if (done === true || value.includes(end)) break;
    seen.push(value);
  }
  socket.destroy();
  return seen.filter(line => !/ \[\d+ lua\] | "ping"$/i.test(line)).map(line => /\] "([^"]*)"/.exec(line)?.[1] ?? line);
}

/** Resolves with the answer, so that the engine has seen the command. */
function sendOnce(port: number, command: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', reject);
    socket.once('data', () => {
      socket.destroy();
      resolve();
    });
    socket.write(command);
  });
}
