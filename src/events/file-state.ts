import type { EventOf } from './event.ts';

/** Result of the last reload of the configuration; kept when the history is cleared. */
export interface FileState {
  /** The last time that it was used; absent since the start. */
  readonly used?: EventOf<'configuration.reloaded'>;
  /** The last time that it changed anything, or left something to the next start. */
  readonly changed?: EventOf<'configuration.reloaded'>;
  /** The last time, where it was not used. */
  readonly refused?: EventOf<'configuration.refused'>;
}
