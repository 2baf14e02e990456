// A long run, to look at and not a part of the gate: `npm run soak -- --requests 300000 --streams 20`. What the users of a sandbox do,
// over several connections at once, against what ships in a process of its own on loopback, with open streams of events that are
// read to the end. Prints memory, the delay of the event loop and errors; ends with 1 for an answer nobody expected, a
// stream that broke, anything on standard error, or a stop that is not clean.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { megabytesOf, type RunningChild, runningChild } from '../test/support/child.ts';
import { type Doing, doings, sentSoFar } from './soak-requests.ts';

const connections = 8;
const { values } = parseArgs({ options: { requests: { type: 'string' }, streams: { type: 'string' } } });
const total = Number(values.requests ?? 300_000);
const streams = Number(values.streams ?? 20);
if (!(Number.isInteger(total) && total > 0 && Number.isInteger(streams)))
  throw new Error('--requests and --streams are whole numbers');

const counts = new Map<string, number>();
const errors = new Map<string, number>();
const add = (to: Map<string, number>, name: string, by = 1) => void to.set(name, (to.get(name) ?? 0) + by);

function nextDoing(): Doing {
  let left = Math.random() * doings.reduce((sum, { weight }) => sum + weight, 0);
  for (const doing of doings) {
    left -= doing.weight;
    if (left < 0) return doing;
  }
  throw new Error('Math.random() is below 1');
}

async function work(child: RunningChild): Promise<void> {
  while (sentSoFar() < total && child.process.exitCode === null) {
    const doing = nextDoing();
    add(counts, doing.name);
    await doing.run(child.url).catch((error: Error) => add(errors, `${doing.name}: ${error.message}`));
  }
}

/** Until the stop of the sandbox ends it. */
async function follow(url: string, isOver: () => boolean): Promise<void> {
  try {
    const response = await fetch(`${url}/_sandbox/events/stream`);
    const text = response.body?.pipeThrough(new TextDecoderStream());
    for await (const part of text ?? []) {
      add(counts, 'events read from streams', part.split('\ndata:').length - 1);
      if (/^event: gap/m.test(part)) add(counts, 'gaps told in streams');
    }
  } catch (error) {
    if (!isOver()) add(errors, `a stream broke: ${(error as Error).message}`);
  }
  if (!isOver()) add(errors, 'a stream ended');
}

/** Every tenth of the run a line. */
async function watch(child: RunningChild, isOver: () => boolean): Promise<void> {
  const began = performance.now();
  let next = total / 10;
  while (!isOver() && child.process.exitCode === null) {
    if (sentSoFar() >= next) {
      const seconds = Math.round((performance.now() - began) / 1000);
      const memory = megabytesOf(child).toFixed(0);
      console.log(`${sentSoFar()} requests, ${seconds} s, ${memory} MB, event loop ${lastDelay(child)}`);
      next += total / 10;
    }
    await new Promise(resolve => setTimeout(resolve, 100));
  }
}

const probed = /^soak-probe .*\n/gm;

function lastDelay({ output }: RunningChild): string {
  const { median, p99, longest } = JSON.parse(output.stderr.match(probed)?.at(-1)?.slice('soak-probe '.length) ?? '{}');
  return `${median} ms late at the median, ${p99} ms at 99 %, ${longest} ms at most`;
}

const probe = join(import.meta.dirname, 'soak-probe.mjs');
await using child = await runningChild({
  nodeArgs: ['--max-semi-space-size=2', '--import', probe],
  env: { LOG_LEVEL: 'error', RATE_LIMIT: '0', LOGIN_RATE_LIMIT: '0' },
});
let isOver = false;
const watching = watch(child, () => isOver);
const following = Array.from({ length: streams }, () => follow(child.url, () => isOver));
await Promise.all(Array.from({ length: connections }, () => work(child)));
isOver = true;
await watching;
child.process.kill('SIGTERM');
const code = await child.ended;
await Promise.all(following);
if (code !== 0) add(errors, `the process ended with ${code}`);
const complaints = child.output.stderr.replace(probed, '');
if (complaints !== '') add(errors, `on standard error: ${complaints.slice(0, 1000)}`);
for (const [name, count] of counts) console.log(`${name}: ${count}`);
for (const [error, count] of errors) console.log(`missed  ${error} (${count} times)`);
if (errors.size === 0) console.log('ok      no errors');
else process.exitCode = 1;
