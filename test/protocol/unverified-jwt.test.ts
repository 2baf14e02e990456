import { errors } from 'jose';
import { describe, expect, it } from 'vitest';
import { readUnverified } from '../../src/protocol/unverified-jwt.ts';

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const jwt = (header: unknown, claims: unknown = {}) => `${encode(header)}.${encode(claims)}.c2ln`;

describe('a JWT that nobody has verified yet', () => {
  it('says its alg, kid, typ and claims', () => {
    const header = { alg: 'ES256', kid: 'k', typ: 'JWT' };
    expect(readUnverified(jwt(header, { iss: 'me', a: [1] }))).toEqual({ ...header, claims: { iss: 'me', a: [1] } });
    expect(readUnverified(jwt({}))).toEqual({ alg: '', kid: undefined, typ: undefined, claims: {} });
  });

  it.each([null, 1, true, [], {}, ['ES256']])('has no alg where it is %j', alg => {
    expect(readUnverified(jwt({ alg })).alg).toBe('');
  });

  it.each<readonly [what: string, jwt: string]>([
    ...[null, 1, ['k'], { toString: 1 }].flatMap(value => [
      ['kid', jwt({ kid: value })] as const,
      ['typ', jwt({ typ: value })] as const,
      ['iss', jwt({}, { iss: value })] as const,
    ]),
    ['depth', `${encode({})}.${Buffer.from(`{"a":${'['.repeat(40)}${']'.repeat(40)}}`).toString('base64url')}.c2ln`],
    ['number of parts', 'a.b'],
    ['padding', `${jwt({})}==`],
    ['padding of the claims', `${jwt({}).replace('.c2ln', '==.c2ln')}`],
    ['white space', `${jwt({})}\n`],
    ['crit', jwt({ crit: ['b64'], b64: false })],
    ['empty crit', jwt({ crit: [] })],
    ['claims', jwt({}, [])],
    ['header', jwt([])],
  ])('is refused for its %s: %s', (_what, text) => {
    const read = () => readUnverified(text);
    expect(read).toThrow();
    try {
      read();
    } catch (error) {
      expect(error instanceof TypeError || error instanceof errors.JOSEError).toBe(true);
    }
  });
});
