import { expect, it } from 'vitest';
import { mapPart } from '../../src/extensions/replicas/parts.ts';
import { createPartsRegister, fieldOf } from '../../src/extensions/replicas/shared-part.ts';

function clients(configured: Readonly<Record<string, readonly number[]>> = {}) {
  const map = new Map(Object.entries(configured));
  const put = (id: string, value: readonly number[]) => void map.set(id, value);
  return { map, part: mapPart({ name: 'clients', map, put, remove: id => void map.delete(id) }) };
}

it('undoes a change that nobody was told: to what the engine has, or to the configuration', async () => {
  const register = createPartsRegister();
  const { map, part } = clients({ one: [1], two: [2] });
  await register.add('/', part);
  await register.take([fieldOf('/', 'clients', 'one'), '[10]']);
  map.set('one', [11]).set('two', [22]).set('three', [3]);
  const changed = await register.changed('/');
  map.set('one', [12]); // another request
  await register.changed('/');
  await register.undo(changed);
  expect(Object.fromEntries(map)).toEqual({ one: [10], two: [2] });
});

it('tells nothing that it took over, and everything that changed meanwhile', async () => {
  const register = createPartsRegister();
  const { map, part } = clients();
  await register.add('/', part);
  map.set('here', [1]);
  await register.take([fieldOf('/', 'clients', 'there'), '[2]']);
  expect(await register.changed('/')).toEqual([[fieldOf('/', 'clients', 'here'), '[1]']]);
});

it('remembers entries that are gone up to a bound, and each that is there', async () => {
  const register = createPartsRegister();
  register.told([[fieldOf('/', 'clients', 'kept'), '1']]);
  for (let count = 0; count < 30_000; count++) register.told([[fieldOf('/', 'clients', `gone ${count}`), '']]);
  const all = new Map(register.all());
  expect(all.size).toBeLessThanOrEqual(20_001);
  expect(all.get(fieldOf('/', 'clients', 'kept'))).toBe('1');
});

it('leaves an entry unknown that no replica can have written, and takes it when it is mended', async () => {
  const register = createPartsRegister();
  const { map, part } = clients();
  await register.add('/', part);
  const field = fieldOf('/', 'clients', 'one');
  for (const json of ['garbage', '"garbage"'])
    await expect(register.take([field, json])).rejects.toThrow('at state:entries / clients one what no replica wrote');
  expect([...register.all()]).toEqual([]);
  await register.take([field, '[1]']);
  expect(Object.fromEntries(map)).toEqual({ one: [1] });
});
