import type { Config } from '../config/config.ts';
import type { RequestLog } from '../http/log/request-log.ts';
import type { Readiness } from '../http/readiness.ts';
import type { Issuers } from './issuers.ts';
import type { Replica } from './replica/replica.ts';
import type { KeptState } from './state/keep-state.ts';

/** @throws StoreUnavailable if the engine that all replicas share does not answer */
export async function joinReplicas(config: Config, log: RequestLog, readiness: Readiness): Promise<Replica> {
  return (await import('./replica/replica.ts')).startReplica(config, log, readiness);
}

/**
 * Restores the state of the last process, and keeps it from now on.
 * @throws ConfigError for a file that cannot be used
 */
export async function keepState(
  { stateFile }: Config,
  { all }: Issuers,
  log: RequestLog,
): Promise<KeptState | undefined> {
  if (stateFile === undefined) return undefined;
  return (await import('./state/keep-state.ts')).keepState(stateFile, all, log);
}
