import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';

/** Eight processes that do the same at the same time. */
export interface Racers extends AsyncDisposable {
  /** Each does the same with each of the entries. Gives the outcomes for each entry. */
  race(kind: string, ids: readonly string[]): Promise<readonly string[][]>;
}

/** Starts the racers, each with a connection of its own. */
export async function startRacers(url: string): Promise<Racers> {
  const folder = await mkdtemp(join(tmpdir(), 'grantbox-race-'));
  const file = join(folder, 'racer.mjs');
  await build({
    entryPoints: [join(import.meta.dirname, 'racer.ts')],
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'warning',
    loader: { '.md': 'text' },
    // what is bundled may be CommonJS, and call `require`
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  });
  const racers = Array.from({ length: 8 }, () => fork(file, [url]));
  await Promise.all(racers.map(racer => once(racer, 'message')));
  return {
    async race(kind, ids) {
      const told = racers.map(racer => once(racer, 'message'));
      for (const racer of racers) racer.send({ kind, ids });
      const outcomes = (await Promise.all(told)).map(([all]) => all as (string | null)[]);
      return ids.map((_, index) => outcomes.flatMap(all => all[index] ?? []));
    },
    async [Symbol.asyncDispose]() {
      const ended = racers.map(racer => once(racer, 'exit'));
      for (const racer of racers) racer.kill('SIGKILL');
      await Promise.all(ended);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
