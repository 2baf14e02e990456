import { expect, it } from 'vitest';
import type { EventOf } from '../../src/base/events/event.ts';
import type { FileState } from '../../src/base/events/reload.ts';
import { describe as inWords } from '../../src/record/words/event-words.ts';
import { now, runDashboard } from './running-dashboard.ts';

const stamp = { at: now, requestId: 'sandbox', file: 'clients.config.ts', by: 'file' } as const;
const reloaded: EventOf<'configuration.reloaded'> = {
  ...{ ...stamp, id: 1, type: 'configuration.reloaded' },
  entries: [
    {
      ...{ kind: 'client', name: 'spa', change: 'changed' },
      members: [
        { member: 'scope', from: '"openid"', to: '"openid <b>email</b>"' },
        { member: 'client_name', to: '"Spa"' },
      ],
    },
    { kind: 'user', name: 'ann', change: 'added', members: [] },
  ],
  settings: [{ name: 'CODE_LIFETIME', from: '60', to: '30' }],
  atNextStart: [{ name: 'PORT', from: '9000', to: '9001' }],
};
const refused: EventOf<'configuration.refused'> = {
  ...{ ...stamp, id: 2, type: 'configuration.refused' },
  problems: ['clients.config.ts: prot: expected a known name', 'clients.config.ts: <i>: expected text'],
};

async function settingsWith(state: FileState): Promise<string> {
  await using dashboard = await runDashboard({ fileState: () => state, configFile: 'clients.config.ts' });
  return await dashboard.text('/dashboard/settings');
}

it('the page says that the file was read at the start, and is watched', async () => {
  const html = await settingsWith({});
  expect(html).toMatch(/data-testid="settings-file"><strong class="mono">clients\.config\.ts<\/strong>, last read/);
  expect(html).not.toMatch(/settings-file-(changed|refused|next)/);
  expect(html).toMatch(/data-testid="shell-file" hidden/);
});

it('the page says what changed when it was read again, and what waits for the next start', async () => {
  const html = await settingsWith({ used: reloaded, changed: reloaded });
  expect(html).toContain('<dt>client spa</dt><dd>scope: &#34;openid&#34; → &#34;openid &lt;b&gt;email');
  expect(html).toContain('client_name: left out → &#34;Spa&#34;');
  expect(html).toContain('<dt>user ann</dt><dd>added</dd>');
  expect(html).toContain('<dt>CODE_LIFETIME</dt><dd>60 → 30</dd>');
  expect(html).toMatch(/settings-file-next.*\n.*\n.*\n.*PORT<\/span> 9000 → 9001/);
});

it('every page says that the file was refused, and this one why', async () => {
  const html = await settingsWith({ used: reloaded, changed: reloaded, refused });
  expect(html).toMatch(/data-testid="shell-file">clients\.config\.ts refused</);
  expect(html).toContain('<li>clients.config.ts: prot: expected a known name</li>');
  expect(html).toContain('&lt;i&gt;');
});

it('both events have words', () => {
  expect(inWords(reloaded)).toEqual({
    title: expect.stringMatching(
      /^clients\.config\.ts reloaded: client spa changed \(scope, client_name\), 1 user added/,
    ),
    facts: [
      ['client spa', 'scope: "openid" → "openid <b>email</b>"; client_name: left out → "Spa"'],
      ['user ann', 'added'],
      ['CODE_LIFETIME', '60 → 30'],
      ['PORT, at the next start', '9000 → 9001'],
      ['by', 'a change of the file'],
    ],
  });
  expect(inWords(refused).facts).toEqual([
    ['problem 1', refused.problems[0]],
    ['problem 2', refused.problems[1]],
    ['by', 'a change of the file'],
  ]);
});
