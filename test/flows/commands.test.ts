import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { runningChild, startChild } from '../support/child.ts';
import { newFolder } from '../support/new-folder.ts';

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

it('prints a completion script without a running sandbox', async () => {
  expect(await run(['completion', 'bash'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('complete -F _grantbox grantbox\n'),
  });
});
