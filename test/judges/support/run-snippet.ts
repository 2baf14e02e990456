import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { runInThisContext } from 'node:vm';
import { build } from 'esbuild';
import { newFile } from '../../support/new-folder.ts';

/** A module for a page, with the client libraries. */
export async function bundleForBrowser(contents: string): Promise<string> {
  const stdin = { contents, resolveDir: import.meta.dirname, loader: 'ts' } as const;
  const { outputFiles } = await build({ stdin, bundle: true, write: false, format: 'esm', target: 'es2022' });
  return outputFiles[0]?.text ?? '';
}

/** What the code of a snippet exports. */
export async function exportsOf(code: string): Promise<Readonly<Record<string, unknown>>> {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: import.meta.dirname, loader: 'ts' },
    ...{ bundle: true, write: false, platform: 'node', format: 'cjs' },
    external: ['@auth/core/*'], // Auth.js in this process must know the symbols in its options
  });
  const module = { exports: {} };
  const body = `(function (module, require) {${outputFiles[0]?.text ?? ''}\n})`;
  runInThisContext(body)(module, createRequire(import.meta.url));
  return module.exports;
}

export interface RunningProgram extends AsyncDisposable {
  /** What it has printed so far. */
  output(): string;
}

/** Runs a module for Node with the client libraries, and waits until it listens at the port. */
export async function runModule(code: string, port: number): Promise<RunningProgram> {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: import.meta.dirname, loader: 'js' },
    ...{ bundle: true, write: false, platform: 'node', format: 'esm', logLevel: 'silent' },
    banner: { js: `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);` },
  });
  const file = newFile('snippet.mjs', outputFiles[0]?.text ?? '');
  const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise(resolve => child.once('close', resolve));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', text => (output += text));
  const program = {
    output: () => output,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
  while (!(await isOpen(port))) {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}:\n${output}`);
    await new Promise(resolve => setTimeout(resolve, 20));
  }
  return program;
}

async function isOpen(port: number): Promise<boolean> {
  return fetch(`http://localhost:${port}/is-it-open`).then(
    response => response.arrayBuffer().then(() => true),
    () => false,
  );
}
