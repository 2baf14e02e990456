// JWKS and discovery: constant answers, which every client of a test run asks for.
import { inTurn, pick } from '../in-turn.mjs';
import { load } from '../load.mjs';
import { withServers } from '../server.mjs';
import { median, pairedRatio } from '../statistics.mjs';
import { row } from '../table.mjs';

export async function measureMetadata({ options, grantbox, peer, bareHttp }) {
  return withServers({ grantbox: grantbox(), peer, bare: bareHttp }, async servers => {
    const rows = [];
    for (const kind of ['jwks', 'discovery']) rows.push(rowOf(kind, await measure(servers, kind, options)));
    return rows;
  });
}

async function measure(servers, kind, { rounds, seconds }) {
  const measures = {};
  for (const [name, server] of Object.entries(servers)) {
    await load(server, server.contestant[kind], 1);
    measures[name] = () => load(server, server.contestant[kind], seconds);
  }
  return inTurn(rounds, measures);
}

function rowOf(kind, { grantbox, peer, bare }) {
  const names = { '': grantbox, 'oauth2-mock-server 9: ': peer, 'bare `node:http`: ': bare };
  const beside = Object.entries(names).filter(([, samples]) => samples !== undefined);
  return row(
    { jwks: 'JWKS', discovery: 'discovery' }[kind],
    pairedRatio(pick(grantbox, 'cpuMicroseconds'), pick(peer, 'cpuMicroseconds')),
    { atMost: 0.8, unit: "× oauth2-mock-server 9's CPU" },
    beside.map(([name, samples]) => name + cpuAndRate(samples)).join('; '),
    { grantbox, peer, bare },
  );
}

function cpuAndRate(samples) {
  const rate = Math.round(median(pick(samples, 'perSecond'))).toLocaleString('en');
  return `${median(pick(samples, 'cpuMicroseconds')).toFixed(1)} µs CPU, ${rate}/s`;
}
