import type { EventOf } from './event.ts';

/** What came of reading the configuration again, for whoever looks after the history was cleared, too. */
export interface FileState {
  /** The last time that it was used; absent since the start. */
  readonly used?: EventOf<'configuration.reloaded'>;
  /** The last time that it changed anything, or left something to the next start. */
  readonly changed?: EventOf<'configuration.reloaded'>;
  /** The last time, where it was not used. */
  readonly refused?: EventOf<'configuration.refused'>;
}
