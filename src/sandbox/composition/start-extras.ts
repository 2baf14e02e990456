import type { OpenedSession } from '../../composition/opened.ts';
import type { TracesOrNote } from '../../tracing/traces.ts';

/** The recorded session of `grantbox open`, and traces, besides what a caller of the library gives. */
export interface StartExtras extends TracesOrNote {
  readonly opened?: OpenedSession;
}
