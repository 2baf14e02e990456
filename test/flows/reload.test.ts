import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { observes } from '../observed.ts';
import { type RunningChild, runningChild } from '../support/child.ts';
import { newFolder } from '../support/new-folder.ts';
import { post } from '../support/wire.ts';

const root = newFolder();

interface Watched {
  readonly child: RunningChild;
  write(text: string): void;
  readonly path: string;
}

/** `grantbox`, started with this file in its working directory. */
async function started(
  name: string,
  text: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Watched & AsyncDisposable> {
  const cwd = mkdtempSync(join(root, 'folder-'));
  const path = join(cwd, name);
  writeFileSync(path, text);
  const child = await runningChild({ cwd, env });
  return {
    ...{ child, path, write: (next: string) => writeFileSync(path, next) },
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  };
}

const machine = (client_id: string, client_secret = 'a-secret') => ({
  ...{ client_id, client_secret, grant_types: ['client_credentials'], scope: 'telemetry:write' },
});
const asJson = (...clients: object[]) => JSON.stringify({ clients });

async function answerTo({ child }: Watched, client_id: string, secret = 'a-secret'): Promise<string> {
  const headers = { authorization: `Basic ${btoa(`${client_id}:${secret}`)}` };
  const response = await post(`${child.url}/oauth2/token`, { grant_type: 'client_credentials' }, headers);
  const { error = 'token' } = (await response.json()) as { error?: string };
  return error;
}

/** Asks until the answer is this; the test's own timeout is the limit. */
async function eventually(ask: () => Promise<string> | string, answer: string): Promise<void> {
  while ((await ask()) !== answer) await new Promise(resolve => setTimeout(resolve, 50));
}

const lines = ({ child }: Watched): readonly Record<string, unknown>[] =>
  child.output.stdout
    .split('\n')
    .filter(line => line.startsWith('{'))
    .map(line => JSON.parse(line));
const said = (watched: Watched) => lines(watched).map(({ msg }) => String(msg));

const forms: readonly (readonly [ending: string, write: (json: string) => string])[] = [
  ['json', json => json],
  [
    'yaml',
    json =>
      `# in lines\nclients:\n${JSON.parse(json)
        .clients.map((each: object) => `  - ${JSON.stringify(each)}\n`)
        .join('')}`,
  ],
  ['mjs', json => `const config = ${json};\nexport default config;\n`],
  ['cjs', json => `module.exports = ${json};\n`],
  ['ts', json => `interface Config { clients: object[] }\nconst config: Config = ${json};\nexport default config;\n`],
];

describe('a configuration file that changes', () => {
  it.each(forms)('as .%s is read again, and what it says is so', async (ending, form) => {
    await using watched = await started(`clients.config.${ending}`, form(asJson(machine('one'), machine('two'))));
    expect(await answerTo(watched, 'one')).toBe('token');
    watched.write(form(asJson(machine('two'), machine('three'))));
    await eventually(() => answerTo(watched, 'three'), 'token');
    expect(await answerTo(watched, 'one')).toBe('invalid_client');
    expect(await answerTo(watched, 'two')).toBe('token');
    watched.write(form(asJson(machine('two', 'another-secret'))));
    await eventually(() => answerTo(watched, 'two', 'another-secret'), 'token');
    const file = `clients.config.${ending}`;
    const told = `${file} reloaded: 1 client added (three), 1 client removed (one)`;
    await eventually(() => String(said(watched).includes(told)), 'true');
    expect(watched.child.output.stdout).not.toContain('another-secret');
  });

  it('may be replaced by another, as editors and ConfigMaps do', async () => {
    await using watched = await started('clients.config.json', asJson(machine('one')));
    writeFileSync(`${watched.path}.new`, asJson(machine('two')));
    renameSync(`${watched.path}.new`, watched.path);
    await eventually(() => answerTo(watched, 'two'), 'token');
    rmSync(watched.path);
    writeFileSync(watched.path, asJson(machine('three')));
    await eventually(() => answerTo(watched, 'three'), 'token');
  });

  it('is refused with problems, and the configuration before it stays until it is mended', async () => {
    await using watched = await started('clients.config.mjs', `export default ${asJson(machine('one'))};`);
    watched.write(`export default { clients: [{ client_id: 'two' }], prot: 1 };`);
    const refused = () => said(watched).filter(msg => msg.includes('refused'));
    await eventually(() => String(refused().length), '1');
    expect(lines(watched).find(({ level }) => level === 50)?.msg).toMatch(
      /^clients\.config\.mjs refused, .*: 2 problems\n {2}- clients\.config\.mjs: prot: expected a known name/,
    );
    expect(await answerTo(watched, 'one')).toBe('token');
    watched.write(`export default { clients: [ oops };`);
    await eventually(() => String(refused().length), '2');
    expect(refused()[1]).toMatch(/a file that can be loaded: SyntaxError/);
    expect(refused()[1]).not.toContain('?');
    rmSync(watched.path);
    await eventually(() => String(refused().length), '3');
    expect(refused()[2]).toContain('expected a file that exists');
    expect(await answerTo(watched, 'one')).toBe('token');
    watched.write(`export default ${asJson(machine('one'))};`);
    await eventually(() => said(watched).at(-1) ?? '', 'clients.config.mjs reloaded: nothing changed');
    expect(watched.child.output.stderr).toBe('');
  });

  it('is left alone with WATCH=off, until it is asked for', async () => {
    observes('setting watch');
    await using watched = await started('clients.config.json', asJson(machine('one')));
    await using unwatched = await runningChild({ cwd: dirname(watched.path), env: { WATCH: 'off' } });
    const off = { ...watched, child: unwatched };
    for (const name of ['two', 'three']) {
      watched.write(asJson(machine(name)));
      await eventually(() => answerTo(watched, name), 'token');
      expect(await answerTo(off, name)).toBe('invalid_client');
    }
    unwatched.process.kill('SIGHUP');
    await eventually(() => answerTo(off, 'three'), 'token');
    watched.write(asJson(machine('four')));
    const answered = await fetch(`${unwatched.url}/_sandbox/reload`, { method: 'POST' });
    expect(await answered.json()).toMatchObject({
      file: 'clients.config.json',
      entries: [
        { name: 'four', change: 'added' },
        { name: 'three', change: 'removed' },
      ],
    });
    expect(await answerTo(off, 'four')).toBe('token');
  });

  it('is watched, or is not, as it says itself', async () => {
    const saying = (watch: boolean, client: string) => JSON.stringify({ watch, clients: [machine(client)] });
    await using watched = await started('clients.config.json', saying(false, 'one'));
    watched.write(saying(true, 'two'));
    watched.child.process.kill('SIGHUP');
    await eventually(() => answerTo(watched, 'two'), 'token');
    watched.write(saying(false, 'three'));
    await eventually(() => answerTo(watched, 'three'), 'token');
    await using other = await runningChild({ cwd: dirname(watched.path), env: { WATCH: 'on' } });
    for (const name of ['four', 'five']) {
      watched.write(saying(false, name));
      await eventually(() => answerTo({ ...watched, child: other }, name), 'token');
      expect(await answerTo(watched, name)).toBe('invalid_client');
    }
  });
});

describe('SIGHUP', () => {
  it('without a file is told, and ends nothing', async () => {
    await using child = await runningChild({ cwd: mkdtempSync(join(root, 'folder-')) });
    child.process.kill('SIGHUP');
    await eventually(() => String(child.output.stderr.length > 0), 'true');
    expect(child.output.stderr).toBe(
      'the configuration was not reloaded: the sandbox started without a configuration file, so it has no file to reload\n',
    );
    expect((await fetch(`${child.url}/health`)).status).toBe(200);
  });
});

describe('a file that is watched', () => {
  it('keeps no sandbox from ending', async () => {
    await using watched = await started('clients.config.json', asJson(machine('one')));
    watched.child.process.kill('SIGTERM');
    expect(await watched.child.ended).toBe(0);
    expect(readFileSync(watched.path, 'utf8')).toBe(asJson(machine('one')));
  });
});
