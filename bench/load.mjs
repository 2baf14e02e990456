// Load on a server over 16 kept-alive connections: wrk where there is one, else a child of our own.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run, temporaryFolder } from './processes.mjs';

const connections = 16;

export const loadGenerator = hasWrk()
  ? { words: `wrk, 1 thread, ${connections} connections`, run: runWrk }
  : {
      words: `node:http, ${connections} connections (no wrk on the PATH: this takes far more CPU from the server)`,
      run: runOwn,
    };

function hasWrk() {
  try {
    // it has no way to ask for its version that ends with 0
    execFileSync('sh', ['-c', 'command -v wrk'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** So many seconds of the same request. Throws where an answer was not a success: a refusal is cheap, and no result. */
export async function load(server, request, seconds) {
  const before = server.cpuSeconds();
  const result = await loadGenerator.run(`${server.origin}${request.path}`, request, seconds);
  const cpu = server.cpuSeconds() - before;
  const { name } = server.contestant;
  if (result.requests === 0) throw new Error(`${name} answered nothing at ${request.path}`);
  if (result.failed > 0) {
    throw new Error(`${name}: ${result.failed} of ${result.requests} requests failed at ${request.path}`);
  }
  return {
    requests: result.requests,
    perSecond: result.requests / result.seconds,
    cpuMicroseconds: (cpu / result.requests) * 1e6,
  };
}

async function runWrk(url, request, seconds) {
  const script = join(scripts(), `request-${++written}.lua`); // several run at a time
  writeFileSync(script, lua(request));
  const text = await run('wrk', ['-t1', `-c${connections}`, `-d${seconds}s`, '-s', script, url]);
  const result = /^RESULT (.*)$/m.exec(text)?.[1];
  if (result === undefined) throw new Error(`wrk printed no result: ${text.trim().split('\n').at(-1)}`);
  return JSON.parse(result);
}

let folder;
let written = 0;
function scripts() {
  folder ??= temporaryFolder();
  return folder;
}

/** wrk's own summary rounds; this prints the numbers. */
function lua({ method, headers, body }) {
  const quoted = text => JSON.stringify(text);
  return [
    `wrk.method = ${quoted(method)}`,
    ...Object.entries(headers).map(([name, value]) => `wrk.headers[${quoted(name)}] = ${quoted(value)}`),
    body === undefined ? '' : `wrk.body = ${quoted(body)}`,
    'function done(summary)',
    '  local e = summary.errors',
    '  io.write(string.format(\'RESULT {"requests":%d,"seconds":%f,"failed":%d}\\n\', summary.requests,',
    '    summary.duration / 1e6, e.connect + e.read + e.write + e.timeout + e.status))',
    'end',
    '',
  ].join('\n');
}

async function runOwn(url, request, seconds) {
  const program = join(import.meta.dirname, 'programs/own-load.mjs');
  return JSON.parse(await run(process.execPath, [program, JSON.stringify({ url, request, seconds, connections })]));
}
