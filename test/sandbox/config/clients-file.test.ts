import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../support/load-config.ts';
import { newFolder } from '../../support/new-folder.ts';
import { problemsOf, shop } from './support.ts';

const json = JSON.stringify({ clients: [shop] });
const typed = `import type { SandboxConfig } from 'grantbox';\nexport default ${json} satisfies SandboxConfig;\n`;
const yaml = `# the shop\nclients:\n  - client_id: shop\n    redirect_uris: [https://shop.example/callback]\n`;

// The loader meets Node's own import here, not vitest's: it is bundled as it ships and run in a process of its own.
let bundle = '';
beforeAll(async () => {
  bundle = join(newFolder(), 'load.cjs');
  await build({
    stdin: {
      contents: `import { loadConfig } from './src/sandbox/config/load-config.ts';
        const [cwd, compiler] = process.argv.slice(2);
        loadConfig({ cwd }).then(
          config => {
            process.stdout.write(config.clients.map(client => client.client_id).join());
            const modules = [...process.moduleLoadList, ...Object.keys(require.cache)];
            if (compiler !== undefined) process.stdout.write(' ' + modules.some(name => name.includes(compiler)));
          },
          error => process.stdout.write(error.message));`,
      resolveDir: resolve(import.meta.dirname, '../../..'),
      loader: 'ts',
    },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    external: ['jiti'],
    define: { 'import.meta.url': '__fileUrl' },
    banner: { js: 'const __fileUrl = require("node:url").pathToFileURL(__filename).href;' },
    outfile: bundle,
  });
  mkdirSync(join(bundle, '../with-jiti/node_modules'), { recursive: true });
  symlinkSync(
    resolve(import.meta.dirname, '../../../node_modules/jiti'),
    join(bundle, '../with-jiti/node_modules/jiti'),
  );
  execFileSync('cp', [bundle, join(bundle, '../with-jiti/load.cjs')]);
});

function load(files: Record<string, string>, { jiti = true } = {}): { stdout: string; stderr: string } {
  const script = jiti ? join(bundle, '../with-jiti/load.cjs') : bundle;
  return spawnSync(process.execPath, [script, newFolder(files)], { encoding: 'utf8' });
}

const stripsTypes = Boolean((process.features as { typescript?: unknown }).typescript);

describe('a configuration file', () => {
  it.each([
    ['clients.config.ts', typed],
    ['clients.config.mts', typed],
    ['clients.config.js', `export default ${json};`],
    ['clients.config.mjs', `export default ${json};`],
    ['clients.config.cjs', `module.exports = ${json};`],
    ['clients.config.json', json],
    ['clients.config.yaml', yaml],
    ['clients.config.yml', yaml],
  ])('is found as %s', (name, content) => {
    expect(load({ [name]: content })).toMatchObject({ stdout: 'shop', stderr: '' });
  });

  it('compiled to CommonJS keeps its default export', () => {
    const compiled = `Object.defineProperty(exports, '__esModule', { value: true }); exports.default = ${json};`;
    expect(load({ 'clients.config.cjs': compiled }).stdout).toBe('shop');
  });

  it('in TypeScript that cannot just be stripped goes through jiti', () => {
    expect(load({ 'clients.config.ts': `enum A { b = 1 }\nexport default A.b === 1 ? ${json} : {};` }).stdout).toBe(
      'shop',
    );
  });

  it.each([
    ['whose types are stripped', stripsTypes ? 'amaro' : 'babel', typed],
    ['with an enum', 'babel', `enum A { b = 1 }\nexport default A.b === 1 ? ${json} : {};`],
  ])('in TypeScript %s is compiled once, and not at the next start', (_what, compiler, content) => {
    const cwd = newFolder({ 'clients.config.ts': content });
    const env = { ...process.env, TMPDIR: newFolder() };
    const script = join(bundle, '../with-jiti/load.cjs');
    const start = () => spawnSync(process.execPath, [script, cwd, compiler], { encoding: 'utf8', env }).stdout;
    expect([start(), start()]).toEqual(['shop true', 'shop false']);
    writeFileSync(join(cwd, 'clients.config.ts'), content.replace('"shop"', '"store"'));
    expect(start()).toBe('store true');
  });

  it('in TypeScript without jiti loads if Node strips types, and otherwise fails with one sentence of advice', () => {
    const { stdout } = load({ 'clients.config.ts': typed }, { jiti: false });
    if (stripsTypes) expect(stdout).toBe('shop');
    else
      expect(stdout).toMatch(
        /clients\.config\.ts: expected TypeScript that this version of Node can load: use Node 22\.18 or newer, install/,
      );
  });

  it('that cannot be read says the line and no stack', () => {
    const { stdout } = load({ 'clients.config.ts': 'export default {\n  clients: [ { ]\n}' });
    expect(stdout).toMatch(/clients\.config\.ts: expected a file that can be loaded: .*\(line 2\)$/);
    expect(stdout.split('\n')).toHaveLength(2);
  });

  it('that throws says why', () => {
    const { stdout } = load({ 'clients.config.mjs': `\nthrow new Error('no luck');` });
    expect(stdout).toMatch('clients.config.mjs: expected a file that can be loaded: Error: no luck (line 2)');
  });

  it.each([
    ['without a default export', 'clients.config.mjs', 'export const x = 1;', /a default export: export default/],
    ['with a list as default export', 'clients.config.mjs', 'export default [];', /an object as default export/],
    [
      'with broken YAML',
      'clients.config.yaml',
      'port: 1\nport: 2',
      /YAML that can be read: Map keys .*line 2, column 1/,
    ],
    ['with nothing in it', 'clients.config.yml', '', /an object as default export/],
    ['with broken JSON', 'clients.config.json', '{"clients":', /JSON: it is not valid JSON/],
    ['with broken JSON of several lines', 'clients.config.json', '{\n"port": 1,\n}', /not valid JSON.* at line 3$/],
    ['with no JSON in it', 'clients.config.json', ' \n', /^JSON: it is empty$/],
    [
      'with a member twice',
      'clients.config.json',
      '{\n"clients": [{ "client_id": "a" }, { "scope": "x", "client_id": "b",\n "scope": "y" }]\n}',
      /^JSON with each member once: clients\[1\]\.scope is there again at line 3$/,
    ],
  ])('%s is a problem', async (_, name, content, expected) => {
    const problems = await problemsOf({ cwd: newFolder({ [name]: content }) });
    expect(problems).toMatchObject([{ source: name }]);
    expect(problems[0]?.expected).toMatch(expected);
  });

  it('may begin with a byte order mark, and a problem in it has its line', async () => {
    const marked = newFolder({ 'clients.config.json': `\ufeff${json}` });
    expect((await loadConfig({ cwd: marked })).clients).toMatchObject([{ client_id: 'shop' }]);
    const invalid = '{\n "port": 1,\n "clients": [\n  { "client_id": "a", "scope": 5 }\n ]\n}';
    expect(
      (await problemsOf({ cwd: newFolder({ 'clients.config.json': invalid }) })).map(({ source }) => source),
    ).toContain('clients.config.json:4: clients[0].scope');
  });

  it('whose getter throws is a problem of that member', async () => {
    const script = 'export default { clients: [{ client_id: "a", get scope() { throw new Error("no luck"); } }] };';
    expect(await problemsOf({ cwd: newFolder({ 'clients.config.mjs': script }) })).toEqual([
      { source: 'clients.config.mjs: clients[0].scope', expected: 'a member that can be read: Error: no luck' },
    ]);
  });

  it('is ambiguous beside another of its names, unless one is chosen', async () => {
    const cwd = newFolder({ 'clients.config.json': json, 'clients.config.mjs': 'export default {}' });
    expect(await problemsOf({ cwd })).toMatchObject([
      {
        source: 'working directory',
        expected: expect.stringMatching('not both clients.config.mjs and clients.config.json'),
      },
    ]);
    const config = await loadConfig({ cwd, flags: { config: 'clients.config.json' } });
    expect(config.clients).toMatchObject([{ client_id: 'shop' }]);
  });

  it.each([
    ['does not exist', 'no.ts', /a file that exists/],
    ['is of another kind', 'clients.toml', /a file ending in .ts, .mts, .js/],
  ])('that was asked for and %s is a problem', async (_, name, expected) => {
    const cwd = newFolder({ 'clients.toml': '' });
    const problems = await problemsOf({ cwd, env: { CONFIG_FILE: name } });
    expect(problems).toMatchObject([{ source: 'environment CONFIG_FILE', value: JSON.stringify(name) }]);
    expect(problems[0]?.expected).toMatch(expected);
  });

  it.each([
    ['a folder', (path: string) => mkdirSync(path)],
    // a read of it would wait for ever, and all else with it
    ['a pipe', (path: string) => execFileSync('mkfifo', [path])],
  ])('is not read where %s is', async (_, make) => {
    const cwd = newFolder();
    make(join(cwd, 'clients.config.json'));
    const expected = expect.stringMatching(/^a file, but this path is a folder, a pipe/);
    expect(await problemsOf({ cwd, flags: { config: 'clients.config.json' } })).toMatchObject([{ expected }]);
  });

  it('can lie anywhere, and problems name it as it was asked for', async () => {
    const path = join(newFolder(), 'other.json');
    writeFileSync(path, '{"prot":1}');
    expect(await problemsOf({ flags: { config: path } })).toMatchObject([{ source: `${path}: prot`, nearest: 'port' }]);
  });
});
