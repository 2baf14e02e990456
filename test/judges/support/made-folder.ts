import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const made = join(import.meta.dirname, '..', '.made');

/** The command line of Playwright. */
export const playwrightCli = join(import.meta.dirname, '..', 'node_modules', '@playwright', 'test', 'cli.js');

/** Times of Playwright's configuration: a page has five seconds by default, which pass on a busy machine. */
export const patience = { timeout: 120_000, expect: { timeout: 60_000 } };

/** A new folder for generated files, which import the package and the client libraries by their names. */
export async function madeFolder(): Promise<string> {
  await mkdir(made, { recursive: true });
  const folder = await mkdtemp(join(made, 'tests-'));
  // Playwright would follow the paths of the tsconfig.json above, which lead to types
  await writeFile(join(folder, 'tsconfig.json'), '{}');
  return folder;
}
