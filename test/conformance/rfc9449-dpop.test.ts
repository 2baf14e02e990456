import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SandboxConfig } from '../../src/index.ts';
import { s256 } from '../../src/protocol/requests/pkce.ts';
import { observes } from '../observed.ts';
import { createDpopKey, type DpopKey } from '../support/dpop.ts';
import { altered } from '../support/forgeries.ts';
import { get, post, verifier } from '../support/wire.ts';
import { checkTokenError, checkTokenResponse, checkUserInfo, type Json, type TokenResponse } from './checks.ts';
import { checkPushed } from './fapi.ts';
import { callback, configured, type Op, startOp } from './party.ts';

type Form = Readonly<Record<string, string>>;
type Claims = Readonly<Record<string, unknown>>;

const common = { redirect_uris: [callback], scope: 'openid profile products:read' } as const;
const client_secret = 'a secret of more than 32 characters, to be sure';
const config: SandboxConfig = {
  clients: [
    { ...common, client_id: 'public', grant_types: ['authorization_code', 'refresh_token'] },
    { ...common, client_id: 'confidential', client_secret, grant_types: ['authorization_code', 'refresh_token'] },
    {
      ...common,
      client_id: 'bound',
      client_secret,
      grant_types: ['authorization_code', 'client_credentials'],
      dpop_bound_access_tokens: true,
    },
  ],
};

let op: Op;
let key: DpopKey;
let other: DpopKey;
beforeAll(async () => {
  [op, key, other] = await Promise.all([startOp(config), createDpopKey(), createDpopKey('PS256')]);
});
afterAll(() => op[Symbol.asyncDispose]());

const api = (at = op) => `${at.sandbox.url}/api/products`;

/** The header with a proof for the token endpoint; `proof` is sent as it is. */
async function proving(by: DpopKey, changes: Claims = {}, header: Claims = {}, at = op): Promise<Form> {
  return { dpop: await by.proof({ htu: at.metadata.token_endpoint, iat: at.now() }, changes, header) };
}

function credentials(client_id: string): Form {
  return client_id === 'public'
    ? {}
    : { authorization: `Basic ${btoa(`${client_id}:${encodeURIComponent(client_secret)}`)}` };
}

function ask(client_id: string, form: Form, headers: Form = {}, at = op): Promise<Response> {
  const known = client_id === 'public' ? { ...form, client_id } : form;
  return post(at.metadata.token_endpoint, known, { ...credentials(client_id), ...headers });
}

const pkce = { code_challenge: s256(verifier), code_challenge_method: 'S256' };

async function codeFor(client_id: string, parameters: Form = {}, at = op): Promise<Form> {
  const { parameters: answer } = await configured(at, config, client_id).authorize({
    ...pkce,
    scope: common.scope,
    ...parameters,
  });
  const code = answer.get('code') ?? '';
  return { grant_type: 'authorization_code', code, redirect_uri: callback, code_verifier: verifier };
}

async function boundTokens(client_id = 'public', by = key): Promise<TokenResponse> {
  return checkTokenResponse(await ask(client_id, await codeFor(client_id), await proving(by)));
}

async function call(
  url: string,
  token: string,
  by: DpopKey | undefined,
  scheme = 'DPoP',
  changes: Claims = {},
  at = op,
) {
  const proof = await by?.proof({ htm: 'GET', htu: url, iat: at.now(), accessToken: token }, changes);
  return get(url, { authorization: `${scheme} ${token}`, ...(proof === undefined ? {} : { dpop: proof }) });
}

describe('RFC 9449, DP-01: a proof', () => {
  it.each<[string, Claims, Claims]>([
    ['of another type', {}, { typ: 'JWT' }],
    ['without a key', {}, { jwk: undefined }],
    ['without jti', { jti: undefined }, {}],
    ['for another method', { htm: 'GET' }, {}],
    ['for another address', { htu: 'https://elsewhere.example/token' }, {}],
    ['without iat', { iat: undefined }, {}],
    ['from an hour ago', { iat: 1 }, {}],
  ])('is refused %s', async (_, changes, header) => {
    const response = await ask('public', await codeFor('public'), await proving(key, changes, header));
    expect(await checkTokenError(response)).toBe('invalid_dpop_proof');
  });

  it.each<[string, (good: string) => Promise<string> | string]>([
    ['whose signature is not by its key', good => altered(good, { jti: 'another' })],
    ['by a symmetric algorithm', good => altered(good, {}, { alg: 'HS256' })],
    ['nobody has signed', good => altered(good, {}, { alg: 'none' }).replace(/[^.]+$/, '')],
    ['with its private key', async () => (await proving(key, {}, { jwk: key.privateJwk })).dpop ?? ''],
    ['that is no JWT', () => 'proof'],
  ])('is refused %s', async (_, forge) => {
    const { dpop = '' } = await proving(key);
    const response = await ask('public', await codeFor('public'), { dpop: await forge(dpop) });
    expect(await checkTokenError(response)).toBe('invalid_dpop_proof');
  });

  it.each([
    ['without ath', { ath: undefined }],
    ['for another token', { ath: s256('another') }],
  ])('is refused %s at a resource', async (_, changes) => {
    const { access_token } = await boundTokens();
    for (const url of [api(), op.metadata.userinfo_endpoint]) {
      const response = await call(url, access_token, key, 'DPoP', changes);
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toContain('error="invalid_dpop_proof"');
    }
  });

  it('may be by each algorithm in metadata, all of which are asymmetric', async () => {
    const algs = op.metadata.dpop_signing_alg_values_supported as string[];
    expect(algs.filter(alg => alg === 'none' || alg.startsWith('HS'))).toEqual([]);
    for (const alg of algs) expect((await boundTokens('public', await createDpopKey(alg))).token_type).toBe('DPoP');
  });
});

describe('RFC 9449, DP-02: bound tokens', () => {
  it('say DPoP and carry the thumbprint of the key, in the token and in introspection', async () => {
    const { access_token, token_type } = await boundTokens();
    expect(token_type).toBe('DPoP');
    expect(decodeJwt(access_token).cnf).toEqual({ jkt: key.jkt });
    const shown = await post(
      String(op.metadata.introspection_endpoint),
      { token: access_token },
      credentials('confidential'),
    );
    expect(await shown.json()).toMatchObject({ active: true, token_type: 'DPoP', cnf: { jkt: key.jkt } });
  });

  it('open the API and UserInfo with their key', async () => {
    const { access_token } = await boundTokens();
    expect((await call(api(), access_token, key)).status).toBe(200);
    await checkUserInfo(await call(op.metadata.userinfo_endpoint, access_token, key), 'alice');
  });
});

describe('RFC 9449, DP-03: the scheme', () => {
  it.each([
    ['a bound token as Bearer, with its proof', true],
    ['a bound token as Bearer, without', false],
  ])('refuses %s', async (_, hasProof) => {
    const { access_token } = await boundTokens();
    for (const url of [api(), op.metadata.userinfo_endpoint])
      expect((await call(url, access_token, hasProof ? key : undefined, 'Bearer')).status).toBe(401);
  });

  it('refuses a token that is not bound as DPoP', async () => {
    const { access_token } = await checkTokenResponse(await ask('public', await codeFor('public')));
    for (const url of [api(), op.metadata.userinfo_endpoint]) {
      const response = await call(url, access_token, key);
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toContain('error="invalid_token"');
      expect((await call(url, access_token, undefined, 'Bearer')).status).toBe(200);
    }
  });

  it('refuses a bound token with a proof by another key', async () => {
    const { access_token } = await boundTokens();
    for (const url of [api(), op.metadata.userinfo_endpoint])
      expect((await call(url, access_token, other)).status).toBe(401);
  });
});

describe('RFC 9449, DP-04: refresh tokens', () => {
  it('of public clients are bound to the key', async () => {
    const { refresh_token = '' } = await boundTokens();
    const form = { grant_type: 'refresh_token', refresh_token };
    for (const headers of [{}, await proving(other)])
      expect(await checkTokenError(await ask('public', form, headers))).toMatch(/^invalid_(grant|dpop_proof)$/);
    const renewed = await checkTokenResponse(await ask('public', form, await proving(key)));
    expect(decodeJwt(renewed.access_token).cnf).toEqual({ jkt: key.jkt });
  });

  it('of confidential clients are bound to their credentials, and the key may change', async () => {
    const { refresh_token = '' } = await boundTokens('confidential');
    const form = { grant_type: 'refresh_token', refresh_token };
    const renewed = await checkTokenResponse(await ask('confidential', form, await proving(other)));
    expect(decodeJwt(renewed.access_token).cnf).toEqual({ jkt: other.jkt });
  });
});

describe('RFC 9449, DP-05: the key of a code', () => {
  it.each([
    ['another key', () => proving(other)],
    ['no proof', async () => ({})],
  ])('named by dpop_jkt, is refused with %s', async (_, headers) => {
    const form = await codeFor('public', { dpop_jkt: key.jkt });
    expect(await checkTokenError(await ask('public', form, await headers()))).toMatch(/^invalid_(grant|dpop_proof)$/);
    await checkTokenResponse(await ask('public', form, await proving(key)));
  });

  it('is that of the proof at the PAR endpoint', async () => {
    const party = configured(op, config, 'public');
    const { query } = party.request(pkce);
    const endpoint = String(op.metadata.pushed_authorization_request_endpoint);
    const dpop = await key.proof({ htu: endpoint, iat: op.now() });
    const request_uri = await checkPushed(await post(endpoint, Object.fromEntries(query), { dpop }));
    const at = new URL(
      `${op.metadata.authorization_endpoint}?${new URLSearchParams({ client_id: 'public', request_uri })}`,
    );
    const { parameters } = await party.follow(at, query);
    const form = { grant_type: 'authorization_code', redirect_uri: callback, code_verifier: verifier };
    const code = parameters.get('code') ?? '';
    expect(await checkTokenError(await ask('public', { ...form, code }, await proving(other)))).toBe('invalid_grant');
    await checkTokenResponse(await ask('public', { ...form, code }, await proving(key)));
  });
});

describe('RFC 9449, DP-06: nonces of the server', () => {
  it('are demanded by 400 use_dpop_nonce at the token and the PAR endpoint, and by 401 at resources', async () => {
    observes('setting dpopNonce');
    await using strict = await startOp({ ...config, dpopNonce: true });
    const form = await codeFor('public', {}, strict);
    const first = await ask('public', form, await proving(key, {}, {}, strict), strict);
    const nonce = first.headers.get('dpop-nonce') ?? '';
    expect(first.status).toBe(400);
    expect(await checkTokenError(first)).toBe('use_dpop_nonce');
    expect(nonce).toMatch(/^[\x21\x23-\x5b\x5d-\x7e]+$/); // RFC 9449 §8.1

    const wrong = await ask('public', form, await proving(key, { nonce: 'invented' }, {}, strict), strict);
    expect(await checkTokenError(wrong)).toBe('use_dpop_nonce');
    const tokens = await checkTokenResponse(
      await ask('public', form, await proving(key, { nonce }, {}, strict), strict),
    );

    const endpoint = String(strict.metadata.pushed_authorization_request_endpoint);
    const { query } = configured(strict, config, 'public').request(pkce);
    const dpop = await key.proof({ htu: endpoint, iat: strict.now() });
    expect(await checkTokenError(await post(endpoint, Object.fromEntries(query), { dpop }))).toBe('use_dpop_nonce');

    for (const url of [api(strict), strict.metadata.userinfo_endpoint]) {
      const refused = await call(url, tokens.access_token, key, 'DPoP', {}, strict);
      expect(refused.status).toBe(401);
      expect(refused.headers.get('www-authenticate')).toMatch(/^DPoP .*error="use_dpop_nonce"/);
      const given = refused.headers.get('dpop-nonce') ?? '';
      expect((await call(url, tokens.access_token, key, 'DPoP', { nonce: given }, strict)).status).toBe(200);
    }
  });

  it('go stale', async () => {
    await using strict = await startOp({ ...config, dpopNonce: true });
    const form = await codeFor('public', {}, strict);
    const refused = await ask('public', form, await proving(key, {}, {}, strict), strict);
    const nonce = refused.headers.get('dpop-nonce') ?? '';
    strict.pass(3600);
    const later = await ask(
      'public',
      await codeFor('public', {}, strict),
      await proving(key, { nonce }, {}, strict),
      strict,
    );
    expect(await checkTokenError(later)).toBe('use_dpop_nonce');
  });
});

describe('RFC 9449, DP-07: a proof is good once', () => {
  it('at the token endpoint', async () => {
    const headers = await proving(key);
    await checkTokenResponse(await ask('public', await codeFor('public'), headers));
    expect(await checkTokenError(await ask('public', await codeFor('public'), headers))).toBe('invalid_dpop_proof');
  });

  it('at the API and at UserInfo', async () => {
    const { access_token } = await boundTokens();
    for (const htu of [api(), op.metadata.userinfo_endpoint]) {
      const dpop = await key.proof({ htm: 'GET', htu, iat: op.now(), accessToken: access_token });
      const statuses = [];
      for (let i = 0; i < 2; i++)
        statuses.push((await get(htu, { authorization: `DPoP ${access_token}`, dpop })).status);
      expect(statuses).toEqual([200, 401]);
    }
  });
});

describe('RFC 9449, DP-08: dpop_bound_access_tokens', () => {
  it('lets the client have no token without a proof', async () => {
    const form = { grant_type: 'client_credentials', scope: 'products:read' };
    expect(await checkTokenError(await ask('bound', form))).toBe('invalid_dpop_proof');
    const { access_token } = await checkTokenResponse(await ask('bound', form, await proving(key)));
    expect(decodeJwt(access_token).cnf).toEqual({ jkt: key.jkt });
  });

  it('can be registered', async () => {
    const response = await fetch(op.metadata.registration_endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ redirect_uris: [callback], dpop_bound_access_tokens: true }),
    });
    expect(((await response.json()) as Json).dpop_bound_access_tokens).toBe(true);
  });
});
