import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { runInThisContext } from 'node:vm';
import { build } from 'esbuild';
import { newFile } from './new-folder.ts';

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#34': '"', '#39': "'" };

/** The snippets as the page for a client shows them, by id: what somebody would copy. */
export async function snippetsOf(url: string, client = ''): Promise<(id: string) => string> {
  const response = await fetch(`${url}/dashboard/connect?${new URLSearchParams({ client })}`);
  const html = await response.text();
  const codes = new Map(
    [...html.matchAll(/<pre id="code-([a-z0-9-]+)"[^>]*>([\s\S]*?)<\/pre>/g)].map(([, id = '', code = '']) => [
      id,
      textOf(code), // the colours of JSON are elements
    ]),
  );
  return id => {
    const code = codes.get(id);
    if (code === undefined) throw new Error(`no snippet ${id} on the page, but ${[...codes.keys()].join(' ')}`);
    return code;
  };
}

/** The text of the element with this id, without the elements in it. */
export function textOfElement(html: string, id: string): string {
  const [, content] = new RegExp(`<pre id="${id}"[^>]*>([\\s\\S]*?)</pre>`).exec(html) ?? [];
  if (content === undefined) throw new Error(`there is no ${id} on the page`);
  return textOf(content);
}

function textOf(html: string): string {
  return html.replace(/<[^>]+>/g, '').replace(/&(#?\w+);/g, (whole, name: string) => entities[name] ?? whole);
}

/** A module for a page, with the packages of this repository. */
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

/** Runs a module for Node with the packages of this repository, and waits until it listens at the port. */
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
