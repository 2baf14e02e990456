import { execFile } from 'node:child_process';
import { appendFileSync, cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { newFolder } from '../support/new-folder.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');

/** Builds a program that prints `runs`, and counts. If there is a file `edit`, somebody edits a source at the same time. */
const build = `
import { appendFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { digestInputs, leaveStamp } from './scripts/stamp.mjs';

console.error('loads the build');
const digest = digestInputs();
appendFileSync('builds', '.');
if (existsSync('edit')) appendFileSync('src/index.ts', '// edited');
mkdirSync('dist/types', { recursive: true });
mkdirSync('templates/assets', { recursive: true });
writeFileSync('dist/grantbox.cjs', "exports.main = () => console.log('runs');");
writeFileSync('dist/types/index.d.ts', 'export {};');
writeFileSync('templates/assets/grantbox.css', 'a {}');
leaveStamp('bundle', digest);
`;

const { prepare, start } = packageJson.scripts;
const scripts = { prepare, start, build: 'node build.mjs && node scripts/stamp.mjs' };
const manifest = { name: 'example', version: '1.0.0', type: 'module', files: packageJson.files, scripts };

/** A package with the scripts of this one, and a build that takes no time. */
class Example {
  readonly folder = newFolder({ 'package.json': manifest });

  addSources(): this {
    for (const file of ['scripts/stamp.mjs', 'scripts/build-once.mjs', 'scripts/start.mjs'])
      cpSync(join(root, file), join(this.folder, file));
    writeFileSync(join(this.folder, 'build.mjs'), build);
    cpSync(newFolder({ 'index.ts': 'export const a = 1;' }), join(this.folder, 'src'), { recursive: true });
    return this;
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  npm(...args: readonly string[]) {
    return run('npm', [...args, '--offline'], { cwd: this.folder });
  }

  node(...args: readonly string[]) {
    return run(process.execPath, args, { cwd: this.folder });
  }

  get builds(): number {
    return readFileSync(this.path('builds'), 'utf8').length;
  }
}

describe('npm', () => {
  it('does not build for npm ci, which may come before the sources', async () => {
    const example = new Example();
    await example.npm('install'); // in a layer of an image with nothing but package.json
    writeFileSync(example.addSources().path('builds'), '');
    await example.npm('ci');
    expect(example.builds).toBe(0);
  });

  it('builds for npm pack what was not built', async () => {
    const example = new Example().addSources();
    const { stdout } = await example.npm('pack', '--dry-run', '--json', '--foreground-scripts=false');
    expect(stdout).toContain('dist/grantbox.cjs');
    expect(stdout).not.toContain('stamp');
    expect(example.builds).toBe(1);
  });

  it('builds once for npm run build and npm pack', async () => {
    const example = new Example().addSources();
    await example.npm('run', 'build');
    await example.npm('pack');
    expect(example.builds).toBe(1);
  });

  it('builds for npm pack after a build of the bundle alone', async () => {
    const example = new Example().addSources();
    await example.node('scripts/build-once.mjs');
    await example.npm('pack');
    expect(example.builds).toBe(2);
  });

  it('has npm start say that it builds before it loads the build, and build once', async () => {
    const example = new Example().addSources();
    const first = await example.npm('start', '--silent');
    expect(first).toMatchObject({
      stdout: 'runs\n',
      stderr: 'Building Grantbox, up to 10 s the first time\nloads the build\n',
    });
    expect(await example.npm('start', '--silent')).toMatchObject({ stdout: 'runs\n', stderr: '' });
    expect(example.builds).toBe(1);
  });
});

describe('what is built', () => {
  const changes: Readonly<Record<string, (example: Example) => void>> = {
    'a source is edited': example => appendFileSync(example.path('src/index.ts'), '// more'),
    'a source is added': example => writeFileSync(example.path('src/other.ts'), ''),
    'a source is removed': example => rmSync(example.path('src/index.ts')),
    'another version of a library is installed': example =>
      cpSync(newFolder({ '.package-lock.json': {} }), example.path('node_modules'), { recursive: true }),
    'the bundle is removed': example => rmSync(example.path('dist/grantbox.cjs')),
    'the styles are removed': example => rmSync(example.path('templates/assets/grantbox.css')),
  };

  it.each(Object.entries(changes))('is not current after %s', async (_what, change) => {
    const example = new Example().addSources();
    await example.node('build.mjs');
    change(example);
    await example.node('scripts/build-once.mjs');
    expect(example.builds).toBe(2);
    await example.node('scripts/build-once.mjs');
    expect(example.builds).toBe(2);
  });

  it('is not current, as a package, after a declaration is edited', async () => {
    const example = new Example().addSources();
    await example.node('scripts/build-once.mjs', '--package');
    appendFileSync(example.path('dist/types/index.d.ts'), '// more');
    await example.node('scripts/build-once.mjs');
    expect(example.builds).toBe(1);
    await example.node('scripts/build-once.mjs', '--package');
    expect(example.builds).toBe(2);
  });

  it('is not current if a source was edited during the build', async () => {
    const example = new Example().addSources();
    writeFileSync(example.path('edit'), '');
    await example.npm('run', 'build');
    rmSync(example.path('edit'));
    for (const part of [[], ['--package']]) await example.node('scripts/build-once.mjs', ...part);
    expect(example.builds).toBe(3);
  });
});

it('reads all that the build of this package reads', async () => {
  const script = "import('./scripts/stamp.mjs').then(({ inputs }) => console.log(JSON.stringify(inputs)))";
  const inputs: string[] = JSON.parse((await run(process.execPath, ['-e', script], { cwd: root })).stdout);
  expect(inputs.filter(path => !existsSync(join(root, path)))).toEqual([]);
  const ran = packageJson.scripts.build.match(/\b[\w/-]+(\.mjs|\.types\.json)\b/g) ?? [];
  expect(ran).toContain('scripts/licences.mjs');
  expect(ran.filter(path => !inputs.includes(path) && !inputs.includes(dirname(path)))).toEqual([]);
});
