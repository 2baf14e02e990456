// The steps of the gate, and what runs them: as many side by side as there are cores, each after the steps it needs, whether or
// not those passed. The output of a step is printed when the step is over, so that two never mix.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { mostFlaky } from '../scripts/test-browser.mjs';
import { failedLines, flakyLines, readResults, slowestLines } from './test-results.mjs';

const mode = process.argv[2] ?? '--gate';
const isFull = mode === '--full';
/** For the results of tests: a file of the JSON reporter for each step that runs some. */
const folder = await mkdtemp(join(tmpdir(), 'grantbox-gate-'));
const resultsOf = step => join(folder, `${step}.json`);
const report = step => `--reporter=default --reporter=json --outputFile.json=${resultsOf(step)}`;
/** A step that ends with this status lacks something of the machine, and has said what. */
const skipped = 77;

/** `minutes` end a step that hangs; they allow for a machine with ten times the work it has cores for. */
const steps = [
  { name: 'Install', modes: ['--gate', '--full'], minutes: 20, command: 'npm ci --no-audit --no-fund' },
  { name: 'Build', minutes: 10, after: ['Install'], command: 'npm run --silent build' },
  {
    name: 'Packages of tests',
    minutes: 20,
    after: ['Build'],
    modes: ['--gate', '--full'],
    command: 'node scripts/install-for-tests.mjs test/browser test/judges',
  },
  {
    name: 'Chromium',
    minutes: 20,
    after: ['Install'],
    modes: ['--gate', '--full'],
    command: 'node scripts/chromium.mjs --headless-shell',
  },
  { name: 'Tests', minutes: 60, after: ['Build'], command: `npm test --silent -- ${report('tests')}` },
  {
    name: 'Browser',
    modes: ['--gate', '--full'],
    minutes: 60,
    after: ['Build', 'Packages of tests', 'Chromium'],
    command: `npm run --silent test:browser -- --outputFile.json=${resultsOf('browser')}`,
    env: isFull ? { FULL_MATRIX: '1' } : {},
  },
  {
    name: 'Judges',
    modes: ['--gate', '--full'],
    minutes: 60,
    after: ['Build', 'Packages of tests', 'Chromium'],
    command: `npm run --silent test:judges -- --outputFile.json=${resultsOf('judges')}`,
  },
  { name: 'Lint', minutes: 10, after: ['Install'], command: 'npm run --silent lint' },
  { name: 'Workflows', minutes: 5, after: ['Install'], command: 'node .ci/lint-workflows.mjs' },
  { name: 'Types', minutes: 10, after: ['Install'], command: 'npm run --silent typecheck' },
  { name: 'Licences', minutes: 5, after: ['Install', 'Packages of tests'], command: 'node scripts/licences.mjs' },
  { name: 'Sizes', minutes: 5, after: ['Build'], command: 'node .ci/sizes.mjs' },
  {
    name: 'Package',
    modes: ['--gate', '--full'],
    minutes: 45,
    after: ['Build', 'Packages of tests'],
    command: 'bash .ci/try-package',
  },
  {
    name: 'Examples',
    modes: ['--gate', '--full'],
    minutes: 30,
    after: ['Build', 'Chromium'],
    command: 'bash .ci/try-examples',
  },
  {
    name: 'Container',
    modes: ['--gate', '--full'],
    minutes: 45,
    // a container brings an interface of the network, at which Chromium stops every request
    after: ['Build', 'Packages of tests', 'Browser', 'Judges'],
    command: 'bash .ci/try-image',
  },
  {
    name: 'Fuzz',
    modes: ['--gate', '--full'],
    minutes: 30,
    after: ['Build'],
    command: `node_modules/.bin/jiti scripts/fuzz.ts --requests ${isFull ? 100_000 : 3000}`,
  },
  {
    name: 'Flows on Node 24',
    modes: ['--gate', '--full'],
    minutes: 45,
    after: ['Build', 'Packages of tests'],
    command: `bash .ci/flows-on-node-24 ${isFull ? '--all' : ''}`,
  },
  {
    name: 'Replicas',
    modes: ['--gate', '--full'],
    minutes: 45,
    // both may install packages of Debian, which one at a time can
    after: ['Build', 'Container'],
    command: `npm run --silent test:replicas -- --results=${folder} ${isFull ? '--full' : ''}`,
  },
  // measured, and therefore alone
  {
    name: 'Speed of pages',
    modes: ['--full'],
    minutes: 30,
    isAlone: true,
    command: 'node_modules/.bin/jiti test/judges/page-speed.ts',
  },
  {
    name: 'Speed of a long list',
    modes: ['--full'],
    minutes: 30,
    isAlone: true,
    command: 'node_modules/.bin/jiti scripts/list-speed.ts',
  },
].filter(({ modes = [mode] }) => modes.includes(mode));

const names = new Set(steps.map(({ name }) => name));
const running = new Map();
const results = new Map();
/** The last lines of each step that failed: they are repeated at the end, where somebody looks first. */
const lastLines = new Map();
let isInterrupted = false;
const began = performance.now();
const seconds = since => Math.round((performance.now() - since) / 1000);

/** A step is a process group of its own, so that nothing of it is left behind. */
function kill(child, signal) {
  try {
    process.kill(-child.pid, signal);
  } catch {
    // nothing is left of the group
  }
}

function run({ name, minutes, command, env }) {
  const since = performance.now();
  const output = [];
  console.log(`... ${name} begins`);
  const child = spawn('bash', ['-c', command], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => output.push(chunk));
  const limit = setTimeout(() => {
    output.push(Buffer.from(`\n${name} was ended after ${minutes} minutes.\n`));
    kill(child, 'SIGTERM');
    setTimeout(() => kill(child, 'SIGKILL'), 20_000).unref();
  }, minutes * 60_000);
  running.set(name, child);
  child.on('exit', code => {
    clearTimeout(limit);
    kill(child, 'SIGKILL');
    const over = () => {
      clearTimeout(patience);
      if (!running.delete(name)) return;
      const result = { 0: 'passed', [skipped]: 'skipped' }[code] ?? 'FAILED';
      results.set(name, result);
      const text = Buffer.concat(output).toString().trimEnd();
      if (result === 'FAILED') lastLines.set(name, text.split('\n').slice(-40));
      console.log(`\n=== ${name}\n${text}`);
      console.log(`--- ${name}: ${result} in ${seconds(since)} s`);
      next();
    };
    // the rest of its output; something that has left the group may keep that open
    const patience = setTimeout(over, 10_000);
    child.on('close', over);
  });
}

function isReady({ name, after = [], isAlone = false }) {
  if (results.has(name) || running.has(name)) return false;
  if (isAlone) return running.size === 0 && steps.every(step => step.isAlone || results.has(step.name));
  return after.every(other => results.has(other) || !names.has(other));
}

function next() {
  if (isInterrupted) {
    if (running.size === 0) leave();
    return;
  }
  while (running.size < Math.max(2, availableParallelism())) {
    const step = steps.find(isReady);
    if (step === undefined) break;
    run(step);
  }
  if (running.size === 0 && results.size === steps.length) finish();
}

async function leave() {
  await rm(folder, { recursive: true });
  process.exit(130);
}

async function finish() {
  const files = await readResults(folder);
  await rm(folder, { recursive: true });
  const slowest = slowestLines(files);
  if (slowest.length > 0) console.log(['\nThe slowest twenty files of the tests:', ...slowest].join('\n'));
  for (const [name, lines] of lastLines) console.log(`\n=== The end of ${name}, which failed\n${lines.join('\n')}`);
  const flaky = flakyLines(files);
  for (const line of [...failedLines(files), ...flaky]) console.log(line);
  // each step allows as many
  if (flaky.length > mostFlaky) results.set(`At most ${mostFlaky} flaky tests`, 'FAILED');
  const count = result => [...results.values()].filter(each => each === result).length;
  console.log(`\n${seconds(began)} s in all`);
  for (const [name, result] of results) if (result !== 'passed') console.log(`${result}: ${name}`);
  console.log(`${count('passed')} passed, ${count('FAILED')} failed`);
  process.exitCode = count('FAILED') === 0 ? 0 : 1;
}

/** Ends what runs and begins nothing more; a second signal, or 20 s, ends also those that do not listen. */
function interrupt() {
  const signal = isInterrupted ? 'SIGKILL' : 'SIGTERM';
  isInterrupted = true;
  for (const child of running.values()) kill(child, signal);
  setTimeout(() => {
    for (const child of running.values()) kill(child, 'SIGKILL');
  }, 20_000);
  next();
}

for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, interrupt);
next();
