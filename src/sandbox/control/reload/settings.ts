import type { SettingChange } from '../../../base/events/configuration-events.ts';
import { isSameJson } from '../../../protocol/json-parameter.ts';
import type { IssuerConfig } from '../../config/config.ts';
import type { EffectiveSetting } from '../../config/effective-settings.ts';

/** Changes that a new configuration makes to the settings of a running issuer. */
export interface ReloadedSettings {
  readonly settings: readonly SettingChange[];
  readonly atNextStart: readonly SettingChange[];
  /** Every setting as it is in effect then. */
  readonly effective: readonly EffectiveSetting[];
}

export async function reloadedSettings(running: IssuerConfig, next: IssuerConfig): Promise<ReloadedSettings> {
  const [was, is] = await Promise.all([running.settings(), next.settings()]);
  const live = new Set(running.table.filter(({ isLive }) => isLive).map(({ env }) => env));
  const secrets = changedSecrets(running, next);
  const changes = is.flatMap(({ name, value }) => {
    const from = was.find(row => row.name === name)?.value ?? '';
    return from === value && !secrets.has(name) ? [] : [{ name, from, to: value }];
  });
  return {
    settings: changes.filter(({ name }) => live.has(name)),
    atNextStart: changes.filter(({ name }) => !live.has(name)),
    effective: was.map(row => (live.has(row.name) ? (is.find(({ name }) => name === row.name) ?? row) : row)),
  };
}

/** Names of changed settings that are secret; their values are shown as `***`. */
function changedSecrets(running: IssuerConfig, next: IssuerConfig): ReadonlySet<string> {
  const was: Readonly<Record<string, unknown>> = { ...running };
  const is: Readonly<Record<string, unknown>> = { ...next };
  const hidden = running.table.filter(({ inFile, secret, isHidden }) => inFile && (secret || isHidden));
  return new Set(hidden.filter(({ name }) => !isSameJson(was[name], is[name])).map(({ env }) => env));
}
