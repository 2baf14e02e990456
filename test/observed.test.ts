import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { commands } from '../src/cli/commands.ts';
import { connectionFlags, controlFlag } from '../src/cli/connection.ts';
import { settingList } from '../src/config/settings.ts';
import { operations } from '../src/control/api/operations/index.ts';
import { observedCommands, observedOperations, observedSettings } from './observed.ts';

/** As the table has them; flags that several commands share are there once. */
async function commandsAndFlags(): Promise<string[]> {
  const shared = [...connectionFlags, controlFlag].map(({ name }) => name);
  const own = await Promise.all(
    [...commands].map(async ([name, row]) => {
      const { flags } = await row.load();
      return [name, ...flags.filter(flag => !shared.includes(flag.name)).map(flag => `${name} --${flag.name}`)];
    }),
  );
  const started = ['start', 'healthcheck', 'healthcheck --url']; // what start takes are the settings
  return [...started, ...shared.map(name => `--${name}`), ...own.flat()];
}

it.each([
  ['setting', observedSettings, async () => settingList.map(({ name }) => name)],
  ['command and flag', observedCommands, commandsAndFlags],
  ['operation', observedOperations, async () => operations.map(({ name }) => name)],
])('every %s has a test that observes its effect', async (_kind, observed, names) => {
  expect(Object.keys(observed).sort()).toEqual((await names()).toSorted());
});

/** What tests of a file are called: the text after `it(`, or after the table of an `it.each`. */
function titlesIn(file: string): readonly string[] {
  const text = readFileSync(`test/${file}.test.ts`, 'utf8');
  const titles = text.matchAll(/(?:\b(?:it|test)(?:\.\w+)?|\))\(\s*(['"`])((?:\\.|(?!\1).)+)\1/g);
  return [...titles].map(([, , title = '']) => title);
}

it.each(Object.entries({ ...observedSettings, ...observedCommands, ...observedOperations }))(
  'the test of %s is there',
  (_name, place) => {
    const [file = '', title = ''] = place.split(' › ');
    expect(titlesIn(file)).toContain(title);
  },
);
