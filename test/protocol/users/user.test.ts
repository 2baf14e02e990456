import { beforeEach, describe, expect, it } from 'vitest';
import { createUserDirectory, displayName, type UserDirectory } from '../../../src/protocol/users/user.ts';
import { users } from '../../support/server.ts';

let directory: UserDirectory;
beforeEach(() => {
  directory = createUserDirectory(users, ['frontend', 'sensor']);
});

describe('the user directory', () => {
  it('knows the configured users by sub', () => {
    expect([...directory.keys()]).toEqual(['alice', 'bob', 'carol']);
  });

  it('makes a user of a typed name', () => {
    expect(directory.create('dave')).toMatchObject({
      sub: 'dave',
      claims: { name: 'dave', preferred_username: 'dave' },
    });
    expect(directory.has('dave')).toBe(true);
  });

  it('takes a typed address as e-mail too', () => {
    expect(directory.create('erin@example.org')?.claims).toEqual({
      name: 'erin',
      preferred_username: 'erin',
      email: 'erin@example.org',
      email_verified: true,
    });
  });

  it.each(['frontend', 'sensor'])('refuses %s, which is a client (RFC 9700 §4.15)', typed => {
    expect(directory.create(typed)).toBeUndefined();
  });

  it.each(['', ' ', ' a', 'a ', 'jörg', 'a\nb', 'a\0b', 'x'.repeat(256)])(
    'refuses %j, which cannot be a sub',
    typed => {
      expect(directory.create(typed)).toBeUndefined();
    },
  );

  it.each(['x', 'x'.repeat(255), 'a b', '<script>', '__proto__', 'constructor', '\'"'])('takes %j', typed => {
    expect(directory.create(typed)?.sub).toBe(typed);
    expect(directory.get(typed)?.sub).toBe(typed);
  });

  it('takes a thousand typed users and no more', () => {
    for (let count = 0; count < 1000; count++) expect(directory.create(`user-${count}`)).toBeDefined();
    expect(directory.create('one more')).toBeUndefined();
  });

  it('drafts a user without keeping them', () => {
    expect(directory.draft('dave')).toEqual(directory.create('dave'));
    expect(directory.draft('erin')?.sub).toBe('erin');
    expect(directory.has('erin')).toBe(false);
    expect(directory.draft('frontend')).toBeUndefined();
  });

  it('knows a visitor until somebody keeps them', () => {
    const dave = directory.create('dave', 'visitor');
    expect(directory.get('dave')?.isVisitor).toBe(true);
    expect(dave && directory.save(dave)).toBe(true);
    expect(directory.get('dave')).not.toHaveProperty('isVisitor');
  });

  it('saves a user in the place of who has that sub, and nobody new where there are too many', () => {
    const alice = directory.get('alice');
    expect(alice && directory.save({ ...alice, claims: { name: 'Al' } })).toBe(true);
    expect(directory.get('alice')?.claims).toEqual({ name: 'Al' });
    expect([...directory.keys()]).toEqual(['alice', 'bob', 'carol']);
    for (let count = 0; count < 1000; count++) directory.create(`user-${count}`);
    expect(directory.save({ sub: 'new', username: 'new', claims: {}, access_token_claims: {} })).toBe(false);
    expect(alice && directory.save(alice)).toBe(true);
  });

  it('forgets the typed ones on reset', () => {
    directory.create('dave');
    directory.reset();
    expect([...directory.keys()]).toEqual(['alice', 'bob', 'carol']);
  });
});

it.each([
  [{ name: 'Alice' }, 'Alice'],
  [{ name: '' }, 'u'],
  [{ name: 7 }, 'u'],
  [{}, 'u'],
])('shows a user with %j as %s', (claims, shown) => {
  expect(displayName({ sub: 's', username: 'u', claims, access_token_claims: {} })).toBe(shown);
});

it('keeps the ids of clients that register later free of users', () => {
  const later = new Set<string>();
  const growing = createUserDirectory(users, { includes: sub => later.has(sub) });
  later.add('client-1');
  expect(growing.create('client-1')).toBeUndefined();
  expect(growing.create('client-2')).toMatchObject({ sub: 'client-2' });
});
