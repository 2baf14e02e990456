import { setTimeout as sleep } from 'node:timers/promises';
import { seconds } from '../config/formats.ts';
import { asJsonText, type Command, CommandFailure, done, type Given, isOn, type Timing, textOf } from './command.ts';
import { type Connection, connect, connectionFlags } from './connection.ts';
import { discover, whyNot } from './discovery.ts';

/** Seconds between two attempts, and the timeout of one. */
const pause = 0.1;
const longestAttempt = 2;

/** `grantbox wait`. */
export const command: Command = {
  usage: '[--url <url>] [--timeout <duration>]',
  about: [
    'Waits until the sandbox is healthy and publishes its metadata. For scripts and pipelines that start a sandbox in the background.',
    'Exit code 0: the sandbox is ready. 1: an error that waiting does not fix, such as an untrusted certificate. 2: the sandbox was not ready within the timeout.',
  ],
  flags: [
    ...connectionFlags,
    { name: 'timeout', value: '<duration>', about: 'Longest wait: seconds, or 90s, 2m', fallback: '30s' },
    { name: 'json', about: 'Print the URL, the issuer and the waiting time in seconds as JSON' },
  ],
  examples: [
    ['grantbox start & grantbox wait && npm test', 'run the tests when the sandbox is ready'],
    ['grantbox wait --url http://grantbox:9000 --timeout 1m', 'another container, a minute at most'],
    ['grantbox wait --url https://localhost:9443 --insecure', 'with TLS=self-signed'],
  ],
  async run(given, world) {
    const connection = connect(given, world);
    const timing = world.timing ?? realTime;
    const began = timing.now();
    const issuer = await issuerWhenReady(connection, readTimeout(given), timing);
    const waitedSeconds = Math.round(timing.now() - began) / 1000;
    const { base: url } = connection;
    return done(
      isOn(given, 'json')
        ? asJsonText({ url, issuer, waited_seconds: waitedSeconds })
        : `${url} is ready after ${waitedSeconds} s`,
    );
  },
};

const realTime: Timing = { now: () => performance.now(), sleep };

/** @throws CommandFailure (code 2) with the last reason; at once for an error that waiting does not fix */
async function issuerWhenReady(
  connection: Connection,
  timeoutSeconds: number,
  { now, sleep }: Timing,
): Promise<string> {
  const until = now() + timeoutSeconds * 1000;
  for (;;) {
    const left = (until - now()) / 1000;
    try {
      return await issuerOf(connection, Math.max(0.05, Math.min(longestAttempt, left)));
    } catch (error) {
      if (!(error instanceof CommandFailure) || error.code === 1) throw error;
      await sleep(pause * 1000);
      if (now() >= until) throw new CommandFailure(`not ready within ${timeoutSeconds} s: ${error.reason}`, 2);
    }
  }
}

async function issuerOf(connection: Connection, timeoutSeconds: number): Promise<string> {
  const health = await connection.ask('/health', { timeoutSeconds });
  if (health.status !== 200)
    throw new CommandFailure(`${connection.base}/health ${whyNot(connection.base, health)}`, 2);
  return (await discover(connection, timeoutSeconds)).issuer;
}

function readTimeout(given: Given): number {
  const typed = textOf(given, 'timeout') ?? '30s';
  const format = seconds(1, 86_400);
  const reading = format.read(typed);
  if ('value' in reading) return reading.value;
  throw new CommandFailure(`--timeout expects ${format.expected}; found ${JSON.stringify(typed)}`);
}
