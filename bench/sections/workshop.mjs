// The room of a workshop: pages while 24 learners work, each as fast as the answers come, and the memory of a seat.
import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { say } from '../processes.mjs';
import { withServers } from '../server.mjs';
import { median } from '../statistics.mjs';
import { row } from '../table.mjs';

const seats = 24;
const lesson = 'client-credentials';
const key = 'bench';
const trainer = { authorization: `Bearer ${key}` };
/** Connections are closed and garbage is collected by then. */
const settle = 5000;

export async function measureWorkshop({ options, grantbox }) {
  const variables = { WORKSHOP: String(seats), CONTROL_TOKEN: key, LOG_LEVEL: 'silent' };
  return withServers({ server: grantbox({ variables }) }, ({ server }) => measure(server, options));
}

async function measure(server, { quick }) {
  const onOneCore = pin(server.pid);
  const { origin } = server;
  // the code of all pages is read before anything is counted
  await work(await takeSeat(origin));
  await page(origin, '/room', trainer);
  await endAll(origin);
  const before = await resident(server);
  const learners = await Promise.all(Array.from({ length: seats }, () => takeSeat(origin)));
  const idle = await resident(server);
  for (const learner of learners) await work(learner);
  const worked = await resident(server);
  const rounds = quick ? 3 : 12;
  const [pages, boards] = [[], []];
  let isOver = false;
  const projector = (async () => {
    while (!isOver) {
      boards.push(await page(origin, `/room/lessons/${lesson}`, trainer));
      await sleep(1000); // no board asks more often
    }
  })();
  await Promise.all(learners.map(learner => drive(learner, rounds, pages)));
  isOver = true;
  await projector;
  const driven = await resident(server);
  await endAll(origin);
  const after = await resident(server);
  // the first room left code and unused pages of memory; a leak would show in the second
  const again = await Promise.all(Array.from({ length: seats }, () => takeSeat(origin)));
  for (const learner of again) await work(learner);
  await Promise.all(again.map(learner => drive(learner, rounds, [])));
  await endAll(origin);
  const afterSecond = await resident(server);
  say(`  resident: ${[before, idle, worked, driven, after, afterSecond].map(mib => mib.toFixed(1)).join(', ')} MiB`);
  const words = `${pages.length} pages, ${percentile(pages, 0.95).toFixed(0)} ms for 95 %; ${onOneCore ? 'on one core' : 'on all cores'}`;
  const ms = { atMost: 150, unit: 'ms', digits: 0 };
  return [
    row(`pages of ${seats} seats at a time, median`, median(pages), ms, words, { pages }),
    row('the board meanwhile, median', median(boards), ms, `${boards.length} times`, { boards }),
    row('memory of a seat that was taken', (idle - before) / seats, { atMost: 1, unit: 'MiB' }),
    row('memory of a seat after a lesson', (worked - before) / seats, { atMost: 4, unit: 'MiB' }),
    row(`memory of a seat after ${rounds} rounds more`, (driven - before) / seats, { atMost: 8, unit: 'MiB' }),
    row('growth of memory by a second room', afterSecond - after, { atMost: 10, unit: 'MiB', digits: 1 }),
  ];
}

function pin(pid) {
  try {
    execFileSync('taskset', ['-acp', '0', String(pid)], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

async function takeSeat(origin) {
  const response = await fetch(`${origin}/join`, {
    method: 'POST',
    body: new URLSearchParams(),
    redirect: 'manual',
  });
  const [, seatKey] = /grantbox_seat\w*=([^;]+)/.exec(response.headers.get('set-cookie'));
  const name = seatKey.split('.', 1)[0];
  return { origin, name, at: `/i/${name}`, headers: { authorization: `Bearer ${seatKey}`, accept: 'text/html' } };
}

/** Starts a lesson, and does two of its tasks. */
async function work({ origin, at, name, headers }) {
  await fetch(`${origin}${at}/_sandbox/lessons/${lesson}/start`, { method: 'POST', headers });
  const issuer = `${origin}/i/${lesson}-${name}`;
  await token(issuer, 'tomato');
  await token(issuer, 'potato');
}

async function token(issuer, secret) {
  const form = new URLSearchParams({ grant_type: 'client_credentials', scope: 'telemetry:write' });
  const authorization = `Basic ${btoa(`greenhouse:${secret}`)}`;
  await (await fetch(`${issuer}/oauth2/token`, { method: 'POST', body: form, headers: { authorization } })).text();
}

/** The pages that a learner looks at, with a request in between. */
async function drive({ origin, at, name, headers }, rounds, pages) {
  const issuer = `/i/${lesson}-${name}`;
  for (let round = 0; round < rounds; round++) {
    for (const path of [`${at}/lessons/${lesson}`, `${issuer}/dashboard/flows`, `${issuer}/dashboard/problems`]) {
      pages.push(await page(origin, path, headers));
    }
    await token(origin + issuer, round % 2 === 0 ? 'tomato' : 'potato');
  }
}

async function page(origin, path, headers) {
  const began = performance.now();
  const response = await fetch(origin + path, { headers });
  await response.text();
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}`);
  return performance.now() - began;
}

async function endAll(origin) {
  const { records = [] } = await (await fetch(`${origin}/room/records.json`, { headers: trainer })).json();
  const names = records.map(({ seat }) => seat);
  for (const seat of names) {
    const body = new URLSearchParams({ seat });
    await (await fetch(`${origin}/room/controls/end`, { method: 'POST', body, headers: trainer })).text();
  }
}

async function resident(server) {
  await sleep(settle);
  return server.residentMiB();
}

function percentile(numbers, part) {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length * part)];
}
