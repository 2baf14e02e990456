import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { altered } from '../support/forgeries.ts';
import { checkTokenError } from './checks.ts';
import {
  asRs256,
  type Claims,
  checkPushed,
  checkSignedResponse,
  type FapiClient,
  type FapiOp,
  logIn,
  startFapi,
  variants,
} from './fapi.ts';
import { errorPage, unsigned } from './party.ts';

describe.each(variants)('FAPI 2.0 Message Signing with %s', variant => {
  let op: FapiOp;
  let first: FapiClient;
  let second: FapiClient;
  beforeAll(async () => {
    op = await startFapi(variant, { requireSignedRequests: true });
    [first, second] = op.clients;
  });
  afterAll(() => op[Symbol.asyncDispose]());

  const refusal = async (request: string, by = first) => checkTokenError(await by.push({ request }));
  const jarm = { response_mode: 'jwt' };

  /** What the answer to a signed request says; `beside` stands outside of the object. */
  async function answered(claims: Claims = {}, beside: Readonly<Record<string, string>> = {}) {
    const request = await first.requestObject({ ...jarm, ...claims });
    const request_uri = await checkPushed(await first.push({ request, ...beside }));
    const response = await checkSignedResponse(op, await logIn(op, first.address(request_uri)), first);
    return { response, asked: decodeJwt(request) };
  }

  describe('fapi2-security-profile-final-happy-flow', () => {
    it('says that requests must be signed', () => {
      expect(op.metadata.require_signed_request_object).toBe(true);
    });

    it('answers a signed request with a signed response, and tokens follow', async () => {
      const { response, asked } = await answered();
      expect(response).toMatchObject({ code: expect.any(String), state: asked.state });
      const nonce = String(asked.nonce);
      expect((await first.tokens({ code: String(response.code), nonce })).idToken.sub).toBe('alice');
    });

    it('tells errors in a signed response as well', async () => {
      const request_uri = await checkPushed(await first.push({ request: await first.requestObject(jarm) }));
      const visit = await logIn(op, first.address(request_uri), 'login-deny');
      const response = await checkSignedResponse(op, visit, first);
      expect(response).toMatchObject({ error: 'access_denied', state: expect.any(String) });
      expect(response).not.toHaveProperty('code');
    });
  });

  describe.each([
    ['fapi2-security-profile-final-ensure-request-object-without-exp-fails', () => ({ exp: undefined })],
    ['fapi2-security-profile-final-ensure-request-object-without-nbf-fails', () => ({ nbf: undefined })],
    [
      'fapi2-security-profile-final-ensure-expired-request-object-fails',
      () => ({ nbf: op.now() - 600, exp: op.now() - 300 }),
    ],
    [
      'fapi2-security-profile-final-ensure-request-object-with-bad-aud-fails',
      () => ({ aud: 'https://elsewhere.example' }),
    ],
    ['fapi2-security-profile-final-ensure-request-object-with-exp-over-60-fails', () => ({ exp: op.now() + 70 * 60 })],
    ['fapi2-security-profile-final-ensure-request-object-with-nbf-over-60-fails', () => ({ nbf: op.now() - 70 * 60 })],
    ['a request object with nbf over 60 s ahead', () => ({ nbf: op.now() + 65 })],
    ['a request object without aud', () => ({ aud: undefined })],
  ])('%s', (_, claims) => {
    it('refuses the request object', async () => {
      expect(await refusal(await first.requestObject(claims()))).toBe('invalid_request_object');
    });
  });

  describe('fapi2-security-profile-final-ensure-signed-request-object-with-RS256-fails', () => {
    it('refuses the request object', async () => {
      const forged = await second.requestObject({}, {}, await asRs256(second.key));
      expect(await refusal(forged, second)).toBe('invalid_request_object');
    });
  });

  describe('fapi2-security-profile-final-ensure-request-object-signature-algorithm-is-not-none', () => {
    it('refuses a request object that nobody has signed', async () => {
      expect(await refusal(unsigned(decodeJwt(await first.requestObject())))).toBe('invalid_request_object');
    });
  });

  describe('fapi2-security-profile-final-ensure-request-object-with-invalid-signature-fails', () => {
    it('refuses the request object', async () => {
      const forged = altered(await first.requestObject(), { scope: 'openid' });
      expect(await refusal(forged)).toBe('invalid_request_object');
    });
  });

  describe('fapi2-security-profile-final-ensure-matching-key-in-authorization-request', () => {
    it("refuses a request object by another client's key", async () => {
      expect(await refusal(await first.requestObject({}, {}, second.key))).toBe('invalid_request_object');
    });

    it("refuses another client's request object", async () => {
      expect(await refusal(await second.requestObject())).toBe('invalid_request_object');
    });
  });

  describe('fapi2-security-profile-final-par-authorization-request-containing-request_uri', () => {
    it.each(['request_uri', 'request'])('refuses a request object with %s in it', async name => {
      expect(await refusal(await first.requestObject({ [name]: 'urn:example:inside' }))).toBe('invalid_request_object');
    });
  });

  describe('fapi2-security-profile-final-ensure-request-object-with-multiple-aud-succeeds', () => {
    it('takes the request object, as the server is among them', async () => {
      const { response } = await answered({ aud: [op.metadata.issuer, 'https://elsewhere.example'] });
      expect(response.code).toMatch(/./);
    });
  });

  describe('fapi2-security-profile-final-ensure-request-object-with-nbf-8-seconds-in-the-future-is-accepted', () => {
    it('takes the request object', async () => {
      expect((await answered({ nbf: op.now() + 8 })).response.code).toMatch(/./);
    });
  });

  describe('fapi2-security-profile-final-ensure-unsigned-request-at-par-endpoint-fails', () => {
    it('refuses plain parameters', async () => {
      expect(await checkTokenError(await first.push(first.request()))).toBe('invalid_request');
    });
  });

  describe('fapi2-security-profile-final-ensure-unsigned-authorization-request-without-using-par-fails', () => {
    it('refuses plain parameters in front of the user', async () => {
      const query = new URLSearchParams(first.request());
      expect(await errorPage(op.agent(), `${op.metadata.authorization_endpoint}?${query}`)).toBe('invalid_request');
    });
  });

  describe('redirect_uri beside the request object', () => {
    it('does not read it there', async () => {
      const request = await first.requestObject({ redirect_uri: undefined });
      const response = await first.push({ request, redirect_uri: first.redirect_uri });
      expect(await checkTokenError(response)).toBe('invalid_request');
    });
  });

  describe('fapi2-security-profile-final-state-only-outside-request-object-not-used', () => {
    it('does not read it there', async () => {
      const { response } = await answered({ state: undefined }, { state: 'outside' });
      expect(response).not.toHaveProperty('state');
    });
  });

  describe('fapi2-security-profile-final-ensure-different-state-inside-and-outside-request-object', () => {
    it('reads the one inside', async () => {
      const { response } = await answered({ state: 'inside' }, { state: 'outside' });
      expect(response.state).toBe('inside');
    });
  });

  describe('fapi2-security-profile-final-ensure-different-nonce-inside-and-outside-request-object', () => {
    it('reads the one inside', async () => {
      const { response } = await answered({ nonce: 'inside' }, { nonce: 'outside' });
      const { idToken } = await first.tokens({ code: String(response.code), nonce: 'inside' });
      expect(idToken.nonce).toBe('inside');
    });
  });

  describe('JARM', () => {
    it('says in one JWT all that an answer has, and who it is from and for', async () => {
      const { response } = await answered();
      expect(Object.keys(response).sort()).toEqual(['aud', 'code', 'exp', 'iss', 'session_state', 'state']);
    });
  });
});
