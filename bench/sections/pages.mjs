// Pages of the dashboard over a long history: 11,000 requests, 6,300 codes and tokens.
import { createHash, randomBytes } from 'node:crypto';
import { tokenRequest } from '../contestants.mjs';
import { inTurn, pick } from '../in-turn.mjs';
import { withServers } from '../server.mjs';
import { median } from '../statistics.mjs';
import { row } from '../table.mjs';

const pages = {
  Settings: '/dashboard/settings',
  Requests: '/dashboard/requests',
  'Tokens of a user': '/dashboard/tokens?q=user:bob',
  Report: '/dashboard/report',
  'search of requests': '/dashboard/requests?q=nothing-like-this',
};
const requests = 11_000;
const logins = 800;
const machineTokens = 3100;
const refusals = 900;
const redirect_uri = 'http://localhost:5173/callback';
const scope = 'openid profile email offline_access products:read';

export async function measurePages({ options, grantbox }) {
  const variables = { HISTORY_SIZE: '20000', HISTORY_BYTES: '500000000', AUTO_LOGIN: 'alice', LOG_LEVEL: 'silent' };
  return withServers({ server: grantbox({ variables }) }, async ({ server }) => {
    const { origin } = server;
    await page(origin, pages.Report); // loads the code of all of them
    const tokens = await repeat(logins, n => logIn(origin, n % 10 === 0 ? 'bob' : 'alice'));
    await repeat(machineTokens, () => sensorToken(origin, 'sensor-secret'));
    await repeat(refusals, n => sensorToken(origin, `wrong${n % 50}`));
    const rest = requests - 2 * logins - machineTokens - refusals;
    await repeat(rest, n => get(`${origin}/api/products`, { authorization: `Bearer ${tokens[n % logins]}` }));
    const first = await timed(server, pages.Settings);
    const measures = Object.entries(pages).map(([name, path]) => [name, () => afterNews(server, path)]);
    const samples = await inTurn(options.rounds * 4, Object.fromEntries(measures));
    return [rowOf('the first one, Settings', [first]), ...Object.entries(samples).map(each => rowOf(...each))];
  });
}

/** Nobody looks twice at the same history: each page has a token and a refusal to read. */
async function afterNews(server, path) {
  await sensorToken(server.origin, 'sensor-secret');
  await sensorToken(server.origin, 'wrong');
  return timed(server, path);
}

async function timed(server, path) {
  const [began, before] = [performance.now(), server.cpuSeconds()];
  await page(server.origin, path);
  return { total: performance.now() - began, cpu: (server.cpuSeconds() - before) * 1000 };
}

function rowOf(name, samples) {
  const [total, cpu] = ['total', 'cpu'].map(member => pick(samples, member));
  const mean = cpu.reduce((sum, each) => sum + each, 0) / cpu.length;
  const words = `slowest ${Math.max(...total).toFixed(0)} ms; ${mean.toFixed(0)} ms of CPU on average`;
  return row(`page with ${requests} requests: ${name}`, median(total), { atMost: 250, unit: 'ms', digits: 0 }, words, {
    samples,
  });
}

/** Sixteen at a time. @returns the results in order */
async function repeat(count, work) {
  const results = [];
  for (let n = 0; n < count; n += 16) {
    const some = Array.from({ length: Math.min(16, count - n) }, (_, place) => work(n + place));
    results.push(...(await Promise.all(some)));
  }
  return results;
}

/** @returns the access token */
async function logIn(origin, login_hint) {
  const code_verifier = randomBytes(32).toString('base64url');
  const code_challenge = createHash('sha256').update(code_verifier).digest('base64url');
  const client = { client_id: 'frontend', redirect_uri };
  const own = { state: randomBytes(16).toString('hex'), nonce: randomBytes(16).toString('hex') };
  const proof = { code_challenge, code_challenge_method: 'S256' };
  const query = new URLSearchParams({ response_type: 'code', scope, login_hint, ...client, ...own, ...proof });
  const answered = await fetch(`${origin}/oauth2/authorize?${query}`, { redirect: 'manual' });
  const code = new URL(answered.headers.get('location')).searchParams.get('code');
  const body = new URLSearchParams({ grant_type: 'authorization_code', code, code_verifier, ...client });
  const { access_token } = await (await fetch(`${origin}/oauth2/token`, { method: 'POST', body })).json();
  return access_token;
}

async function sensorToken(origin, secret) {
  const { path, body, method, headers } = tokenRequest('/oauth2/token');
  const authorization = `Basic ${btoa(`sensor:${secret}`)}`;
  await (await fetch(origin + path, { method, body, headers: { ...headers, authorization } })).text();
}

async function page(origin, path) {
  const answer = await get(origin + path, { accept: 'text/html' });
  if (!answer.includes('</html>')) throw new Error(`${path} answered ${answer.slice(0, 200)}`);
}

async function get(address, headers) {
  return (await fetch(address, { headers })).text();
}
