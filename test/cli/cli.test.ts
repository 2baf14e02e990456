import { describe, expect, it } from 'vitest';
import { parseCommandLine } from '../../src/cli/cli.ts';
import { settingList } from '../../src/config/settings.ts';
import { formatDefault } from '../../src/config/settings-table.ts';

const parse = (...argv: string[]) => parseCommandLine(argv, '1.2.3');

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
    [['constructor'], 'grantbox: "constructor" is not a command; the commands are start and healthcheck'],
    [['start', 'now'], 'grantbox: "now" is one argument too many'],
    [['healthcheck', '--port', '1'], 'grantbox: --port is not a flag of healthcheck; its only one is --url'],
    [['healthcheck', '--url', 'ftp://x'], 'grantbox: --url expects one http or https URL'],
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
    for (const group of ['Server:', 'Registration:', 'Tokens:', 'Login:', 'Log:'])
      expect(text).toContain(`\n${group}\n`);
    expect(text).toContain('grantbox healthcheck');
  });
});
