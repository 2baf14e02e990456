// A sandbox in this process that is sent what is costly to read: the CPU of each request, and of its longest turn of the event loop.
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { costlyBodies, costlyForms, costlyPaths } from '../costly-input.mjs';
import { countTurns } from '../count-turns.mjs';
import { median } from '../statistics.mjs';

const [, , app, times] = process.argv;
const { createSandbox } = createRequire(import.meta.url)(app);
const grants = ['device_code', 'token-exchange', 'jwt-bearer'].map(name => `urn:ietf:params:oauth:grant-type:${name}`);
const bank = {
  client_id: 'bank',
  client_secret: 'bank-secret',
  token_endpoint_auth_method: 'client_secret_basic',
  grant_types: ['client_credentials', 'urn:openid:params:grant-type:ciba', ...grants],
  scope: 'openid profile products:read',
};
const frontend = { client_id: 'frontend', redirect_uris: ['http://127.0.0.1:5173/callback'], scope: 'openid' };
const payment = { description: 'make one payment', fields: { amount: 'object', to: 'string' } };
const settings = { authorizationDetailsTypes: { payment }, rateLimit: 0, loginRateLimit: 0, port: 0 };
const sandbox = await createSandbox({ clients: [bank, frontend], ...settings });

const authorization = `Basic ${Buffer.from('bank:bank-secret').toString('base64')}`;

function formRequests([what, encoded]) {
  const client = encoded.startsWith('client_id') ? '' : '&client_id=bank';
  return costlyPaths.map(path => ({
    ...{ what, path, type: 'application/x-www-form-urlencoded', headers: { authorization } },
    body: `${encoded}${client}${path.endsWith('token') ? '&grant_type=client_credentials' : ''}`,
  }));
}

function bodyRequest([what, path, body]) {
  return { what, path, type: 'application/json', body: typeof body === 'string' ? body : JSON.stringify(body) };
}

async function send({ path, type, headers, body }) {
  const answer = await fetch(sandbox.url + path, {
    method: 'POST',
    headers: { 'content-type': type, ...headers },
    body,
  });
  await answer.arrayBuffer();
  if (answer.status === 429 || answer.status >= 500) throw new Error(`${path} answered ${answer.status}`);
  return answer.status;
}

/** Milliseconds of CPU of one request, all of it and of its longest turn; with what it was answered. */
async function measure(request) {
  await sleep(5); // what the one before it left to do
  const end = countTurns();
  const before = process.cpuUsage();
  const status = await send(request);
  const { user, system } = process.cpuUsage(before);
  return { status, cpu: (user + system) / 1000, turn: end() };
}

/** The median of some, after one that compiles what it needs: a request that happens to meet the garbage collector tells nothing. */
async function measured(request) {
  await send(request);
  const samples = [];
  for (let count = 0; count < Number(times); count++) {
    await sandbox.reset('configuration'); // the same client can be made again
    samples.push(await measure(request));
  }
  const of = name => median(samples.map(sample => sample[name]));
  return { what: request.what, path: request.path, status: samples[0].status, cpu: of('cpu'), turn: of('turn') };
}

const found = [];
for (const request of [...costlyForms.flatMap(formRequests), ...costlyBodies.map(bodyRequest)]) {
  found.push(await measured(request));
}
await sandbox.stop();
process.stdout.write(JSON.stringify(found));
process.exit();
