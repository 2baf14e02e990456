import { describe, expect, it } from 'vitest';
import { checkChallenge, s256, verifyPkce } from '../../../src/protocol/requests/pkce.ts';
import { challenge, verifier } from '../../support/server.ts';

it('makes the challenge of RFC 7636 Appendix B', () => {
  expect(s256('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')).toBe('E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM');
});

describe('a code_challenge (RFC 7636 §4.3)', () => {
  it.each([
    ['S256', challenge, 'S256', true],
    ['S256 of a client that need not', challenge, 'S256', false],
    ['none of a client that need not', undefined, undefined, false],
  ])('is accepted: %s', (_what, sent, method, required) => {
    expect(() => checkChallenge(sent, method, required)).not.toThrow();
  });

  it.each([
    ['plain', verifier, 'plain', /must be S256/],
    ['no method, which means plain', challenge, undefined, /must be S256/],
    ['another case', challenge, 's256', /must be S256/],
    ['an unknown method', challenge, 'S512', /must be S256/],
    ['none of a client that must', undefined, undefined, /code_challenge is missing/],
    ['a method alone', undefined, 'S256', /without a code_challenge/],
    ['42 characters', challenge.slice(1), 'S256', /not the base64url SHA-256/],
    ['44 characters', `${challenge}A`, 'S256', /not the base64url SHA-256/],
    ['padding', `${challenge}=`, 'S256', /not the base64url SHA-256/],
    ['base64 that is not base64url', `${'+/'.repeat(21)}A`, 'S256', /not the base64url SHA-256/],
  ])('is invalid_request: %s', (_what, sent, method, why) => {
    expect(() => checkChallenge(sent, method, true)).toThrow('invalid_request');
    expect(() => checkChallenge(sent, method, true)).toThrow(why);
  });

  it('is not asked whether the client must when a method is sent alone', () => {
    expect(() => checkChallenge(undefined, 'S256', false)).toThrow('invalid_request');
  });
});

describe('a code_verifier (RFC 7636 §4.6)', () => {
  it('fits its challenge', () => {
    expect(() => verifyPkce(challenge, verifier)).not.toThrow();
  });

  it.each([43, 128])('may have %i characters', length => {
    const long = 'a'.repeat(length);
    expect(() => verifyPkce(s256(long), long)).not.toThrow();
  });

  it.each([
    ['missing', undefined, /code_verifier is missing/],
    ['another one', 'b'.repeat(43), /does not match/],
    ['42 characters', 'a'.repeat(42), /43 to 128/],
    ['129 characters', 'a'.repeat(129), /43 to 128/],
    ['other characters', `${'a'.repeat(42)}+`, /43 to 128/],
    ['the challenge itself', challenge, /does not match/],
  ])('is invalid_grant: %s', (_what, sent, why) => {
    expect(() => verifyPkce(challenge, sent)).toThrow('invalid_grant');
    expect(() => verifyPkce(challenge, sent)).toThrow(why);
  });

  it('is not accepted where no challenge was sent (downgrade, OAuth 2.1 §4.1.3)', () => {
    expect(() => verifyPkce(undefined, verifier)).toThrow('invalid_grant');
    expect(() => verifyPkce(undefined, undefined)).not.toThrow();
  });
});
