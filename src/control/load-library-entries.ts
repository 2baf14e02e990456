import { type ControlParts, createControl } from './create-control.ts';
import { createEntries } from './entries.ts';
import type { EntryKind } from './entry.ts';
import { createLibraryEntries, type SandboxEntries } from './library-entries.ts';

/** All entries of one kind, such as clients, for a caller in this process. */
export function loadLibraryEntries<T extends object>(kind: EntryKind, parts: ControlParts): SandboxEntries<T> {
  return createLibraryEntries<T>(kind, createEntries(createControl(parts), kind, 'library'));
}
