import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDpopKey } from '../support/dpop.ts';
import { checkTokenError, checkTokenResponse, checkUserInfo, type Json } from './checks.ts';
import { errorAtClient, type FapiClient, type FapiOp, fapiAlgs, logIn, startFapi, variants } from './fapi.ts';

describe.each(variants)('FAPI 2.0 Security Profile with %s', variant => {
  let op: FapiOp;
  let first: FapiClient;
  let second: FapiClient;
  beforeAll(async () => {
    op = await startFapi(variant);
    [first, second] = op.clients;
  });
  afterAll(() => op[Symbol.asyncDispose]());

  const userInfo = (client: FapiClient, token: string) =>
    client.resource(token, { url: op.metadata.userinfo_endpoint });

  describe('fapi2-security-profile-final-discovery-end-point-verification', () => {
    it('names the endpoint for pushed requests, and demands them of everybody', () => {
      expect(op.metadata.pushed_authorization_request_endpoint).toBe(`${op.sandbox.url}/oauth2/par`);
      expect(op.metadata.require_pushed_authorization_requests).toBe(true);
    });

    it('says that answers carry iss, that PKCE is by S256, and that the response type is code', () => {
      expect(op.metadata).toMatchObject({
        authorization_response_iss_parameter_supported: true,
        code_challenge_methods_supported: ['S256'],
        response_types_supported: ['code'],
      });
    });

    it('offers private keys and certificates as proof of who a client is, and nothing with a secret', () => {
      expect(op.metadata.token_endpoint_auth_methods_supported).toEqual([
        'private_key_jwt',
        'tls_client_auth',
        'self_signed_tls_client_auth',
      ]);
    });

    it('names only PS256, ES256 and EdDSA as algorithms, whatever they sign', () => {
      const lists = Object.entries(op.metadata).filter(([name]) => /signing_alg_values_supported$/.test(name));
      expect(lists.map(([name]) => name)).toEqual(
        expect.arrayContaining([
          'token_endpoint_auth_signing_alg_values_supported',
          'id_token_signing_alg_values_supported',
          'request_object_signing_alg_values_supported',
          'authorization_signing_alg_values_supported',
          'dpop_signing_alg_values_supported',
          'introspection_signing_alg_values_supported',
        ]),
      );
      for (const [name, algs] of lists)
        expect(fapiAlgs, `${name}: ${algs}`).toEqual(expect.arrayContaining([...(algs as string[])]));
    });

    it('offers signed responses', () => {
      expect(op.metadata.response_modes_supported).toEqual(expect.arrayContaining(['jwt', 'query.jwt']));
    });

    it('says that tokens may be bound to certificates, and where to go with one', () => {
      expect(op.metadata.tls_client_certificate_bound_access_tokens).toBe(true);
      expect(op.metadata.mtls_endpoint_aliases).toMatchObject({
        token_endpoint: expect.any(String),
        pushed_authorization_request_endpoint: expect.any(String),
      });
    });

    it('has https addresses only', () => {
      const addresses = Object.entries(op.metadata).filter(([name]) => /(_endpoint|_uri|_iframe)$/.test(name));
      for (const [name, address] of addresses) expect(address, name).toMatch(/^https:/);
    });
  });

  describe('fapi2-security-profile-final-happy-flow', () => {
    it('leads the first client to tokens, UserInfo and the API', async () => {
      const { access_token, idToken } = await first.tokens(await first.authorize());
      expect(idToken.sub).toBe('alice');
      await checkUserInfo(await userInfo(first, access_token), 'alice');
      expect((await first.resource(access_token)).status).toBe(200);
    });

    it('leads the second client, whose redirect URI has a query, with a nonce of 43 characters', async () => {
      const authorized = await second.authorize({ nonce: 'n'.repeat(43) });
      const { access_token, idToken } = await second.tokens(authorized);
      expect(idToken).toMatchObject({ aud: 'second', nonce: 'n'.repeat(43) });
      expect((await second.resource(access_token)).status).toBe(200);
    });

    it('binds the tokens to what the client has shown', async () => {
      const { access_token } = await first.tokens(await first.authorize());
      const { cnf } = decodeJwt(access_token);
      expect(cnf).toEqual(first.dpop === undefined ? { 'x5t#S256': expect.any(String) } : { jkt: first.dpop.jkt });
    });

    it('refuses the token in the query at the API and at UserInfo', async () => {
      const { access_token } = await first.tokens(await first.authorize());
      for (const url of [`${op.sandbox.url}/api/products`, op.metadata.userinfo_endpoint]) {
        const dpop = await first.dpop?.proof({ htm: 'GET', htu: url, iat: op.now(), accessToken: access_token });
        const headers: Record<string, string> = dpop === undefined ? {} : { dpop };
        const response = await first.call(`${url}?access_token=${access_token}`, { headers });
        expect(response.status).toBe(401);
      }
    });
  });

  describe('fapi2-security-profile-final-user-rejects-authentication', () => {
    it('tells the client access_denied', async () => {
      const pushed = await first.pushed();
      const visit = await logIn(op, first.address(pushed.request_uri), 'login-deny');
      expect(errorAtClient(visit, pushed)).toBe('access_denied');
    });
  });

  describe.each([
    ['fapi2-security-profile-final-ensure-authorization-request-without-state-success', { state: '' }],
    ['fapi2-security-profile-final-ensure-authorization-request-without-nonce-success', { nonce: '' }],
    ['fapi2-security-profile-final-ensure-authorization-request-with-64-char-nonce-success', { nonce: 'n'.repeat(64) }],
    ['fapi2-security-profile-final-ensure-authorization-request-with-long-nonce', { nonce: 'n'.repeat(384) }],
    ['fapi2-security-profile-final-ensure-authorization-request-with-long-state', { state: 's'.repeat(384) }],
    ['fapi2-security-profile-final-ensure-other-scope-order-succeeds', { scope: 'products:read profile openid' }],
  ])('%s', (_, parameters) => {
    it('ends at tokens, and what was sent comes back whole', async () => {
      const { idToken } = await first.tokens(await first.authorize(parameters));
      expect(idToken.sub).toBe('alice');
    });
  });

  describe('fapi2-security-profile-final-access-token-type-header-case-sensitivity', () => {
    it.each(['lower', 'upper', 'mixed'])('takes the token with its scheme in %s case', async form => {
      const { access_token, token_type } = await first.tokens(await first.authorize());
      const scheme = {
        lower: token_type.toLowerCase(),
        upper: token_type.toUpperCase(),
        mixed: token_type.replace(/[a-z]/gi, (letter, at) => (at % 2 ? letter.toUpperCase() : letter.toLowerCase())),
      }[form];
      expect((await first.resource(access_token, { scheme: scheme ?? '' })).status).toBe(200);
      expect(
        (await first.resource(access_token, { scheme: scheme ?? '', url: op.metadata.userinfo_endpoint })).status,
      ).toBe(200);
    });
  });

  describe('fapi2-security-profile-final-attempt-reuse-authorization-code-after-one-second', () => {
    it.each([1, 30])('refuses the code after %i s, and revokes what it gave', async seconds => {
      const authorized = await first.authorize();
      const { access_token, refresh_token } = await first.tokens(authorized);
      op.pass(seconds);
      expect(await checkTokenError(await first.redeem(authorized.code))).toBe('invalid_grant');
      expect((await userInfo(first, access_token)).status).toBe(401);
      expect(await checkTokenError(await first.refresh(refresh_token))).toBe('invalid_grant');
    });
  });

  describe('what a replayed code does to the API', () => {
    it('is that its tokens are refused there, where the API asks about each', async () => {
      await using asking = await startFapi(variant, { apiTokenCheck: 'introspection' });
      const [client] = asking.clients;
      const authorized = await client.authorize();
      const { access_token } = await client.tokens(authorized);
      expect((await client.resource(access_token)).status).toBe(200);
      expect(await checkTokenError(await client.redeem(authorized.code))).toBe('invalid_grant');
      expect((await client.resource(access_token)).status).toBe(401);
    });
  });

  describe('fapi2-security-profile-final-ensure-token-endpoint-fails-with-expired-auth-code', () => {
    it('refuses the code after 60 s', async () => {
      const { code } = await first.authorize();
      op.pass(60);
      expect(await checkTokenError(await first.redeem(code))).toBe('invalid_grant');
    });
  });

  describe('fapi2-security-profile-final-ensure-authorization-code-is-bound-to-client', () => {
    it('refuses the code of another client', async () => {
      const { code } = await first.authorize();
      const response = await second.redeem(code, { redirect_uri: first.redirect_uri });
      expect(await checkTokenError(response)).toBe('invalid_grant');
    });
  });

  describe('fapi2-security-profile-final-ensure-client-id-in-token-endpoint', () => {
    it('refuses the client_id of another client beside good credentials', async () => {
      const { code } = await first.authorize();
      const credentials = { ...(await first.credentials()), client_id: second.client_id };
      expect(await checkTokenError(await first.redeem(code, {}, { credentials }))).toBe('invalid_client');
    });
  });

  describe('fapi2-security-profile-final-ensure-holder-of-key-required', () => {
    it('gives no token where nothing is shown that it could be bound to', async () => {
      const { code } = await first.authorize();
      const response = await first.redeem(code, {}, { dpop: '', call: op.call });
      expect(await checkTokenError(response)).toBe(first.dpop === undefined ? 'invalid_client' : 'invalid_dpop_proof');
    });
  });

  describe('fapi2-security-profile-final-refresh-token', () => {
    it('gives new tokens, and the refresh token stays', async () => {
      const { refresh_token, idToken } = await first.tokens(await first.authorize());
      const refreshed = await checkTokenResponse(await first.refresh(refresh_token));
      expect(refreshed.refresh_token ?? refresh_token).toBe(refresh_token);
      const { iss, sub, aud, auth_time } = idToken;
      expect(decodeJwt(refreshed.id_token ?? '')).toMatchObject({ iss, sub, aud, auth_time });
      await checkTokenResponse(await first.refresh(refresh_token));
    });

    it('is bound to its client', async () => {
      const { refresh_token } = await first.tokens(await first.authorize());
      expect(await checkTokenError(await second.refresh(refresh_token))).toBe('invalid_grant');
    });

    it('is no good without client authentication', async () => {
      const { refresh_token } = await first.tokens(await first.authorize());
      const credentials = { client_id: first.client_id };
      expect(await checkTokenError(await first.refresh(refresh_token, {}, { credentials, call: op.call }))).toBe(
        'invalid_client',
      );
    });

    it('gives no tokens that are bound to nothing', async () => {
      const { refresh_token } = await first.tokens(await first.authorize());
      const error = await checkTokenError(await first.refresh(refresh_token, {}, { dpop: '', call: op.call }));
      expect(error).toBe(first.dpop === undefined ? 'invalid_client' : 'invalid_dpop_proof');
    });

    it('may come with a new key or certificate, as a confidential client is known by more', async () => {
      const { refresh_token } = await first.tokens(await first.authorize());
      const key = first.dpop === undefined ? undefined : await createDpopKey();
      const dpop = await key?.proof({ htu: op.metadata.token_endpoint, iat: op.now() });
      const renewed = await checkTokenResponse(
        await first.refresh(refresh_token, {}, dpop === undefined ? {} : { dpop }),
      );
      if (key !== undefined) expect(decodeJwt(renewed.access_token).cnf).toEqual({ jkt: key.jkt });
    });
  });

  describe('fapi2-security-profile-final-test-claims-parameter-identity-claims', () => {
    it('answers each claim of claims_supported that the user has, at UserInfo and in the ID token', async () => {
      const names = op.metadata.claims_supported as readonly string[];
      const asked = Object.fromEntries(names.map(name => [name, null]));
      const claims = JSON.stringify({ userinfo: asked, id_token: asked });
      const { access_token, idToken } = await first.tokens(await first.authorize({ claims, scope: 'openid' }));
      const response = (await (await userInfo(first, access_token)).json()) as Json;
      for (const name of ['name', 'given_name', 'family_name', 'email', 'email_verified']) {
        expect(names).toContain(name);
        expect(response, name).toHaveProperty(name);
        expect(idToken, name).toHaveProperty(name);
      }
    });
  });

  describe('what a holder of a stolen token can do', () => {
    it('is nothing, without the key or certificate it is bound to', async () => {
      const { access_token } = await first.tokens(await first.authorize());
      for (const url of [`${op.sandbox.url}/api/products`, op.metadata.userinfo_endpoint]) {
        const stolen = await second.resource(access_token, { url });
        expect(stolen.status).toBe(401);
        expect((await first.resource(access_token, { url, call: op.call, dpop: '' })).status).toBe(401);
      }
    });
  });
});
