import { describe, expect, it } from 'vitest';
import { parseParameters } from '../../../src/protocol/parameters.ts';
import { bearerToken } from '../../../src/protocol/proofs/bearer-token.ts';

const body = (text: string) => parseParameters(text);

describe('a bearer token (RFC 6750 §2)', () => {
  it.each(['Bearer abc.d-e_f~+/=', 'bearer abc.d-e_f~+/=', 'BEARER   abc.d-e_f~+/=  '])('is read from %j', header => {
    expect(bearerToken(header)).toBe('abc.d-e_f~+/=');
  });

  it('is read from a form body', () => {
    expect(bearerToken(undefined, body('access_token=abc'))).toBe('abc');
  });

  it.each([undefined, 'Basic Zm9vOmJhcg==', 'DPoP abc', '', 'Bearerabc'])(
    'is not there in %j: another scheme is no attempt (§3.1)',
    header => {
      expect(bearerToken(header)).toBeUndefined();
    },
  );

  it.each(['Bearer', 'Bearer ', 'Bearer a b', 'Bearer a,b', 'Bearer ä', 'Bearer "a"', 'Bearer =', 'Bearer\tabc'])(
    'is invalid_request in %j',
    header => {
      expect(() => bearerToken(header)).toThrow('invalid_request');
    },
  );

  it('is invalid_request when it comes by two methods', () => {
    expect(() => bearerToken('Bearer abc', body('access_token=abc'))).toThrow('invalid_request');
  });

  it('is invalid_request when it comes twice in the body', () => {
    expect(() => bearerToken(undefined, body('access_token=a&access_token=a'))).toThrow('invalid_request');
  });
});
