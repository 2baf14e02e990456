// Resident memory of a server that is only started, and of one that has worked.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { load } from '../load.mjs';
import { say, temporaryFolder } from '../processes.mjs';
import { withServers } from '../server.mjs';
import { row } from '../table.mjs';
import { fillCompileCache } from './start.mjs';

/** Connections are closed and the log is written by then. */
const settle = 2000;

export async function measureMemory({ options, grantbox, peer }) {
  const warm = grantbox({ variables: { NODE_COMPILE_CACHE: join(temporaryFolder(), 'compiled') } });
  await fillCompileCache(warm); // the first start compiles the program, which costs memory once
  const ours = await withServers({ server: warm }, ({ server }) => measure(server, options));
  // the peer takes twice as long over its tokens: a quick look does without
  const theirs = options.quick ? undefined : await withServers({ server: peer }, use => measurePeer(use, options));
  return rows(ours, theirs, options);
}

function measurePeer({ server }, options) {
  return server === undefined ? undefined : measure(server, { ...options, growth: 0 });
}

async function measure(server, { tokens, growth }) {
  const afterStart = await sample(server, 0);
  const afterTokens = await sample(server, await issue(server, 0, tokens));
  const growing = growth > tokens;
  const afterGrowth = growing ? await sample(server, await issue(server, afterTokens.tokens, growth)) : undefined;
  return { afterStart, afterTokens, afterGrowth };
}

async function sample(server, tokens) {
  await sleep(settle);
  const taken = { tokens, mib: server.residentMiB(), peak: server.peakMiB() };
  say(`  ${server.contestant.name}: ${tokens.toLocaleString('en')} tokens, ${taken.mib.toFixed(1)} MiB`);
  return taken;
}

/** wrk counts seconds, not requests: shorter and shorter goes, so that the last overshoots little. @returns how many there are now */
async function issue(server, already, wanted) {
  let issued = already;
  let perSecond = 2000;
  while (issued < wanted) {
    const seconds = Math.max(1, Math.min(20, Math.floor((0.7 * (wanted - issued)) / perSecond)));
    const result = await load(server, server.contestant.token, seconds);
    issued += result.requests;
    perSecond = result.perSecond;
  }
  return issued;
}

function rows(ours, theirs, { tokens, growth }) {
  const { afterStart, afterTokens, afterGrowth } = ours;
  const thousands = number => number.toLocaleString('en');
  const beside = key => (theirs === undefined ? '' : `oauth2-mock-server 9: ${theirs[key].mib.toFixed(1)} MiB`);
  const peak = ({ peak: mib }) => `peak ${mib.toFixed(1)} MiB`;
  const MiB = atMost => ({ atMost, unit: 'MiB', digits: 1 });
  const words = (...parts) => parts.filter(part => part !== '').join('; ');
  return [
    row('resident memory after start', afterStart.mib, MiB(75), words(beside('afterStart')), { ours, theirs }),
    row(
      `resident memory after ${thousands(tokens)} tokens`,
      afterTokens.mib,
      MiB(100),
      words(`after ${thousands(afterTokens.tokens)}, ${peak(afterTokens)}`, beside('afterTokens')),
    ),
    row(
      `its growth from ${thousands(tokens)} to ${thousands(growth || 1_000_000)} tokens`,
      afterGrowth && afterGrowth.mib - afterTokens.mib,
      MiB(5),
      afterGrowth && `${afterGrowth.mib.toFixed(1)} MiB after ${thousands(afterGrowth.tokens)}, ${peak(afterGrowth)}`,
    ),
  ];
}
