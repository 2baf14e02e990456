import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Before any test: the bundle, because that is what ships and what the black-box tests run against. `SKIP_BUILD=1` uses the one that is there. */
export async function setup(): Promise<void> {
  if (process.env.SKIP_BUILD === '1') return;
  await promisify(execFile)(process.execPath, ['build.mjs']);
}
