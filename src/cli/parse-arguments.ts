import yargs, { type Argv } from 'yargs';
import type { Flags } from '../config/setting-values.ts';
import { nearestName } from '../text/nearest.ts';
import { inColumns } from './command-help.ts';
import { type CommandLine, refuse } from './command-line.ts';
import { commands as furtherCommands } from './commands.ts';
import { declareHealthcheck, healthcheckHelp, readHealthcheck } from './healthcheck-command.ts';
import { declareStart, readStart } from './start.ts';

/** Each is given its arguments by name: text, '' for a flag without a value, a list for one given more than once. */
const commands: ReadonlyMap<string, (flags: Flags) => CommandLine> = new Map([
  ['start', readStart],
  ['healthcheck', readHealthcheck],
]);

export async function parseArguments(argv: readonly string[], version: string): Promise<CommandLine> {
  const parser = createParser();
  const { _: words, $0: _program, help, h, version: wantsVersion, ...parsed } = await parser.parseAsync([...argv]);
  if (help !== undefined || h !== undefined) return helpOf(String(words[0] ?? 'start'), parser);
  if (wantsVersion !== undefined) return { command: 'exit', code: 0, text: version };
  const [name = 'start', unexpected] = words.map(String);
  if (furtherCommands.has(name)) return refuse(`a command comes first: grantbox ${name} and then its flags`);
  const read = commands.get(name);
  if (read === undefined) return refuseCommand(name);
  if (unexpected !== undefined) return refuse(`${JSON.stringify(unexpected)} is one argument too many`);
  return read(Object.fromEntries(Object.entries(parsed).map(([flag, value]) => [flag, toText(value)])));
}

async function helpOf(name: string, parser: Argv): Promise<CommandLine> {
  if (furtherCommands.has(name)) {
    const { readCommand } = await import('./read-command.ts');
    return (await readCommand(name, ['--help'])) ?? refuseCommand(name);
  }
  if (!commands.has(name)) return refuseCommand(name);
  const text = name === 'healthcheck' ? healthcheckHelp() : `${helpHead()}\n\n${await parser.getHelp()}`;
  return { command: 'exit', code: 0, text };
}

/** Not left to yargs, which takes indentation away. */
function helpHead(): string {
  const usage = [
    ['grantbox [start] [flags]', 'starts the sandbox'],
    ['grantbox healthcheck [--url <url>]', 'tells whether one is running'],
    ['grantbox <command> [flags]', 'does one of the following; grantbox <command> --help says more'],
  ] as const;
  return [
    'A developer sandbox: OAuth 2.0 and OpenID Connect server, login screen, sample backend and dashboard.',
    `Usage:\n${inColumns(usage)}`,
    `Commands:\n${inColumns([...furtherCommands].map(([name, { summary }]) => [name, summary]))}`,
  ].join('\n\n');
}

function createParser(): Argv {
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
  return declareHealthcheck(declareStart(parser))
    .option('help', { alias: 'h', group: 'Help:', describe: 'Show this text' })
    .option('version', { group: 'Help:', describe: 'Show the version' });
}

function toText(value: unknown): string | readonly string[] {
  if (Array.isArray(value)) return value.map(each => (each === true ? '' : String(each)));
  return value === true ? '' : String(value);
}

function refuseCommand(name: string): CommandLine {
  const names = [...commands.keys(), ...furtherCommands.keys()];
  const nearest = nearestName(name, names);
  const hint = nearest === undefined ? `the commands are ${names.join(', ')}` : `did you mean ${nearest}?`;
  return refuse(`${JSON.stringify(name)} is not a command; ${hint}`);
}
