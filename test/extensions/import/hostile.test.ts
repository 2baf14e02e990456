import { describe, expect, it } from 'vitest';
import { samples } from './samples.ts';
import { importFiles } from './support.ts';

/** Each value of the tree replaced, one at a time. */
function* spoilt(value: unknown, by: unknown): Generator<unknown> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value))
    for (const each of [by, ...spoilt(inner, by)])
      yield Array.isArray(value) ? value.with(Number(name), each) : { ...value, [name]: each };
}

const wrong: readonly unknown[] = [null, 7, 'text', [], [{}], { a: [1] }];

describe.each(Object.entries(samples))('a hostile export: %s', (_, sample) => {
  it('is recognised where it is whole', async () => {
    expect((await importFiles({ 'file.json': sample })).titles).toHaveLength(1);
  });

  it('with a wrong value in any place is read or refused, and what was made can be started', async () => {
    let count = 0;
    for (const by of wrong)
      for (const value of spoilt(sample, by)) {
        const { problems, titles } = await importFiles({ 'file.json': value });
        expect(problems.length + titles.length).toBe(1);
        count += 1;
      }
    expect(count).toBeGreaterThan(10);
  });
});

describe('a hostile file', () => {
  it('with members named __proto__ changes no prototype, in JSON, YAML and CSV', async () => {
    await importFiles({
      'a.json': '{"users":[{"localId":"1","customAttributes":"{\\"__proto__\\":{\\"x\\":1}}","__proto__":{"y":1}}]}',
    });
    await importFiles({ 'a.yaml': 'users: [{ localId: "1", __proto__: { x: 1 } }]' });
    await importFiles({ 'a.csv': '__proto__,cognito:username\nx,ann\n' });
    expect({}).not.toHaveProperty('x');
    expect({}).not.toHaveProperty('y');
  });

  it('whose clients would have too many values is refused', async () => {
    const apis = Array.from({ length: 2000 }, (_, index) => ({ Name: `api${index}`, Scopes: ['all'] }));
    const clients = Array.from({ length: 2000 }, (_, index) => ({ ClientId: `c${index}`, AllowedScopes: ['all'] }));
    const { problems: ofMock } = await importFiles({
      'mock.json': { API_RESOURCES_INLINE: apis, CLIENTS_CONFIGURATION_INLINE: clients },
    });
    const tenant = {
      clients: clients.map(() => ({ name: 'all', callbacks: [] })),
      clientGrants: apis.map(({ Name }) => ({ client_id: 'all', audience: Name })),
    };
    const problems = [...ofMock, ...(await importFiles({ 'tenant.json': tenant })).problems];
    const said = 'cannot be imported: the new file would have more than 2 million values';
    expect(problems).toEqual([`mock.json ${said}`, `tenant.json ${said}`]);
  });

  it.each([
    ['a.yaml', 'a: [', 'is not valid YAML'],
    ['b.yaml', `a: ${'['.repeat(50_000)}`, 'nested too deep'],
    ['e.yaml', `${'- '.repeat(50_000)}x`, 'nested too deep'],
    ['f.yaml', Array.from({ length: 1900 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n'), 'nested too deep'],
    ['c.yaml', `a: ${'x'.repeat(2 * 1024 * 1024)}`, 'YAML of more than 2 MB'],
    [
      'd.yaml',
      `a: &a [x, x, x, x, x, x, x, x, x, x]\n${[...'bcdefgh'].map((name, index) => `${name}: &${name} [${`*${'abcdefg'[index]}, `.repeat(10)}]`).join('\n')}`,
      'not valid YAML',
    ],
    ['a.csv', 'name,cognito:username\n"Ann', 'a quote in it is never closed'],
    ['b.csv', `${'a,'.repeat(5000)}a\n${'1\n'.repeat(5000)}`, 'more than 6 million cells'],
    ['a.json', '{"tokenCallbacks":', 'is not valid JSON'],
  ])('is refused with a sentence: %s', async (name, text, said) => {
    const { problems } = await importFiles({ [name]: text });
    expect(problems).toEqual([expect.stringContaining(said)]);
    expect(problems[0]?.length).toBeLessThan(900);
  });
});
