import { expect, it } from 'vitest';
import { randomSecret, randomTokenId, sameSecret } from '../../src/oauth/random.ts';

it('makes secrets of 256 bits that differ (RFC 6749 §10.10)', () => {
  const secrets = Array.from({ length: 1000 }, randomSecret);
  expect(new Set(secrets).size).toBe(1000);
  for (const secret of secrets) expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
});

it('names tokens shortly', () => {
  expect(randomTokenId()).toMatch(/^tok_[0-9a-f]{12}$/);
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
