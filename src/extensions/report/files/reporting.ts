import { turnsUntil } from '../../../base/turns.ts';
import type { WholePart } from '../../../sandbox/extension.ts';
import type { RequestLog } from '../../../server/http/log/request-log.ts';

/** Writes the client report and the session of issuers that end. `folder` is absolute. The first report loads what it needs. */
export function createReporting(folder: string, log: RequestLog): WholePart {
  let writing = Promise.resolve();
  const ending = new AbortController();
  const turns = turnsUntil(ending.signal);
  return {
    /** Queues the report of an issuer. Its path is its subfolder. */
    ended(issuer, path) {
      const { events, server, config } = issuer;
      writing = writing
        .then(async () => {
          const { writeReport } = await import('./report-files.ts');
          const { createControl } = await import('../../../sandbox/control/create-control.ts');
          await events.caughtUp();
          const control = createControl(issuer);
          await writeReport(folder, { events, server, config, path, control }, log, turns);
        })
        // nobody waits for the report of an issuer that ends before the sandbox
        .catch(error => log.error(error, 'sandbox'));
    },
    /** Every queued report is written or logged as failed; after the signal no more are written. */
    close(signal) {
      signal.addEventListener('abort', () => ending.abort(signal.reason), { once: true });
      if (signal.aborted) ending.abort(signal.reason);
      return writing;
    },
  };
}
