import { decodeJwt, decodeProtectedHeader, exportJWK, generateKeyPair } from 'jose';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { introspect } from '../../src/protocol/endpoints/introspect.ts';
import { oauthMetadata, openidConfiguration } from '../../src/protocol/endpoints/metadata.ts';
import { pushedAuthorizationRequest } from '../../src/protocol/endpoints/pushed-authorization-request.ts';
import { token } from '../../src/protocol/endpoints/token.ts';
import type { TokenResponse } from '../../src/protocol/tokens/issue-tokens.ts';
import { asserted, assertionClaims } from '../support/assertions.ts';
import { createDpopKey, type DpopKey } from '../support/dpop.ts';
import {
  basic,
  challenge,
  createTestServer,
  issuer,
  now,
  refusal,
  type TestServer,
  verifier,
  web,
} from '../support/server.ts';

const callback = 'https://shop.example/callback';
const fapi = {
  ...web,
  client_id: 'fapi',
  token_endpoint_auth_methods: ['private_key_jwt'] as const,
  id_token_signed_response_alg: 'ES256',
  redirect_uris: [callback],
};

let signer: CryptoKey;
let rsaSigner: CryptoKey;
let client: typeof fapi & { jwks: { keys: Record<string, unknown>[] } };
let key: DpopKey;
let sandbox: TestServer;
beforeAll(async () => {
  const [ec, rsa] = await Promise.all([
    generateKeyPair('ES256', { extractable: true }),
    generateKeyPair('RS256', { extractable: true }),
  ]);
  signer = ec.privateKey;
  rsaSigner = rsa.privateKey;
  const keys = [
    { ...(await exportJWK(ec.publicKey)), kid: 'ec', alg: 'ES256' },
    { ...(await exportJWK(rsa.publicKey)), kid: 'rsa', alg: 'RS256' },
  ];
  client = { ...fapi, jwks: { keys } };
  key = await createDpopKey();
});
beforeEach(() => {
  sandbox = createTestServer({
    profile: 'fapi2',
    clients: [client, { ...client, client_id: 'old', id_token_signed_response_alg: 'RS256' }],
  });
});

const assertion = (changes = {}, client_id = 'fapi') =>
  asserted(signer, { alg: 'ES256', kid: 'ec' }, { ...assertionClaims(client_id), ...changes });

const pushed = {
  response_type: 'code',
  redirect_uri: callback,
  scope: 'openid',
  state: 'a state',
  code_challenge: challenge,
  code_challenge_method: 'S256',
};

async function push(changes: Readonly<Record<string, string>> = {}): Promise<string> {
  const form = { ...pushed, ...(await assertion()), ...changes };
  const parameters = Object.fromEntries(Object.entries(form).filter(([, value]) => value !== ''));
  const reply = await pushedAuthorizationRequest(sandbox.server, sandbox.request(parameters, { path: '/oauth2/par' }));
  if (reply.kind !== 'json') throw new Error(`a ${reply.kind}`);
  return (reply.body as { request_uri: string }).request_uri;
}

const proof = () => key.proof({ htu: `${issuer}/oauth2/token`, iat: now });

async function redeem(changes: Readonly<Record<string, string>>, dpop?: string): Promise<TokenResponse> {
  const form = {
    grant_type: 'authorization_code',
    redirect_uri: callback,
    code_verifier: verifier,
    ...(await assertion()),
    ...changes,
  };
  const reply = await token(sandbox.server, sandbox.request(form, dpop === undefined ? {} : { dpop }));
  if (reply.kind !== 'json') throw new Error(`a ${reply.kind}`);
  return reply.body as TokenResponse;
}

async function code(): Promise<string> {
  const session = await sandbox.login();
  const answer = await sandbox.answer({ client_id: 'fapi', request_uri: await push(), ...empty }, session);
  return answer.get('code') ?? `no code, but ${answer}`;
}

/** What the test server's own request has and a pushed one must not need. */
const empty = {
  redirect_uri: '',
  response_type: '',
  scope: '',
  state: '',
  code_challenge: '',
  code_challenge_method: '',
};

describe('the FAPI 2.0 security profile', () => {
  it('lets a client through that pushes, proves itself by key and binds its tokens', async () => {
    const { access_token, token_type, id_token = '' } = await redeem({ code: await code() }, await proof());
    expect(token_type).toBe('DPoP');
    expect(decodeJwt(access_token).cnf).toEqual({ jkt: key.jkt });
    expect(decodeJwt(id_token)).toMatchObject({ aud: 'fapi', sub: 'alice' });
  });

  it('refuses a token request without a proof', async () => {
    expect(await refusal(redeem({ code: await code() }))).toMatchObject({
      code: 'invalid_dpop_proof',
      reason: 'profile_violated',
    });
  });

  it.each([
    ['client_secret_basic', {}, basic('web', 'web-secret')],
    ['client_secret_post', { client_id: 'web', client_secret: 'web-secret' }, undefined],
    ['none', { client_id: 'frontend' }, undefined],
  ])('refuses a client that authenticates with %s', async (method, credentials, authorization) => {
    const sent = authorization === undefined ? {} : { authorization };
    const form = { grant_type: 'client_credentials', ...credentials };
    const error = await refusal(token(sandbox.server, sandbox.request(form, sent)));
    expect(error).toMatchObject({ code: 'invalid_client', reason: 'profile_violated' });
    expect(error.details.sent).toBe(method);
  });

  it('refuses a client that is registered for ID tokens by RS256', async () => {
    const form = { ...pushed, ...(await assertion({}, 'old')) };
    const error = await refusal(
      pushedAuthorizationRequest(sandbox.server, sandbox.request(form, { path: '/oauth2/par' })),
    );
    expect(error).toMatchObject({ code: 'unauthorized_client', reason: 'profile_violated' });
  });

  it.each(['userinfo_signed_response_alg', 'authorization_signed_response_alg', 'introspection_signed_response_alg'])(
    'refuses a client with %s RS256',
    async member => {
      sandbox = createTestServer({ profile: 'fapi2', clients: [{ ...client, [member]: 'RS256' }] });
      const form = sandbox.request({ ...pushed, ...(await assertion()) }, { path: '/oauth2/par' });
      const error = await refusal(pushedAuthorizationRequest(sandbox.server, form));
      expect(error).toMatchObject({ code: 'unauthorized_client', reason: 'profile_violated' });
      expect(error.details.sent).toBe('RS256');
    },
  );

  it('signs what introspection says by PS256, where the client is registered for nothing', async () => {
    const { access_token } = await redeem({ code: await code() }, await proof());
    const form = { token: access_token, ...(await assertion()) };
    const accept = 'application/token-introspection+jwt';
    const reply = await introspect(sandbox.server, sandbox.request(form, { accept }));
    expect(reply.kind === 'text' && decodeProtectedHeader(reply.body).alg).toBe('PS256');
  });

  it('refuses an assertion by RS256', async () => {
    const signed = await asserted(rsaSigner, { alg: 'RS256', kid: 'rsa' }, assertionClaims('fapi'));
    expect((await refusal(redeem({ code: 'x', ...signed }, await proof()))).code).toBe('invalid_client');
  });

  it.each([
    ['the token endpoint', `${issuer}/oauth2/token`],
    ['the PAR endpoint', `${issuer}/oauth2/par`],
    ['an array', [issuer, 'https://elsewhere.example']],
  ])('refuses an assertion whose aud is %s', async (_what, aud) => {
    expect((await refusal(redeem({ code: 'x', ...(await assertion({ aud })) }, await proof()))).code).toBe(
      'invalid_client',
    );
  });

  it.each([
    ['8 s ahead', 8, undefined],
    ['over 60 s ahead', 61, 'invalid_client'],
  ])('takes or refuses an assertion with nbf %s', async (_what, ahead, expected) => {
    const work = redeem({ code: 'x', ...(await assertion({ nbf: now + ahead })) }, await proof());
    expect((await refusal(work)).code).toBe(expected ?? 'invalid_grant');
  });

  it('refuses an authorization request that was not pushed', async () => {
    const work = sandbox.answer({ client_id: 'fapi', redirect_uri: callback }, await sandbox.login());
    expect(await refusal(work)).toMatchObject({ code: 'invalid_request', reason: 'request_not_pushed' });
  });

  it.each([
    ['without PKCE', { code_challenge: '', code_challenge_method: '' }, 'invalid_request'],
    ['with plain PKCE', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['without a redirect URI', { redirect_uri: '' }, 'invalid_request'],
    ['with a redirect URI that is not registered', { redirect_uri: 'https://evil.example/' }, 'invalid_request'],
    ['for code id_token', { response_type: 'code id_token' }, 'unsupported_response_type'],
    ['for token', { response_type: 'token' }, 'unsupported_response_type'],
    ['with a request_uri in it', { request_uri: 'urn:x' }, 'invalid_request'],
  ])('refuses to take a request %s', async (_what, changes, expected) => {
    expect((await refusal(push(changes))).code).toBe(expected);
  });

  it('keeps the refresh token, which may come with another key', async () => {
    const { refresh_token = '' } = await redeem({ code: await code() }, await proof());
    const other = await createDpopKey();
    const form = { grant_type: 'refresh_token', refresh_token };
    const again = await redeem(form, await other.proof({ htu: `${issuer}/oauth2/token`, iat: now }));
    expect(again.refresh_token).toBe(refresh_token);
    expect(decodeJwt(again.access_token).cnf).toEqual({ jkt: other.jkt });
  });

  it('says so in the metadata', () => {
    expect(oauthMetadata(sandbox.server)).toMatchObject({
      require_pushed_authorization_requests: true,
      response_types_supported: ['code'],
      token_endpoint_auth_methods_supported: expect.arrayContaining(['private_key_jwt']),
      token_endpoint_auth_signing_alg_values_supported: ['PS256', 'ES256', 'EdDSA', 'Ed25519'],
      dpop_signing_alg_values_supported: ['PS256', 'ES256', 'EdDSA', 'Ed25519'],
      introspection_signing_alg_values_supported: ['PS256', 'ES256', 'EdDSA', 'Ed25519'],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
    });
    const methods = oauthMetadata(sandbox.server).token_endpoint_auth_methods_supported;
    expect(methods).not.toContain('client_secret_basic');
    expect(methods).not.toContain('none');
    expect(openidConfiguration(sandbox.server).id_token_signing_alg_values_supported).not.toContain('RS256');
  });
});
