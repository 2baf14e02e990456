// A sandbox that a thousand clients have used, in this process: how long asking it for a report keeps everybody else waiting.
import { createHash, randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { countTurns } from '../count-turns.mjs';

const [, , app, folder, count] = process.argv;
const { createSandbox } = createRequire(import.meta.url)(app);
const redirect_uri = 'http://127.0.0.1:5173/callback';
const clients = Array.from({ length: Number(count) }, (_, n) => ({
  ...{ client_id: `client-${n}`, client_secret: `secret-of-client-${n}`, redirect_uris: [redirect_uri] },
  scope: 'openid profile products:read',
}));
const reportDir = join(folder, 'reports');
const sandbox = await createSandbox({ clients, autoLogin: 'alice', historySize: 100_000, reportDir });

/** A login, its code and a call of the API; every tenth client has lost its verifier. */
async function use({ client_id, client_secret, scope }, n) {
  const verifier = randomBytes(32).toString('base64url');
  const code_challenge = createHash('sha256').update(verifier).digest('base64url');
  const asked = { response_type: 'code', client_id, redirect_uri, scope, state: randomBytes(16).toString('hex') };
  const query = new URLSearchParams({ ...asked, code_challenge, code_challenge_method: 'S256' });
  const answered = await fetch(`${sandbox.url}/oauth2/authorize?${query}`, { redirect: 'manual' });
  const code = new URL(answered.headers.get('location')).searchParams.get('code');
  const form = { grant_type: 'authorization_code', code, redirect_uri, client_id, client_secret };
  const code_verifier = n % 10 === 0 ? 'lost'.repeat(12) : verifier;
  const body = new URLSearchParams({ ...form, code_verifier });
  const { access_token } = await (await fetch(`${sandbox.url}/oauth2/token`, { method: 'POST', body })).json();
  if (access_token === undefined) return;
  await (await fetch(`${sandbox.url}/api/products`, { headers: { authorization: `Bearer ${access_token}` } })).text();
}

/** Milliseconds: all of it, of the CPU, and of the longest turn of the event loop meanwhile, by the clock and of the CPU. */
async function measured(work) {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await sleep(50);
  delay.reset();
  await sleep(10);
  const longestCpu = countTurns();
  const before = process.cpuUsage();
  const began = performance.now();
  await work();
  const total = performance.now() - began;
  const { user, system } = process.cpuUsage(before);
  await sleep(10);
  return { total, cpu: (user + system) / 1000, longestTurn: delay.max / 1e6, turnCpu: longestCpu() };
}

const read = path => async () => {
  const answer = await fetch(sandbox.url + path);
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
  for await (const _ of answer.body);
};
const badNames = Object.fromEntries(Array.from({ length: 40_000 }, (_, n) => [`redirect_urs${n}`, 1]));
const refused = async () => {
  const headers = { 'content-type': 'application/json' };
  await fetch(`${sandbox.url}/_sandbox/clients`, { method: 'POST', headers, body: JSON.stringify(badNames) });
};

for (const [n, client] of clients.entries()) await use(client, n);
await sleep(1000);
const found = {
  report: await measured(read('/_sandbox/report')),
  page: await measured(read('/dashboard/report')),
  clients: await measured(read('/dashboard/clients')),
  search: await measured(read('/_sandbox/events?q=nothing-like-this')),
  exported: await measured(read('/dashboard/export/html')),
  refused: await measured(refused),
  stop: await measured(() => sandbox.stop()),
};
process.stdout.write(JSON.stringify(found));
