// `npm run test:replicas`: the tests of several processes that are one sandbox, with a real engine and a real balancer.
//
//   npm run test:replicas               test/replicas, and the flow tests of the table below over three replicas
//   npm run test:replicas -- --full     the same with all flow tests that can run over replicas
//   npm run test:replicas -- --results=FOLDER   the results of each run as JSON, too
//
// It needs redis-server or valkey-server, and haproxy. As root on Debian it installs what is missing, and says so before.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** What depends on what the replicas share, one file for each kind; they take about a minute on two cores. */
const chosenFlows = ['protocol', 'events', 'keys', 'logout', 'pushed-requests', 'registration', 'connected-sandbox'];

/** The tests of the store that say what an engine must do. */
const contract = ['test/replicas/engine-store.test.ts'];

const balancer = 'haproxy';
export const engines = ['redis-server', 'valkey-server'];

/** The path of a program; Debian has servers in /usr/sbin, which is not in the PATH of every user. */
export function findProgram(name, { PATH = '' } = process.env) {
  const folders = [...PATH.split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  return folders.map(folder => join(folder, name)).find(path => existsSync(path));
}

/** On Debian as root, else nothing can be installed. */
const canInstall = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');

function runCommand(...[command, ...args]) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  execFileSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'], env });
}

/** Bookworm has no package of Valkey. */
function isPackage(name) {
  const { stdout } = spawnSync('apt-cache', ['policy', name], { encoding: 'utf8' });
  return /Candidate: (?!\(none\))/.test(stdout ?? '');
}

/**
 * Installs what is missing, where that is possible.
 * @returns the engines that are there
 * @throws Error with a sentence that says what to install
 */
export function providePrograms({
  find = findProgram,
  run = runCommand,
  say = console.error,
  hasPackages = canInstall,
  isAvailable = isPackage,
} = {}) {
  const isThere = name => find(name) !== undefined;
  const tools = { run, say, isAvailable };
  if (hasPackages && !(isThere(balancer) && engines.some(isThere))) update(tools);
  if (hasPackages) install([balancer, ...engines].filter(name => !isThere(name)).filter(isAvailable), tools);
  const found = engines.filter(isThere);
  const lacking = [
    ...(found.length === 0 ? ['redis-server (6.2 or newer) or valkey-server (7.2 or newer)'] : []),
    ...(isThere(balancer) ? [] : [balancer]),
  ];
  if (lacking.length === 0) return found;
  throw new Error(`The tests of replicas need ${lacking.join(' and ')}. Install that and run them again.`);
}

/** A list of packages that is old, or empty as in an image, names no candidate. */
function update(tools) {
  attempt(['apt-get', 'update', '-qq'], tools);
}

/** The tests start engines of their own; `RUNLEVEL=1` keeps Debian from starting one as a service. */
function install(packages, tools) {
  if (packages.length === 0) return;
  attempt(['env', 'RUNLEVEL=1', 'apt-get', 'install', '-y', '-qq', '--no-install-recommends', ...packages], tools);
}

function attempt(command, { run, say }) {
  say(`For the tests of replicas this runs: ${command.join(' ')}`);
  try {
    run(...command);
  } catch (error) {
    say(String(error.message).split('\n')[0]);
  }
}

/** The runs of Vitest, each with the engine that it uses. */
export function runsFor(found, isFull) {
  const [first, other] = found;
  const flows = isFull ? [] : chosenFlows.map(name => `test/flows/${name}.test.ts`);
  return [
    { engine: first, args: ['--project', 'replicas'] },
    { engine: first, args: ['--project', 'replicated flows', ...flows] },
    ...(other === undefined ? [] : [{ engine: other, args: ['--project', 'replicas', ...contract] }]),
  ];
}

/** The arguments that have Vitest leave the results of a run in a folder; none without one. */
export function resultsArgs(folder, run) {
  if (folder === undefined) return [];
  return ['--reporter=default', '--reporter=json', `--outputFile.json=${join(folder, `replicas-${run}.json`)}`];
}

function main(args) {
  const folder = args.find(arg => arg.startsWith('--results='))?.slice('--results='.length);
  const found = providePrograms();
  const lacking = engines.filter(name => !found.includes(name));
  for (const name of lacking)
    console.log(
      `There is no ${name} on this machine, and no package of it: the contract of the store ran on ${found} alone.`,
    );
  for (const [run, { engine, args: chosen }] of runsFor(found, args.includes('--full')).entries()) {
    console.log(`\nWith ${engine}: vitest run ${chosen.join(' ')}`);
    const env = { ...process.env, TEST_REPLICAS: '1', ENGINE: findProgram(engine) };
    const all = ['vitest', 'run', ...chosen, ...resultsArgs(folder, run)];
    const { status } = spawnSync('npx', all, { stdio: 'inherit', env });
    if (status !== 0) process.exitCode = 1;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    main(process.argv.slice(2));
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
