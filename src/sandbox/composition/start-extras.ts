import type { OpenedSession } from '../../extensions/sharing/opened-record.ts';
import type { TracesOrNote } from '../../extensions/tracing/traces.ts';

/** The recorded session of `grantbox open`, and traces, besides what a caller of the library gives. */
export interface StartExtras extends TracesOrNote {
  readonly opened?: OpenedSession;
}
