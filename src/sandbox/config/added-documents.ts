import type { AddedNotes } from './config.ts';
import type { FileReading } from './config-file.ts';
import type { Document } from './documents.ts';
import type { ConfigProblem } from './problem.ts';
import type { ValueSources } from './setting-values.ts';

/** What the user wrote. */
export interface WrittenDocuments {
  readonly again: FileReading['again'] | undefined;
  readonly sources: ValueSources;
  /** Strongest first. */
  readonly documents: readonly Document[];
  readonly cwd: string;
}

/** The documents of a configuration with those that were added to it. */
export interface AddedDocuments {
  /** Sees a change of an added file, too. */
  readonly again: FileReading['again'] | undefined;
  /** Strongest first. */
  readonly documents: readonly Document[];
  /** Those for the sandbox's own issuer: their settings rank below all others. */
  readonly imported: readonly Document[];
  readonly problems: readonly ConfigProblem[];
  readonly notes: readonly AddedNotes[];
}
