import { createRequire } from 'node:module';
import type * as Jiti from 'jiti';
import { cacheFolder } from './loading-cache.ts';

/** Jiti, or undefined where it is not installed. An `import` of it would first read its 190 kB for the names it exports. */
function findJiti(): typeof Jiti | undefined {
  try {
    return createRequire(import.meta.url)('jiti') as typeof Jiti;
  } catch {
    return undefined;
  }
}

/**
 * Loads TypeScript that Node cannot load; undefined if jiti is not installed. `isAgain` also reads its imports again.
 */
export function importThroughJiti(path: string, isAgain: boolean): Promise<unknown> | undefined {
  return findJiti()
    ?.createJiti(path, { moduleCache: !isAgain, fsCache: cacheFolder() ?? false })
    .import(path);
}
