import type { OpenedSession } from '../../extensions/sharing/opened-record.ts';
import type { OwnProcess } from '../extension.ts';

/** The recorded session of `grantbox open`, and the process, besides what a caller of the library gives. */
export interface StartExtras {
  readonly program?: OwnProcess;
  readonly opened?: OpenedSession;
}
