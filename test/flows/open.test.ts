import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { observes } from '../observed.ts';
import { createSandbox } from '../support/bundle.ts';
import { startChild, until } from '../support/child.ts';
import { logInAndCall } from '../support/flow-scripts.ts';
import { freePort } from '../support/free-port.ts';
import { newFolder } from '../support/new-folder.ts';
import { get } from '../support/wire.ts';

let cwd: string;

beforeAll(async () => {
  cwd = newFolder();
  await using sandbox = await createSandbox();
  await logInAndCall(sandbox.url);
  await writeFile(join(cwd, 'session.json'), await (await get(`${sandbox.url}/dashboard/export/json`)).text());
});

describe('grantbox open', () => {
  it('shows a file on the port of a flag until it is stopped, whatever the environment says', async () => {
    observes('command open', 'command open --port');
    const port = await freePort();
    const env = { HOST: '0.0.0.0', ISSUER: 'https://elsewhere.example', DASHBOARD: 'off' };
    const {
      process: child,
      output,
      ended,
    } = startChild({ args: ['open', 'session.json', '--port', `${port}`], cwd, env });
    await until(() => output.stdout.includes('Ctrl+C') || child.exitCode !== null);
    expect(output).toEqual({ stdout: expect.stringContaining(`http://127.0.0.1:${port}/dashboard/flows`), stderr: '' });
    const page = await get(`http://127.0.0.1:${port}/dashboard/flows`);
    expect(await page.text()).toContain('data-testid="shell-opened"');
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  });

  it.each([
    ['no file', [], 1, /name the file/],
    ['a file that is not there', ['none.json'], 2, /none\.json cannot be read \(the file or its folder does not exist/],
    ['a folder', ['.'], 2, /\. is a folder, not a file/],
    ['two files', ['a.json', 'b.json'], 1, /"b\.json" is an extra file/],
    ['a port that is none', ['session.json', '--port', '70000'], 1, /--port expects a number from 0 to 65535/],
  ])('ends with a sentence for %s', async (_, args, code, said) => {
    const { output, ended } = startChild({ args: ['open', ...args], cwd });
    expect(await ended).toBe(code);
    expect(output.stderr).toMatch(said);
    expect(output.stdout).toBe('');
  });

  it('ends with a sentence for a port that is in use', async () => {
    await using other = await createSandbox();
    const { port } = new URL(other.url);
    const { output, ended } = startChild({ args: ['open', 'session.json', '--port', port], cwd });
    expect(await ended).toBe(1);
    expect(output.stderr).toMatch(new RegExp(`^grantbox open: Port ${port} is taken`));
  });
});
