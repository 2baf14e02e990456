import { describe, expect, it } from 'vitest';
import { OAuthError } from '../../../src/protocol/errors.ts';
import { narrowClaims, parseClaimsParameter, personalClaims } from '../../../src/protocol/requests/claims-parameter.ts';

function refused(text: string): OAuthError {
  try {
    parseClaimsParameter(text);
  } catch (error) {
    if (error instanceof OAuthError) return error;
    throw error;
  }
  throw new Error(`not refused: ${text}`);
}

describe('the claims parameter (OIDC Core §5.5)', () => {
  it('says for UserInfo and ID token which claims are wanted, and how', () => {
    const text = JSON.stringify({
      userinfo: { given_name: { essential: true }, nickname: null },
      id_token: { acr: { values: ['urn:gold'] }, sub: { value: 'alice' } },
    });
    expect(parseClaimsParameter(text)).toEqual(JSON.parse(text));
  });

  it.each([
    ['other destinations', '{"verified_claims": {"x": 1}}', {}],
    [
      'other members of a claim',
      '{"id_token": {"email": {"purpose": "mail", "essential": true}}}',
      { essential: true },
    ],
  ])('ignores %s', (_what, text, email) => {
    const parsed = parseClaimsParameter(text);
    expect(parsed.id_token?.email ?? {}).toEqual(email);
    expect(Object.keys(parsed)).not.toContain('verified_claims');
  });

  it('takes a value beside values for the first of them', () => {
    const parsed = parseClaimsParameter(
      '{"id_token": {"acr": {"essential": true, "value": "gold", "values": ["silver"]}}}',
    );
    expect(parsed.id_token?.acr).toEqual({ essential: true, values: ['gold', 'silver'] });
  });

  it('takes a claim that is called like something of JavaScript for a claim', () => {
    const parsed = parseClaimsParameter('{"userinfo": {"__proto__": {"essential": true}, "constructor": null}}');
    expect(Object.keys(parsed.userinfo ?? {})).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(parsed.userinfo)).toBe(Object.prototype);
  });

  it.each([
    ['what is no JSON', '{"userinfo": '],
    ['a list', '[]'],
    ['a text', '"email"'],
    ['null', 'null'],
    ['a destination that is a list', '{"userinfo": ["email"]}'],
    ['a destination that is null', '{"id_token": null}'],
    ['a claim that is true', '{"userinfo": {"email": true}}'],
    ['a claim that is a list', '{"userinfo": {"email": []}}'],
    ['essential in quotes', '{"userinfo": {"email": {"essential": "true"}}}'],
    ['values that are no list', '{"id_token": {"acr": {"values": "1"}}}'],
    ['values without one', '{"id_token": {"acr": {"values": []}}}'],
    ['an acr that is no text beside values', '{"id_token": {"acr": {"value": 1, "values": ["1"]}}}'],
    ['a sub that is no text', '{"id_token": {"sub": {"value": 5}}}'],
    ['an acr that is no text', '{"id_token": {"acr": {"essential": true, "values": ["1", null]}}}'],
    ['endless nesting', `{"userinfo": {"x": {"value": ${'['.repeat(60)}${']'.repeat(60)}}}}`],
  ])('refuses %s', (_what, text) => {
    const error = refused(text);
    expect(error).toMatchObject({ code: 'invalid_request', reason: 'claims_malformed' });
    expect(error.details.expected).toContain('userinfo');
  });

  it('keeps personal claims apart from those of the protocol', () => {
    const asked = { userinfo: { email: null, sub: null }, id_token: { acr: null, name: null, email: null } };
    expect(personalClaims(asked)).toEqual(['name', 'email']);
    expect(narrowClaims(asked, ['name'])).toEqual({ userinfo: { sub: null }, id_token: { acr: null, name: null } });
  });
});
