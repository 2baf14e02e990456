// `npm run bench`: what a user of Grantbox feels, beside the machine's own limits and the strongest peer, in one table.
// README.md says what each number means.
import { cpus, loadavg } from 'node:os';
import { readArguments, usage } from './arguments.mjs';
import { bareHttp, copyOfGrantbox, grantbox, peer } from './contestants.mjs';
import { loadGenerator } from './load.mjs';
import { findNode } from './node-binary.mjs';
import { findPeer } from './peers.mjs';
import { say, temporaryFolder } from './processes.mjs';
import { measureApi } from './sections/api.mjs';
import { measureInput } from './sections/input.mjs';
import { measureMemory } from './sections/memory.mjs';
import { measureMetadata } from './sections/metadata.mjs';
import { measurePages } from './sections/pages.mjs';
import { measureRecording } from './sections/recording.mjs';
import { measureReplicas } from './sections/replicas.mjs';
import { measureReport } from './sections/report.mjs';
import { measureStart } from './sections/start.mjs';
import { measureTokens } from './sections/tokens.mjs';
import { measureWorkshop } from './sections/workshop.mjs';
import { table } from './table.mjs';

const sections = {
  start: measureStart,
  tokens: measureTokens,
  recording: measureRecording,
  api: measureApi,
  jwks: measureMetadata,
  memory: measureMemory,
  pages: measurePages,
  report: measureReport,
  input: measureInput,
  workshop: measureWorkshop,
  replicas: measureReplicas,
};

async function main() {
  const options = readArguments(Object.keys(sections));
  if (options.help) return void process.stdout.write(usage(Object.keys(sections)));
  const began = Date.now();
  const surroundings = await prepare(options);
  const rows = [];
  for (const [name, measure] of Object.entries(sections)) {
    if (options.only !== undefined && options.only !== name) continue;
    say(`measuring: ${name}`);
    rows.push(...(await measureSafely(name, measure, surroundings)));
  }
  const report = { ...describe(surroundings), seconds: Math.round((Date.now() - began) / 1000), rows };
  process.stdout.write(options.json ? `${JSON.stringify(report, null, 2)}\n` : printed(report));
}

/** Looked at before anything is measured: what a colleague's build does to the load must not be taken for ours. */
async function prepare(options) {
  const load = loadavg()[0];
  const node = await findNode();
  const foundPeer = await findPeer();
  const app = await copyOfGrantbox(temporaryFolder());
  return {
    options,
    load,
    node,
    missingPeer: foundPeer.missing,
    grantbox: changes => grantbox({ node: node.path, app, ...changes }),
    peer: foundPeer.missing === undefined ? peer({ node: node.path, ...foundPeer }) : undefined,
    bareHttp: bareHttp({ node: node.path }),
  };
}

/** A section that cannot be measured is a row that says so, not the end of the other sections. */
async function measureSafely(name, measure, surroundings) {
  try {
    return await measure(surroundings);
  } catch (error) {
    process.exitCode = 1;
    return [{ metric: name, value: `failed: ${error.message.replaceAll('\n', ' ')}`, goal: '', verdict: 'failed' }];
  }
}

function describe({ node, load, missingPeer, peer: strongest, options }) {
  return {
    date: new Date().toISOString(),
    node: node.version,
    notes: [node.missing, missingPeer].filter(note => note !== undefined),
    machine: `${cpus().length} × ${cpus()[0]?.model.trim()}`,
    loadBefore: load,
    peer: strongest?.name,
    loadGenerator: loadGenerator.words,
    options,
  };
}

function printed({ date, node, notes, machine, loadBefore, loadGenerator: generator, options, seconds, rows }) {
  const busy = loadBefore > 0.5 ? ': other work was running, trust the ratios more than the figures' : '';
  return [
    `Grantbox on Node ${node}, ${date.slice(0, 10)}. ${machine}, load average before ${loadBefore.toFixed(1)}${busy}.`,
    'Started as the image starts it, in an empty folder, with default settings: events are remembered, every request is',
    `logged as a JSON line (to /dev/null). Load: ${generator}.`,
    options.quick ? 'Quick: few and short rounds, good for a look and not for a release note.' : undefined,
    ...notes.map(note => `Note: ${note}`),
    '',
    table(rows),
    '',
    `A ratio (×, %) is the median of the ratios within each round, measured in turn (A B, B A, …). Took ${seconds} s.`,
    '',
  ]
    .filter(line => line !== undefined)
    .join('\n');
}

main().then(
  () => process.exit(),
  error => {
    process.stderr.write(`bench: ${error.message}\n`);
    process.exit(1);
  },
);
