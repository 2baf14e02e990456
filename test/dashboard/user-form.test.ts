import { describe, expect, it } from 'vitest';
import { createNotices } from '../../src/dashboard/dashboard.ts';
import { createRemoved } from '../../src/dashboard/removed.ts';
import { duplicateOf, nextPerson } from '../../src/dashboard/users/user-list.ts';
import { formOfUser, readUserForm } from '../../src/dashboard/users/user-pages.ts';
import type { TestUser } from '../../src/protocol/users/user.ts';

const user = (sub: string): TestUser => ({ sub, username: sub, claims: {}, access_token_claims: {} });

describe('the form of a user', () => {
  it('sent unchanged means no change', () => {
    const entry = { sub: 'alice', password: 'p', claims: { name: 'Alice' } };
    expect(readUserForm(formOfUser('alice', entry))).toMatchObject({
      members: { username: 'alice', password: 'p', claims: { name: 'Alice' }, access_token_claims: {} },
      problems: {},
    });
  });

  it('needs no password, and no claims', () => {
    const form = { username: '', password: '', claims: ' ', access_token_claims: '' };
    expect(readUserForm(form)).toMatchObject({ members: { username: null, password: null, claims: {} }, problems: {} });
  });

  it('says the line and the reason where claims are no JSON', () => {
    const form = { username: 'a', password: '', claims: "{\n  'a': 1 }", access_token_claims: '[]' };
    expect(readUserForm(form).problems).toEqual({
      claims: ['Line 2: text must be in double quotes.'],
      access_token_claims: ['Line 1: [ is not expected here; expected: an object, { … }.'],
    });
  });

  it('says the line of a claim that the rules refuse', () => {
    const form = { username: 'a', password: '', claims: '{\n "b": 1,\n "iss": 2 }', access_token_claims: '{}' };
    const { place } = readUserForm(form);
    expect(
      place([
        { member: 'claims.iss', expected: 'another name' },
        { member: 'username', expected: 'another' },
      ]),
    ).toEqual({ claims: ['Line 3: expected another name.'], username: ['expected another.'] });
  });
});

describe('a new user', () => {
  it('who is made up is the next of a list, and nobody who is there', () => {
    const first = nextPerson([]);
    expect(first).toEqual(nextPerson([]));
    const second = nextPerson([user(String(first.sub))]);
    expect(second.sub).not.toBe(first.sub);
    expect(second).toMatchObject({ claims: { email_verified: true } });
  });

  it('who is a duplicate has a free name, the same claims and no password', () => {
    const entry = { sub: 'alice-2', username: 'al', password: 'p', password_hash: 'h', claims: { name: 'A' } };
    expect(duplicateOf(entry, [user('alice'), user('alice-2')])).toEqual({ sub: 'alice-3', claims: { name: 'A' } });
  });
});

describe('a deleted user', () => {
  it('can come back: the configured, and the last that were not', () => {
    const there = new Set(['a', 'b']);
    const removed = createRemoved(['a', 'b'], () => there);
    expect(removed.ids()).toEqual([]);
    there.delete('b');
    removed.remember('b', { sub: 'b' });
    removed.remember('c', { sub: 'c' });
    expect(removed.ids()).toEqual(['b', 'c']);
    expect(removed.entryOf('b')).toBeUndefined();
    expect(removed.entryOf('c')).toEqual({ sub: 'c' });
    for (let number = 0; number < 30; number++) removed.remember(`x${number}`, {});
    expect(removed.ids()).toHaveLength(21);
    expect(removed.entryOf('c')).toBeUndefined();
  });
});

describe('a notice', () => {
  it('is kept by a number, and forgotten after a hundred others', () => {
    const notices = createNotices();
    const id = notices.keep(['Saved.']);
    expect(notices.of(id)).toEqual(['Saved.']);
    expect(notices.of('nothing')).toEqual([]);
    expect(notices.of(['1'])).toEqual([]);
    for (let number = 0; number < 100; number++) notices.keep([]);
    expect(notices.of(id)).toEqual([]);
  });
});
