import type { RequestLog } from '../http/log/request-log.ts';
import { beforeDeadline } from './deadline.ts';
import type { Issuers } from './issuers.ts';
import type { Replica } from './replica/replica.ts';
import type { Reporting } from './report/reporting.ts';
import type { KeptState } from './state/keep-state.ts';

/** Seconds after a stop at which open requests and streams are cut. */
const stopGraceSeconds = 5;

/** Seconds after which a stop ends even if work is left: a container engine kills a process after ten. */
const stopSeconds = 8;

/** The parts of a sandbox that a stop ends. */
interface Stopped {
  readonly issuers: Issuers;
  /** Ends what leads requests to the issuers. */
  readonly entry: { close(): void };
  readonly reports: Reporting;
  readonly log: RequestLog;
  /** Closes the socket; open requests have so many seconds. */
  readonly close: (graceSeconds: number) => Promise<void>;
  readonly replica: Replica | undefined;
  readonly kept: KeptState | undefined;
}

/** Lets open requests end, then writes the reports and the rest of the log. */
export async function stopAll({ issuers, entry, reports, log, close, replica, kept }: Stopped): Promise<void> {
  const { first, others, all, shortLived, reloading } = issuers;
  replica?.leave();
  reloading.close();
  for (const each of [...all, entry]) each.close();
  shortLived.current()?.close();
  await beforeDeadline(stopSeconds, async signal => {
    await close(stopGraceSeconds);
    for (const [path, each] of [['/', first] as const, ...others]) reports.begin(each, path.slice(1));
    await reports.written(signal);
    await replica?.close();
    await kept?.close();
    await log.close();
  });
}
