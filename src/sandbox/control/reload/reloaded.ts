import type { ConfigurationChanges } from '../../../base/events/configuration-events.ts';

/** Result of a configuration reload. */
export interface Reloaded extends ConfigurationChanges {
  /** Path of the file as it was given. */
  readonly file: string;
  /** The changes of each further issuer, by path without the slash. */
  readonly issuers: Readonly<Record<string, ConfigurationChanges>>;
}

/** There is no file that could be read again. */
export class NothingToRead extends Error {
  override readonly name = 'NothingToRead';
}
