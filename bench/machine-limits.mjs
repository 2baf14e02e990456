// What no server on this machine can beat.
import { join } from 'node:path';
import { run, start } from './processes.mjs';

/** RS256 signatures a second on the thread pool, and the CPU of one. */
export async function poolSignatures(node, seconds) {
  const program = join(import.meta.dirname, 'programs/pool-sign.mjs');
  return JSON.parse(await run(node, [program, String(seconds * 1000)]));
}

/** Milliseconds of `node -e 0`: the floor under every start. */
export async function emptyStart(node) {
  const began = performance.now();
  await start(node, ['-e', '0']).ended;
  return performance.now() - began;
}
