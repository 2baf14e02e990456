import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Before any test: the bundle, because that is what ships and what the black-box tests run against. */
export async function setup(): Promise<void> {
  await promisify(execFile)(process.execPath, ['scripts/build-once.mjs']);
}
