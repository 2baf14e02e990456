import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseCommandLine } from '../../../src/client/cli/cli.ts';
import { modules } from '../../../src/modules.ts';
import { formatDefault } from '../../../src/sandbox/config/settings-table.ts';
import { commands, settingList } from '../../support/tables.ts';

const parse = (...argv: string[]) => parseCommandLine(argv, { version: '1.2.3', modules });

describe('the command line', () => {
  it.each([
    [[], {}],
    [['start'], {}],
    [['--port', '0'], { port: '0' }],
    [['--port=08', '--label', '1e3'], { port: '08', label: '1e3' }],
    [['start', '--dashboard', 'off'], { dashboard: 'off' }],
    [['--require-pkce'], { 'require-pkce': '' }],
    [['--api-audience', 'a', '--api-audience', 'b'], { 'api-audience': ['a', 'b'] }],
    [['--prot', '1', '--no-dashboard'], { prot: '1', 'no-dashboard': '' }],
    [['--issuer', 'http://a.example/b.c'], { issuer: 'http://a.example/b.c' }],
  ])('%j starts the sandbox with the flags as typed', async (argv, flags) => {
    expect(await parse(...argv)).toEqual({ command: 'start', flags });
  });

  it.each([
    [['healthcheck'], { command: 'healthcheck' }],
    [
      ['healthcheck', '--url', 'http://127.0.0.1:1/health'],
      { command: 'healthcheck', url: 'http://127.0.0.1:1/health' },
    ],
  ])('%j checks the health', async (argv, expected) => {
    expect(await parse(...argv)).toEqual(expected);
  });

  it.each([
    [['strat'], 'grantbox: "strat" is not a command; did you mean start?'],
    [
      ['constructor'],
      `grantbox: "constructor" is not a command; the commands are start, healthcheck, ${[...commands.keys()].join(', ')}`,
    ],
    [['tokne'], 'grantbox: "tokne" is not a command; did you mean token?'],
    [['--json', 'on', 'env'], 'grantbox: the command must come first: grantbox env, then its flags'],
    [['start', 'now'], 'grantbox: "now" is an unexpected argument'],
    [['healthcheck', '--port', '1'], 'grantbox: --port is not a flag of healthcheck; its only flag is --url'],
    [
      ['healthcheck', '--url', 'ftp://x'],
      'grantbox: --url expects one http or https URL such as http://localhost:9000; found "ftp://x"',
    ],
  ])('%j is refused in one sentence', async (argv, text) => {
    expect(await parse(...argv)).toEqual({ command: 'exit', code: 1, text });
  });

  it('tells its version', async () => {
    expect(await parse('--version')).toEqual({ command: 'exit', code: 0, text: '1.2.3' });
  });
});

describe.each(['--help', '-h'])('%s', flag => {
  it('names every flag, variable and default, in groups', async () => {
    const help = await parse(flag);
    const text = help.command === 'exit' ? help.text : '';
    expect(help).toMatchObject({ code: 0 });
    // Long lines are wrapped.
    const flat = text.replace(/\s+/g, ' ');
    for (const row of settingList) {
      if (row.flag === undefined) expect(flat).toContain(` ${row.env} `);
      else
        expect(flat).toContain(
          `--${row.flag} ${row.help} (${row.format.values}) [${row.env}] [default: ${formatDefault(row)}]`,
        );
    }
    for (const group of ['Server:', 'Registration:', 'Tokens:', 'Sign-in:', 'Log:'])
      expect(text).toContain(`\n${group}\n`);
    expect(text).toContain('grantbox healthcheck');
  });
});

describe('help', () => {
  const text = async (...argv: string[]) => {
    const line = await parse(...argv);
    return line.command === 'exit' ? [line.code, line.text.split('\n')[0]] : line;
  };

  it.each([[['help', 'token']], [['token', '--help']], [['token', '-h']], [['--help', 'token']]])(
    'of a command is the one of that command: %j',
    async argv => {
      expect(await text(...argv)).toEqual([0, 'grantbox token: prints an access token of a running sandbox']);
    },
  );

  it.each([[['help', 'tokne']], [['tokne', '--help']]])('of what is no command is refused: %j', async argv => {
    expect(await text(...argv)).toEqual([1, 'grantbox: "tokne" is not a command; did you mean token?']);
  });

  it.each([[['help', 'start']], [['start', '--help']], [['help']]])('of a start is all of it: %j', async argv => {
    expect(await text(...argv)).toEqual([0, expect.stringMatching(/^A developer sandbox/)]);
  });

  it('of the health check is its own', async () => {
    expect(await text('help', 'healthcheck')).toEqual([0, 'grantbox healthcheck: tells whether a sandbox is running']);
  });
});

describe('the commands of the table', () => {
  it('are named in the help', async () => {
    const help = await parse('--help');
    for (const [name, { summary }] of commands)
      expect(help).toMatchObject({ text: expect.stringMatching(new RegExp(`^ {2}${name} +${summary}$`, 'm')) });
  });

  it.each([
    [[], []],
    [['start'], ['start']],
    [['token'], ['token']],
  ])('help %j is the same as --help', async (help, same) => {
    expect(await parse('help', ...help)).toEqual(await parse(...same, '--help'));
  });

  it('are in docs/settings.md', () => {
    const page = readFileSync(new URL('../../../docs/settings.md', import.meta.url), 'utf8');
    for (const [name, { summary }] of commands) expect(page).toContain(`| \`grantbox ${name}\` | ${summary} |`);
  });

  it.each([...commands.keys(), 'healthcheck'])('%s has a help of its own, in lines that fit', async name => {
    for (const flag of ['--help', '-h']) {
      const help = await parse(name, flag);
      const text = help.command === 'exit' ? help.text : '';
      expect(text).toContain(`Usage:\n  grantbox ${name} `);
      expect(text).toContain('Examples:\n');
      for (const each of (await commands.get(name)?.load())?.flags ?? []) expect(text).toContain(`--${each.name}`);
      expect(text.split('\n').filter(line => line.length > 110)).toEqual([]);
    }
  });

  it.each([...commands.keys()])('%s has examples that it can read', async name => {
    const { examples } = (await commands.get(name)?.load()) ?? { examples: [] };
    for (const [line] of examples) {
      const [, typed = ''] = new RegExp(`grantbox (${name}\\b[^\\n|>&)]*)`).exec(line) ?? [];
      const argv = [...typed.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, quoted, single, word]) =>
        (quoted ?? single ?? word ?? '').replace(/"$/, ''),
      );
      expect(await parse(...argv), line).toMatchObject({ command: 'run', name });
    }
  });

  it.each([
    [
      ['token', '--client', 'a', '--scope', 'x', '--scope=y z', '--json'],
      [],
      { client: ['a'], scope: ['x', 'y z'], json: [''] },
    ],
    [['init', 'react', '--print', 'machine'], ['react', 'machine'], { print: [''] }],
    [['token', '--secret=--x'], [], { secret: ['--x'] }],
    [['env'], [], {}],
  ])('%j is read', async (argv, words, flags) => {
    expect(await parse(...argv)).toEqual({ command: 'run', name: argv[0], given: { words, flags } });
  });

  it.each([
    [['env', '--formt', 'sh'], '--formt is not a flag of env; did you mean --format?'],
    [['wait', '--no-json'], '--no-json is not a flag of wait; did you mean --json?'],
    [['wait', '-x'], '-x is not a flag of wait; its flags are --url, --ca, --insecure, --pid, --timeout, --json'],
    [['env', '--format', 'yaml'], '--format expects sh, dotenv, json or github, not "yaml"'],
    [['env', '--format', 'jsn'], '--format expects sh, dotenv, json or github, not "jsn"; did you mean json?'],
    [['env', '--url'], '--url expects a value: <url>'],
    [['token', '--secret', '--json'], '--secret expects a value: <secret>, but the next word is --json'],
    [['env', '--json=on'], '--json takes no value'],
    [['env', '--url', 'http://a', '--url', 'http://b'], '--url was given more than once'],
    [['env', 'http://a'], 'env takes no words, only flags; found "http://a"; use flags such as --url'],
    [['completion', 'bsh'], '"bsh" is not a shell of completion: expected bash, zsh or fish; did you mean bash?'],
    [['completion', 'bash', 'zsh'], '"zsh" is an extra shell; completion takes only one'],
  ])('%j is refused in one sentence', async (argv, text) => {
    expect(await parse(...argv)).toEqual({ command: 'exit', code: 1, text: `grantbox: ${text}` });
  });
});
