// The browser of the browser tests.
//
//   node scripts/chromium.mjs                  prints where it is; installs it where it is missing
//   node scripts/chromium.mjs --if-possible    the same, but a machine that cannot have one is no failure
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const usual = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** `CHROMIUM_PATH`, one in the path, one in its usual place, or the one that Playwright has fetched. */
export async function findChromium() {
  const { CHROMIUM_PATH, PATH = '' } = process.env;
  if (CHROMIUM_PATH) return CHROMIUM_PATH;
  const inPath = PATH.split(delimiter).flatMap(folder => names.map(name => join(folder, name)));
  const { chromium } = await import('playwright-core');
  return [...inPath, ...usual, chromium.executablePath()].find(path => existsSync(path));
}

/** By the package manager where that is possible, else by Playwright. */
function install() {
  const run = (command, ...args) =>
    execFileSync(command, args, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    run('apt-get', 'update', '-qq');
    run('apt-get', 'install', '-y', '-qq', '--no-install-recommends', 'chromium');
  } else {
    run(process.execPath, createRequire(import.meta.url).resolve('playwright-core/cli.js'), 'install', 'chromium');
  }
}

async function main() {
  if ((await findChromium()) === undefined) {
    try {
      install();
    } catch (error) {
      console.error(String(error.message).split('\n')[0]);
    }
  }
  const found = await findChromium();
  if (found !== undefined) return console.log(`Chromium: ${found}`);
  console.error(
    'There is no Chromium, and it could not be installed: install one, or say where it is with CHROMIUM_PATH.',
  );
  if (!process.argv.includes('--if-possible')) process.exitCode = 1;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await main();
