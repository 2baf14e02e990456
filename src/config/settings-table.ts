import type { Setting } from './setting.ts';
import { settingList } from './settings.ts';

/** The default as the help and the README show it. */
export function formatDefault({ default: value, defaultText }: Setting): string {
  if (defaultText !== undefined) return defaultText;
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return Array.isArray(value) ? (value.length === 0 ? 'none' : value.join(' ')) : String(value);
}

/** The README's table of settings, in Markdown. */
export function renderSettingsTable(): string {
  const rows = settingList.map(row => {
    const flag = row.flag === undefined ? '–' : `\`--${row.flag}\``;
    return [row.help, flag, `\`${row.env}\``, row.format.values, formatDefault(row)];
  });
  return [['setting', 'flag', 'environment', 'values', 'default'], ['---', '---', '---', '---', '---'], ...rows]
    .map(cells => `| ${cells.map(cell => cell.replaceAll('|', '\\|').replaceAll('<', '&lt;')).join(' | ')} |`)
    .join('\n');
}
