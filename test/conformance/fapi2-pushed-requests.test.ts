import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkAuthorizationResponse, checkTokenError } from './checks.ts';
import {
  checkPushed,
  errorAtClient,
  type FapiClient,
  type FapiOp,
  type Form,
  logIn,
  readAnswer,
  startFapi,
  variants,
} from './fapi.ts';
import { errorPage } from './party.ts';

describe.each(variants)('FAPI 2.0 Security Profile, pushed requests with %s', variant => {
  let op: FapiOp;
  let first: FapiClient;
  let second: FapiClient;
  beforeAll(async () => {
    op = await startFapi(variant);
    [first, second] = op.clients;
  });
  afterAll(() => op[Symbol.asyncDispose]());

  const refusal = async (parameters: Form) => checkTokenError(await first.push(first.request(parameters)));

  describe('fapi2-security-profile-final-par-ensure-pkce-required', () => {
    it('refuses a request without a code_challenge', async () => {
      expect(await refusal({ code_challenge: '', code_challenge_method: '' })).toBe('invalid_request');
    });
  });

  describe('fapi2-security-profile-final-par-plain-pkce-rejected', () => {
    it.each(['plain', ''])('refuses the code_challenge_method "%s"', async code_challenge_method => {
      expect(await refusal({ code_challenge_method })).toBe('invalid_request');
    });
  });

  describe('fapi2-security-profile-final-ensure-pkce-code-verifier-required', () => {
    it('refuses the code without its code_verifier', async () => {
      const { code } = await first.authorize();
      expect(await checkTokenError(await first.redeem(code, { code_verifier: '' }))).toBe('invalid_grant');
    });
  });

  describe('fapi2-security-profile-final-incorrect-pkce-code-verifier-rejected', () => {
    it('refuses the code with another code_verifier, and takes it with the right one', async () => {
      const authorized = await first.authorize();
      const wrong = await first.redeem(authorized.code, { code_verifier: 'w'.repeat(43) });
      expect(await checkTokenError(wrong)).toBe('invalid_grant');
      expect((await first.tokens(authorized)).token_type).toMatch(/./);
    });
  });

  describe('fapi2-security-profile-final-par-attempt-reuse-request_uri', () => {
    it('answers a request once', async () => {
      const { request_uri } = await first.authorize();
      expect(await errorPage(op.agent(), first.address(request_uri))).toBe('invalid_request_uri');
    });
  });

  describe('fapi2-security-profile-final-par-attempt-to-use-expired-request_uri', () => {
    it('forgets a request that the browser does not come with in time', async () => {
      const { request_uri } = await first.pushed();
      op.pass(60);
      expect(await errorPage(op.agent(), first.address(request_uri))).toBe('invalid_request_uri');
    });
  });

  describe('fapi2-security-profile-final-par-attempt-to-use-request_uri-for-different-client', () => {
    it('knows a request only from the client that pushed it', async () => {
      const { request_uri } = await first.pushed();
      expect(await errorPage(op.agent(), second.address(request_uri))).toBe('invalid_request_uri');
    });
  });

  describe('fapi2-security-profile-final-par-authorization-request-containing-request_uri-form-param', () => {
    it('refuses to take a request_uri', async () => {
      const { request_uri } = await first.pushed();
      expect(await refusal({ request_uri })).toBe('invalid_request');
    });
  });

  describe('fapi2-security-profile-final-par-attempt-invalid-http-method', () => {
    it.each(['GET', 'PUT', 'PATCH', 'DELETE'])('answers 405 to %s', async method => {
      const response = await first.call(op.metadata.pushed_authorization_request_endpoint, { method });
      expect(response.status).toBe(405);
      expect(response.headers.get('allow')).toContain('POST');
    });
  });

  describe('fapi2-security-profile-final-par-without-duplicate-parameters', () => {
    it('needs client_id and request_uri at the authorization endpoint, and nothing else', async () => {
      const pushed = await first.pushed();
      const url = first.address(pushed.request_uri);
      expect([...url.searchParams.keys()]).toEqual(['client_id', 'request_uri']);
      const { to, parameters } = readAnswer(await logIn(op, url), first.redirect_uri);
      checkAuthorizationResponse(to, parameters, pushed.sent);
    });

    it('lets nothing beside the request_uri count', async () => {
      const pushed = await first.pushed();
      const url = first.address(pushed.request_uri, { state: 'another', redirect_uri: 'https://evil.example/' });
      const { to, parameters } = readAnswer(await logIn(op, url), first.redirect_uri);
      checkAuthorizationResponse(to, parameters, pushed.sent);
    });
  });

  describe('fapi2-security-profile-final-par-ensure-reused-request-uri-prior-to-auth-completion-succeeds', () => {
    it('shows the login page as often as it is loaded', async () => {
      const pushed = await first.pushed();
      const agent = op.agent();
      const url = first.address(pushed.request_uri);
      await agent.open(url);
      const visit = await agent.submit(await agent.open(url), 'login-user-alice');
      const { to, parameters } = readAnswer(visit, first.redirect_uri);
      checkAuthorizationResponse(to, parameters, pushed.sent);
    });
  });

  describe.each([
    [
      'fapi2-security-profile-final-plain-fapi-tolerate-unregistered-redirect-uri',
      { redirect_uri: 'https://rp.example/callback/other' },
    ],
    ['fapi2-security-profile-final-ensure-redirect-uri-in-authorization-request', { redirect_uri: '' }],
    ['fapi2-security-profile-final-ensure-request-object-without-redirect-uri-fails', { redirect_uri: '' }],
  ])('%s', (_, parameters) => {
    it('refuses the request', async () => {
      expect(await refusal(parameters)).toBe('invalid_request');
    });
  });

  describe.each([
    ['fapi2-security-profile-final-ensure-response-type-code-idtoken-fails', 'code id_token'],
    ['fapi2-security-profile-final-ensure-response-type-token-fails', 'token'],
  ])('%s', (_, response_type) => {
    it('refuses the response type', async () => {
      expect(await refusal({ response_type })).toBe('unsupported_response_type');
    });
  });

  describe('fapi2-security-profile-final-ensure-unsigned-authorization-request-without-using-par-fails', () => {
    it('refuses a request that was not pushed', async () => {
      const url = new URL(`${op.metadata.authorization_endpoint}?${new URLSearchParams(first.request())}`);
      expect(await errorPage(op.agent(), url)).toBe('invalid_request');
    });

    it('refuses one in a signed object that was not pushed', async () => {
      const request = await first.requestObject();
      const query = new URLSearchParams({ client_id: first.client_id, request });
      expect(await errorPage(op.agent(), `${op.metadata.authorization_endpoint}?${query}`)).toBe('invalid_request');
    });
  });

  describe('a pushed request that cannot be answered', () => {
    it('tells the client of an error in a request that was pushed', async () => {
      const pushed = await first.pushed({ prompt: 'none' });
      expect(errorAtClient(await op.agent().open(first.address(pushed.request_uri)), pushed)).toBe('login_required');
    });
  });

  it('gives an unguessable request_uri each time', async () => {
    const uris = await Promise.all(
      Array.from({ length: 20 }, async () => checkPushed(await first.push(first.request()))),
    );
    expect(new Set(uris).size).toBe(uris.length);
  });
});
