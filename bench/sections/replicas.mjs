// Several processes that are one sandbox: what the engine between them costs, and how soon they know of each other.
import { setTimeout as sleep } from 'node:timers/promises';
import { startEngine } from '../engine.mjs';
import { inTurn, pick } from '../in-turn.mjs';
import { load } from '../load.mjs';
import { withServers } from '../server.mjs';
import { median, pairedRatio } from '../statistics.mjs';
import { row } from '../table.mjs';

/** No client asks there: load goes to each replica by itself, so that no balancer takes part of the CPU. */
const issuer = 'http://localhost:9000';
const counts = { one: 1, two: 2, three: 3 };

export async function measureReplicas({ options, grantbox }) {
  const engine = await startEngine();
  const replica = prefix => grantbox({ variables: { ISSUER: issuer, STORE_URL: engine.url, STORE_PREFIX: prefix } });
  const contestants = {};
  for (let place = 1; place <= counts.three; place++) contestants[`memory${place}`] = grantbox();
  for (const [prefix, count] of Object.entries(counts)) {
    for (let place = 1; place <= count; place++) contestants[`${prefix}${place}`] = replica(prefix);
  }
  try {
    return await withServers(contestants, async servers => {
      const samples = await measureTokens(servers, engine, options);
      const delays = await measureEvents(servers.three1, servers.three2, options.quick ? 50 : 200);
      const recoveries = await measureRecovery(servers.one1, engine, options.quick ? 3 : 7);
      return [...tokenRows(samples), ...delayRows(delays, recoveries)];
    });
  } finally {
    await engine.kill();
  }
}

async function measureTokens(servers, engine, { rounds, seconds }) {
  const groups = {};
  for (const [prefix, count] of Object.entries(counts)) {
    groups[prefix] = Object.entries(servers).flatMap(([name, server]) => (name.startsWith(prefix) ? [server] : []));
    groups[memoryOf(prefix)] = [servers.memory1, servers.memory2, servers.memory3].slice(0, count);
  }
  const measures = {};
  for (const [name, group] of Object.entries(groups)) {
    measures[name] = () => loadAll(group, engine, seconds);
    await loadAll(group, engine, 1); // what is hot is compiled by then
  }
  return inTurn(rounds, measures);
}

/** As many processes that share nothing: what they lose beside each other is a loss of the machine. */
const memoryOf = prefix => `${prefix} in memory`;

/** All at the same time. */
async function loadAll(group, engine, seconds) {
  const before = engine.cpuSeconds();
  const results = await Promise.all(group.map(server => load(server, server.contestant.token, seconds)));
  const requests = results.reduce((sum, each) => sum + each.requests, 0);
  const cpu = results.reduce((sum, each) => sum + each.requests * each.cpuMicroseconds, 0);
  return {
    perCpuSecond: (requests / cpu) * 1e6,
    perSecond: results.reduce((sum, each) => sum + each.perSecond, 0),
    engineMicroseconds: ((engine.cpuSeconds() - before) / requests) * 1e6,
  };
}

function tokenRows(samples) {
  const rates = Object.fromEntries(Object.keys(samples).map(name => [name, pick(samples[name], 'perCpuSecond')]));
  const words = name => {
    const each = samples[name];
    const numbers = ['perCpuSecond', 'perSecond', 'engineMicroseconds'].map(member => median(pick(each, member)));
    const [cpu, second, engine] = numbers.map(number => Math.round(number).toLocaleString('en'));
    return `${name}: ${cpu} a CPU-second, ${second}/s, engine ${engine} µs a token`;
  };
  const against = name => rates[name].map((rate, round) => rate / rates[memoryOf(name)][round]);
  const scaled = name => pairedRatio(against(name), against('one'));
  const beside = name => `${words(name)}; ${words(memoryOf(name))}`;
  return [
    row(
      'tokens per CPU-second, one replica on the engine',
      median(against('one')),
      { atLeast: 0.75, unit: '× in memory' },
      beside('one'),
      samples,
    ),
    row('the same of two replicas', scaled('two'), { atLeast: 0.85, unit: '× one replica' }, beside('two')),
    row('the same of three replicas', scaled('three'), { atLeast: 0.85, unit: '× one replica' }, beside('three')),
  ];
}

/** Milliseconds from the answer of one replica to the event at another one. */
async function measureEvents(from, at, times) {
  const leave = new AbortController();
  const stream = await fetch(`${at.origin}/_sandbox/events/stream?type=token.issued`, { signal: leave.signal });
  const arrivals = new Map();
  const reading = read(stream.body, arrivals).catch(() => {});
  const { path, ...request } = from.contestant.token;
  const delays = [];
  for (let time = 0; time < times; time++) {
    const response = await fetch(from.origin + path, request);
    await response.arrayBuffer();
    const answered = performance.now();
    const id = response.headers.get('x-request-id');
    while (!arrivals.has(id)) {
      if (performance.now() - answered > 10_000)
        throw new Error('an event did not come to the other replica within 10 s');
      await sleep(0);
    }
    delays.push(Math.max(0, arrivals.get(id) - answered));
    await sleep(10); // so that each event comes alone, as those of a person do
  }
  leave.abort();
  await reading;
  return delays;
}

async function read(body, arrivals) {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body) {
    const at = performance.now();
    rest += decoder.decode(chunk, { stream: true });
    for (const [id] of rest.matchAll(/req_[\w-]+/g)) if (!arrivals.has(id)) arrivals.set(id, at);
    rest = rest.slice(-200);
  }
}

/** Milliseconds from the engine being ready again to the first token. */
async function measureRecovery(server, engine, times) {
  const { path, ...request } = server.contestant.token;
  const ask = async () => {
    const response = await fetch(server.origin + path, request);
    await response.arrayBuffer();
    return response.status;
  };
  const recoveries = [];
  for (let time = 0; time < times; time++) {
    await engine.kill();
    while ((await ask()) !== 503) await sleep(5);
    await sleep(1000); // the pauses between its attempts are at their longest by then
    await engine.start();
    const ready = performance.now();
    while ((await ask()) !== 200) await sleep(5);
    recoveries.push(performance.now() - ready);
  }
  return recoveries;
}

function delayRows(delays, recoveries) {
  const worst = numbers => `worst ${Math.max(...numbers).toFixed(1)} ms of ${numbers.length}`;
  return [
    row(
      'an event on the dashboard of another replica, median',
      median(delays),
      { atMost: 20, unit: 'ms', digits: 1 },
      worst(delays),
      { delays },
    ),
    row(
      'recovery after the engine is back, median',
      median(recoveries),
      { atMost: 1000, unit: 'ms', digits: 0 },
      worst(recoveries),
      { recoveries },
    ),
  ];
}
