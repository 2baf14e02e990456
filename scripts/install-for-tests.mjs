// The packages that only some tests use are in package.json files of their own: those of the browser in test/browser, client
// libraries and SDKs in test/judges. The commands that run these tests install them: once, and again when the lock file changes.
//
//   node scripts/install-for-tests.mjs test/browser test/judges
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

function npmCi(folder) {
  const args = ['ci', '--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts'];
  execFileSync('npm', args, { stdio: ['ignore', 'ignore', 'inherit'], shell: process.platform === 'win32' });
}

/**
 * Installs the packages of a folder where they are missing or older than its lock file.
 * @param {string} folder the folder with package.json and package-lock.json
 * @param {{ run?: (folder: string) => void, say?: (line: string) => void }} [environment]
 * @returns {boolean} true if it installed them
 * @throws Error if npm fails
 */
export function installForTests(folder, { run = npmCi, say = console.error } = {}) {
  const wanted = join(folder, 'package-lock.json');
  const installed = join(folder, 'node_modules', '.installed-lock.json');
  if (existsSync(installed) && readFileSync(installed).equals(readFileSync(wanted))) return false;
  say(`Installing the packages of these tests, once: npm ci --prefix ${folder}`);
  run(folder);
  copyFileSync(wanted, installed);
  return true;
}

const judges = 'test/judges';

/**
 * Puts the built package beside the client libraries, as a user has it installed: its fixtures import Playwright and Testcontainers
 * from there. Does nothing where that build is there already, because two runs of tests may ask at once.
 */
export function installOwnPackage() {
  const own = join(judges, 'node_modules', 'grantbox');
  const stamp = join('dist', 'bundle.stamp');
  const there = join(own, stamp);
  if (existsSync(there) && readFileSync(there).equals(readFileSync(stamp))) return;
  rmSync(own, { recursive: true, force: true });
  for (const part of ['package.json', 'templates', 'clients.config.ts', 'dist'])
    cpSync(part, join(own, part), { recursive: true });
}

if (import.meta.url === pathToFileURL(process.argv[1]).href)
  for (const folder of process.argv.slice(2)) {
    installForTests(folder);
    if (folder === judges && existsSync('dist/bundle.stamp')) installOwnPackage();
  }
