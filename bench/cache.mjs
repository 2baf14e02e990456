// What is compared with comes from npm, into a folder outside the checkout: one folder per package, because installing
// a second package without a package.json takes the first one away.
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { run, say } from './processes.mjs';

const cache = process.env.GRANTBOX_BENCH_DIR ?? join(homedir(), '.cache', 'grantbox-bench');

/** @returns the folder and version of a package, installed if it was not; throws where that fails */
export async function cachedPackage(name, major) {
  const prefix = join(cache, `${name}-${major}`);
  const folder = join(prefix, 'node_modules', name);
  if (!existsSync(join(folder, 'package.json'))) await install(prefix, `${name}@${major}`);
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return { folder, version };
}

async function install(prefix, what) {
  say(`installing ${what} into ${prefix}`);
  mkdirSync(prefix, { recursive: true });
  const args = ['install', '--prefix', prefix, '--no-save', '--no-audit', '--no-fund', '--ignore-scripts', what];
  // npm needs the user's own environment: it is there that a company says where packages come from
  await run('npm', args, { cwd: prefix, env: process.env });
}
