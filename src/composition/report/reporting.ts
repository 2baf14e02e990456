import type { RequestLog } from '../../http/log/request-log.ts';
import { turnsUntil } from '../../turns/in-turns.ts';
import type { Issuer } from '../issuer.ts';

/** Writes the client report and the session of issuers that end, where a folder is configured for it. */
export interface Reporting {
  /** Queues the report of an issuer. `path` is its subfolder; empty for the first issuer. */
  begin(issuer: Pick<Issuer, 'events' | 'tested'>, path: string): void;
  /** Resolves when every queued report is written or logged as failed. After `signal` aborts, no more are written. */
  written(signal: AbortSignal): Promise<void>;
}

/** `folder` is absolute; without one, nothing is written. The first report loads the modules it needs. */
export function createReporting(folder: string | undefined, log: RequestLog): Reporting {
  let writing = Promise.resolve();
  const ending = new AbortController();
  const turns = turnsUntil(ending.signal);
  return {
    begin({ events, tested: { server, config } }, path) {
      if (folder === undefined) return;
      writing = writing
        .then(async () => {
          const { writeReport } = await import('./report-files.ts');
          await events.caughtUp();
          await writeReport(folder, { events, server, config, path }, log, turns);
        })
        // nobody waits for the report of an issuer that ends before the sandbox
        .catch(error => log.error(error, 'sandbox'));
    },
    written(signal) {
      signal.addEventListener('abort', () => ending.abort(signal.reason), { once: true });
      if (signal.aborted) ending.abort(signal.reason);
      return writing;
    },
  };
}
