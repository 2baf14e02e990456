import { execFile } from 'node:child_process';
import { access, constants, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { commands } from './support/tables.ts';
import { filesBelow } from './support/test-files.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..');
const main = join(root, packageJson.bin.grantbox);

describe('the package', () => {
  it('has a file that Node can run by itself', async () => {
    await access(main, constants.X_OK);
    expect(await readFile(main, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
    const { stdout, stderr } = await run(main, ['--version']);
    expect({ stdout, stderr }).toEqual({ stdout: `${packageJson.version}\n`, stderr: '' });
  });

  it('depends on nothing but the loader of TypeScript files', () => {
    expect(Object.keys(packageJson.dependencies)).toEqual(['jiti']);
  });

  it('pins every dependency to one version', () => {
    const ranges = Object.values({ ...packageJson.dependencies, ...packageJson.devDependencies });
    expect(ranges.filter(range => !/^\d+\.\d+\.\d+$/.test(range))).toEqual([]);
  });

  it('has a lock file that names no registry', async () => {
    expect(await readFile(join(root, 'package-lock.json'), 'utf8')).not.toContain('"resolved"');
  });

  it('holds each file that it names', async () => {
    const named = packageJson.files.filter(file => !/^!?dist/.test(file));
    for (const file of named) await stat(join(root, file));
  });

  it('is not written to by tests: the gate counts its files while they run', async () => {
    const files = filesBelow(import.meta.dirname).filter(
      file => file.endsWith('.ts') && !file.startsWith('judges/.made/'),
    );
    const writing: string[] = [];
    for (const file of files) {
      const text = await readFile(join(import.meta.dirname, file), 'utf8');
      if (/\(root, 'dist', (?:`|'[\w-]+-')/.test(text)) writing.push(file);
    }
    expect(writing).toEqual([]);
  });

  it('gives the library to require and to import alike', async () => {
    const script = `
      import { createRequire } from 'node:module';
      import { createSandbox } from 'grantbox';
      const required = createRequire(import.meta.url)('grantbox');
      console.log(typeof createSandbox, createSandbox === required.createSandbox);`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], { cwd: root });
    expect(stdout).toBe('function true\n');
  });

  it('starts nothing when it is imported', async () => {
    const { stdout, stderr } = await run(process.execPath, ['-e', `require(${JSON.stringify(main)})`], {
      timeout: 5000,
    });
    expect({ stdout, stderr }).toEqual({ stdout: '', stderr: '' });
  });
});

describe('the image', () => {
  it('is made of what the .dockerignore lets through', async () => {
    const ignore = await readFile(join(root, '.dockerignore'), 'utf8');
    const dockerfile = await readFile(join(root, 'Dockerfile'), 'utf8');
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(?:--\S+ )*(.+) \S+$/gm)].flatMap(([, paths = '']) =>
      paths.split(' '),
    );
    const allowed = ignore.split('\n').flatMap(line => (line.startsWith('!') ? [line.slice(1)] : []));
    expect(copied.toSorted()).toEqual(allowed.toSorted());
  });

  it('runs the commands that the entry point knows', async () => {
    const script = join(root, 'docker-entrypoint.sh');
    const names = ['-*', 'start', 'healthcheck', ...commands.keys()];
    const known = /^ {2}(-\* .*)\)$/m.exec(await readFile(script, 'utf8'))?.[1]?.split(' | ');
    expect(known?.toSorted()).toEqual(names.toSorted());
    const { stdout } = await run('sh', [script, 'echo', 'something else']);
    expect(stdout).toBe('something else\n');
  });
});
