import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { variants } from '../../src/cli/init-variants.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { startSandbox } from '../../src/sandbox.ts';
import { observes } from '../observed.ts';
import { type } from './support.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'grantbox-init-'));
  folders.push(folder);
  return folder;
}

const names = [...variants.keys()];
const selections = [[], ...names.map(name => [name]), names];
/** With the lines that are there to be uncommented. */
const uncommented = (text: string) => text.replace(/^( *)\/\/ (\w+: [^ ]+, \/\/ )/gm, '$1$2');

describe('grantbox init', () => {
  it.each(selections.map(words => [words]))('%j writes a file that a sandbox starts with', async words => {
    observes('command init');
    const cwd = newFolder();
    const { code, out, note } = await type(['init', ...words], { cwd });
    expect({ code, note }).toEqual({ code: 0, note: '' });
    expect(out).toContain('clients.config.ts was written');
    const config = await loadConfig({ cwd });
    expect(config.clients).toHaveLength(words.length || 2);
    expect(config.users.map(({ sub }) => sub)).toEqual(['alice', 'bob']);
    expect(config.collections.map(({ name }) => name)).toEqual(['tasks']);
  });

  it('writes comments that can be uncommented', async () => {
    observes('command init --print');
    const cwd = newFolder();
    const text = (await type(['init', ...names, '--print'])).out;
    expect(
      uncommented(text)
        .split('\n')
        .filter(line => !text.split('\n').includes(line)).length,
    ).toBeGreaterThan(4);
    writeFileSync(join(cwd, 'clients.config.ts'), uncommented(text));
    const config = await loadConfig({ cwd });
    expect(config).toMatchObject({ autoLogin: 'alice' });
    expect(config.clients.find(({ client_id }) => client_id === 'vue')).toMatchObject({
      access_token_lifetime: 30,
      loopback_redirects: true,
      require_consent: true,
    });
  });

  it('writes files that the compiler accepts', async () => {
    const folder = newFolder();
    for (const [index, words] of selections.entries()) {
      const { out } = await type(['init', ...words, '--print']);
      writeFileSync(join(folder, `${index}.ts`), out);
      writeFileSync(join(folder, `${index}-uncommented.ts`), uncommented(out));
    }
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    // where the package has the type from
    const paths = { grantbox: [join(root, 'src/config/sandbox-config.ts')] };
    const compilerOptions = { paths, typeRoots: [join(root, 'node_modules/@types')] };
    const options = { extends: join(root, 'tsconfig.json'), compilerOptions, include: ['*.ts'] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(options));
    const { stdout } = await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder]).catch(
      (error: { stdout: string }) => error,
    );
    expect(stdout).toBe('');
  });

  it('writes clients that tokens can be asked for as their comments say', async () => {
    const cwd = newFolder();
    await type(['init', ...names], { cwd });
    await using sandbox = await startSandbox(await loadConfig({ cwd, flags: { port: '0' } }));
    const url = ['--url', sandbox.url];
    for (const client of ['react', 'angular', 'vue', 'mobile']) {
      const { note } = await type([
        'token',
        '--client',
        client,
        '--user',
        'alice',
        '--scope',
        'openid tasks:read',
        ...url,
      ]);
      expect(note, client).toBe('');
    }
    for (const client of ['nextjs', 'spring']) {
      const who = ['--client', client, '--secret', `${client}-secret`, '--user', 'bob'];
      const { note } = await type(['token', ...who, '--scope', 'openid email tasks:write', ...url]);
      expect(note, client).toBe('');
    }
    for (const client of ['machine', 'api-caller']) {
      const who = ['--client', client, '--secret', `${client}-secret`, '--scope', 'tasks:read'];
      const { out, note } = await type(['token', ...who, ...url]);
      expect(note, client).toBe('');
      const answered = await fetch(`${sandbox.url}/api/tasks`, { headers: { Authorization: `Bearer ${out.trim()}` } });
      expect(answered.status, client).toBe(200);
    }
  });

  it('leaves a file that is there alone, unless it is told otherwise', async () => {
    observes('command init --force');
    const cwd = newFolder();
    const file = join(cwd, 'clients.config.ts');
    writeFileSync(file, 'mine');
    expect(await type(['init'], { cwd })).toEqual({
      code: 1,
      out: '',
      note: 'grantbox init: clients.config.ts already exists and was not changed. Replace it with --force, or print the new file with --print.\n',
    });
    expect(readFileSync(file, 'utf8')).toBe('mine');
    expect(await type(['init', '--force'], { cwd })).toMatchObject({ code: 0 });
    expect(readFileSync(file, 'utf8')).toContain('satisfies SandboxConfig');
  });

  it('writes no second file that a start would find', async () => {
    observes('command init --output');
    const cwd = newFolder();
    writeFileSync(join(cwd, 'clients.config.json'), '{}');
    expect(await type(['init', '--force'], { cwd })).toMatchObject({
      code: 1,
      note: expect.stringContaining('clients.config.json already exists, and a sandbox reads only one'),
    });
    const { out } = await type(['init', 'vue', '--output', 'sandbox.ts'], { cwd });
    expect(out).toContain('grantbox start --config sandbox.ts');
    expect((await loadConfig({ cwd, flags: { config: 'sandbox.ts' } })).clients).toHaveLength(1);
  });

  it.each([
    [['--print', '--force'], '--print writes no file'],
    [['--output', 'a.yaml'], '--output expects a file ending in .ts or .mts, not "a.yaml"'],
    [['--output', 'none/a.ts'], 'does not exist. Create it first.'],
  ])('refuses %j', async (argv, note) => {
    const cwd = newFolder();
    expect(await type(['init', ...argv], { cwd })).toMatchObject({
      code: 1,
      out: '',
      note: expect.stringContaining(note),
    });
  });

  it('knows no other variants', async () => {
    expect(await type(['init', 'anglar'])).toMatchObject({
      code: 1,
      note: expect.stringContaining('did you mean angular?'),
    });
  });
});
