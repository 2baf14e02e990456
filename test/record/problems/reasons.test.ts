import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { entries } from '../../../src/record/problems/reasons/index.ts';

const folder = new URL('../../../src/record/problems/reasons/', import.meta.url);

/** The reasons of each file that has entries. */
async function families(): Promise<readonly (readonly string[])[]> {
  const files = readdirSync(folder).filter(name => name !== 'index.ts');
  const modules = await Promise.all(files.map(file => import(new URL(file, folder).pathname)));
  return modules.flatMap(exported =>
    Object.entries<object>(exported).flatMap(([name, value]) =>
      name.endsWith('Entries') && typeof value === 'object' ? [Object.keys(value)] : [],
    ),
  );
}

it('a reason has its entry in one file, and every file is among those that are looked up', async () => {
  const reasons = (await families()).flat();
  expect(reasons.filter((reason, index) => reasons.indexOf(reason) !== index)).toEqual([]);
  expect(reasons.toSorted()).toEqual(Object.keys(entries).toSorted());
});
