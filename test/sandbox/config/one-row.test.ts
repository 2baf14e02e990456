import { describe, expect, expectTypeOf, it, vi } from 'vitest';
import { parseCommandLine } from '../../../src/client/cli/cli.ts';
import { modules } from '../../../src/modules.ts';
import type { ConfiguredBy, NamesWith, WrittenIn } from '../../../src/sandbox/config/setting.ts';
import { settingsWith } from '../../../src/sandbox/config/settings.ts';
import { renderSettings } from '../../../src/sandbox/config/settings-table.ts';
import { reloadedSettings } from '../../../src/sandbox/control/reload/settings.ts';
import { bring, createRunningConfig } from '../../../src/sandbox/issuer/running-config.ts';
import { loadConfig } from '../../support/load-config.ts';
import type { addedRows } from './added-rows.ts';
import { problemsOf, withFile } from './support.ts';

vi.mock('../../../src/sandbox/config/settings/server.ts', async original => {
  const settings = await original<typeof import('../../../src/sandbox/config/settings/server.ts')>();
  const { addedRows: rows } = await import('./added-rows.ts');
  return { ...settings, logSettings: { ...settings.logSettings, ...rows } };
});

describe('a row that is added to the table of settings, and to nothing else', () => {
  it('is a member of the type of the file, and of the configuration', () => {
    type Written = WrittenIn<typeof addedRows>;
    expectTypeOf<Written>().toEqualTypeOf<{
      readonly logColour?: 'auto' | 'never';
      readonly logPause?: number | string;
    }>();
    expectTypeOf<ConfiguredBy<typeof addedRows>['logColour']>().toEqualTypeOf<'auto' | 'never'>();
    expectTypeOf<ConfiguredBy<typeof addedRows>['logPause']>().toEqualTypeOf<number | undefined>();
    expectTypeOf<NamesWith<typeof addedRows, 'isWhole'>>().toEqualTypeOf<'logPause'>();
  });

  it.each([
    ['flag', { flags: { 'log-colour': 'never' } }, 'flag --log-colour'],
    ['variable', { env: { LOG_COLOUR: 'never' } }, 'environment LOG_COLOUR'],
    ['member of the file', withFile({ logColour: 'never' }), 'clients.config.json: logColour'],
  ])('has a %s, and the page Settings tells it', async (_what, sources, from) => {
    const config = await loadConfig(sources);
    expect(config).toMatchObject({ logColour: 'never' });
    expect(config).not.toHaveProperty('logPause');
    const help = 'Colours of the lines of the log';
    const shown = (await config.settings()).filter(({ name }) => ['LOG_COLOUR', 'LOG_PAUSE'].includes(name));
    expect(shown).toEqual([
      { group: 'Log', name: 'LOG_COLOUR', help, value: 'never', from },
      {
        group: 'Log',
        name: 'LOG_PAUSE',
        help: 'Pause between the lines of the log',
        value: 'no pause',
        from: 'default',
      },
    ]);
  });

  it('is in the help', async () => {
    const help = await parseCommandLine(['--help'], { version: '1.0.0', modules });
    expect(help).toMatchObject({ text: expect.stringMatching(/--log-colour .*Colours of the lines of the log/s) });
  });

  it('is in docs/settings.md', () => {
    expect(renderSettings(settingsWith({ extensions: [], providers: [] }))).toContain(
      '| Colours of the lines of the log | `--log-colour` | `LOG_COLOUR` | auto, never | auto |',
    );
  });

  it('belongs to an issuer beside the first, unless it is of the whole sandbox', async () => {
    const config = await loadConfig(withFile({ issuers: { a: { logColour: 'never' } } }));
    expect(config.issuers[0]?.config).toMatchObject({ logColour: 'never' });
    const problems = await problemsOf(withFile({ issuers: { a: { logPause: 1 } } }));
    expect(problems).toMatchObject([{ expected: expect.stringMatching(/set once for the whole sandbox/) }]);
  });

  it('is in effect at once when the file says it anew, if it is read whenever it matters', async () => {
    const running = createRunningConfig(await loadConfig(withFile({})));
    const next = await loadConfig(withFile({ logColour: 'never', logPause: 5 }));
    const reloaded = await reloadedSettings(running, next);
    expect(reloaded.settings).toEqual([{ name: 'LOG_COLOUR', from: 'auto', to: 'never' }]);
    expect(reloaded.atNextStart).toEqual([{ name: 'LOG_PAUSE', from: 'no pause', to: '5' }]);
    bring(running, next, reloaded.effective);
    expect(running).toMatchObject({ logColour: 'never' });
    expect(running).not.toHaveProperty('logPause');
  });
});
