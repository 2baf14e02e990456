import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { commands } from '../../src/cli/commands.ts';
import { settingList } from '../../src/config/settings.ts';
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

/** Whether this machine has it; the image of the gate may not. */
const has = (shell: string) => spawnSync(shell, ['--version']).status === 0;

describe.runIf(has('fish'))('the completion of fish, in fish', () => {
  it.each([
    ['grantbox ', ['start', 'healthcheck', ...commands.keys()]],
    ['grantbox tok', ['token']],
    ['grantbox token --auth ', ['basic', 'post']],
    ['grantbox --dashboard re', ['readonly']],
    ['grantbox completion ', ['bash', 'zsh', 'fish']],
  ])('offers %j', async (typed, expected) => {
    const { out } = await type(['completion', 'fish']);
    const asked = `${out}\ncomplete -C${JSON.stringify(typed)}`;
    const { stdout } = await run('fish', ['--no-config', '-c', asked]);
    const words = stdout.split('\n').flatMap(line => line.split('\t')[0] || []);
    expect(words.sort()).toEqual(expected.toSorted());
  });
});

it.runIf(has('zsh'))('the completion of zsh is a script that zsh can read, and defines it', async () => {
  const { out } = await type(['completion', 'zsh']);
  const asked = `autoload -U compinit && compinit -u -D\n${out}\nprint -r -- $_comps[grantbox]`;
  expect((await run('zsh', ['-f', '-c', asked])).stdout).toBe('_grantbox\n');
});

it('expects a shell', async () => {
  expect(await type(['completion'])).toMatchObject({ code: 1, note: expect.stringContaining('bash, zsh, fish') });
});
