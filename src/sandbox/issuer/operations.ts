import type {
  ConfigurationChanges,
  EntryChange,
  ResetPart,
  SettingChange,
} from '../../base/events/configuration-events.ts';
import type { TokenRules } from '../../protocol/token-rule.ts';
import type { IssuerConfig } from '../config/config.ts';
import { registeredClient } from '../config/entry-defaults.ts';
import type { ClientEntry } from '../config/sandbox-config.ts';
import type { ControlParts } from '../control/create-control.ts';
import { clientEntryOf } from '../control/entry.ts';
import { differences } from '../control/reload/differences.ts';
import { putEntries, reloadedCollections, removeEntries } from '../control/reload/entries.ts';
import { reloadedSettings } from '../control/reload/settings.ts';
import type { Issuer } from '../extension.ts';
import { configuredRules, featuresOf, liveMembers } from './create-server.ts';
import { bring } from './running-config.ts';

/** Replaces the signing keys; with `unpublish` the old ones leave the JWK Set at once. */
export async function rotateKeysOf(
  { server, events }: Issuer,
  options?: { readonly unpublish?: boolean },
): Promise<void> {
  const { rotateKeys } = await import('../../protocol/tokens/rotate-keys.ts');
  await rotateKeys(server, fact => void events.append(fact, 'sandbox'), options);
}

/** Resets one part, or everything except the keys, to the state at the start. Logs the reset. */
export async function resetRunning(issuer: Issuer, part?: ResetPart): Promise<void> {
  const { server, events, clock, faults, breakpoints } = issuer;
  const reaches = (each: ResetPart) => part === undefined || part === each;
  if (part === 'sessions') {
    const { endEverySession } = await import('../control/sessions.ts');
    await endEverySession(issuer);
  }
  if (part === undefined) {
    await Promise.all([server.store.clear(), server.usedJwts.clear(), server.fetched.clear()]);
    server.random.restart();
  }
  if (reaches('clock')) clock.move({ kind: 'reset' });
  if (reaches('resources')) await issuer.front.resetResources();
  if (reaches('faults')) {
    faults.current()?.armed.disarmAll();
    breakpoints.current()?.clear();
  }
  if (reaches('configuration')) {
    const { forgetChanges } = await import('../control/forget-changes.ts');
    await forgetChanges(issuer);
  }
  if (reaches('history')) events.clear();
  events.append({ type: 'sandbox.reset', part }, 'sandbox');
}

/** Applies a new configuration, and loads the extensions that it asks for. */
export async function reloadRunning(issuer: Issuer, next: IssuerConfig): Promise<ConfigurationChanges> {
  const changes = await reloadIssuer(issuer, next);
  await issuer.extensions.start();
  return changes;
}

/** The parts a configuration reload changes. */
interface ReloadParts extends Omit<ControlParts, 'config'> {
  /** Made by `createRunningConfig`. */
  readonly config: IssuerConfig;
}

/**
 * Applies a new configuration to a running issuer, except for settings that need a start. Changes made at run time stay
 * where the file did not touch the entry.
 */
async function reloadIssuer(parts: ReloadParts, read: IssuerConfig): Promise<ConfigurationChanges> {
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
