import { type SettingRow, settingGroups } from './setting.ts';
import type { Setting } from './settings.ts';

/** The default as the help and docs/settings.md show it. */
export function formatDefault({ default: value, defaultText }: SettingRow): string {
  if (defaultText !== undefined) return defaultText;
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return Array.isArray(value) ? (value.length === 0 ? 'none' : value.join(' ')) : String(value);
}

/** The settings as docs/settings.md lists them, in Markdown: a table for each group. */
export function renderSettings(table: readonly Setting[]): string {
  return settingGroups
    .map(group => `### ${group}\n\n${renderTable(table.filter(row => row.group === group))}`)
    .join('\n\n');
}

/** So many characters of values leave a line of the table short enough to read. */
const longestValues = 90;

function renderTable(settings: readonly Setting[]): string {
  const rows = settings.map(row => {
    const flag = row.flag === undefined ? '–' : `\`--${row.flag}\``;
    const { values } = row.format;
    return [row.help, flag, `\`${row.env}\``, values.length > longestValues ? 'below' : values, formatDefault(row)];
  });
  const long = settings.filter(({ format }) => format.values.length > longestValues);
  const notes = long.map(({ env, format }) => `\n\nThe values of \`${env}\`: ${format.values}.`);
  const table = [['setting', 'flag', 'environment', 'values', 'default'], ['---', '---', '---', '---', '---'], ...rows]
    .map(cells => `| ${cells.map(cell => cell.replaceAll('|', '\\|').replaceAll('<', '&lt;')).join(' | ')} |`)
    .join('\n');
  return [table, ...notes].join('');
}
