import type { AuthorizationServer } from '../../protocol/authorization-server.ts';
import type { IssuerConfig } from '../config/config.ts';
import type { EffectiveSetting } from '../config/effective-settings.ts';
import { registrationMembers } from '../config/registration.ts';
import { type Collections, createCollections } from '../control/collections.ts';
import { protectedResources } from '../front/sample-backend/protected-resources.ts';

/** The collections of a running issuer. Its metadata (RFC 9728) and its sample backend follow them. */
export function runningCollections(
  config: IssuerConfig,
  server: AuthorizationServer,
  reconfigure: () => void,
): Collections {
  const collections = createCollections(config.collections, () => {
    const resources = protectedResources(
      { ...config, collections: collections.all },
      server.issuer,
      server.paths.userinfo,
    );
    // `server` is shared by reference; mutate it in place so that every holder sees the new resources
    Object.assign(server, { protectedResources: resources });
    reconfigure();
  });
  return collections;
}

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };

/** Members a reload can change: the entries, and the settings that are read on each use. */
function brought({ table }: IssuerConfig): readonly (keyof IssuerConfig)[] {
  // those of extensions are members, too, although only they know their types
  const live = table.filter(({ isLive }) => isLive).map(({ name }) => name as keyof IssuerConfig);
  return [...registrationMembers, 'clientDefaults', 'readyClients', 'withoutEffect', ...live];
}

/**
 * The configuration of a running issuer and its lists stay the same objects for the life of the issuer, so every holder
 * sees a reload. Only `bring` changes their contents.
 */
export function createRunningConfig(config: IssuerConfig): IssuerConfig {
  const running: Mutable<IssuerConfig> = { ...config };
  for (const name of brought(config)) own(running, name);
  return running;
}

/** Takes every member that can change at run time from `next`. */
export function bring(running: IssuerConfig, next: IssuerConfig, settings: readonly EffectiveSetting[]): void {
  for (const name of brought(running)) {
    const value = running[name];
    const brings = next[name];
    // a copy that was made above
    if (Array.isArray(value) && Array.isArray(brings)) value.splice(0, value.length, ...brings);
    else assign(running, name, brings);
  }
  assign(running, 'settings', async () => settings);
}

/** A list that only this module writes to. */
function own<Name extends keyof IssuerConfig>(running: Mutable<IssuerConfig>, name: Name): void {
  const value = running[name];
  if (Array.isArray(value)) running[name] = [...value] as unknown as IssuerConfig[Name]; // the same list, copied
}

function assign<Name extends keyof IssuerConfig>(
  running: Mutable<IssuerConfig>,
  name: Name,
  value: IssuerConfig[Name] | undefined,
): void {
  if (value === undefined) delete running[name];
  else running[name] = value as IssuerConfig[Name];
}
