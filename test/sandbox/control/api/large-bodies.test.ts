import { describe, expect, it } from 'vitest';
import { isSameJson } from '../../../../src/protocol/json-parameter.ts';
import { isLarge, mostValues } from '../../../../src/sandbox/config/large-value.ts';
import { controlled } from './support.ts';

const many = <T>(count: number, make: (n: number) => T) => Array.from({ length: count }, (_, n) => make(n));
const named = (count: number, name: string) => Object.fromEntries(many(count, n => [`${name}${n}`, 1]));
const client = { client_id: 'large', client_secret: 'its secret', redirect_uris: ['https://app.example/cb'] };

const large: readonly (readonly [what: string, call: string, body: object])[] = [
  ['keys', 'POST /clients', { ...client, jwks: { keys: many(40_000, () => ({ kty: 'RSA' })) } }],
  ['redirect URIs', 'POST /clients', { ...client, redirect_uris: many(15_000, n => `https://app.example/${n}`) }],
  ['members of a change', 'PATCH /clients/frontend', named(40_000, 'redirect_urs')],
  ['unknown names', 'POST /clients', named(40_000, 'redirect_urs')],
  ['claims of a user', 'POST /users', { sub: 'large', claims: named(40_000, 'claim') }],
  ['claims of a token', 'POST /tokens', { client: 'frontend', user: 'alice', claims: named(40_000, 'claim') }],
  ['members of a fault', 'POST /faults', { fault: 'unavailable', ...named(40_000, 'member') }],
  [
    'rows',
    'POST /resources',
    { name: 'things', readScope: 'a', fields: { n: 'integer' }, seed: many(9000, n => ({ n })) },
  ],
  [
    'clients of an issuer',
    'POST /issuers',
    { config: { clients: many(5000, n => ({ ...client, client_id: `c${n}` })) } },
  ],
];

describe('a body with too much in it', () => {
  it('is refused before anything in it is checked, and says how much there may be', async () => {
    const { call } = await controlled();
    for (const [what, operation, body] of large) {
      const { status, body: problem } = await call(operation, body);
      expect(status, what).toBe(413);
      expect(problem, what).toMatchObject({
        detail: 'the body has more than 5000 values',
        reason: 'body_too_large',
        sent: 'more than 5000 values',
        expected: expect.stringMatching(/^at most 5000, counting lists, objects and the values inside/),
      });
      expect(problem.errors, what).toBeUndefined();
    }
    expect((await call('GET /clients/large')).status).toBe(404);
  });

  it('is taken where it is just not too much', async () => {
    const { call } = await controlled();
    // the body, sub and its value, claims, and each of them
    const claims = named(mostValues - 3, 'claim');
    expect((await call('POST /users', { sub: 'large', claims })).status).toBe(201);
    expect((await call('POST /users', { sub: 'larger', claims: { ...claims, another: 1 } })).status).toBe(413);
  });

  it('is looked at up to there only', () => {
    let looks = 0;
    const counted = many(100_000, () => ({}));
    const items = new Proxy(counted, {
      get: (target, name) => {
        looks++;
        return Reflect.get(target, name);
      },
    });
    expect(isLarge(items)).toBe(true);
    expect(looks).toBeLessThanOrEqual(mostValues);
  });
});

it('what two clients share is the same without a look at it', () => {
  const jwks = new Proxy({}, { ownKeys: () => expect.fail('its members were compared') });
  expect(isSameJson({ client_id: 'a', jwks }, { client_id: 'a', jwks })).toBe(true);
  expect(isSameJson({ client_id: 'a', jwks }, { client_id: 'b', jwks })).toBe(false);
});
