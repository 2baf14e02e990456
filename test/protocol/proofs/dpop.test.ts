import { decodeJwt, exportJWK, generateKeyPair } from 'jose';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { oauthMetadata } from '../../../src/protocol/endpoints/metadata.ts';
import { token } from '../../../src/protocol/endpoints/token.ts';
import { userinfo } from '../../../src/protocol/endpoints/userinfo.ts';
import type { OAuthError } from '../../../src/protocol/errors.ts';
import { currentNonce } from '../../../src/protocol/proofs/dpop.ts';
import type { TokenResponse } from '../../../src/protocol/tokens/issue-tokens.ts';
import { createDpopKey, type DpopKey } from '../../support/dpop.ts';
import {
  basic,
  createTestServer,
  frontend,
  issuer,
  now,
  redemption,
  refusal,
  type TestServer,
  web,
  webRequest,
} from '../../support/server.ts';

const tokenUrl = `${issuer}/oauth2/token`;
const userinfoUrl = `${issuer}/userinfo`;
const bound = { ...web, client_id: 'bound', dpop_bound_access_tokens: true };

let key: DpopKey;
let other: DpopKey;
let sandbox: TestServer;
beforeAll(async () => {
  [key, other] = await Promise.all([createDpopKey(), createDpopKey('RS256')]);
});
beforeEach(() => {
  sandbox = createTestServer({ clients: [bound] });
});

const at = () => ({ htu: tokenUrl, iat: sandbox.server.clock() });

async function ask(form: Readonly<Record<string, string>>, dpop?: string, authorization?: string) {
  const sent = { ...(dpop === undefined ? {} : { dpop }), ...(authorization === undefined ? {} : { authorization }) };
  const reply = await token(sandbox.server, sandbox.request(form, sent));
  if (reply.kind !== 'json') throw new Error(`a ${reply.kind}`);
  return { body: reply.body as TokenResponse, headers: reply.headers ?? {} };
}

async function boundTokens(by: DpopKey = key): Promise<TokenResponse> {
  const code = await sandbox.code({ scope: 'openid email' });
  return (await ask({ ...redemption, code }, await by.proof(at()))).body;
}

describe('a proof at the token endpoint', () => {
  it('binds the access token to its key', async () => {
    const { token_type, access_token } = await boundTokens();
    expect(token_type).toBe('DPoP');
    expect(decodeJwt(access_token).cnf).toEqual({ jkt: key.jkt });
  });

  it('is optional: without it the token is a bearer token', async () => {
    const { token_type, access_token } = await sandbox.tokens();
    expect(token_type).toBe('Bearer');
    expect(decodeJwt(access_token)).not.toHaveProperty('cnf');
  });

  it('is demanded of a client with dpop_bound_access_tokens', async () => {
    const code = await sandbox.code({ ...webRequest, client_id: 'bound' });
    const form = { grant_type: 'authorization_code', code, redirect_uri: webRequest.redirect_uri };
    const error = await refusal(ask(form, undefined, basic('bound', 'web-secret')));
    expect(error).toMatchObject({ code: 'invalid_dpop_proof', reason: 'dpop_proof_missing', status: 400 });
    const { body } = await ask(form, await key.proof(at()), basic('bound', 'web-secret'));
    expect(body.token_type).toBe('DPoP');
  });

  it('means nothing where DPoP is switched off', async () => {
    sandbox = createTestServer({ features: new Set() });
    expect((await boundTokens()).token_type).toBe('Bearer');
    expect(oauthMetadata(sandbox.server)).not.toHaveProperty('dpop_signing_alg_values_supported');
  });

  it.each(['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA'])('may be signed with %s, as the metadata says', async alg => {
    expect(oauthMetadata(sandbox.server).dpop_signing_alg_values_supported).toContain(alg);
    expect((await boundTokens(await createDpopKey(alg))).token_type).toBe('DPoP');
  });

  it.each([
    ['10 s back', { iat: now - 10 }],
    ['10 s ahead', { iat: now + 10 }],
    ['300 s back, the most there may be', { iat: now - 300 }],
    ['60 s ahead, the most there may be', { iat: now + 60 }],
    ['with exp and nbf', { exp: now - 1000, nbf: now + 10 }],
    ['with members nobody knows', { colour: 'blue' }],
    ['with a query and a fragment in htu', { htu: `${tokenUrl}?x=1#y` }],
    ['with escapes in htu that need not be', { htu: tokenUrl.replace('token', '%74oke%6E') }],
    ['with htu in another case', { htu: tokenUrl.replace('http://localhost', 'HTTP://LOCALHOST') }],
  ])('is taken %s', async (_what, changes) => {
    const form = { grant_type: 'client_credentials' };
    const { body } = await ask(form, await key.proof(at(), changes), basic('sensor', 'sensor-secret'));
    expect(body.token_type).toBe('DPoP');
  });

  it.each<[string, Record<string, unknown>, Record<string, unknown>, string]>([
    ['without htm', { htm: undefined }, {}, 'dpop_proof_for_another_request'],
    ['of another method', { htm: 'GET' }, {}, 'dpop_proof_for_another_request'],
    ['without htu', { htu: undefined }, {}, 'dpop_proof_for_another_request'],
    ['for another address', { htu: `${issuer}/oauth2/revoke` }, {}, 'dpop_proof_for_another_request'],
    [
      'with an escaped slash in htu',
      { htu: tokenUrl.replace('/token', '%2Ftoken') },
      {},
      'dpop_proof_for_another_request',
    ],
    ['with an htu that is none', { htu: 'token' }, {}, 'dpop_proof_for_another_request'],
    ['without iat', { iat: undefined }, {}, 'dpop_proof_time'],
    ['an hour old', { iat: now - 3600 }, {}, 'dpop_proof_time'],
    ['301 s old', { iat: now - 301 }, {}, 'dpop_proof_time'],
    ['61 s ahead', { iat: now + 61 }, {}, 'dpop_proof_time'],
    ['an hour ahead', { iat: now + 3600 }, {}, 'dpop_proof_time'],
    ['with a time in words', { iat: 'now' }, {}, 'dpop_proof_malformed'],
    ['without jti', { jti: undefined }, {}, 'dpop_proof_malformed'],
    ['with another typ', {}, { typ: 'JWT' }, 'dpop_proof_malformed'],
    ['without typ', {}, { typ: undefined }, 'dpop_proof_malformed'],
    ['without jwk', {}, { jwk: undefined }, 'dpop_proof_malformed'],
    ['with a jwk that is no key', {}, { jwk: { kty: 'EC', crv: 'P-256', x: 'x', y: 'y' } }, 'dpop_proof_malformed'],
  ])('is refused %s', async (_what, changes, header, reason) => {
    const proof = await key.proof(at(), changes, header);
    const error = await refusal(ask({ grant_type: 'client_credentials' }, proof, basic('sensor', 'sensor-secret')));
    expect(error).toMatchObject({ code: 'invalid_dpop_proof', reason, status: 400 });
  });

  it('is refused with padding behind it', async () => {
    const proof = `${await key.proof(at())}==`;
    const error = await refusal(ask({ grant_type: 'client_credentials' }, proof, basic('sensor', 'sensor-secret')));
    expect(error.reason).toBe('dpop_proof_malformed');
  });

  it('is refused with the key of somebody else in its header', async () => {
    const jwk = await exportJWK((await generateKeyPair('ES256')).publicKey);
    const proof = await key.proof(at(), {}, { jwk });
    const error = await refusal(ask({ grant_type: 'client_credentials' }, proof, basic('sensor', 'sensor-secret')));
    expect(error.reason).toBe('dpop_proof_signature_wrong');
  });

  it('is refused with a private key in its header', async () => {
    const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
    const { SignJWT } = await import('jose');
    const proof = await new SignJWT({ htm: 'POST', htu: tokenUrl, iat: now, jti: 'j' })
      .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk: await exportJWK(privateKey) })
      .sign(privateKey);
    expect(publicKey).toBeDefined();
    const error = await refusal(ask({ grant_type: 'client_credentials' }, proof, basic('sensor', 'sensor-secret')));
    expect(error.code).toBe('invalid_dpop_proof');
  });

  it.each([
    ['no JWT', 'abc'],
    ['two proofs', 'a.b.c, a.b.c'],
    ['alg none', `${Buffer.from('{"alg":"none","typ":"dpop+jwt"}').toString('base64url')}.e30.`],
  ])('is refused for %s', async (_what, proof) => {
    const error = await refusal(ask({ grant_type: 'client_credentials' }, proof, basic('sensor', 'sensor-secret')));
    expect(error.code).toBe('invalid_dpop_proof');
  });

  it('is good once, and again only after it would be too old', async () => {
    const proof = await key.proof(at());
    const again = () => ask({ grant_type: 'client_credentials' }, proof, basic('sensor', 'sensor-secret'));
    await again();
    expect((await refusal(again())).reason).toBe('dpop_proof_replayed');
    sandbox.pass(361);
    expect((await refusal(again())).reason).toBe('dpop_proof_time');
  });

  it('does not burn the code when it is refused', async () => {
    const code = await sandbox.code();
    await refusal(ask({ ...redemption, code }, 'abc'));
    expect((await ask({ ...redemption, code }, await key.proof(at()))).body.token_type).toBe('DPoP');
  });
});

describe('a refresh token', () => {
  it('of a public client is bound to the key', async () => {
    const { refresh_token = '' } = await boundTokens();
    const form = { grant_type: 'refresh_token', client_id: 'frontend', refresh_token };
    expect(await refusal(ask(form, await other.proof(at())))).toMatchObject({
      code: 'invalid_grant',
      reason: 'dpop_key_mismatch',
    });
    expect((await refusal(ask(form))).reason).toBe('dpop_key_mismatch');
    expect((await ask(form, await key.proof(at()))).body.token_type).toBe('DPoP');
  });

  it('stays bound after it has rotated', async () => {
    const first = await boundTokens();
    const form = { grant_type: 'refresh_token', client_id: 'frontend' };
    const second = await ask({ ...form, refresh_token: first.refresh_token ?? '' }, await key.proof(at()));
    const error = await refusal(ask({ ...form, refresh_token: second.body.refresh_token ?? '' }));
    expect(error.reason).toBe('dpop_key_mismatch');
  });

  it('of a confidential client may come with a new key', async () => {
    const authorization = basic('web', 'web-secret');
    const code = await sandbox.code(webRequest);
    const form = { grant_type: 'authorization_code', code, redirect_uri: webRequest.redirect_uri };
    const { body } = await ask(form, await key.proof(at()), authorization);
    const refreshed = await ask(
      { grant_type: 'refresh_token', refresh_token: body.refresh_token ?? '' },
      await other.proof(at()),
      authorization,
    );
    expect(decodeJwt(refreshed.body.access_token).cnf).toEqual({ jkt: other.jkt });
  });
});

describe('dpop_jkt in the authorization request', () => {
  it('binds the code to the key', async () => {
    const code = await sandbox.code({ dpop_jkt: key.jkt });
    expect((await refusal(ask({ ...redemption, code }, await other.proof(at())))).code).toBe('invalid_grant');
    expect((await refusal(ask({ ...redemption, code }))).reason).toBe('dpop_key_mismatch');
    expect((await ask({ ...redemption, code }, await key.proof(at()))).body.token_type).toBe('DPoP');
  });
});

describe('a nonce, where the server demands one', () => {
  beforeEach(() => {
    sandbox = createTestServer({ dpop: { nonceRequired: true, secret: 's' } });
  });
  const form = { grant_type: 'client_credentials' };
  const sensor = basic('sensor', 'sensor-secret');

  async function nonceOf(proof: string): Promise<string> {
    const error: OAuthError = await refusal(ask(form, proof, sensor));
    expect(error).toMatchObject({ code: 'use_dpop_nonce', status: 400 });
    return error.details.headers?.['DPoP-Nonce'] ?? '';
  }

  it('is given with the refusal, and taken in the next proof', async () => {
    const nonce = await nonceOf(await key.proof(at()));
    const { body, headers } = await ask(form, await key.proof({ ...at(), nonce }), sensor);
    expect(body.token_type).toBe('DPoP');
    expect(headers['DPoP-Nonce']).toBe(nonce);
  });

  it('is refused when it is not ours', async () => {
    expect(await nonceOf(await key.proof({ ...at(), nonce: 'guessed' }))).toBe(currentNonce(sandbox.server));
  });

  it('is good for a while, and then replaced', async () => {
    const nonce = await nonceOf(await key.proof(at()));
    sandbox.pass(150);
    const { headers } = await ask(form, await key.proof({ ...at(), nonce }), sensor);
    expect(headers['DPoP-Nonce']).not.toBe(nonce);
    sandbox.pass(150);
    expect(await nonceOf(await key.proof({ ...at(), nonce }))).not.toBe(nonce);
  });

  it('is not asked of who sends no proof', async () => {
    expect((await ask(form, undefined, sensor)).headers).not.toHaveProperty('DPoP-Nonce');
  });
});

describe('UserInfo', () => {
  const call = (authorization: string, dpop?: string) =>
    userinfo(
      sandbox.server,
      sandbox.request({}, { method: 'GET', authorization, ...(dpop === undefined ? {} : { dpop }) }),
    );
  const proofFor = (accessToken: string, changes = {}, by = key) =>
    by.proof({ htm: 'GET', htu: userinfoUrl, iat: now, accessToken }, changes);

  it('answers a bound token with its proof', async () => {
    const { access_token } = await boundTokens();
    const reply = await call(`DPoP ${access_token}`, await proofFor(access_token));
    expect(reply).toMatchObject({ status: 200, body: { sub: 'alice', email: 'alice@example.com' } });
  });

  it('takes the scheme in any case', async () => {
    const { access_token } = await boundTokens();
    expect(await call(`dpop ${access_token}`, await proofFor(access_token))).toMatchObject({ status: 200 });
  });

  it('refuses a bound token as a bearer token, and says how to send it', async () => {
    const { access_token } = await boundTokens();
    const error = await refusal(call(`Bearer ${access_token}`, await proofFor(access_token)));
    expect(error).toMatchObject({ code: 'invalid_token', reason: 'dpop_proof_missing', status: 401 });
    expect(error.details.headers?.['WWW-Authenticate']).toMatch(/^DPoP error="invalid_token", .*algs="RS256 .*ES256/);
  });

  it('refuses a bearer token with the scheme DPoP', async () => {
    const { access_token } = await sandbox.tokens();
    expect(await refusal(call(`DPoP ${access_token}`, await proofFor(access_token)))).toMatchObject({
      code: 'invalid_token',
      reason: 'token_not_bound',
    });
  });

  it.each<[string, (accessToken: string) => Promise<string | undefined>, string]>([
    ['no proof', async () => undefined, 'dpop_proof_missing'],
    ['a proof without ath', token_ => proofFor(token_, { ath: undefined }), 'dpop_proof_for_another_token'],
    ['a proof for another token', () => proofFor('another'), 'dpop_proof_for_another_token'],
    ['a proof by another key', token_ => proofFor(token_, {}, other), 'dpop_key_mismatch'],
    ['a proof for POST', token_ => proofFor(token_, { htm: 'POST' }), 'dpop_proof_for_another_request'],
  ])('refuses a bound token with %s', async (_what, proof, reason) => {
    const { access_token } = await boundTokens();
    const error = await refusal(call(`DPoP ${access_token}`, await proof(access_token)));
    expect(error).toMatchObject({ reason, status: 401 });
  });
});

describe('a public client without DPoP', () => {
  it('keeps a refresh token that is bound to nothing', async () => {
    expect(frontend.dpop_bound_access_tokens).toBe(false);
    const { refresh_token = '' } = await sandbox.tokens();
    const form = { grant_type: 'refresh_token', client_id: 'frontend', refresh_token };
    expect((await ask(form)).body.token_type).toBe('Bearer');
  });
});
