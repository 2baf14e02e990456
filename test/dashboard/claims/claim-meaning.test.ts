import { describe, expect, it } from 'vitest';
import {
  claimMeaning,
  claimMeanings,
  headerMeaning,
  headerMeanings,
  unknownClaim,
} from '../../../src/dashboard/claims/claim-meaning.ts';
import { referenceForm, referenceUrl } from '../../../src/server/http/views.ts';

const entries = [...Object.entries(claimMeanings), ...Object.entries(headerMeanings)];

describe('the claim dictionary', () => {
  it.each(entries)('%s has words and references that lead somewhere', (_, { words, reference, also = reference }) => {
    expect(words).toMatch(/^[A-Z].*\.$/);
    for (const each of [reference, also]) {
      expect(each).toMatch(referenceForm);
      expect(URL.canParse(referenceUrl(each) ?? '')).toBe(true);
    }
  });

  it.each([
    'iss sub aud exp nbf iat jti client_id scope roles groups entitlements azp nonce auth_time acr amr'.split(' '),
    'at_hash c_hash sid email email_verified name cnf act may_act'.split(' '),
  ])('knows what tokens usually hold: %s', (...names) => {
    expect(names.filter(name => claimMeaning(name) === unknownClaim)).toEqual([]);
  });

  it('knows the header of a JWT', () => {
    const names = 'alg kid typ cty jku jwk x5u x5c x5t x5t#S256 crit b64 enc zip epk apu apv'.split(' ');
    expect(names.filter(name => headerMeaning(name) === unknownClaim)).toEqual([]);
  });

  it.each(['tenant', 'constructor', '__proto__', 'toString', ''])('says that %j is no registered claim', name => {
    expect(claimMeaning(name)).toBe(unknownClaim);
    expect(headerMeaning(name)).toBe(unknownClaim);
  });
});

describe('a reference', () => {
  it.each([
    ['RFC 7519 §4.1.1', 'https://www.rfc-editor.org/rfc/rfc7519#section-4.1.1'],
    ['OIDC Core §5.3', 'https://openid.net/specs/openid-connect-core-1_0.html'],
    ['RFC 7519', undefined],
    ['OIDC Nothing §1', undefined],
    ['javascript:alert(1)', undefined],
  ])('%s', (reference, url) => {
    expect(referenceUrl(reference)).toBe(url);
  });
});
