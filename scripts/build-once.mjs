// Builds, unless what is built is current.
//
//   node scripts/build-once.mjs              the bundle: what runs
//   node scripts/build-once.mjs --package    all that is packed
import { execSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { isCurrent } from './stamp.mjs';

/** Builds `bundle` or `package`. The libraries of the build are loaded only for a build: that takes longer than a start. */
export async function buildOnce(part) {
  if (isCurrent(part)) return;
  // not the standard output: that is the log of `npm start`, and the list of `npm pack --json`
  process.stderr.write('Building Grantbox, up to 10 s the first time\n');
  if (part === 'package') execSync('npm run --silent build', { stdio: 'inherit' });
  else await import('../build.mjs');
}

if (import.meta.filename === realpathSync(process.argv[1] ?? '.'))
  await buildOnce(process.argv.includes('--package') ? 'package' : 'bundle');
