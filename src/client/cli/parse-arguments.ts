import yargs, { type Argv } from 'yargs';
import { nearestName } from '../../base/text/nearest.ts';
import { type Setting, settingGroups, settingsWith } from '../../sandbox/config/settings.ts';
import { formatDefault } from '../../sandbox/config/settings-table.ts';
import type { CommandRow } from './command.ts';
import { commandsOf } from './commands.ts';
import { type CommandLine, inColumns, type Program, refuse } from './read-command.ts';

/** Parses `grantbox start` and its flags; the word `start` may be left out. Refuses an unknown command. */
export async function parseArguments(argv: readonly string[], { version, modules }: Program): Promise<CommandLine> {
  const commands = commandsOf(modules);
  const parser = createParser(settingsWith(modules));
  const { _: words, $0: _program, help, h, version: wantsVersion, ...parsed } = await parser.parseAsync([...argv]);
  const [name = 'start', unexpected] = words.map(String);
  const isHelp = help !== undefined || h !== undefined;
  if (wantsVersion !== undefined && !isHelp) return { command: 'exit', code: 0, text: version };
  if (name === 'healthcheck' || commands.has(name))
    return refuse(`the command must come first: grantbox ${name}, then its flags`);
  if (name !== 'start') return refuseCommand(name, commands);
  if (isHelp) return { command: 'exit', code: 0, text: `${helpHead(commands)}\n\n${await parser.getHelp()}` };
  if (unexpected !== undefined) return refuse(`${JSON.stringify(unexpected)} is an unexpected argument`);
  // passed on unparsed: `loadConfig` reports every mistake in them, also unknown flags
  const flags = Object.fromEntries(Object.entries(parsed).map(([flag, value]) => [flag, toText(value)]));
  return { command: 'start', flags };
}

type Commands = ReadonlyMap<string, CommandRow>;

/** yargs would remove the indentation. */
function helpHead(commands: Commands): string {
  const usage = [
    ['grantbox [start] [flags]', 'starts the sandbox'],
    ['grantbox healthcheck [--url <url>]', 'tells whether a sandbox is running'],
    ['grantbox <command> [flags]', 'runs one of the commands below; grantbox <command> --help describes it'],
  ] as const;
  return [
    'A developer sandbox: OAuth 2.0 and OpenID Connect server, sign-in page, sample backend and dashboard.',
    `Usage:\n${inColumns(usage)}`,
    `Commands:\n${inColumns([...commands].map(([name, { summary }]) => [name, summary]))}`,
  ].join('\n\n');
}

function createParser(settings: readonly Setting[]): Argv {
  const parser = yargs()
    .scriptName('grantbox')
    .detectLocale(false)
    .exitProcess(false)
    .fail(false)
    .help(false)
    .version(false)
    .wrap(110)
    .parserConfiguration({
      'boolean-negation': false,
      'camel-case-expansion': false,
      'dot-notation': false,
      'parse-numbers': false,
      'parse-positional-numbers': false,
      'short-option-groups': false,
    });
  return declareStart(parser, settings)
    .option('help', { alias: 'h', group: 'Help:', describe: 'Show this help' })
    .option('version', { group: 'Help:', describe: 'Show the version' });
}

function declareStart(parser: Argv, settings: readonly Setting[]): Argv {
  for (const group of settingGroups) {
    for (const row of settings.filter(each => each.group === group)) {
      if (row.flag === undefined) continue;
      const describe = `${row.help} (${row.format.values}) [${row.env}]`;
      parser.option(row.flag, { group: `${group}:`, describe, defaultDescription: formatDefault(row) });
    }
  }
  return parser.epilogue(describeVariables(settings));
}

function describeVariables(settings: readonly Setting[]): string {
  const rows = settings.filter(({ flag }) => flag === undefined);
  const width = Math.max(...rows.map(({ env }) => env.length));
  const lines = rows.map(
    row => `  ${row.env.padEnd(width)}  ${row.help} (${row.format.values}) [default: ${formatDefault(row)}]`,
  );
  return [
    'Each flag can be set by the environment variable in brackets, and in clients.config.ts by its camelCase name.',
    'A flag overrides the environment, and the environment overrides the file. Settings without a flag:',
    ...lines,
  ].join('\n');
}

/** Text, empty for a flag without a value; a list for a repeated flag. */
function toText(value: unknown): string | readonly string[] {
  if (Array.isArray(value)) return value.map(each => (each === true ? '' : String(each)));
  return value === true ? '' : String(value);
}

function refuseCommand(name: string, commands: Commands): CommandLine {
  const names = ['start', 'healthcheck', ...commands.keys()];
  const nearest = nearestName(name, names);
  const hint = nearest === undefined ? `the commands are ${names.join(', ')}` : `did you mean ${nearest}?`;
  return refuse(`${JSON.stringify(name)} is not a command; ${hint}`);
}
