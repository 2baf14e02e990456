import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { all } from '../src/providers/all.ts';
import type { Provider } from '../src/sandbox/provider.ts';
import { sourceCopy } from './support/source-copy.ts';

// one provider after the other is taken from it
const copy = await sourceCopy();
afterAll(() => copy.remove());
const list = 'src/providers/all.ts';
const whole = copy.read(list);
const imports = [...whole.matchAll(/^import \{ ([\w, ]+) \} from '\.\/([\w-]+)\/provider\.ts';$/gm)];
const folders = imports.map(([line, entries = '', folder = '']) => ({ line, entries: entries.split(', '), folder }));

/** Writes the list without these folders: their imports, and their entries. */
function takeOut(taken: typeof folders): void {
  const gone = taken.flatMap(({ line, entries }) => [line, ...entries.map(entry => `  ${entry},`)]);
  const lines = whole.split('\n').filter(line => !gone.includes(line));
  expect(lines.length).toBe(whole.split('\n').length - gone.length);
  copy.write(list, lines.join('\n'));
}

const offersToken = async () => {
  const { token, document } = await copy.offered();
  expect(token).toHaveProperty('access_token');
  return document;
};

/** The names of presets in the schema of a configuration file. */
async function namesInSchema(): Promise<readonly string[]> {
  const { properties } = JSON.parse(await copy.printed('schema'));
  return properties.preset.anyOf[0].enum;
}

it('the list has each provider by the line of its folder', () => {
  expect(folders.flatMap(({ entries }) => entries)).toHaveLength(all.length);
});

describe.each(folders.map(each => [each.folder, each] as const))('without %s', (folder, taken) => {
  it('the rest starts, issues a token and names none of its presets', async () => {
    takeOut([taken]);
    await copy.bundleIt();
    const [document, help, left] = await Promise.all([offersToken(), copy.printed('--help'), namesInSchema()]);
    const removed = Object.values<Provider>(await import(`../src/providers/${folder}/provider.ts`));
    const gone = removed.map(({ name }) => name);
    expect([...left, ...gone].toSorted()).toEqual(all.map(({ name }) => name).toSorted());
    const [said = ''] = /^ +--preset [\s\S]*?(?=^ +--\w)/m.exec(help) ?? [];
    const words = said.split(/[\s,.:()]+/);
    expect(words).toEqual(expect.arrayContaining([...left]));
    for (const name of gone) {
      expect(document).not.toContain(`"${name}"`);
      expect(words).not.toContain(name);
    }
  });
});

it('without all of them and their folders, the rest has the right types, starts and issues a token', async () => {
  takeOut(folders);
  for (const { folder } of folders) rmSync(join(copy.folder, 'src/providers', folder), { recursive: true });
  expect(await copy.typeCheck()).toBe('');
  await copy.bundleIt();
  await offersToken();
  expect(await namesInSchema()).toEqual([]);
});
