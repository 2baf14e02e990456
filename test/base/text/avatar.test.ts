import { describe, expect, it } from 'vitest';
import { avatarOf, positionsOf } from '../../../src/base/text/avatar.ts';

describe('the avatar of a user', () => {
  const users = ['alice', 'bob', 'carol', 'dave', 'erin', 'frank'].map(sub => ({ sub }));
  const tintOf = (sub: string, listed: Parameters<typeof positionsOf>[0] = users) =>
    avatarOf(sub, sub, positionsOf(listed)).tint;

  it('has a different colour for each of the first six users', () => {
    expect(new Set(users.map(({ sub }) => tintOf(sub)))).toHaveProperty('size', 6);
  });

  it('keeps its colour when a visitor comes', () => {
    expect(tintOf('bob', [{ sub: 'zoe', isVisitor: true }, ...users])).toBe(tintOf('bob'));
  });

  it('has the colour of its letters if nobody knows the user', () => {
    expect(tintOf('gone', [])).toBe(tintOf('gone'));
    expect(tintOf('gone', [])).toBeLessThan(6);
  });

  it.each([
    ['Carol Núñez', 'CN'],
    ['Ada Maria Lopez', 'AL'],
    ['bob', 'B'],
    ['  ', '?'],
  ])('shortens %j to %s', (name, initials) => {
    expect(avatarOf(name, 'x', new Map()).initials).toBe(initials);
  });
});
