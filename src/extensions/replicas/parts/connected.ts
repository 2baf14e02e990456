import { readFileSync } from 'node:fs';
import { defined } from '../../../base/defined.ts';
import type { Config } from '../../../sandbox/config/config.ts';
import { ownSettings } from '../../../sandbox/config/settings.ts';
import type { RequestLog } from '../../../server/http/log/request-log.ts';
import { connectEngine, type Engine } from '../engine.ts';
import type { replicaSettings } from '../settings.ts';

/** Milliseconds that a start waits for the engine, which a container engine may start at the same time. */
const patience = 20_000;
const pause = 500;

/**
 * The engine of a configuration. Its absence and its return are logged.
 * @throws StoreUnavailable if it does not answer within twenty seconds
 */
export async function connected(config: Config, log: RequestLog): Promise<Engine> {
  const { storeUrl = '', storePrefix, storeCa } = ownSettings<typeof replicaSettings>(config);
  const ca = storeCa === undefined ? undefined : readFileSync(storeCa, 'utf8');
  const options = { url: storeUrl, prefix: storePrefix, onState, ...defined({ ca }) };
  const until = performance.now() + patience;
  let wasUp = false;

  function onState(state: Engine['state'], error?: unknown): void {
    if (state === 'DOWN') log.fault({ err: error }, 'the shared store is away: requests get 503 until it is back');
    else if (wasUp) log.warn({}, 'the shared store is back');
    wasUp = true;
  }
  for (;;) {
    try {
      return await connectEngine(options);
    } catch (error) {
      if (performance.now() > until) throw error;
      log.debug({ err: error }, 'waiting for the shared store');
      await new Promise(resolve => setTimeout(resolve, pause));
    }
  }
}
