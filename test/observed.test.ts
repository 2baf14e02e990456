import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { connectionFlags, controlFlag } from '../src/client/cli/connection.ts';
import { commands, operations, settingList } from './support/tables.ts';
import { testFiles } from './support/test-files.ts';

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

/** All that the tests say they observe, by kind. */
function observed(): ReadonlyMap<string, ReadonlySet<string>> {
  const texts = testFiles().map(file => readFileSync(join(import.meta.dirname, file), 'utf8'));
  const calls = texts.flatMap(text => [...text.matchAll(/^\s*(?:.*[{]\s)?observes\(([^)]*)\);/gm)]);
  const names = calls.flatMap(([, list = '']) => [...list.matchAll(/'(\w+) ([^']+)'/g)]);
  const byKind = new Map<string, Set<string>>();
  for (const [, kind = '', name = ''] of names) byKind.set(kind, (byKind.get(kind) ?? new Set()).add(name));
  return byKind;
}

it.each([
  ['setting', async () => settingList.map(({ name }) => name)],
  ['command', commandsAndFlags],
  ['operation', async () => operations.map(({ name }) => name)],
])('every %s is observed by a test, and nothing else is', async (kind, names) => {
  expect([...(observed().get(kind) ?? [])].sort()).toEqual((await names()).toSorted());
});
