import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';

const racers = 8;

/** Starts eight processes that run `count` races against each other, and counts the winners of each race. */
export async function race(url: string, kind: string, count: number): Promise<readonly number[]> {
  const folder = await mkdtemp(join(tmpdir(), 'grantbox-race-'));
  try {
    const file = join(folder, 'racer.mjs');
    await build({
      entryPoints: [join(import.meta.dirname, 'racer.ts')],
      outfile: file,
      bundle: true,
      platform: 'node',
      format: 'esm',
      logLevel: 'warning',
      // what is bundled may be CommonJS, and call `require`
      banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    });
    const children = Array.from({ length: racers }, () => fork(file, [url, kind, String(count)]));
    await Promise.all(children.map(child => once(child, 'message')));
    const told = children.map(child => once(child, 'message'));
    for (const child of children) child.send('go');
    const won = (await Promise.all(told)).flatMap(([ids]) => ids as string[]);
    return Array.from({ length: count }, (_, index) => won.filter(id => id === String(index)).length);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
