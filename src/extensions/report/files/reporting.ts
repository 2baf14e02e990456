import { turnsUntil } from '../../../base/turns/in-turns.ts';
import type { Issuer } from '../../../sandbox/composition/issuer.ts';
import type { RequestLog } from '../../../server/http/log/request-log.ts';

export type Reporting = ReturnType<typeof createReporting>;

type EndedIssuer = Pick<Issuer, 'events' | 'core' | 'rotateKeys' | 'reset'>;

/**
 * Writes the client report and the session of issuers that end. `folder` is absolute; without one, nothing is written. The first
 * report loads the modules it needs.
 */
export function createReporting(folder: string | undefined, log: RequestLog) {
  let writing = Promise.resolve();
  const ending = new AbortController();
  const turns = turnsUntil(ending.signal);
  return {
    /** Queues the report of an issuer. `path` is its subfolder; empty for the first issuer. */
    begin({ events, rotateKeys, reset, core: { server, config, collections } }: EndedIssuer, path: string): void {
      if (folder === undefined) return;
      writing = writing
        .then(async () => {
          const { writeReport } = await import('./report-files.ts');
          const { createControl } = await import('../../../sandbox/control/create-control.ts');
          await events.caughtUp();
          const control = createControl({ config, server, events, collections, rotateKeys, reset });
          await writeReport(folder, { events, server, config, path, control }, log, turns);
        })
        // nobody waits for the report of an issuer that ends before the sandbox
        .catch(error => log.error(error, 'sandbox'));
    },
    /** Resolves when every queued report is written or logged as failed. After `signal` aborts, no more are written. */
    written(signal: AbortSignal): Promise<void> {
      signal.addEventListener('abort', () => ending.abort(signal.reason), { once: true });
      if (signal.aborted) ending.abort(signal.reason);
      return writing;
    },
  };
}
