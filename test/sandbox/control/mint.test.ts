import {
  compactDecrypt,
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
  type JSONWebKeySet,
  jwtVerify,
} from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSandbox, type Defect, type MintRequest, type Sandbox } from '../../../src/index.ts';
import { defectNames } from '../../../src/server/faults/fault-names.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox({
    clients: [
      {
        client_id: 'app',
        client_name: 'App',
        redirect_uris: ['http://localhost:5173/callback'],
        grant_types: ['authorization_code', 'refresh_token'],
        scope: 'openid profile email offline_access bikes:read',
        token_endpoint_auth_method: 'none',
      },
      {
        client_id: 'job',
        client_name: 'Job',
        client_secret: 'job-secret',
        grant_types: ['client_credentials'],
        scope: 'bikes:read',
        audience: ['https://bikes.example'],
      },
      {
        client_id: 'dark',
        client_name: 'Dark',
        client_secret: 'dark-secret',
        access_token_format: 'opaque',
        loopback_redirects: true,
        scope: 'openid email',
      },
      {
        client_id: 'pair',
        client_name: 'Pair',
        redirect_uris: ['https://pair.example/callback'],
        token_endpoint_auth_method: 'none',
        subject_type: 'pairwise',
        scope: 'openid email',
      },
    ],
  });
});
afterAll(() => sandbox.stop());

const mint = (request: Omit<MintRequest, 'client'> & { readonly client?: string } = {}) =>
  sandbox.issueToken({ client: 'app', ...request });
const api = (token: string) => fetch(`${sandbox.url}/api/bikes`, { headers: { Authorization: `Bearer ${token}` } });
const userinfo = async (token: string) => {
  const answer = await fetch(`${sandbox.url}/userinfo`, { headers: { Authorization: `Bearer ${token}` } });
  return { status: answer.status, body: await answer.json() };
};
const introspect = async (token: string) => {
  const Authorization = `Basic ${Buffer.from('job:job-secret').toString('base64')}`;
  const body = new URLSearchParams({ token });
  const answer = await fetch(`${sandbox.url}/oauth2/introspect`, { method: 'POST', headers: { Authorization }, body });
  return answer.json();
};
const keySet = async () =>
  createLocalJWKSet((await (await fetch(`${sandbox.url}/oauth2/jwks`)).json()) as JSONWebKeySet);
const lastRefusal = () => sandbox.events.latest('error.returned', 1)[0];

describe('a minted access token', () => {
  it('is taken by the sample backend, UserInfo and introspection as a real one', async () => {
    const { token, tokenId, expires_in } = await mint({ user: 'alice' });
    expect((await api(token)).status).toBe(200);
    expect(await userinfo(token)).toMatchObject({ status: 200, body: { sub: 'alice', email: 'alice@example.com' } });
    expect(await introspect(token)).toMatchObject({
      active: true,
      sub: 'alice',
      client_id: 'app',
      token_type: 'Bearer',
    });
    expect(expires_in).toBe(300);
    expect(sandbox.events.latest('token.used', 2)).toMatchObject([{ tokenId }, { tokenId }]);
  });

  it('has the claims of a real token of the same login, except the session', async () => {
    const real = await sandbox.login({ client: 'app', user: 'alice', as: 'tokens' });
    const { claims, header } = await mint({ user: 'alice' });
    expect(Object.keys({ ...claims, sid: '' }).sort()).toEqual(Object.keys(decodeJwt(real.access_token)).sort());
    expect(header).toEqual(decodeProtectedHeader(real.access_token));
  });

  it('is logged once, as minted', async () => {
    const { tokenId, token } = await mint({ user: 'alice', scope: 'openid', defect: 'expired' });
    const told = sandbox.events.issued(tokenId);
    expect(told).toMatchObject({
      token,
      minted: true,
      defect: 'expired',
      grant_type: 'mint',
      sub: 'alice',
      scope: 'openid',
    });
    expect(sandbox.events.ofRequest(told?.requestId ?? '')).toHaveLength(1);
  });

  it('is of the client itself where no user is named', async () => {
    const { token, claims } = await mint({ client: 'job' });
    expect(claims).toMatchObject({ sub: 'job', client_id: 'job', aud: ['https://bikes.example'], scope: 'bikes:read' });
    expect((await api(token)).status).toBe(200);
  });

  it.each([['https://a.example'], [['https://a.example']]])('keeps the form of its audience: %j', async audience => {
    expect(decodeJwt((await mint({ audience })).token).aud).toEqual(audience);
  });

  it('has any scope, audience, claims, lifetime, header and algorithm', async () => {
    const { token } = await mint({
      user: 'bob',
      scope: 'moon:land',
      audience: ['https://a.example', 'https://b.example'],
      claims: { sub: 'nobody', roles: ['pilot'], auth_time: null },
      lifetime: 42,
      header: { 'x-test': 1, kid: null },
      alg: 'PS512',
    });
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'PS512', typ: 'at+jwt', 'x-test': 1 });
    const claims = decodeJwt(token);
    expect(claims).toMatchObject({ sub: 'nobody', roles: ['pilot'], scope: 'moon:land' });
    expect(claims.aud).toEqual(['https://a.example', 'https://b.example']);
    expect(claims).not.toHaveProperty('auth_time');
    expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(42);
    await jwtVerify(token, await keySet(), { issuer: sandbox.issuer, audience: 'https://b.example', typ: 'at+jwt' });
  });

  it('has ended already where its lifetime is negative', async () => {
    const { token, expires_in, claims } = await mint({ lifetime: -10 });
    expect(expires_in).toBe(-10);
    expect(Number(claims?.exp) - Number(claims?.iat)).toBe(300);
    expect((await api(token)).status).toBe(401);
    expect(lastRefusal()).toMatchObject({ reason: 'api_token_expired' });
  });

  it('is opaque where the client has it so, and JWT where that is wanted', async () => {
    const { token, claims } = await mint({ client: 'dark', user: 'alice', scope: 'openid email' });
    expect(token).not.toContain('.');
    expect(claims).toMatchObject({ sub: 'alice' });
    expect(await introspect(token)).toMatchObject({ active: true, sub: 'alice' });
    expect((await userinfo(token)).body).toMatchObject({ email: 'alice@example.com' });
    expect((await mint({ client: 'dark', format: 'jwt' })).token.split('.')).toHaveLength(3);
    const ended = await mint({ client: 'dark', defect: 'expired' });
    expect(await introspect(ended.token)).toEqual({ active: false });
  });

  it('leads UserInfo to the user of a pairwise subject', async () => {
    const { token, claims } = await mint({ client: 'pair', user: 'alice' });
    expect(claims?.sub).not.toBe('alice');
    expect(await userinfo(token)).toMatchObject({
      status: 200,
      body: { sub: claims?.sub, email: 'alice@example.com' },
    });
  });
});

describe('a minted ID token', () => {
  it('is verified by the JWK Set, and has the claims of its scopes', async () => {
    const { token } = await mint({ type: 'id', user: 'alice', scope: 'openid email', claims: { nonce: 'n' } });
    const { payload } = await jwtVerify(token, await keySet(), { issuer: sandbox.issuer, audience: 'app', typ: 'JWT' });
    expect(payload).toMatchObject({ sub: 'alice', email: 'alice@example.com', nonce: 'n', azp: 'app' });
  });

  it.each([
    ['expired', '"exp" claim timestamp check failed'],
    ['wrong_audience', 'unexpected "aud" claim value'],
    ['wrong_type', 'unexpected "typ" JWT header value'],
    ['not_yet_valid', '"nbf" claim timestamp check failed'],
  ] as const)('is refused where it is %s', async (defect, message) => {
    const { token } = await mint({ type: 'id', user: 'alice', defect });
    const verified = jwtVerify(token, await keySet(), { issuer: sandbox.issuer, audience: 'app', typ: 'JWT' });
    await expect(verified).rejects.toThrow(message);
  });

  it('is encrypted to a client that wants that, like a real one', async () => {
    const { publicKey, privateKey } = await generateKeyPair('ECDH-ES', { crv: 'P-256' });
    const keys = [{ ...(await exportJWK(publicKey)), use: 'enc', alg: 'ECDH-ES', kid: 'mine' }];
    await using one = await createSandbox({
      clients: [
        {
          ...{ client_id: 'sealed', client_name: 'Sealed', loopback_redirects: true, scope: 'openid' },
          ...{ token_endpoint_auth_method: 'none', id_token_encrypted_response_alg: 'ECDH-ES', jwks: { keys } },
        },
      ],
    });
    const { token, tokenId } = await one.issueToken({ client: 'sealed', user: 'alice', type: 'id' });
    const { plaintext } = await compactDecrypt(token, privateKey);
    expect(decodeJwt(new TextDecoder().decode(plaintext))).toMatchObject({ sub: 'alice', aud: 'sealed' });
    expect(one.events.issued(tokenId)).toMatchObject({ signed: new TextDecoder().decode(plaintext) });
  });

  it('has a nonce that nobody has sent', async () => {
    const { claims } = await mint({ type: 'id', user: 'alice', defect: 'wrong_nonce', claims: { nonce: 'sent' } });
    expect(claims?.nonce).toBe('never-sent-by-the-client');
  });
});

describe('a minted refresh token', () => {
  it('is redeemed as a real one', async () => {
    const { token, tokenId } = await mint({
      type: 'refresh',
      user: 'bob',
      scope: 'openid offline_access',
      lifetime: 60,
    });
    expect(sandbox.events.issued(tokenId)).toMatchObject({ token, minted: true, tokenType: 'refresh' });
    const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: token, client_id: 'app' });
    const answer = await fetch(`${sandbox.url}/oauth2/token`, { method: 'POST', body });
    expect(answer.status).toBe(200);
    expect(decodeJwt(((await answer.json()) as { access_token: string }).access_token)).toMatchObject({ sub: 'bob' });
  });
});

/** What our API says of each, and jose, which knows nothing of us. */
const refusals: readonly (readonly [defect: Defect, reason: string, message: string])[] = [
  ['expired', 'api_token_expired', '"exp" claim timestamp check failed'],
  ['not_yet_valid', 'api_token_not_yet_valid', '"nbf" claim timestamp check failed'],
  ['wrong_issuer', 'api_issuer_mismatch', 'unexpected "iss" claim value'],
  ['wrong_audience', 'api_audience_mismatch', 'unexpected "aud" claim value'],
  ['wrong_type', 'api_typ_mismatch', 'unexpected "typ" JWT header value'],
  ['missing_claim', 'api_claim_malformed', 'missing required "exp" claim'],
  ['tampered', 'api_signature_invalid', 'signature verification failed'],
  ['bad_signature', 'api_signature_invalid', 'signature verification failed'],
  ['wrong_key', 'api_signature_invalid', 'signature verification failed'],
  ['unknown_kid', 'api_key_unknown', 'no applicable key found in the JSON Web Key Set'],
  ['alg_none', 'api_token_unsigned', 'Unsupported "alg" value'],
  ['hs256_with_public_key', 'api_alg_refused', 'Unsupported "alg" value'],
  ['unknown_crit', 'api_token_malformed', 'is not recognized'],
];

/** One is of ID tokens only, and two are found out by others than who checks a signature. */
const others: readonly Defect[] = ['wrong_nonce', 'wrong_subject', 'huge_token'];

describe('a defect', () => {
  it('is in the table, except the defects with a separate test', () => {
    expect(refusals.map(([defect]) => defect).sort()).toEqual(
      defectNames.filter(name => !others.includes(name)).sort(),
    );
  });

  it('wrong_subject is of nobody whom UserInfo knows', async () => {
    const { token, claims } = await mint({ user: 'alice', defect: 'wrong_subject' });
    expect(claims).toMatchObject({ sub: 'somebody-else' });
    expect((await userinfo(token)).status).toBe(401);
    const idToken = await mint({ type: 'id', user: 'alice', defect: 'wrong_subject' });
    expect(decodeJwt(idToken.token).sub).toBe('somebody-else');
  });

  it('huge_token is more than a server takes in its headers', async () => {
    const { token } = await mint({ user: 'alice', defect: 'huge_token' });
    await jwtVerify(token, await keySet(), { issuer: sandbox.issuer });
    expect((await api(token)).status).toBe(431);
  });

  it('wrong_key is the same key each time, which is made once', async () => {
    const signatures = await Promise.all(
      [1, 2].map(async () => {
        const claims = { iat: 1, nbf: 1, exp: 2 ** 32, jti: 'same.same' };
        const { token } = await mint({ user: 'alice', defect: 'wrong_key', alg: 'RS256', claims });
        return token.split('.')[2];
      }),
    );
    expect(signatures[0]).toBe(signatures[1]); // RSASSA-PKCS1-v1_5 is deterministic
  });

  it.each(refusals)('%s is refused by the sample backend: %s', async (defect, reason) => {
    const { token } = await mint({ user: 'alice', defect });
    const answer = await api(token);
    expect(answer.status).toBe(401);
    expect(lastRefusal()).toMatchObject({ endpoint: 'api', reason });
    expect((await api((await mint({ user: 'alice' })).token)).status).toBe(200);
  });

  it.each(refusals)('%s is refused by jose', async (defect, _reason, message) => {
    const { token } = await mint({ user: 'alice', defect });
    const demands = { issuer: sandbox.issuer, audience: 'app', typ: 'at+jwt', requiredClaims: ['exp', 'sub', 'jti'] };
    await expect(jwtVerify(token, await keySet(), demands)).rejects.toThrow(message);
  });

  it('missing_claim leaves out the claim that is named', async () => {
    const { token } = await mint({ user: 'alice', defect: 'missing_claim', missing: 'client_id' });
    expect(decodeJwt(token)).not.toHaveProperty('client_id');
    expect((await api(token)).status).toBe(401);
    expect(lastRefusal()).toMatchObject({ reason: 'api_claim_malformed', sent: 'no client_id' });
  });

  it('wrong_key names a key that is published', async () => {
    const { header } = await mint({ defect: 'wrong_key' });
    const { keys } = (await (await fetch(`${sandbox.url}/oauth2/jwks`)).json()) as JSONWebKeySet;
    expect(keys.map(({ kid }) => kid)).toContain(header?.kid);
  });
});

describe('tokens that cannot be minted', () => {
  it.each([
    [{ client: 'appp' }, 'issueToken: no client is registered as appp: did you mean app?'],
    [
      { user: 'alicia' },
      'issueToken: user is not as expected: found alicia, expected a user of this sandbox, such as alice, bob, carol; did you mean alice?',
    ],
    [{ defect: 'expird' }, 'did you mean expired'],
    [{ alg: 'HS256' }, 'issueToken: alg is not as expected: found "HS256", expected RS256, '],
    [{ lifetime: 1.5 }, 'lifetime is not as expected: found 1.5, expected whole seconds, at most ten years'],
    [{ lifetime: 1e10 }, 'at most ten years in either direction'],
    [{ usr: 'alice' }, 'did you mean user'],
    [{ claims: ['roles'] }, 'claims is not as expected'],
    [{ claims: { at: new Date(0) } }, 'only JSON'],
    [{ scope: 'a"b' }, 'scope is not as expected'],
    [{ type: 'id' }, 'expected a user: an ID token belongs to a user'],
    [{ type: 'id', user: 'alice', format: 'opaque' }, 'format is not as expected'],
    [{ type: 'refresh', user: 'alice', claims: {} }, 'a refresh token has no claims'],
    [{ type: 'refresh', user: 'alice', lifetime: -1 }, 'expired refresh tokens are not kept'],
    [{ type: 'refresh', user: 'alice', client: 'job' }, 'a client that is registered for refresh_token'],
    [{ client: 'dark', alg: 'RS256' }, 'alg is not as expected'],
    [{ client: 'dark', defect: 'bad_signature' }, 'a defect that an opaque token can have'],
    [{ missing: 'sub' }, 'nothing, without the defect missing_claim'],
    [{ defect: 'wrong_nonce' }, 'only an ID token has a nonce'],
    [{ defect: 'not_yet_valid', lifetime: -5 }, 'the token begins in an hour'],
  ])('is refused in one sentence: %j', async (request, message) => {
    const before = sandbox.events.count('token.issued');
    const minted = mint(request as MintRequest);
    await expect(minted).rejects.toThrow(TypeError);
    await expect(minted).rejects.toThrow(message);
    expect(sandbox.events.count('token.issued')).toBe(before);
  });

  it('takes a member that is undefined for one that is left out', async () => {
    const request = { client: 'app', user: undefined } as unknown as MintRequest;
    expect((await sandbox.issueToken(request)).claims).toMatchObject({ sub: 'app' });
  });
});
