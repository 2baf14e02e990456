import { describe, expect, it } from 'vitest';
import { claimsByRules, fillTemplate } from '../../../src/protocol/dialects/claim-rules.ts';

const context = {
  user: {
    claims: { email: 'a@b.test', roles: ['admin', 'buyer'], age: 40, none: [] },
    by: { shop: ['buyer'], desk: ['agent'] },
  },
  scope: { email: true },
  realm: 'demo',
};

describe('fillTemplate', () => {
  it('takes over values with their type', () => {
    expect(fillTemplate({ age: '${user.claims.age}', roles: '${user.claims.roles}' }, context)).toEqual({
      age: 40,
      roles: ['admin', 'buyer'],
    });
  });

  it('writes values into text, and leaves out a text with a missing value', () => {
    expect(fillTemplate({ a: 'default-roles-${realm}', b: 'x-${nothing}' }, context)).toEqual({
      a: 'default-roles-demo',
    });
  });

  it('spreads a list into a list, without repeating a value', () => {
    expect(fillTemplate(['first', '${...user.claims.roles}', 'admin', '${...nothing}'], context)).toEqual([
      'first',
      'admin',
      'buyer',
    ]);
  });

  it('leaves out objects and lists of which nothing is left, and keeps those that are empty by themselves', () => {
    expect(
      fillTemplate({ a: { b: '${nothing}' }, c: ['${nothing}'], d: {}, e: [], f: '${user.claims.none}' }, context),
    ).toEqual({
      d: {},
      e: [],
      f: [],
    });
  });

  it('makes an object with the keys of another one, and joins it with members of its own', () => {
    const template = {
      '...': { $each: 'user.by', $as: { roles: '${value}', of: '${key}' } },
      account: { roles: ['x'] },
    };
    expect(fillTemplate(template, context)).toEqual({
      shop: { roles: ['buyer'], of: 'shop' },
      desk: { roles: ['agent'], of: 'desk' },
      account: { roles: ['x'] },
    });
  });

  it('makes an object with the texts of a list as keys', () => {
    const template = { $each: 'user.claims.roles', $as: { '7': '${key}.example' } };
    expect(fillTemplate(template, context)).toEqual({ admin: { 7: 'admin.example' }, buyer: { 7: 'buyer.example' } });
    expect(fillTemplate({ a: { $each: 'user.claims.none', $as: 1 } }, context)).toBeUndefined();
  });

  it('makes one list of lists in the items of a list, and leaves out items that become nothing', () => {
    const teams = { teams: [{ id: 'a', roles: ['x', 'y'] }, { id: 'b', roles: ['z'] }, { id: 'c' }] };
    const template = { $map: 'teams', $as: { $map: 'value.roles', $as: '${outer.id}:${value}' } };
    expect(fillTemplate(template, teams)).toEqual(['a:x', 'a:y', 'b:z']);
    expect(fillTemplate({ $map: 'teams', $as: '${value.id}' }, teams)).toEqual(['a', 'b', 'c']);
    expect(fillTemplate({ $map: 'teams.0', $as: '${value.id}' }, teams)).toBeUndefined();
  });

  it('reads a member whose name has dots in brackets, and only own members', () => {
    const named = { claims: { 'https://shop.test/roles': ['a'] } };
    expect(fillTemplate('${claims[https://shop.test/roles]}', named)).toEqual(['a']);
    for (const path of ['claims.constructor', 'claims.__proto__', 'claims.toString', 'claims.a.b.c']) {
      expect(fillTemplate(`\${${path}}`, named)).toBeUndefined();
    }
  });
});

describe('claimsByRules', () => {
  it('applies rules whose conditions are all met; the later of two counts', () => {
    const rules = [
      { claims: { a: 1, b: 1 } },
      { when: 'scope.email', claims: { b: 2 } },
      { when: ['scope.email', '!scope.phone'], claims: { c: 3 } },
      { when: ['scope.email', 'scope.phone'], claims: { c: 4, d: 4 } },
      { when: '!scope.email', claims: { a: 5 } },
    ];
    expect(claimsByRules(rules, context)).toEqual({ a: 1, b: 2, c: 3 });
  });

  it('shows a rule the claims so far', () => {
    const rules = [
      { claims: { repository: 'octo/shop' } },
      { when: 'claims.repository', claims: { sub: 'repo:${claims.repository}:by:${claims.actor}' } },
    ];
    expect(claimsByRules(rules, { claims: { actor: 'alice' } })).toMatchObject({ sub: 'repo:octo/shop:by:alice' });
  });

  it('changes no prototype, whatever the claims are called', () => {
    const claims = JSON.parse('{ "__proto__": { "polluted": true } }') as Record<string, unknown>;
    claimsByRules([{ claims }], context);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });
});

describe('the claims of rules are bounded', () => {
  const groups = Array.from({ length: 200 }, (_, index) => `group-${index}-with-a-name-of-some-length`);
  const each = { $map: 'user.groups', $as: '${value}' };

  it('in what lists inside of lists make', () => {
    const nested = { $map: 'user.groups', $as: { $map: 'user.groups', $as: '${outer}:${value}' } };
    expect(() => claimsByRules([{ claims: { all: nested } }], { user: { groups } })).toThrow(
      'the rules for claims make more than 256 kB, which is the most for one token',
    );
    expect(claimsByRules([{ claims: { all: each } }], { user: { groups } })).toEqual({ all: groups });
  });

  it('in the work that makes nothing', () => {
    let looks = 0;
    const user = {
      get groups() {
        looks++;
        return groups;
      },
    };
    const deep = [1, 2, 3].reduce<unknown>(inner => ({ $map: 'user.groups', $as: inner }), '${nothing}');
    expect(() => claimsByRules([{ claims: { all: deep } }], { user })).toThrow('256 kB');
    expect(looks).toBeLessThan(10_000);
  });

  it('of all rules together, and no rule copies the claims of those before it', () => {
    let copies = 0;
    const ownKeys = (target: object) => {
      copies++;
      return Reflect.ownKeys(target);
    };
    const claims = new Proxy({ iss: 'http://localhost' }, { ownKeys });
    const rules = Array.from({ length: 1000 }, (_, index) => ({ claims: { [`claim-${index}`]: '${user.sub}' } }));
    expect(Object.keys(claimsByRules(rules, { user: { sub: 'alice' }, claims }))).toHaveLength(1000);
    expect(copies).toBe(1);
    const long = rules.map((_, index) => ({ claims: { [`long-${index}`]: '${user.text}' } }));
    expect(() => claimsByRules(long, { user: { text: 'x'.repeat(1000) } })).toThrow('256 kB');
  });

  it('and all claims so far are a copy, of any name', () => {
    const claims = JSON.parse('{ "__proto__": "a claim", "sub": "alice" }');
    const added = claimsByRules([{ claims: { all: '${claims}' } }, { claims: { later: '${claims.all.sub}' } }], {
      claims,
    });
    expect(added).toEqual({ all: expect.objectContaining({ sub: 'alice' }), later: 'alice' });
    expect(JSON.stringify(added)).toContain('"__proto__":"a claim"');
  });
});
