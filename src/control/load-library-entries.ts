import { type ControlParts, createControl } from './create-control.ts';
import { createEntries, type EntryKind } from './entries.ts';
import { createLibraryEntries, type SandboxEntries } from './library-entries.ts';

/** Clients or users of an issuer, for a caller in this process. */
export function loadLibraryEntries<T extends object>(kind: EntryKind, parts: ControlParts): SandboxEntries<T> {
  const { server } = parts;
  const all = kind === 'client' ? server.clients : server.users;
  return createLibraryEntries<T>(kind, createEntries(createControl(parts), kind, all, 'library'));
}
