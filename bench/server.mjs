// One running server: started, ready, what it has used, stopped.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { firstAnswer } from './first-answer.mjs';
import { freePort } from './free-port.mjs';
import { start } from './processes.mjs';

const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** @returns once it answers `request`, with the milliseconds from spawn to that answer */
export async function startServer(contestant, request = contestant.discovery) {
  const port = await freePort();
  const began = performance.now();
  const child = start(contestant.command, contestant.args(port), contestant.options(port));
  try {
    const answered = await firstAnswer(child, port, request);
    return { ...running(child, port), contestant, startedIn: answered - began };
  } catch (error) {
    child.kill('SIGKILL');
    throw new Error(`${contestant.name}: ${error.message}`);
  }
}

function running(child, port) {
  const { pid } = child;
  return {
    pid,
    origin: `http://127.0.0.1:${port}`,
    /** Of all its threads, the pool that signs included; living and ended. */
    cpuSeconds: () => cpuSecondsOf(pid),
    residentMiB: () => status(pid, 'VmRSS'),
    peakMiB: () => status(pid, 'VmHWM'),
    async stop(signal = 'SIGKILL') {
      child.kill(signal);
      return child.ended;
    },
  };
}

export function cpuSecondsOf(pid) {
  const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
  // the name, in parentheses, may hold anything; utime and stime are fields 14 and 15
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

function status(pid, name) {
  const line = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'latin1'));
  return Number(line?.[1]) / 1024;
}

/** One after the other, so that nobody's start is anybody's load. All are stopped in the end. */
export async function withServers(contestants, use) {
  const servers = {};
  try {
    for (const [name, contestant] of Object.entries(contestants)) {
      if (contestant !== undefined) servers[name] = await startServer(contestant);
    }
    return await use(servers);
  } finally {
    await Promise.all(Object.values(servers).map(server => server.stop()));
  }
}
