import { describe, expect, it } from 'vitest';
import { factsOf } from '../../../src/extensions/twin/facts.ts';
import { plannedTwin } from '../../../src/extensions/twin/make-twin.ts';
import { readHar, readLogin } from '../../../src/extensions/twin/read-login.ts';
import { modules } from '../../../src/modules.ts';
import { loadConfig } from '../../support/load-config.ts';
import { recordedLogin } from '../../support/tenant.ts';

/** Each value of the tree replaced, one at a time. */
function* spoilt(value: unknown, by: unknown): Generator<unknown> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value))
    for (const each of [by, ...spoilt(inner, by)])
      yield Array.isArray(value) ? value.with(Number(name), each) : { ...value, [name]: each };
}

describe('a hostile recording', () => {
  it.each([null, 7, '__proto__', [], { a: [1] }])(
    'with %j in any place is refused, or makes a configuration that a start accepts',
    async by => {
      let count = 0;
      const different = new Map<string, ReturnType<typeof plannedTwin>>();
      for (const value of spoilt(recordedLogin(), by)) {
        count += 1;
        const exchanges = readHar(value);
        if (exchanges === undefined) continue;
        const planned = plannedTwin(readLogin(exchanges), modules);
        different.set(JSON.stringify(planned.draft.config), planned);
      }
      for (const { draft } of different.values()) await loadConfig({ overrides: draft.config });
      expect(count).toBeGreaterThan(80);
    },
  );

  it('with a member __proto__ changes no prototype', () => {
    const body = JSON.parse('{"sub":"a","__proto__":{"x":1},"constructor":{"prototype":{"y":1}}}');
    const { draft } = plannedTwin(
      {
        samples: { tokens: { id_token: { claims: body } }, userinfo: body, metadata: body },
        clients: [],
        secrets: {},
      },
      modules,
    );
    expect({}).not.toHaveProperty('x');
    expect({}).not.toHaveProperty('y');
    expect(Object.getPrototypeOf(draft.config.users?.[0]?.claims ?? {})).toBe(Object.prototype);
  });
});

describe('facts', () => {
  it('name no person, also where a member has the name of one', () => {
    const claims = { members: { 'jane@acme.test': { '5a3b1c9e-6f1d-4b77-9a57-0c5fd1a2b3c4': true } } };
    const names = [...factsOf({ tokens: { id_token: { claims } } }).keys()];
    expect(names.join()).toContain('id_token.claims.members.text (e-mail address).text (UUID)');
    expect(names.join()).not.toContain('jane');
  });

  it('are bounded for a sample with many claims, deep ones and large values', () => {
    const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`c${index}`, 1]));
    let deep: object = {};
    for (let depth = 0; depth < 5000; depth += 1) deep = { deep };
    const facts = factsOf({
      tokens: { id_token: { claims: { ...many, deep } } },
      metadata: { large: { text: 'x'.repeat(1e6) } },
    });
    expect(facts.size).toBeLessThanOrEqual(3000);
    expect(facts.get('metadata.large')).toBe('a large object');
  });
});
