import { lstatSync, mkdirSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

/**
 * Folder that caches compiled TypeScript, so that the next start needs no compiler. Undefined where no folder is safe
 * from writes by other users, because code is loaded from it.
 */
export function cacheFolder(parent = tmpdir()): string | undefined {
  const { uid } = userInfo(); // -1 on Windows, where each user has a temporary folder
  const folder = join(parent, uid === -1 ? 'grantbox' : `grantbox-${uid}`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const found = lstatSync(folder); // a link could lead to a folder of a different user
    const isOurs = uid === -1 || (found.uid === uid && (found.mode & 0o022) === 0);
    return found.isDirectory() && isOurs ? folder : undefined;
  } catch {
    return undefined;
  }
}

/** True if this Node strips types itself. */
export const stripsTypes = 'stripTypeScriptTypes' in nodeModule;

/** Loads a file with Node's own cache (22.10 or newer), which keeps the code with its types stripped. */
export async function withCompileCache<T>(load: () => Promise<T>): Promise<T> {
  const folder = cacheFolder();
  // not in the types of Node 20
  const { enableCompileCache, flushCompileCache } = nodeModule as Partial<typeof nodeModule>;
  if (folder === undefined || flushCompileCache === undefined) return load();
  enableCompileCache?.(folder);
  const loaded = await load();
  flushCompileCache(); // written now, because a killed process never reaches its exit
  return loaded;
}
