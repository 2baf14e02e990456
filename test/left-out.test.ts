import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { all } from '../src/extensions/all.ts';
import { settingsWith } from '../src/sandbox/config/settings.ts';
import { runningChild, startChild, until } from './support/child.ts';
import { sourceCopy } from './support/source-copy.ts';

// one extension after the other is taken from it
const copy = await sourceCopy();
afterAll(() => copy.remove());
const { folder, bundle, typeCheck, bundleIt, printed, offered } = copy;
const list = 'src/extensions/all.ts';
const whole = copy.read(list);

/** The sources without the two lines of an extension in the list: its import, and its entry. */
function takeOut(name: string): void {
  const [line = '', entry = ''] =
    new RegExp(`^import { (\\w+) } from './${name}/extension.ts';$`, 'm').exec(whole) ?? [];
  const lines = whole.split('\n').filter(each => each !== line && each !== `  ${entry},`);
  expect(lines.length).toBe(whole.split('\n').length - 2);
  copy.write(list, lines.join('\n'));
}

describe.each(all.map(each => [each.name, each] as const))('without %s', (name, extension) => {
  const providers: readonly never[] = [];
  const core = settingsWith({ extensions: [], providers }).map(({ env }) => env);
  const rows = settingsWith({ extensions: [extension], providers }).filter(({ env }) => !core.includes(env));

  it('the rest has the right types, starts, and issues a token', async () => {
    takeOut(name);
    expect(await typeCheck()).toBe('');
    await bundleIt();
    const { token, document, page } = await offered();
    expect(token).toHaveProperty('access_token');
    const operations = (await extension.operations?.()) ?? [];
    for (const operation of operations) expect(document).not.toContain(`"${operation.name}"`);
    for (const { path } of extension.pages ?? []) expect(page).not.toContain(`href="${path}"`);
    for (const { env } of rows) expect(page).not.toContain(`>${env}<`);
  });

  it('its settings and commands are gone from the help and the schema', async () => {
    const help = await printed('--help');
    const commands = (extension.commands ?? []).map(([command]) => command);
    for (const command of commands) expect(help).not.toMatch(new RegExp(`^ +${command} `, 'm'));
    for (const { env } of rows) expect(help).not.toMatch(new RegExp(`[[ ]${env}[\\] ]`));
    const { properties } = JSON.parse(await printed('schema'));
    for (const row of rows) expect(properties).not.toHaveProperty(row.name);
  });
});

it('with all of them, each is there', async () => {
  copy.write(list, whole);
  await bundleIt();
  await expectAll(all);
});

it('one more needs a folder and a line: the one that docs/architecture.md shows', async () => {
  const document = readFileSync(join(import.meta.dirname, '..', 'docs/architecture.md'), 'utf8');
  const [, code = ''] = /<!-- hello -->\n```ts\n([\s\S]*?)```/.exec(document) ?? [];
  await putIn('hello', code);
  await using sandbox = await runningChild({ bundle, env: { GREETING: 'Good day' } });
  expect(await (await fetch(`${sandbox.url}/_sandbox/hello`)).json()).toEqual({ greeting: 'Good day' });
  const page = await (await fetch(`${sandbox.url}/dashboard/hello`)).text();
  expect(page).toContain('<h1>Good day</h1>');
  expect(page).toContain('href="/dashboard/hello"');
  expect(await printed('hello')).toBe('Hello\n');
  expect(await printed('--help')).toMatch(/^ +--greeting .*How the sandbox greets/m);
});

it('one more may add a type of event, which pages, the log, the control API and recorded sessions know', async () => {
  await putIn('wave', wave);
  await using sandbox = await runningChild({ bundle });
  const text = async (path: string, init?: RequestInit) => (await fetch(sandbox.url + path, init)).text();
  await text('/wave');
  const { events } = JSON.parse(await text('/_sandbox/events?type=hand.waved'));
  expect(events).toMatchObject([{ type: 'hand.waved', to: 'alice' }]);
  const page = `/dashboard/requests/${events[0].requestId}`;
  expect(await text(page)).toContain('Somebody waved to alice');
  await until(() => sandbox.output.stdout.includes('waved to alice from afar'));
  const file = join(folder, 'session.json');
  writeFileSync(file, await text('/dashboard/export/json'));
  const opened = startChild({ bundle, args: ['open', file] });
  await until(() => opened.output.stdout.includes('Ctrl+C'));
  const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(opened.output.stdout) ?? [];
  const recorded = await (await fetch(address + page)).text();
  opened.process.kill('SIGKILL');
  await opened.ended;
  expect(recorded).toContain('Somebody waved to alice');
});

const wave = `
import { say } from '../../record/words/configuration-words.ts';
import type { Extension } from '../../sandbox/extension.ts';
import { recordedAs, text } from '../../sandbox/recorded.ts';
import { contextOf } from '../../server/http/request-context.ts';
import { routeAt } from '../../server/http/route.ts';

declare module '../../base/events/event.ts' {
  interface ExtensionEvents {
    readonly wave: { readonly type: 'hand.waved'; readonly to: string };
  }
}

export const wave: Extension = {
  name: 'wave',
  events: {
    words: { 'hand.waved': ({ to }) => say(\`Somebody waved to \${to}\`, {}) },
    lines: { 'hand.waved': ({ to }) => [{ to }, \`waved to \${to} from afar\`] },
    recorded: async () => recordedAs({ 'hand.waved': { to: text } }),
  },
  routes: [
    {
      ...routeAt('wave GET', '/wave', 'waves'),
      load: async () => (req, res) => {
        contextOf(req).emit({ type: 'hand.waved', to: 'alice' });
        res.end();
      },
    },
  ],
};
`;

/** Adds an extension with this source to those of the list. */
async function putIn(name: string, code: string): Promise<void> {
  mkdirSync(join(folder, 'src/extensions', name));
  copy.write(`src/extensions/${name}/extension.ts`, code);
  const withOne = whole.replace('  webhooks,', `  webhooks,\n  ${name},`);
  copy.write(list, `import { ${name} } from './${name}/extension.ts';\n${withOne}`);
  expect(await typeCheck()).toBe('');
  await bundleIt();
}

/** Everything that the extensions add is in the help, in the document of operations and in the navigation. */
async function expectAll(extensions: typeof all): Promise<void> {
  const [help, { document, page }] = [await printed('--help'), await offered()];
  for (const extension of extensions) {
    for (const [command] of extension.commands ?? []) expect(help).toMatch(new RegExp(`^ +${command} `, 'm'));
    for (const { name } of (await extension.operations?.()) ?? []) expect(document).toContain(`"${name}"`);
    for (const { path, entry } of extension.pages ?? []) if (entry) expect(page).toContain(`href="${path}"`);
  }
}
