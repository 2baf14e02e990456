import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runningChild, startChild } from '../support/child.ts';
import { freePort } from '../support/free-port.ts';
import { newFolder } from '../support/new-folder.ts';
import { runProgram } from '../support/program.ts';

const bundle = join(import.meta.dirname, '..', '..', 'dist', 'grantbox.cjs');

/** Runs a command of what ships to its end. */
async function run(args: readonly string[], options: { readonly cwd?: string } = {}) {
  const child = startChild({ args, ...options });
  const code = await child.ended;
  return { code, ...child.output };
}

it('each command of what ships does its work, from a written file to a token', async () => {
  const cwd = newFolder();
  expect(await run(['init', 'vue', 'machine'], { cwd })).toMatchObject({ code: 0, stderr: '' });
  expect(readdirSync(cwd)).toEqual(['clients.config.ts']);
  await using sandbox = await runningChild({ cwd });
  const url = ['--url', sandbox.url];
  expect(sandbox.ready).toMatchObject({ clients: 'vue  machine', users: 'alice  bob' });
  expect(await run(['wait', ...url])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('is ready'),
    stderr: '',
  });
  expect(await run(['env', ...url, '--format', 'github'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`OIDC_ISSUER=${sandbox.ready.issuer}\n`),
  });
  const token = await run(['token', '--client', 'vue', '--user', 'bob', '--scope', 'openid tasks:read', ...url]);
  expect(token).toMatchObject({ code: 0, stderr: '' });
  const headers = { Authorization: `Bearer ${token.stdout.trimEnd()}` };
  expect((await fetch(`${sandbox.url}/api/tasks`, { headers })).status).toBe(200);
});

it('ends with a code and a sentence where nothing answers', async () => {
  const { code, stdout, stderr } = await run(['token', '--client', 'sensor', '--url', 'http://127.0.0.1:9']);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^grantbox token: nothing listens at .*\n$/);
});

describe('grantbox wait --pid', () => {
  const script = `"$0" "$1" start & "$0" "$1" wait --pid $! --timeout 3m; code=$?; kill $!; exit $code`;
  const startAndWait = (port: number) =>
    runProgram('sh', ['-c', script, process.execPath, bundle], { env: { PORT: String(port) } });

  it('waits for the sandbox that the script starts', async () => {
    const { code, output } = await startAndWait(await freePort());
    expect(output).toMatch(/ is ready after [\d.]+ s: Grantbox \S+, which started at /);
    expect(code).toBe(0);
  });

  it('does not take an older one for it, which has the port', async () => {
    await using older = await runningChild();
    const { code, output } = await startAndWait(older.port);
    expect(output).toMatch(
      /grantbox wait: process \d+ has ended, and its sandbox is not ready: .* is answered by Grantbox/,
    );
    expect(output).toContain(`Port ${older.port} is taken`);
    expect(code).toBe(1);
  });
});

it('prints a completion script without a running sandbox', async () => {
  expect(await run(['completion', 'bash'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('complete -F _grantbox grantbox\n'),
  });
});
