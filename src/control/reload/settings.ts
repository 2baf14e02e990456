import type { IssuerConfig } from '../../config/config.ts';
import type { EffectiveSetting } from '../../config/effective-settings.ts';
import { type SettingName, settings as table } from '../../config/settings.ts';
import type { SettingChange } from '../../events/configuration-events.ts';

/** Settings that are read whenever they matter, so that another value is in effect at once. */
export const liveSettings = [
  ...(['watch', 'requireSignedRequests', 'dpopNonce', 'registrationToken', 'scopeClaim'] as const),
  ...(['codeLifetime', 'accessTokenLifetime', 'idTokenLifetime', 'refreshTokenLifetime', 'sessionLifetime'] as const),
  ...(['pushedRequestLifetime', 'deviceCodeLifetime', 'pollInterval', 'requirePkce', 'consent'] as const),
  ...(['acrValues', 'autoLogin', 'autoLoginPrompt', 'apiAudience', 'apiClockSkew', 'apiTokenCheck'] as const),
] as const satisfies readonly SettingName[];

/** What another configuration does to the settings of an issuer that runs. */
export interface ReloadedSettings {
  readonly settings: readonly SettingChange[];
  readonly atNextStart: readonly SettingChange[];
  /** Every setting as it is in effect then. */
  readonly effective: readonly EffectiveSetting[];
}

export async function reloadedSettings(running: IssuerConfig, next: IssuerConfig): Promise<ReloadedSettings> {
  const [was, is] = await Promise.all([running.settings(), next.settings()]);
  const live = new Set<string>(liveSettings.map(name => table[name].env));
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

/** Both are shown as `***`, whatever they are. */
function changedSecrets(running: IssuerConfig, next: IssuerConfig): ReadonlySet<string> {
  const names = (['registrationToken', 'controlToken', 'seed'] as const).filter(name => running[name] !== next[name]);
  return new Set(names.map(name => table[name].env));
}
