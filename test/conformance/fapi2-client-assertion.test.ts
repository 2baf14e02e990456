import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { altered } from '../support/forgeries.ts';
import { checkTokenError, checkTokenResponse } from './checks.ts';
import { asRs256, type Claims, checkPushed, type FapiClient, type FapiOp, type Form, startFapi } from './fapi.ts';

let op: FapiOp;
let client: FapiClient;
let second: FapiClient;
beforeAll(async () => {
  op = await startFapi('private_key_jwt and DPoP');
  [client, second] = op.clients;
});
afterAll(() => op[Symbol.asyncDispose]());

/** What both endpoints say to these credentials: an error, or undefined where they are content. */
async function said(make: () => Promise<Form>, by = client): Promise<(string | undefined)[]> {
  const { code } = await by.authorize();
  const [pushed, redeemed] = [
    await by.push(by.request(), { credentials: await make() }),
    await by.redeem(code, {}, { credentials: await make() }),
  ];
  return [
    pushed.ok ? void (await checkPushed(pushed)) : await checkTokenError(pushed),
    redeemed.ok ? void (await checkTokenResponse(redeemed)) : await checkTokenError(redeemed),
  ];
}

const refused = ['invalid_client', 'invalid_client'];
const taken = [undefined, undefined];
const moved = (changes: (now: number) => Claims) => () => client.credentials(changes(op.now()));

describe('FAPI 2.0 Security Profile, client assertions at the PAR and at the token endpoint', () => {
  describe('fapi2-security-profile-final-ensure-client-assertion-in-token-endpoint', () => {
    it('refuse a request without one', async () => {
      expect(await said(async () => ({ client_id: client.client_id }))).toEqual(refused);
    });

    it('refuse one without its type, or with another', async () => {
      const without = async () => ({ ...(await client.credentials()), client_assertion_type: '' });
      expect(await said(without)).toEqual(refused);
      const other = 'urn:ietf:params:oauth:client-assertion-type:saml2-bearer';
      expect(await said(async () => ({ ...(await without()), client_assertion_type: other }))).toEqual(refused);
    });
  });

  describe('fapi2-security-profile-final-ensure-client-assertion-with-exp-is-5-minutes-in-past-fails', () => {
    it('refuse one that expired five minutes ago', async () => {
      expect(await said(moved(now => ({ iat: now - 360, exp: now - 300 })))).toEqual(refused);
    });
  });

  describe('fapi2-security-profile-final-ensure-client-assertion-with-wrong-aud-fails', () => {
    it('refuse one for another server', async () => {
      expect(await said(() => client.credentials({ aud: 'https://elsewhere.example' }))).toEqual(refused);
    });

    it('refuse one for nobody', async () => {
      expect(await said(() => client.credentials({ aud: undefined }))).toEqual(refused);
    });
  });

  describe('fapi2-security-profile-final-ensure-client-assertion-with-no-sub-fails', () => {
    it('refuse one without sub', async () => {
      expect(await said(() => client.credentials({ sub: undefined }))).toEqual(refused);
    });
  });

  describe('fapi2-security-profile-final-ensure-signed-client-assertion-with-RS256-fails', () => {
    it('refuse one by RS256, with the key that signs by PS256', async () => {
      const rs256 = await asRs256(second.key);
      expect(await said(() => second.credentials({}, {}, rs256), second)).toEqual(refused);
      expect(await said(() => second.credentials(), second)).toEqual(taken);
    });

    it('refuse one whose signature is not by the key of the client', async () => {
      const forged = async () => {
        const { client_assertion = '', ...rest } = await client.credentials();
        return { ...rest, client_assertion: altered(client_assertion, { exp: op.now() + 90 }) };
      };
      expect(await said(forged)).toEqual(refused);
    });
  });

  describe('fapi2-security-profile-final-par-ensure-jwt-client-assertions-nbf-8-seconds-in-the-future-is-accepted', () => {
    it('take one whose nbf and iat are 8 s ahead', async () => {
      expect(await said(moved(now => ({ nbf: now + 8, iat: now + 8 })))).toEqual(taken);
    });
  });

  describe('fapi2-security-profile-final-par-ensure-jwt-client-assertions-nbf-over-60-seconds-in-the-future-fails', () => {
    it('refuse one whose nbf and iat are more than 60 s ahead', async () => {
      expect(await said(moved(now => ({ nbf: now + 65, exp: now + 300 })))).toEqual(refused);
      expect(await said(moved(now => ({ iat: now + 65, exp: now + 300 })))).toEqual(refused);
    });
  });

  describe.each([
    [
      'fapi2-security-profile-final-par-test-par-endpoint-url-as-audience-fails',
      () => op.metadata.pushed_authorization_request_endpoint,
    ],
    ['fapi2-security-profile-final-par-test-token-endpoint-url-as-audience-fails', () => op.metadata.token_endpoint],
    ['fapi2-security-profile-final-par-test-array-as-audience-fails', () => [op.metadata.issuer]],
  ])('%s', (_, aud) => {
    it('refuse it: the issuer, as a string, is the only audience', async () => {
      expect(await said(() => client.credentials({ aud: aud() }))).toEqual(refused);
    });
  });

  describe('fapi2-security-profile-final-ensure-invalid-client-assertions-fail', () => {
    it.each<[string, Claims]>([
      ['sub is another', { sub: 'second' }],
      ['iss is missing', { iss: undefined }],
      ['iss is another', { iss: 'second' }],
      ['iss and sub are another', { iss: 'second', sub: 'second' }],
      ['exp is missing', { exp: undefined }],
      ['jti is missing', { jti: undefined }],
    ])('refuse one whose %s', async (_, claims) => {
      expect(await said(() => client.credentials(claims))).toEqual(refused);
    });

    it('refuse one that is for the issuer and for somebody else', async () => {
      const aud = [op.metadata.issuer, 'https://elsewhere.example'];
      expect(await said(() => client.credentials({ aud }))).toEqual(refused);
    });

    it('refuse one that nobody has signed', async () => {
      const bare = async () => {
        const { client_assertion = '', ...rest } = await client.credentials();
        return { ...rest, client_assertion: altered(client_assertion, {}, { alg: 'none' }).replace(/[^.]+$/, '') };
      };
      expect(await said(bare)).toEqual(refused);
    });

    it('refuse one that was used before', async () => {
      const credentials = await client.credentials();
      await checkPushed(await client.push(client.request(), { credentials }));
      expect(await checkTokenError(await client.push(client.request(), { credentials }))).toBe('invalid_client');
    });

    it('take a good one', async () => {
      expect(await said(() => client.credentials())).toEqual(taken);
    });
  });
});
