// The browser of the browser tests.
//
//   node scripts/chromium.mjs                  prints where it is; installs it where it is missing, and says so before
//   node scripts/chromium.mjs --if-possible    the same, but a machine that cannot have one is no failure
//   node scripts/chromium.mjs --headless-shell installs Debian's Chromium without windows beside another one, too: the tests
//                                              prefer it, because it does the same with half of the work
//
// SKIP_BROWSER_INSTALL=1 installs nothing; CHROMIUM_PATH names the browser to use.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const shell = 'chromium-headless-shell';
const names = [shell, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const usual = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** `CHROMIUM_PATH`, one in the path, one in its usual place, or the one that Playwright has fetched. */
export async function findChromium() {
  const { CHROMIUM_PATH, PATH = '' } = process.env;
  if (CHROMIUM_PATH) return CHROMIUM_PATH;
  const inPath = PATH.split(delimiter).flatMap(folder => names.map(name => join(folder, name)));
  return [...inPath, ...usual, fetchedByPlaywright()].find(path => path !== undefined && existsSync(path));
}

/** Playwright is a package of the tests in a browser. */
const playwright = new URL('../test/browser/', import.meta.url);

function fetchedByPlaywright() {
  try {
    return createRequire(playwright)('playwright-core').chromium.executablePath();
  } catch {
    return undefined; // not installed
  }
}

const hasPackages = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');

/** By the package manager where that is possible, else by Playwright. */
function commands() {
  if (!hasPackages)
    return [
      [
        process.execPath,
        fileURLToPath(new URL('node_modules/playwright-core/cli.js', playwright)),
        'install',
        'chromium',
      ],
    ];
  return [
    ['apt-get', 'update', '-qq'],
    ['apt-get', 'install', '-y', '-qq', '--no-install-recommends', shell],
  ];
}

function runCommand(command, ...args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  execFileSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'], env });
}

/** Where the browser is; installed where it is missing and that is wanted. */
export async function provideChromium({
  find = findChromium,
  run = runCommand,
  say = console.error,
  env = process.env,
  wantsShell = false,
} = {}) {
  const found = await find();
  const lacksShell = wantsShell && found !== undefined && env.CHROMIUM_PATH === undefined && !found.endsWith(shell);
  if (found !== undefined && !lacksShell) return found;
  const missing = lacksShell ? shell : 'Chromium';
  if (env.SKIP_BROWSER_INSTALL === '1') {
    say(`There is no ${missing} for the browser tests, and SKIP_BROWSER_INSTALL=1 leaves it so.`);
    return found;
  }
  const all = commands();
  const words = all.map(command => command.join(' ')).join(' && ');
  say(`There is no ${missing} for the browser tests; this installs it (SKIP_BROWSER_INSTALL=1 does not): ${words}`);
  try {
    for (const command of all) run(...command);
  } catch (error) {
    say(String(error.message).split('\n')[0]);
  }
  return find();
}

async function main() {
  const found = await provideChromium({ wantsShell: hasPackages && process.argv.includes('--headless-shell') });
  if (found !== undefined) return console.log(`Chromium: ${found}`);
  console.error('The browser tests will fail without Chromium: install it, or say where it is with CHROMIUM_PATH.');
  if (!process.argv.includes('--if-possible')) process.exitCode = 1;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await main();
