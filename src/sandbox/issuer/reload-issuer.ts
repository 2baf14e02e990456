import type { ConfigurationChanges, EntryChange, SettingChange } from '../../base/events/configuration-events.ts';
import type { TokenRules } from '../../protocol/token-rule.ts';
import type { IssuerConfig } from '../config/config.ts';
import { registeredClient } from '../config/entry-defaults.ts';
import type { ClientEntry } from '../config/sandbox-config.ts';
import type { ControlParts } from '../control/create-control.ts';
import { clientEntryOf } from '../control/entry.ts';
import { differences } from '../control/reload/differences.ts';
import { putEntries, reloadedCollections, removeEntries } from '../control/reload/entries.ts';
import { reloadedSettings } from '../control/reload/settings.ts';
import { configuredRules, featuresOf, liveMembers } from './create-server.ts';
import { bring } from './running-config.ts';

/** The parts a configuration reload changes. */
export interface ReloadParts extends Omit<ControlParts, 'config'> {
  /** Made by `createRunningConfig`. */
  readonly config: IssuerConfig;
}

/**
 * Applies a new configuration to a running issuer, except for settings that need a start. Changes made at run time stay
 * where the file did not touch the entry.
 */
export async function reloadIssuer(parts: ReloadParts, read: IssuerConfig): Promise<ConfigurationChanges> {
  const { config, server } = parts;
  const next = underRunningProfile(read, config);
  const before = { clients: [...config.clients], clientDefaults: config.clientDefaults };
  const entries = differences(config, next);
  const { settings, atNextStart, effective } = await reloadedSettings(config, next);
  await removeEntries(parts, entries, next);
  bring(config, next, effective);
  // `server` is shared by reference; mutate it in place so that every holder sees the new settings
  Object.assign(server, liveMembers(config, server.issuer, server.dpop.secret, server.paths));
  Object.assign(server, { tokenRules: reloadedRules(parts, entries) });
  await putEntries(parts, entries, { before, after: config });
  parts.collections.replaceAll(reloadedCollections(parts.collections.all, entries, config));
  return { entries, settings, atNextStart: [...atNextStart, ...featuresAtNextStart(parts, atNextStart)] };
}

/** Rules that were set at run time stay where the file did not change its own. */
function reloadedRules({ config, server }: ReloadParts, entries: readonly EntryChange[]): TokenRules | undefined {
  const { templates = [] } = server.tokenRules ?? {};
  const isChanged = entries.some(({ kind, name }) => kind === 'rule' && name !== 'onToken');
  return configuredRules({ ...config, ...(!isChanged && { tokenClaims: templates }) });
}

/** The profile stays until the next start, and so do the default signing algorithms of clients. */
function underRunningProfile(read: IssuerConfig, { clientDefaults: { idTokenAlg } }: IssuerConfig): IssuerConfig {
  if (read.clientDefaults.idTokenAlg === idTokenAlg) return read;
  const clientDefaults = { ...read.clientDefaults, idTokenAlg };
  const written = read.clients.map(client => clientEntryOf(client, read.clientDefaults));
  // entries of checked clients
  const clients = written.map(entry => registeredClient(entry as unknown as ClientEntry, clientDefaults));
  return { ...read, clients, clientDefaults };
}

/** A client of the password or implicit grant switches that grant on if no setting does, but only at the start. */
function featuresAtNextStart(
  { config, server }: ReloadParts,
  told: readonly SettingChange[],
): readonly SettingChange[] {
  if (told.some(({ name }) => name === 'FEATURES' || name === 'PROFILE')) return [];
  const then = featuresOf(config);
  const added = [...then].filter(name => !server.features.has(name));
  const gone = [...server.features].filter(name => !then.has(name));
  return [
    ...added.map(name => ({ name: 'FEATURES', from: `${name}=off`, to: `${name}=on` })),
    ...gone.map(name => ({ name: 'FEATURES', from: `${name}=on`, to: `${name}=off` })),
  ];
}
