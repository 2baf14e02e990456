import { setTimeout as sleep } from 'node:timers/promises';
import { duration } from '../../base/text/duration.ts';
import { seconds } from '../../sandbox/config/formats.ts';
import { named, type RunningGrantbox } from '../../server/wire/health.ts';
import {
  asJsonText,
  type Command,
  CommandFailure,
  done,
  type Given,
  isOn,
  type Timing,
  textOf,
  type World,
} from './command.ts';
import { type Connection, connect, connectionFlags, discover, locate, whyNot } from './connection.ts';
import { processBegin } from './other-process.ts';

/** Seconds between two attempts, and the timeout of one. */
const pause = 0.1;
const longestAttempt = 2;

/** `grantbox wait`. */
export const command: Command = {
  usage: '[--url <url>] [--pid <pid>] [--timeout <duration>]',
  about: [
    'Waits until the sandbox is healthy, and says which version answers and when it started. For scripts and pipelines that start a sandbox in the background.',
    'A sandbox that is older than this command counts, too: an earlier step may have started it. With --pid only a sandbox that started after that process counts, and the command ends when the process does.',
    'Exit code 0: the sandbox is ready. 1: an error that waiting does not fix, such as an untrusted certificate, or the process has ended. 2: the sandbox was not ready within the timeout.',
  ],
  flags: [
    ...connectionFlags,
    { name: 'pid', value: '<pid>', about: 'Process on this machine that runs the sandbox, such as $! of a shell' },
    { name: 'timeout', value: '<duration>', about: 'Longest wait: seconds, or 90s, 2m', fallback: '30s' },
    { name: 'json', about: 'Print the URL, the issuer, version and start, and the waiting time in seconds as JSON' },
  ],
  examples: [
    ['grantbox start & grantbox wait --pid $! && npm test', 'run the tests when this sandbox is ready'],
    ['grantbox wait --url http://grantbox:9000 --timeout 1m', 'another container, a minute at most'],
    ['grantbox wait --url https://localhost:9443 --insecure', 'with TLS=self-signed'],
  ],
  async run(given, world) {
    const connection = connect(given, world);
    const timing = world.timing ?? realTime;
    const began = timing.now();
    const { url, issuer, running } = await whenReady(connection, given, world, timing);
    const waited = Math.round(timing.now() - began) / 1000;
    if (isOn(given, 'json')) return done(asJsonText({ url, issuer, ...members(running), waited_seconds: waited }));
    return done(`${url} is ready after ${waited} s${running === undefined ? '' : `: ${aged(running, began)}`}`);
  },
};

/** Unix time, and without jumps. */
const realTime: Timing = { now: () => performance.timeOrigin + performance.now(), sleep };

interface Ready {
  readonly url: string;
  readonly issuer: string;
  readonly running: RunningGrantbox | undefined;
}

interface Starter {
  readonly pid: number;
  /** Unix milliseconds; undefined if it has ended. */
  readonly begin: number | undefined;
}

/** @throws CommandFailure (code 2) with the last reason; at once for an error that waiting does not fix */
async function whenReady(
  connection: Connection,
  given: Given,
  { processBegin: beginOf = processBegin }: World,
  { now, sleep }: Timing,
): Promise<Ready> {
  const [timeoutSeconds, pid] = [readTimeout(given), readPid(given)];
  const until = now() + timeoutSeconds * 1000;
  for (;;) {
    const left = (until - now()) / 1000;
    const starter = pid === undefined ? undefined : { pid, begin: beginOf(pid) };
    try {
      return await readyAt(connection, Math.max(0.05, Math.min(longestAttempt, left)), starter, now());
    } catch (error) {
      const reason = reasonToWait(error, starter);
      await sleep(pause * 1000);
      if (now() >= until) throw new CommandFailure(`not ready within ${timeoutSeconds} s: ${reason}`, 2);
    }
  }
}

/** @throws the error, or CommandFailure, where waiting does not help */
function reasonToWait(error: unknown, starter: Starter | undefined): string {
  if (!(error instanceof CommandFailure) || error.code === 1) throw error;
  if (starter === undefined || starter.begin !== undefined) return error.reason;
  throw new CommandFailure(`process ${starter.pid} has ended, and its sandbox is not ready: ${error.reason}`);
}

async function readyAt(
  connection: Connection,
  timeoutSeconds: number,
  starter: Starter | undefined,
  now: number,
): Promise<Ready> {
  const { base } = connection;
  const accepts = (running: RunningGrantbox | undefined) => expectStarter(base, running, starter, now);
  const located = await locate(connection, { timeoutSeconds, accepts });
  const { health, running } = located;
  if (health.status !== 200) throw new CommandFailure(`${base}/health ${whyNot(base, health)}`, 2);
  if (running === undefined) accepts(running);
  const issuer = running?.at?.issuer ?? (await discover(located, timeoutSeconds)).issuer;
  return { url: located.base, issuer, running };
}

/** @throws CommandFailure (code 2) if the sandbox cannot be that of the process */
function expectStarter(
  base: string,
  running: RunningGrantbox | undefined,
  starter: Starter | undefined,
  now: number,
): void {
  if (starter === undefined || isOf(starter, running)) return;
  const other = running === undefined ? 'a server that does not say when it started' : named(running, now);
  throw new CommandFailure(`${base} is answered by ${other}, and not by process ${starter.pid}`, 2);
}

/** A process cannot run a sandbox that is older than itself. */
function isOf({ begin }: Starter, running: RunningGrantbox | undefined): boolean {
  return begin !== undefined && running !== undefined && running.started >= begin;
}

function members(running: RunningGrantbox | undefined): object {
  return running === undefined ? {} : { version: running.version, started: new Date(running.started).toISOString() };
}

function aged(running: RunningGrantbox, began: number): string {
  const seconds = (began - running.started) / 1000;
  return named(running, began) + (seconds < 1 ? '' : `, ${duration(seconds, 1)} before this command`);
}

function readTimeout(given: Given): number {
  const typed = textOf(given, 'timeout') ?? '30s';
  const format = seconds(1, 86_400);
  const reading = format.read(typed);
  if ('value' in reading) return reading.value;
  throw new CommandFailure(`--timeout expects ${format.expected}; found ${JSON.stringify(typed)}`);
}

function readPid(given: Given): number | undefined {
  const typed = textOf(given, 'pid');
  if (typed === undefined || /^[1-9]\d{0,9}$/.test(typed)) return typed === undefined ? undefined : Number(typed);
  throw new CommandFailure(`--pid expects the id of a process, such as 4711; found ${JSON.stringify(typed)}`);
}
