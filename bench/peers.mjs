// The strongest peer: the lightest of the mock servers that sign real tokens.
import { join } from 'node:path';
import { cachedPackage } from './cache.mjs';

/** @returns its script, or in `missing` why there is none */
export async function findPeer() {
  try {
    const { folder, version } = await cachedPackage('oauth2-mock-server', 9);
    return { script: join(folder, 'dist', 'oauth2-mock-server.mjs'), version };
  } catch (error) {
    return { missing: `measured without oauth2-mock-server 9, which could not be installed (${error.message})` };
  }
}
