import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { observes } from '../../observed.ts';
import { commands, settingList } from '../../support/tables.ts';
import { type } from './support.ts';

const run = promisify(execFile);

/** What bash offers at the end of what was typed. */
async function offered(...typed: string[]): Promise<string[]> {
  const { out } = await type(['completion', 'bash']);
  const ask = `COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _grantbox; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout } = await run('bash', ['-c', `${out}\n${ask}`, 'bash', 'grantbox', ...typed]);
  return stdout.split('\n').filter(line => line !== '');
}

describe('the completion of bash', () => {
  it('offers the commands', async () => {
    expect(await offered('')).toEqual(['start', 'healthcheck', ...commands.keys()]);
    expect(await offered('to')).toEqual(['token']);
  });

  it.each([...commands.keys()])('offers the words and flags of %s', async name => {
    observes('command completion');
    const command = await commands.get(name)?.load();
    const expected = [
      ...(command?.words?.choices ?? []),
      ...(command?.flags ?? []).map(flag => `--${flag.name}`),
      '--help',
    ];
    expect(await offered(name, '')).toEqual(expected);
  });

  it('offers the flags of a start, with and without its name', async () => {
    const flags = settingList.flatMap(({ flag }) => (flag === undefined ? [] : [`--${flag}`]));
    expect(await offered('start', '--')).toEqual([...flags, '--help']);
    expect(await offered('--api')).toEqual(flags.filter(flag => flag.startsWith('--api')));
  });

  it.each([
    [
      ['env', '--format', ''],
      ['sh', 'dotenv', 'json', 'github'],
    ],
    [['env', '--url', 'http://x', '--format', 'd'], ['dotenv']],
    // as bash takes --format=d apart
    [['env', '--format', '=', 'd'], ['dotenv']],
    [
      ['env', '--format', '='],
      ['sh', 'dotenv', 'json', 'github'],
    ],
    [
      ['--dashboard', 'o'],
      ['on', 'off'],
    ],
    [
      ['start', '--login-mode', ''],
      ['picker', 'password'],
    ],
    [['token', '--client', ''], []],
  ])('offers values: %j', async (typed, values) => {
    expect(await offered(...typed)).toEqual(values);
  });

  it('offers files', async () => {
    expect(await offered('token', '--ca', 'package.js')).toEqual(['package.json']);
    expect(await offered('--config', 'clients.config')).toEqual(['clients.config.ts']);
  });
});

describe.each(['zsh', 'fish'])('the completion of %s', shell => {
  it('has every command and flag, and no quote that is left open', async () => {
    const { code, out } = await type(['completion', shell]);
    expect(code).toBe(0);
    for (const [name, row] of commands) {
      expect(out).toContain(name);
      for (const { name: flag } of (await row.load()).flags)
        expect(out).toContain(shell === 'zsh' ? `--${flag}` : `-l ${flag} `);
    }
    for (const line of out.split('\n')) expect((line.replaceAll("\\'", '').split("'").length - 1) % 2, line).toBe(0);
  });
});

it('expects a shell', async () => {
  expect(await type(['completion'])).toMatchObject({ code: 1, note: expect.stringContaining('bash, zsh, fish') });
});
