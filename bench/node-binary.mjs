// The Node everything is measured with: 24, which the image has, from the npm package that holds nothing but it.
import { join } from 'node:path';
import { cachedPackage } from './cache.mjs';
import { run } from './processes.mjs';

/** Falls back to the running Node, and says so. */
export async function findNode() {
  if (process.platform !== 'linux') throw new Error('needs Linux: CPU time and memory are read from /proc');
  try {
    const { folder } = await cachedPackage(`node-linux-${process.arch}`, 24);
    const path = join(folder, 'bin', 'node');
    return { path, version: (await run(path, ['-p', 'process.versions.node'])).trim() };
  } catch (error) {
    const missing = `Node 24 could not be installed, this is Node ${process.versions.node} (${error.message})`;
    return { path: process.execPath, version: process.versions.node, missing };
  }
}
