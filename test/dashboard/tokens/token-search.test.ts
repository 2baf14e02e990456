import { describe, expect, it } from 'vitest';
import { createMatcher, parseFilter } from '../../../src/dashboard/tokens/token-list.ts';
import { createStatusOf } from '../../../src/record/flows/token-status.ts';
import { workOf } from '../../support/work.ts';
import { codeFact, createLog, issue, jwt, now, refreshFact, tokenFact } from '../running-dashboard.ts';

const events = createLog();
issue(events, codeFact('tok_code'), 'req_login');
issue(events, tokenFact('tok_access', { parentTokenId: 'tok_code' }));
issue(events, refreshFact('tok_refresh', { parentTokenId: 'tok_code', scope: 'openid' }));
issue(
  events,
  tokenFact('tok_admin', {
    authorizationId: 'auth-2',
    sub: 'bob',
    alg: 'ES256',
    kid: 'key-2',
    token: jwt({
      aud: ['api', 'frontend'],
      roles: ['admin', 'buyer'],
      realm: { roles: ['chief'] },
      email_verified: false,
      'https://example.test/tenant': 'blue',
    }),
  }),
);
const { sub: _, scope: __, ...machine } = tokenFact('tok_machine', { authorizationId: 'auth-3', client_id: 'sensor' });
issue(events, { ...machine, iat: now - 400, exp: now - 100 });

function found(query: string): string[] {
  const matches = createMatcher(
    parseFilter(query),
    {
      statusOf: createStatusOf(events, now),
      flowOf: ({ requestId }) => (requestId === 'req_login' ? 'flow_1' : undefined),
    },
    now,
  );
  return events
    .latestIssued(100)
    .filter(matches)
    .map(({ tokenId }) => tokenId.slice('tok_'.length))
    .reverse();
}

describe('a filter', () => {
  it.each([
    ['', ['code', 'access', 'refresh', 'admin', 'machine']],
    ['   ', ['code', 'access', 'refresh', 'admin', 'machine']],
    ['type:access', ['access', 'admin', 'machine']],
    ['type:code', ['code']],
    ['TYPE:Access user:ALICE', ['access']],
    ['-type:access', ['code', 'refresh']],
    ['!type:access', ['code', 'refresh']],
    ['user:bob', ['admin']],
    ['user:al*', ['code', 'access', 'refresh']],
    ['user:', ['code', 'access', 'refresh', 'admin']],
    ['-user:', ['machine']],
    ['client:sensor', ['machine']],
    ['scope:products:read', ['code', 'access', 'admin']],
    ['scope:products', []],
    ['-scope:', ['machine']],
    ['status:used', ['code']],
    ['status:expired', ['machine']],
    ['status:valid type:access', ['access', 'admin']],
    ['aud:api', ['admin']],
    ['kid:key-2', ['admin']],
    ['alg:es256', ['admin']],
    ['claim.roles:admin', ['admin']],
    ['claim.realm.roles:chief', ['admin']],
    ['claim.email_verified:false', ['admin']],
    ['claim.https://example.test/tenant:blue', ['admin']],
    ['claim.roles:', ['admin']],
    ['-claim.roles: type:access', ['access', 'machine']],
    ['claim.constructor:', []],
    ['tok_adm', ['admin']],
    ['req_login', ['code']],
    ['bob', ['admin']],
    ['"openid products"', ['code', 'access', 'admin']],
    ['user:"bob"', ['admin']],
    ['nobody', []],
    ['raw-tok_refresh', ['refresh']],
    ['flow:flow_1', ['code']],
    ['-flow:', ['access', 'refresh', 'admin', 'machine']],
    ['user:alice usr:bob', []],
    ['grant:authorization_code', ['access', 'refresh', 'admin', 'machine']],
  ])('%s', (query, expected) => {
    expect(found(query)).toEqual(expected);
  });

  it.each([
    ['usr:alice', /^Unknown operator `usr:`\. Did you mean `user:`\? Known: type, user/],
    ['cliant:x', /Did you mean `client:`\?/],
    ['zzzzzzzzzz:x', /^Unknown operator `zzzzzzzzzz:`\. Known: type, user/],
    ['type:acces', /^Unknown value `acces` of `type:`\. Known: access, id, refresh, code\.$/],
    ['status:gone', /valid, expired, revoked, replaced, used/],
    ['claim:x', /claim\.<path>/],
  ])('says what it does not understand in %s', (query, expected) => {
    const { terms, problems } = parseFilter(query);
    expect(terms).toEqual([]);
    expect(problems).toEqual([expect.stringMatching(expected)]);
  });

  it.each(['http://localhost:9000/x', '-', '!', '"', ':', '::', '-"', 'a:b:c:"', '\u0000', 'é'])(
    'survives %j',
    query => {
      expect(() => found(query)).not.toThrow();
    },
  );

  it('takes an address as a word, not as an operator', () => {
    expect(parseFilter('http://localhost:9000').problems).toEqual([]);
  });

  it('reads no more than a bounded number of terms', () => {
    expect(parseFilter('a '.repeat(10_000)).terms.length).toBeLessThanOrEqual(20);
  });

  it.each<[(times: number) => string]>([
    [times => '"'.repeat(times)],
    [times => 'é'.repeat(times)],
    [times => `${'a.'.repeat(times)}:`],
    [times => `${'-'.repeat(times)}:"`],
  ])('is read with as much work as it is long: %s', textOf => {
    const workFor = (times: number) => workOf(() => void parseFilter(textOf(times)));
    expect(workFor(2000)).toBeLessThan(3 * workFor(1000));
    expect(workFor(100_000)).toBeLessThan(6 * workFor(1000)); // no more than 4096 characters are read
  });
});
