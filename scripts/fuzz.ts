// Whether anything that is sent brings the sandbox down: `npm run fuzz -- --requests 100000 --seed n`. Random requests to all
// that answers, half of them nearly right, over several connections at once, against what ships in a process of its own. Each
// connection has dice of its own, so that a seed makes the same choices again; codes and tokens among them are as they come.
// Ends with 1 for a 500 (or 502, 503) that nobody armed, a stack trace in an answer, a request without an end, anything
// unhandled, the end of the process, or memory beyond the bound: the resident size of the server's process (VmRSS) after
// each hundredth of the run, the highest of the first tenth being what it needs to work.
import { Agent, type IncomingMessage, request } from 'node:http';
import { parseArgs } from 'node:util';
import { megabytesOf, type RunningChild, runningChild } from '../test/support/child.ts';
import { raw, statusOf } from '../test/support/wire.ts';
import { createDice } from './fuzz-dice.ts';
import { type FuzzRequest, type Harvest, nextRequest } from './fuzz-requests.ts';

const connections = 8;
/** How far the memory may grow: the heap is let grow to 128 MB, and V8 does not hurry back. */
const boundMegabytes = 96;
const patience = 15_000;
const keptOfEach = 20;

const { values } = parseArgs({ options: { requests: { type: 'string' }, seed: { type: 'string' } } });
const total = Number(values.requests ?? 100_000);
const seed = Number(values.seed ?? 1);
if (!(Number.isInteger(total) && total > 0 && Number.isInteger(seed)))
  throw new Error('--requests and --seed are whole numbers');

interface Answered {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

const statuses = new Map<number, number>();
const findings = new Map<string, { count: number; readonly example: string }>();
let sent = 0;

function find(what: string, { method, path, headers, body, raw: bytes }: FuzzRequest, answered = ''): void {
  const known = findings.get(what);
  if (known !== undefined) known.count++;
  else {
    const example = JSON.stringify(bytes ?? { method, path, headers, body: body.slice(0, 1000) });
    findings.set(what, { count: 1, example: `${example.slice(0, 3000)}\n      ${answered.slice(0, 600)}` });
  }
}

/** Undefined where the connection was closed without an answer, `late` where none came in time. */
function send(
  port: number,
  agent: Agent,
  { method, path, headers, body }: FuzzRequest,
): Promise<Answered | 'late' | undefined> {
  return new Promise(resolve => {
    const origin = headers.origin === 'self' ? { origin: `http://127.0.0.1:${port}` } : {};
    const req = request({ ...{ host: '127.0.0.1', port, agent, method, path }, headers: { ...headers, ...origin } });
    const timer = setTimeout(() => {
      resolve('late');
      req.destroy();
    }, patience);
    const end = (answered?: Answered) => {
      clearTimeout(timer);
      resolve(answered);
    };
    req.on('error', () => end());
    req.on('response', res => {
      let text = '';
      const answered = () => end({ status: res.statusCode ?? 0, headers: res.headers, text });
      res.setEncoding('latin1').on('data', chunk => {
        text += chunk;
      });
      res.on('close', answered).on('error', answered);
      if (/event-stream/.test(res.headers['content-type'] ?? '')) setTimeout(() => req.destroy(), 20); // it has no end
    });
    req.end(body);
  });
}

function judge(asked: FuzzRequest, { status, headers, text }: Answered): void {
  statuses.set(status, (statuses.get(status) ?? 0) + 1);
  const isArmed = headers['sandbox-fault'] !== undefined;
  const isBusy = status === 503 && text.includes('control_busy'); // too many issuers, or callers that wait
  const place = asked.path.split('?', 1)[0]?.replace(/\/s\/[^/]+/, '') ?? '';
  if (status >= 500 && status !== 501 && status !== 505 && !isArmed && !isBusy)
    find(`${status} ${asked.method} ${place}`, asked, text);
  if (/\n\s+at .+:\d+:\d+|node:internal|\/node_modules\//.test(text)) find(`a stack trace from ${place}`, asked, text);
}

const memberForm = /"(access_token|id_token|refresh_token|code|tokenId|requestId|id|sid|issuer)": ?"([^"\\]{1,4000})"/g;

function gather(harvest: Harvest, { headers, text }: Answered): void {
  const keep = (name: string, value: string) => {
    harvest[name] = [...(harvest[name] ?? []), value].slice(-keptOfEach);
  };
  for (const [, code = ''] of (headers.location ?? '').matchAll(/[?&]code=([^&]+)/g)) keep('code', code);
  for (const cookie of headers['set-cookie'] ?? []) keep('cookie', cookie.split(';', 1)[0] ?? '');
  const isJson = /json/.test(headers['content-type'] ?? '');
  if (isJson) gatherMembers(text.slice(0, 20_000), keep);
}

function gatherMembers(text: string, keep: (name: string, value: string) => void): void {
  for (const [, name = '', value = ''] of text.matchAll(memberForm)) {
    if (name !== 'issuer') keep(/^(tokenId|requestId|sid)$/.test(name) ? 'id' : name, value);
    else if (URL.canParse(value) && new URL(value).pathname !== '/') keep('issuer', new URL(value).pathname);
  }
}

async function connection(child: RunningChild, index: number): Promise<void> {
  const dice = createDice(seed * 1000 + index);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const harvest: Harvest = {};
  const mine = Math.floor((total + index) / connections);
  for (let count = 0; count < mine && child.process.exitCode === null; count++) {
    const asked = nextRequest(dice, harvest);
    const answered = await ask(child.port, agent, asked);
    sent++;
    if (answered === 'late') find(`no answer in ${patience / 1000} s`, asked);
    else if (answered === undefined) statuses.set(0, (statuses.get(0) ?? 0) + 1);
    else {
      judge(asked, answered);
      gather(harvest, answered);
    }
  }
  agent.destroy();
}

async function ask(port: number, agent: Agent, asked: FuzzRequest): Promise<Answered | 'late' | undefined> {
  try {
    if (asked.raw === undefined) return await send(port, agent, asked);
  } catch {
    return undefined; // what Node itself would not send
  }
  const text = await raw(port, asked.raw, { end: true, patience });
  return { status: statusOf(text), headers: /\nsandbox-fault:/i.test(text) ? { 'sandbox-fault': 'armed' } : {}, text };
}

async function watchMemory(child: RunningChild, isOver: () => boolean): Promise<{ first: number; later: number }> {
  const peak = { first: 0, later: 0 };
  for (let next = 0; !isOver() && child.process.exitCode === null; ) {
    if (sent >= next) {
      const name = sent <= total / 10 ? 'first' : 'later';
      peak[name] = Math.max(peak[name], megabytesOf(child));
      next = sent + total / 100;
    }
    await new Promise(resolve => setTimeout(resolve, 50));
  }
  return peak;
}

function tell(child: RunningChild, { first, later }: { first: number; later: number }): void {
  const code = child.process.exitCode ?? child.process.signalCode;
  const outputs = child.output.stdout + child.output.stderr;
  const unhandled = /^.*(unhandled|uncaught|heap out of memory).*$/im.exec(outputs)?.[0];
  const table = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status || 'none'}: ${count}`);
  console.log(`seed ${seed}, ${sent} requests over ${connections} connections\n${table.join(', ')}`);
  console.log(
    `memory: ${first.toFixed(0)} MB in the first tenth, ${later.toFixed(0)} MB at most after it, bound +${boundMegabytes} MB`,
  );
  const problems = [
    ...[...findings].map(([what, { count, example }]) => `${what} (${count} times)\n      ${example}`),
    ...(code === null ? [] : [`the process ended with ${code}: ${child.output.stderr.slice(-2000)}`]),
    ...(unhandled === undefined ? [] : [`something was not handled: ${unhandled.slice(0, 1000)}`]),
    ...(later > first + boundMegabytes ? [`memory grew by ${(later - first).toFixed(0)} MB`] : []),
  ];
  for (const problem of problems) console.log(`missed  ${problem}`);
  if (problems.length === 0) console.log('ok      nothing failed');
  else process.exitCode = 1;
}

await using child = await runningChild({
  nodeArgs: ['--max-semi-space-size=2', '--max-old-space-size=128'],
  env: { HISTORY_SIZE: '100', HISTORY_BYTES: '1000000', RATE_LIMIT: '0', LOGIN_RATE_LIMIT: '0' },
});
let isOver = false;
const watching = watchMemory(child, () => isOver);
await Promise.all(Array.from({ length: connections }, (_, index) => connection(child, index)));
isOver = true;
tell(child, await watching);
