import type { Argv } from 'yargs';
import type { Flags } from '../config/setting-values.ts';
import { settingGroups, settingList } from '../config/settings.ts';
import { formatDefault } from '../config/settings-table.ts';
import type { CommandLine } from './command-line.ts';

/** The flags of `grantbox start`, and in words the variables that have no flag: all from the table of settings. */
export function declareStart(parser: Argv): Argv {
  for (const group of settingGroups) {
    for (const row of settingList.filter(each => each.group === group)) {
      if (row.flag === undefined) continue;
      const describe = `${row.help} (${row.format.values}) [${row.env}]`;
      parser.option(row.flag, { group: `${group}:`, describe, defaultDescription: formatDefault(row) });
    }
  }
  return parser.epilogue(describeVariables());
}

function describeVariables(): string {
  const rows = settingList.filter(({ flag }) => flag === undefined);
  const width = Math.max(...rows.map(({ env }) => env.length));
  const lines = rows.map(
    row => `  ${row.env.padEnd(width)}  ${row.help} (${row.format.values}) [default: ${formatDefault(row)}]`,
  );
  return [
    'Each flag can be set by the environment variable in brackets, and in clients.config.ts by its camelCase name.',
    'A flag goes before the environment, the environment before the file. Without a flag:',
    ...lines,
  ].join('\n');
}

/** Flags go on as they were typed; `loadConfig` says all that is wrong with them, unknown ones included. */
export function readStart(flags: Flags): CommandLine {
  return { command: 'start', flags };
}
