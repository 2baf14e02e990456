import { describe, expect, it } from 'vitest';
import {
  type AppRefusal,
  accountKey,
  checkClaims,
  type Protection,
  protectionNames,
} from '../../../../src/extensions/lessons/demo-app/checks.ts';

const own = { issuer: 'https://idp.example', client_id: 'app', nonce: 'n-1' };
const good = { iss: own.issuer, sub: 'alice', aud: 'app', nonce: 'n-1' };
const without = (...names: readonly Protection[]) => new Set(protectionNames.filter(name => !names.includes(name)));

describe('the claims of an ID token', () => {
  it.each([
    ['one audience', good],
    ['several audiences, with the application as the authorized party', { ...good, aud: ['app', 'api'], azp: 'app' }],
  ])('are accepted: %s', (_, claims) => {
    expect(() => checkClaims(claims, own, without())).not.toThrow();
  });

  it.each<[Protection, object, string]>([
    ['iss', { ...good, iss: 'https://evil.example' }, 'https://evil.example'],
    ['aud', { ...good, aud: 'shop' }, 'shop'],
    ['azp', { ...good, azp: 'shop' }, 'shop'],
    ['azp', { ...good, aud: ['app', 'api'] }, 'nothing'],
    ['nonce', { ...good, nonce: 'n-0' }, 'n-0'],
    ['nonce', { ...good, nonce: undefined }, 'nothing'],
  ])('are refused for a wrong %s, and accepted where nobody compares it: %j', (why, claims, sent) => {
    expect(() => checkClaims(claims, own, without())).toThrow(expect.objectContaining({ why, sent }) as AppRefusal);
    expect(() => checkClaims(claims, own, without(why))).not.toThrow();
  });
});

describe('an account', () => {
  const alice = { iss: own.issuer, sub: 'alice', name: 'Alice', email: 'alice@example.com' };
  const mallory = { ...alice, sub: 'mallory' };

  it('belongs to iss and sub, or else to the e-mail', () => {
    expect(accountKey(alice, without())).not.toBe(accountKey(mallory, without()));
    expect(accountKey(alice, without('sub'))).toBe(accountKey(mallory, without('sub')));
    expect(accountKey({ ...alice, email: '' }, without('sub'))).toBe(accountKey({ ...alice, email: '' }, without()));
  });
});
