import type { Config } from '../../config/config.ts';
import { ConfigError, show } from '../../config/problem.ts';
import type { RequestLog } from '../../http/log/request-log.ts';
import type { Engine } from '../../replicas/engine.ts';
import { connected } from './connected.ts';

/**
 * The engine of a sandbox, which remembers its issuer: two sandboxes with one prefix would share keys, users and tokens.
 * @throws StoreUnavailable as `connected`; ConfigError if the engine has the sandbox of another issuer at this prefix
 */
export async function engineOf(issuer: string, config: Config, log: RequestLog): Promise<Engine> {
  const engine = await connected(config, log);
  try {
    await requireSameSandbox(engine, issuer, config.storePrefix);
    return engine;
  } catch (error) {
    await engine.close();
    throw error;
  }
}

async function requireSameSandbox(engine: Engine, issuer: string, storePrefix: string): Promise<void> {
  const key = engine.key('issuer');
  await engine.send('SET', key, issuer, 'NX');
  const there = String(await engine.send('GET', key));
  if (there === issuer) return;
  const expected = `a prefix of its own: ${engine.address} has the sandbox ${there} there, and this one is ${issuer}. Set another STORE_PREFIX, or the same ISSUER as the other replicas`;
  throw new ConfigError([{ source: 'STORE_PREFIX', value: show(storePrefix), expected }]);
}
