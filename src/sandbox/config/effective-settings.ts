import { presetSettings } from './preset-settings.ts';
import type { SettingGroup } from './setting.ts';
import { readRow, type SettingSources } from './setting-values.ts';
import type { SettingValues } from './settings.ts';
import { formatDefault } from './settings-table.ts';

/** A setting with the value in effect, without secrets, for display. */
export interface EffectiveSetting {
  readonly group: SettingGroup;
  /** The environment variable: `CORS_ORIGINS`. */
  readonly name: string;
  /** Purpose of the setting. */
  readonly help: string;
  /** `***` for a secret. */
  readonly value: string;
  /** `flag --port`, `environment PORT`, `clients.config.ts: port`, `preset google`, `profile fapi2`, or `default`. */
  readonly from: string;
}

/** Every setting with the source of its value, in the order of the table. */
export function effectiveSettings(sources: SettingSources, values: SettingValues): readonly EffectiveSetting[] {
  const ofPreset: Partial<Record<string, number>> = presetSettings(values, sources);
  const all: Readonly<Record<string, unknown>> = { ...values };
  return sources.table.map(row => {
    const { source, value: read } = readRow(row, sources);
    const value = all[row.name];
    const isDefault = source === undefined && value === read;
    const text =
      isDefault || value === undefined ? formatDefault(row) : row.secret || row.isHidden ? '***' : textOf(value);
    const by = ofPreset[row.name] === value ? `preset ${values.preset?.name}` : `profile ${values.profile}`;
    const from = source ?? (isDefault ? 'default' : by);
    return { group: row.group, name: row.env, help: row.help, value: text, from };
  });
}

function textOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (Array.isArray(value)) return value.join(' ') || 'none';
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .map(([name, each]) => `${name}=${textOf(each)}`)
    .join(' ');
}
