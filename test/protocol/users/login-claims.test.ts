import { describe, expect, it } from 'vitest';
import {
  editableClaims,
  editedAmong,
  editedNames,
  loginClaims,
  onlyOfTheLogin,
  userAtLogin,
} from '../../../src/protocol/users/login-claims.ts';
import type { TestUser } from '../../../src/protocol/users/user.ts';

const alice: TestUser = {
  sub: 'alice',
  username: 'alice',
  claims: { name: 'Alice', email: 'a@example.com', roles: ['buyer'] },
  access_token_claims: { roles: ['api-buyer'], plan: 'free' },
};
const scope = (name: string, claims: string[]) => ({ name, description: '', claims, access_token_claims: {} });
const scopes = new Map(
  [scope('profile', ['name', 'locale']), scope('email', ['email']), scope('roles', ['roles'])].map(each => [
    each.name,
    each,
  ]),
);
const complete = { isComplete: true };
const over = { isComplete: false };

describe('an edit', () => {
  it('is the difference from the claims of the user', () => {
    expect(editableClaims(alice)).toEqual({ ...alice.claims, plan: 'free' });
    expect(loginClaims(alice, editableClaims(alice), complete)).toBeUndefined();
    expect(loginClaims(alice, { ...editableClaims(alice), email: 'b@example.com' }, complete)).toEqual({
      set: { email: 'b@example.com' },
      removed: [],
    });
  });

  it('removes claims that a complete set lacks, and claims that are null', () => {
    const { email: _, plan: __, ...rest } = editableClaims(alice);
    expect(loginClaims(alice, rest, complete)?.removed).toEqual(['email', 'plan']);
    expect(loginClaims(alice, rest, over)).toBeUndefined();
    expect(loginClaims(alice, { email: null, unknown: null }, over)).toEqual({ set: {}, removed: ['email'] });
  });

  it('neither shows nor removes what the protocol reserves, such as who may act for the user (RFC 8693 §4.4)', () => {
    const bound = {
      ...alice,
      access_token_claims: { ...alice.access_token_claims, azp: 'shop', may_act: { sub: 'api' } },
    };
    expect(editableClaims(bound)).toEqual(editableClaims(alice));
    const edited = loginClaims(bound, { name: 'Alice' }, complete);
    expect(edited?.removed).toEqual(['email', 'roles', 'plan']);
    expect(userAtLogin(scopes, bound, edited).access_token_claims).toEqual({ azp: 'shop', may_act: { sub: 'api' } });
  });

  it('is logged with the names of its claims', () => {
    const edited = loginClaims(alice, { email: null, tenant: 'acme', acr: '2' }, over);
    expect(edited && editedNames(edited)).toEqual(['tenant', 'acr', 'email']);
    expect(editedAmong(edited, { tenant: 'acme', sub: 'alice' })).toEqual(['tenant']);
    expect(editedAmong(undefined, { tenant: 'acme' })).toEqual([]);
  });

  it('is of the login alone where it says how strong that was', () => {
    expect(onlyOfTheLogin({ set: { acr: '2', roles: [] }, removed: ['email'] })).toEqual({
      set: { acr: '2' },
      removed: [],
    });
    expect(onlyOfTheLogin({ set: { roles: [] }, removed: [] })).toBeUndefined();
  });
});

describe('the user at a login', () => {
  const at = (claims: Record<string, unknown>) => userAtLogin(scopes, alice, loginClaims(alice, claims, over));

  it('is the user where nothing was edited', () => {
    expect(userAtLogin(scopes, alice, undefined)).toBe(alice);
  });

  it('puts claims of a scope into ID token and UserInfo only', () => {
    expect(at({ name: 'Al', locale: 'de' })).toMatchObject({
      claims: { name: 'Al', locale: 'de' },
      access_token_claims: alice.access_token_claims,
      unscoped_claims: [],
    });
  });

  it.each(['roles', 'groups', 'entitlements'])('has %s in access tokens too (RFC 9068 §2.2.3.1)', name => {
    const { claims, access_token_claims } = at({ [name]: ['x'] });
    expect([claims[name], access_token_claims[name]]).toEqual([['x'], ['x']]);
  });

  it('has in access tokens what the record has there', () => {
    expect(at({ plan: 'pro' }).access_token_claims).toEqual({ roles: ['api-buyer'], plan: 'pro' });
  });

  it('puts claims without a scope everywhere', () => {
    expect(at({ tenant: 'acme' })).toMatchObject({
      claims: { tenant: 'acme' },
      access_token_claims: { tenant: 'acme' },
      unscoped_claims: ['tenant'],
    });
  });

  it('has removed claims nowhere', () => {
    const { claims, access_token_claims } = at({ roles: null });
    expect([Object.keys(claims), Object.keys(access_token_claims)]).toEqual([['name', 'email'], ['plan']]);
  });

  it('has no acr and amr in the record', () => {
    const { claims, access_token_claims, unscoped_claims } = at({ acr: '2', amr: ['pwd'] });
    expect([claims.acr, access_token_claims.amr, unscoped_claims]).toEqual([undefined, undefined, []]);
  });
});
