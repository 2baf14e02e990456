import { expect, it } from 'vitest';
import { decodeJwt } from '../../../src/base/text/jwt.ts';

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const header = part({ alg: 'none' });
const payload = part({ sub: 'alice' });

it('a JWT is its header, its claims and its three parts', () => {
  expect(decodeJwt(`${header}.${payload}.c2ln`)).toEqual({
    header: { alg: 'none' },
    claims: { sub: 'alice' },
    parts: [header, payload, 'c2ln'],
  });
});

it('a JWT whose signature is cut off can still be looked at', () => {
  expect(decodeJwt(`${header}.${payload}`)?.parts).toEqual([header, payload, '']);
});

it.each([
  ['an opaque token', 'XyZ'],
  ['an encrypted JWT', `${header}.${payload}.c.d.e`],
  ['a header that is a list', `${part([])}.${payload}.`],
  ['a payload that is no JSON', `${header}.${Buffer.from('{').toString('base64url')}.`],
])('%s is no JWT to look at', (_, token) => {
  expect(decodeJwt(token)).toBeUndefined();
});
