import type { OpenedSession } from '../dashboard.ts';
import type { OwnProcess } from '../extension.ts';

/** A recorded session to show, and the process, besides what a caller of the library gives. */
export interface StartExtras {
  readonly program?: OwnProcess;
  readonly opened?: OpenedSession;
}
