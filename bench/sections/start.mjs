// From spawn to the first answer: what a test run waits for.
import { join } from 'node:path';
import { inTurn } from '../in-turn.mjs';
import { emptyStart } from '../machine-limits.mjs';
import { temporaryFolder } from '../processes.mjs';
import { startServer } from '../server.mjs';
import { median, pairedDifference, pairedRatio } from '../statistics.mjs';
import { row } from '../table.mjs';

export async function measureStart({ options, node, grantbox, peer }) {
  const cold = grantbox();
  const warm = grantbox({ variables: { NODE_COMPILE_CACHE: join(temporaryFolder(), 'compiled') } });
  await fillCompileCache(warm);
  const contestants = { cold, warm, peer };
  const own = ownConfigs(node.path, grantbox);
  await emptyStart(node.path);
  const samples = await inTurn(options.starts, {
    floor: () => emptyStart(node.path),
    ...measures(contestants, 'token'),
    ...measures(contestants, 'discovery'),
    ...measures({ cold, warm }, 'browser'),
    ...Object.assign(
      {},
      ...own.map(({ name, base, config }) => measures({ [name]: base, [`${name} own`]: config }, 'token')),
    ),
  });
  return [...rows(samples), ...own.map(each => ownRow(each, samples))];
}

/** A `clients.config.ts` of one's own; a Node below 22.18 loads it with jiti, so that the running one is measured, too. */
function ownConfigs(node, grantbox) {
  const older = { name: `Node ${process.versions.node}`, path: process.execPath, atMost: 60 };
  const nodes = [{ name: 'Node of the image', path: node, atMost: 25 }];
  if (process.versions.node.startsWith('20.')) nodes.push(older);
  return nodes.map(({ name, path, atMost }) => ({
    name,
    atMost,
    base: grantbox({ node: path }),
    config: grantbox({ node: path, hasOwnConfig: true }),
  }));
}

function ownRow({ name, atMost }, samples) {
  const base = samples[`${name}.token`];
  const own = samples[`${name} own.token`];
  return row(
    `what a \`clients.config.ts\` of one's own adds to it, ${name}`,
    pairedDifference(own, base),
    { atMost, unit: 'ms', digits: 0 },
    `${milliseconds(own)}; built-in configuration ${milliseconds(base)}`,
    { own, base },
  );
}

/** Each kind of answer has starts of its own: asking for the one loads code for the other. */
function measures(contestants, kind) {
  const present = Object.entries(contestants).filter(([, contestant]) => contestant !== undefined);
  return Object.fromEntries(
    present.map(([name, contestant]) => [`${name}.${kind}`, () => timeOf(contestant, contestant[kind])]),
  );
}

async function timeOf(contestant, request) {
  const server = await startServer(contestant, request);
  await server.stop();
  return server.startedIn;
}

/** As the image's build does: written at a clean end, of what was loaded until then. */
export async function fillCompileCache(contestant) {
  for (const request of [contestant.token, contestant.discovery]) {
    const server = await startServer(contestant, request);
    await server.stop('SIGTERM');
  }
}

function rows(samples) {
  const { floor } = samples;
  const kinds = { cold: '', warm: ', compiled code cached as in the image' };
  const table = Object.entries(kinds).flatMap(([name, words]) => {
    const token = samples[`${name}.token`];
    const discovery = samples[`${name}.discovery`];
    const browser = samples[`${name}.browser`];
    const peerToken = samples['peer.token'];
    return [
      row(
        `spawn to first token, fresh RS256 key${words}`,
        pairedRatio(token, floor),
        { atMost: 4, unit: '× `node -e 0`' },
        `${milliseconds(token)}; \`node -e 0\` ${milliseconds(floor)}`,
        { token, floor },
      ),
      row(
        `the same against the peer${words}`,
        pairedRatio(token, peerToken),
        { atMost: 0.85, unit: '× oauth2-mock-server 9' },
        peerToken && `oauth2-mock-server 9: ${milliseconds(peerToken)}`,
        { token, peer: peerToken },
      ),
      row(
        `spawn to discovery 200${words}`,
        pairedRatio(discovery, floor),
        { atMost: 3.5, unit: '× `node -e 0`' },
        [milliseconds(discovery), besidePeer(samples)].filter(Boolean).join('; '),
        { discovery, floor, peer: samples['peer.discovery'] },
      ),
      row(
        `the same asked by a page of another origin${words}`,
        pairedRatio(browser, discovery),
        { atMost: 1.3, unit: '× without an `Origin`' },
        milliseconds(browser),
        { browser, discovery },
      ),
    ];
  });
  return table;
}

function besidePeer({ floor, 'peer.discovery': discovery }) {
  return discovery && `oauth2-mock-server 9: ${pairedRatio(discovery, floor).toFixed(2)} ×, ${milliseconds(discovery)}`;
}

const milliseconds = times => `${median(times).toFixed(1)} ms (max ${Math.max(...times).toFixed(0)})`;
