import { describe, expect, it } from 'vitest';
import { claimsObjectProblem, mostClaims, readTypedClaims } from '../../../src/protocol/users/login-claims.ts';

const problemOf = (text: string) => {
  const read = readTypedClaims(text);
  return 'problem' in read ? `${read.problem.line}: ${read.problem.reason}` : read.claims;
};

describe('claims that were typed', () => {
  it('are any JSON object', () => {
    expect(problemOf('{"roles": ["admin"], "address": {"country": "DE"}, "email": null}')).toEqual({
      roles: ['admin'],
      address: { country: 'DE' },
      email: null,
    });
  });

  it.each([
    ...'iss aud exp iat nbf jti sub azp nonce at_hash c_hash s_hash sid auth_time client_id scope cnf act'.split(' '),
    ...['may_act', 'authorization_details', 'events'],
  ])('cannot be %s, which is of the protocol', name => {
    expect(problemOf(`{\n  "roles": [],\n  "${name}": "x"\n}`)).toBe(
      `3: ${name} cannot be set here: the server sets this claim itself`,
    );
  });

  it('can have such a name further inside', () => {
    expect(problemOf('{"x": {"iss": 1}}')).toEqual({ x: { iss: 1 } });
  });

  it.each([
    ['"acr": 2', '1: acr is text of 1 to 200 characters, such as "1"'],
    ['"acr": ""', '1: acr is text of 1 to 200 characters, such as "1"'],
    [`"acr": "${'x'.repeat(201)}"`, '1: acr is text of 1 to 200 characters, such as "1"'],
    ['"amr": "pwd"', '1: amr is a list of 1 to 20 texts, such as ["pwd", "otp"]'],
    ['"amr": []', '1: amr is a list of 1 to 20 texts, such as ["pwd", "otp"]'],
    ['"amr": [1]', '1: amr is a list of 1 to 20 texts, such as ["pwd", "otp"]'],
    ['"": 1', '1: a claim needs a name'],
  ])('are refused where the login needs another form: %s', (member, reason) => {
    expect(problemOf(`{${member}}`)).toBe(reason);
  });

  it('are bounded in length, depth and number', () => {
    expect(problemOf(`{"a": "${'x'.repeat(mostClaims.length)}"}`)).toContain('characters; the limit is 8192');
    expect(problemOf(`{"a": ${'['.repeat(10)}${']'.repeat(10)}}`)).toContain('nested deeper than 10 levels');
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`c${index}`, index]));
    expect(problemOf(JSON.stringify(many))).toContain('there are too many claims; the limit is 100');
  });

  it('are held to the same as an object', () => {
    expect(claimsObjectProblem({ roles: ['admin'], acr: '2' })).toBeUndefined();
    expect(claimsObjectProblem({ roles: [], exp: 1 })?.name).toBe('exp');
    expect(claimsObjectProblem({ a: 'x'.repeat(9000) })?.reason).toContain('the limit is 8192');
    expect(claimsObjectProblem(JSON.parse('{"__proto__": {"admin": true}}'))?.reason).toContain('__proto__');
    const deep = JSON.parse(`${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`);
    expect(claimsObjectProblem(deep)?.reason).toContain('deeper than 10 levels');
  });
});
