import type { TracesOrNote } from '../tracing/traces.ts';
import type { OpenedSession } from './opened.ts';

/** What only a process of its own has: the recorded session of `grantbox open`, traces and prepared keys, besides what a caller of the library gives. */
export interface StartExtras extends TracesOrNote {
  readonly opened?: OpenedSession;
  /** Makes the keys of all advertised algorithms soon after the start, as a server does that runs for long. */
  readonly preparesKeys?: boolean;
}
