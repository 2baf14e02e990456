import { mkdir, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';

const made = join(import.meta.dirname, '..', '..', '.made');

/** A new folder in this package, where its own name is found, and beside what is packed: the gate counts that while tests run. */
export async function madeFolder(): Promise<string> {
  await mkdir(made, { recursive: true });
  return mkdtemp(join(made, 'tests-'));
}
