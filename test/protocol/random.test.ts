import { describe, expect, it } from 'vitest';
import { randomSecret, sameSecret, seededRandom, systemRandom } from '../../src/protocol/random.ts';

it('makes secrets of 256 bits that differ (RFC 6749 §10.10)', () => {
  const secrets = Array.from({ length: 1000 }, randomSecret);
  expect(new Set(secrets).size).toBe(1000);
  for (const secret of secrets) expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
});

it('names tokens shortly', () => {
  expect(systemRandom.tokenId()).toMatch(/^tok_[0-9a-f]{12}$/);
});

it.each([
  ['a', 'a', true],
  ['', '', true],
  ['a', 'b', false],
  ['a', 'aa', false],
  ['é', 'e', false],
])('compares %j with %j: %s', (a, b, same) => {
  expect(sameSecret(a, b)).toBe(same);
});

describe('a seed', () => {
  const some = (seed: string) => {
    const random = seededRandom(seed);
    return [random.secret(), random.id(), random.tokenId(), random.below(20), random.secret(), random.below(7)];
  };

  it('gives the same each time', () => {
    expect(some('a')).toEqual(some('a'));
    expect(some('a')).not.toEqual(some('b'));
  });

  it('looks like random values of the system', () => {
    const [secret, id, tokenId] = some('a');
    expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(tokenId).toMatch(/^tok_[0-9a-f]{12}$/);
  });

  it('never repeats a value, and restarts on demand', () => {
    const random = seededRandom('a');
    const first = Array.from({ length: 1000 }, () => random.id());
    expect(new Set(first).size).toBe(1000);
    random.restart();
    expect(random.id()).toBe(first[0]);
  });
});
