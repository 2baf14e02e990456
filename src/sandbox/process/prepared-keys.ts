import type { SigningKeys } from '../../protocol/tokens/signing-keys.ts';
import type { RequestLog } from '../../server/http/log/request-log.ts';
import type { Issuer } from '../extension.ts';
import type { Replica } from '../replica.ts';

/** Milliseconds before each look for a key that is missing. The first requests come before keys that nobody uses yet. */
const lookEach = 1000;

/**
 * Publishes a key for each algorithm that the metadata of these issuers advertises, one after another, as long as the process runs:
 * an API that has read the JWK Set refuses a token of a later key until it reads the set again. Keys that a restored state brings are
 * not made again, and those that it lacks are published again.
 */
export function prepareKeys(
  issuers: readonly Pick<Issuer, 'server'>[],
  turns: Pick<Replica, 'alone' | 'inTurn'>,
  log: Pick<RequestLog, 'error'>,
): void {
  const complete = new Map<object, string>();
  async function look(): Promise<void> {
    for (const { server } of issuers) {
      const { keys } = server;
      if (complete.get(keys) === keys.revision()) continue;
      const { algsToPrepare } = await import('../../protocol/endpoints/metadata.ts');
      if (await prepareInOrder(keys, algsToPrepare(server), turns)) complete.set(keys, keys.revision());
    }
  }
  const lookSoon = () =>
    setTimeout(() => look().then(lookSoon, error => log.error(error, 'sandbox')), lookEach).unref();
  lookSoon();
}

/** False where one was left to another replica, which may be at the one before: those after it wait, so that the order stays. */
async function prepareInOrder(
  keys: Pick<SigningKeys, 'prepare'>,
  algs: readonly string[],
  turns: Pick<Replica, 'alone' | 'inTurn'>,
): Promise<boolean> {
  for (const alg of algs) if (!(await keys.prepare(alg, turns))) return false;
  return true;
}
