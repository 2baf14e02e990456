import type { EventOf } from './event.ts';

/** Result of the last reload of the configuration; kept when the history is cleared. */
export interface FileState {
  /** The last reload that was applied; absent if there was none since the start. */
  readonly used?: EventOf<'configuration.reloaded'>;
  /** The last reload that changed anything, now or for the next start. */
  readonly changed?: EventOf<'configuration.reloaded'>;
  /** The last reload, if it was refused. */
  readonly refused?: EventOf<'configuration.refused'>;
}
