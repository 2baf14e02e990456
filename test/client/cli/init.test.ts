import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { variants } from '../../../src/client/cli/init-variants.ts';
import { all } from '../../../src/providers/all.ts';
import { startSandbox } from '../../../src/sandbox/sandbox.ts';
import { observes } from '../../observed.ts';
import { loadConfig } from '../../support/load-config.ts';
import { newFolder } from '../../support/new-folder.ts';
import { textOfElement } from '../../support/snippets.ts';
import { createTlsFetch } from '../../support/tls-fetch.ts';
import { type } from './support.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../..');
const presetNames = all.map(({ name }) => name);
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
      const preset = presetNames[index % presetNames.length] ?? '';
      const spoken = await type(['init', ...words, '--preset', preset, '--print']);
      const { out } = await type(['init', ...words, '--print']);
      writeFileSync(join(folder, `${index}.ts`), out);
      writeFileSync(join(folder, `${index}-preset.ts`), spoken.out);
      writeFileSync(join(folder, `${index}-uncommented.ts`), uncommented(out));
    }
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    // where the package has the type from
    const paths = { grantbox: [join(root, 'src/sandbox/config/sandbox-config.ts')] };
    const compilerOptions = { paths, typeRoots: [join(root, 'node_modules/@types')] };
    const options = {
      extends: join(root, 'tsconfig.json'),
      compilerOptions,
      include: ['*.ts', join(root, 'src/providers/all.ts')],
    };
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

  it.each(presetNames)('--preset %s writes a file that speaks like that provider', async preset => {
    const cwd = newFolder();
    const { note } = await type(['init', ...names, '--preset', preset], { cwd });
    expect(note).toBe('');
    expect((await loadConfig({ cwd })).preset?.name).toBe(preset);
  });

  it.each([
    ['keycloak', 'react', 'keycloak'],
    ['entra', 'vue', 'msal-browser'],
    ['entra', 'machine', 'msal-node'],
    ['auth0', 'angular', 'auth0'],
    ['auth0', 'express', 'auth0-api'],
    ['okta', 'react', 'okta'],
    ['okta,server=org', 'express', 'okta-api'],
    ['cognito,pool=eu-west-1_Shop1', 'react', 'cognito'],
    ['cognito', 'express', 'cognito-api'],
    ['google', 'nextjs', 'google-auth-js'],
    ['github', 'nextjs', 'github-auth-js'],
    ['github-app', 'nextjs', 'github-auth-js'],
    ['apple', 'nextjs', 'apple-auth-js'],
    ['github-actions', 'machine', 'actions-core'],
  ])('--preset %s %s shows the snippet %s with the addresses that the sandbox then has', async (preset, word, id) => {
    observes('command init --preset');
    const cwd = newFolder();
    await type(['init', word, '--preset', preset], { cwd });
    const text = readFileSync(join(cwd, 'clients.config.ts'), 'utf8');
    const scheme = text.includes("tls: 'self-signed'") ? 'https' : 'http';
    const flags = { port: '0', issuer: `${scheme}://localhost:9000` };
    await using sandbox = await startSandbox(await loadConfig({ cwd, flags }));
    const get = sandbox.tls?.ca === undefined ? fetch : createTlsFetch({ ca: sandbox.tls.ca });
    const path = new URL(sandbox.issuer).pathname.replace(/\/$/, '');
    const page = await get(`${new URL(sandbox.url).origin}${path}/dashboard/connect`);
    const shown = textOfElement(await page.text(), `code-${id}`).split('\n');
    const addresses = shown.filter(line => /:9000|_Shop1/.test(line));
    expect(addresses.length).toBeGreaterThan(0);
    expect(addresses.filter(line => !text.includes(`    // ${line}\n`))).toEqual([]);
  });

  it.each([
    ['keycloack', '--preset expects a provider (apple, github, '],
    ['keycloack', 'Did you mean keycloak?'],
    ['keycloak,relm=shop', '--preset relm expects one of the options realm'],
  ])('refuses the preset %s', async (preset, note) => {
    const cwd = newFolder();
    expect(await type(['init', '--preset', preset], { cwd })).toMatchObject({
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
