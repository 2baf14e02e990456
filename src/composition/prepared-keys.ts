import type { Issuer } from './issuer.ts';

/** Milliseconds after the start: the first requests come before keys that nobody uses yet. */
const afterStart = 1000;

/**
 * Makes the keys of the other algorithms that the metadata advertises, one after another. An API that read the JWK Set some time ago
 * refuses a token of a later key until it reads the set again.
 * @returns stops it
 */
export function prepareKeys(issuers: readonly Pick<Issuer, 'tested'>[], onError: (error: unknown) => void): () => void {
  if (issuers.length === 0) return () => {};
  const stopped = new AbortController();
  const timer = setTimeout(() => void makeAll(issuers, stopped.signal).catch(onError), afterStart).unref();
  return () => {
    clearTimeout(timer);
    stopped.abort();
  };
}

async function makeAll(issuers: readonly Pick<Issuer, 'tested'>[], stopped: AbortSignal): Promise<void> {
  const { advertisedAlgs } = await import('../oauth/endpoints/advertised-algs.ts');
  for (const { tested } of issuers) {
    for (const alg of advertisedAlgs(tested.server)) {
      if (stopped.aborted) return;
      await tested.server.keys.prepare(alg);
    }
  }
}
