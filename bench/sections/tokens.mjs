// Tokens a second: the signature, and as little else as possible.
import { inTurn, pick } from '../in-turn.mjs';
import { load } from '../load.mjs';
import { poolSignatures } from '../machine-limits.mjs';
import { withServers } from '../server.mjs';
import { median, pairedRatio } from '../statistics.mjs';
import { row } from '../table.mjs';

export async function measureTokens({ options, node, grantbox, peer }) {
  const samples = await withServers({ grantbox: grantbox(), peer }, async servers => {
    const measures = {};
    for (const [name, server] of Object.entries(servers)) {
      await load(server, server.contestant.token, 1); // what is hot is compiled by then
      measures[name] = () => load(server, server.contestant.token, options.seconds);
    }
    return inTurn(options.rounds, { ...measures, limit: () => poolSignatures(node.path, options.seconds) });
  });
  return rows(samples);
}

function rows({ grantbox, peer, limit }) {
  const rates = pick(grantbox, 'perSecond');
  const limits = pick(limit, 'perSecond');
  return [
    row(
      'tokens a second, RS256, client credentials',
      pairedRatio(rates, pick(peer, 'perSecond')),
      { atLeast: 1.3, unit: '× oauth2-mock-server 9' },
      `${rateAndCpu(grantbox)}${peer === undefined ? '' : `; oauth2-mock-server 9: ${rateAndCpu(peer)}`}`,
      { grantbox, peer },
    ),
    row(
      'the same against signing alone',
      pairedRatio(rates, limits) * 100,
      { atLeast: 85, unit: "% of the pool's bare `crypto.sign`", digits: 0 },
      `\`crypto.sign\`: ${rateAndCpu(limit)}`,
      { grantbox, limit },
    ),
  ];
}

function rateAndCpu(samples) {
  const rate = Math.round(median(pick(samples, 'perSecond'))).toLocaleString('en');
  return `${rate}/s, ${median(pick(samples, 'cpuMicroseconds')).toFixed(0)} µs CPU`;
}
