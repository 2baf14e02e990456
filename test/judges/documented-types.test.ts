import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { blocksOf, documents, root, textOf } from '../support/documents.ts';
import { madeFolder } from './support/made-folder.ts';

const run = promisify(execFile);
const tsc = join(root, 'node_modules/typescript/bin/tsc');

/** True of a module that imports the package, and nothing that is missing here. */
function importsOnlyKnown(text: string): boolean {
  const names = [...text.matchAll(/from '([^']+)'/g)].map(([, name = '']) => name);
  const known = /^(grantbox(\/\w+)?|vitest|@playwright\/test|oidc-client-ts)$/;
  return names.length > 0 && names.every(name => known.test(name));
}

it('snippets of the documentation have the types of the package and of the libraries', async () => {
  const blocks = documents.filter(document => document !== 'CHANGELOG.md').flatMap(document => blocksOf(document));
  const modules = blocks.filter(block => block.language === 'ts' && importsOnlyKnown(block.text));
  expect(modules.length).toBeGreaterThan(4);
  const folder = await madeFolder();
  try {
    const own = join(folder, 'node_modules', 'grantbox');
    await mkdir(own, { recursive: true });
    await writeFile(join(own, 'package.json'), textOf('package.json'));
    await run(process.execPath, [tsc, '-p', 'tsconfig.types.json', '--outDir', join(own, 'dist/types')], { cwd: root });
    await run(process.execPath, ['scripts/reachable-types.mjs', own], { cwd: root });
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    for (const [index, { text }] of modules.entries())
      await writeFile(join(folder, `snippet-${index}.ts`), `${text}\nexport {};\n`);
    const lib = ['es2023', 'dom', 'esnext.disposable'];
    const checks = { noEmit: true, skipLibCheck: true, strict: true, types: ['node'] };
    const compilerOptions = { ...checks, target: 'es2023', lib, module: 'nodenext' };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
    const { stdout } = await run(process.execPath, [tsc, '-p', folder]).catch(error => error as { stdout: string });
    expect(stdout).toBe('');
  } finally {
    await rm(folder, { recursive: true });
  }
});
