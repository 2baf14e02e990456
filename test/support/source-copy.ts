import { execFile } from 'node:child_process';
import { cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { runningChild } from './child.ts';
import { madeFolder } from './made-folder.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..');

/** A copy of the sources, from which a test takes a capability away. */
export async function sourceCopy() {
  const folder = await madeFolder();
  for (const each of ['src', 'clients.config.ts', 'package.json', 'tsconfig.json'])
    cpSync(join(root, each), join(folder, each), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  symlinkSync(join(root, 'templates'), join(folder, 'templates'));
  writeFileSync(join(folder, 'tsconfig.src.json'), JSON.stringify({ extends: './tsconfig.json', include: ['src'] }));
  const bundle = join(folder, 'copy.cjs');
  return {
    folder,
    bundle,
    read: (path: string) => readFileSync(join(folder, path), 'utf8'),
    write: (path: string, text: string) => writeFileSync(join(folder, path), text),
    typeCheck: () => typeCheck(folder),
    bundleIt: () => bundleIt(folder, bundle),
    printed: async (...args: string[]) => (await run(process.execPath, [bundle, ...args])).stdout,
    offered: () => offered(bundle),
    remove: () => rmSync(folder, { recursive: true }),
  };
}

/** What the compiler says. */
async function typeCheck(cwd: string): Promise<string> {
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const args = [tsc, '-p', 'tsconfig.src.json', '--incremental', '--tsBuildInfoFile', 'types.json'];
  return run(process.execPath, args, { cwd }).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  );
}

async function bundleIt(folder: string, outfile: string): Promise<void> {
  const define = { 'import.meta.dirname': JSON.stringify(join(folder, 'src')), 'import.meta.url': '__fileUrl' };
  await build({
    entryPoints: [join(folder, 'src/main.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    external: ['jiti'],
    loader: { '.md': 'text' },
    define,
    banner: { js: `const __fileUrl = require('node:url').pathToFileURL(__filename).href;` },
    footer: { js: 'if (require.main === module) module.exports.main();' },
    logLevel: 'error',
  });
}

/** What a sandbox offers: an access token, its operations, and the addresses in the navigation. */
async function offered(bundle: string) {
  await using sandbox = await runningChild({ bundle });
  const text = async (path: string, init?: RequestInit) => (await fetch(sandbox.url + path, init)).text();
  const authorization = `Basic ${btoa('sensor:sensor-secret')}`;
  const body = new URLSearchParams({ grant_type: 'client_credentials' });
  const token = JSON.parse(await text('/oauth2/token', { method: 'POST', headers: { authorization }, body }));
  const document = await text('/_sandbox/openapi.json');
  const page = await text('/dashboard/settings', { headers: { accept: 'text/html' } });
  return { token, document, page };
}
