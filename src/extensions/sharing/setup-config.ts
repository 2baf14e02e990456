import type { SandboxConfig } from '../../sandbox/config/sandbox-config.ts';
import type { FileSession } from './session-schema.ts';

/** The clients, users, scopes and collections of a session file. */
export type RecordedSetup = NonNullable<FileSession['setup']>;

type Entry = Readonly<Record<string, unknown>>;

/** The setup as members of a configuration. Nothing of it is checked yet. */
export function setupConfig(setup: RecordedSetup | undefined): SandboxConfig {
  if (setup === undefined || !('clients' in setup)) return {};
  const { clients, users, scopes, collections } = setup;
  const members = { clients, users, scopes: byName(scopes), collections: byName(collections) };
  return members as unknown as SandboxConfig; // `loadConfig` checks each member
}

function byName(entries: readonly Entry[]): Readonly<Record<string, Entry>> {
  return Object.fromEntries(entries.map(({ name, ...entry }) => [String(name), entry]));
}
