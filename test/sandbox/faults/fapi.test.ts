import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../../../src/index.ts';
import { createDpopKey } from '../../support/dpop.ts';
import { answer, asSensor, get, login, post } from '../../support/wire.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox({ signingAlg: 'PS256' });
});
afterEach(() => sandbox.faults.clear());
afterAll(() => sandbox.stop());

const grant = { grant_type: 'client_credentials' };
const tokenUrl = () => `${sandbox.url}/oauth2/token`;
const now = () => Math.floor(Date.now() / 1000);

describe('a signed authorization response', () => {
  const response = async () =>
    (await answer(sandbox.url, await login(sandbox.url), { response_mode: 'jwt' })).get('response') ?? '';
  const verified = async (jwt: string) => jwtVerify(jwt, createRemoteJWKSet(new URL(`${sandbox.url}/oauth2/jwks`)));

  it('has other claims by changed_claims, and is signed with them', async () => {
    await sandbox.faults.arm({ fault: 'changed_claims', token: 'response', change: { iss: 'other', aud: null } });
    const { payload } = await verified(await response());
    expect(payload).toMatchObject({ iss: 'other', code: expect.any(String) });
    expect(payload).not.toHaveProperty('aud');
    expect((await verified(await response())).payload, 'the next is as it was').toMatchObject({ aud: 'frontend' });
  });

  it('has expired', async () => {
    await sandbox.faults.arm({ fault: 'expired', token: 'response' });
    expect(decodeJwt(await response()).exp).toBeLessThan(now() - 3000);
  });

  it('has no signature, or a wrong one', async () => {
    await sandbox.faults.arm({ fault: 'alg_none', token: 'response' });
    expect(decodeProtectedHeader(await response()).alg).toBe('none');
    await sandbox.faults.arm({ fault: 'bad_signature', token: 'response' });
    await expect(verified(await response())).rejects.toThrow('signature verification failed');
  });

  it('is left alone by a fault of a token', async () => {
    await sandbox.faults.arm({ fault: 'alg_none', token: 'both', times: 'always' });
    expect((await verified(await response())).payload.aud).toBe('frontend');
  });
});

it('alg in the header of changed_claims is the algorithm that signs, if the key can', async () => {
  await sandbox.faults.arm({ fault: 'changed_claims', header: { alg: 'RS256' } });
  const { access_token } = await (await post(tokenUrl(), grant, { authorization: asSensor })).json();
  const { keys } = await (await get(`${sandbox.url}/oauth2/jwks`)).json();
  const [{ alg: _, ...key }] = keys.filter((each: { alg: string }) => each.alg === 'PS256');
  expect((await jwtVerify(access_token, key, { algorithms: ['RS256'] })).protectedHeader.alg).toBe('RS256');
});

it('dpop_nonce asks for a nonce at its endpoint, takes the proof that has it, and leaves requests without a proof alone', async () => {
  await sandbox.faults.arm({ fault: 'dpop_nonce', times: 'always' });
  const key = await createDpopKey();
  const ask = async (nonce?: string) => {
    const dpop = await key.proof({ htu: tokenUrl(), iat: now(), ...(nonce === undefined ? {} : { nonce }) });
    return post(tokenUrl(), grant, { authorization: asSensor, dpop });
  };
  const refused = await ask();
  expect([refused.status, await refused.json()]).toMatchObject([400, { error: 'use_dpop_nonce' }]);
  const taken = await ask(refused.headers.get('dpop-nonce') ?? '');
  expect(await taken.json()).toMatchObject({ token_type: 'DPoP' });
  expect((await post(tokenUrl(), grant, { authorization: asSensor })).status).toBe(200);
});

it('token_type_case and challenge_case write a name in other letters', async () => {
  await sandbox.faults.arm({ fault: 'token_type_case' });
  const { token_type } = await (await post(tokenUrl(), grant, { authorization: asSensor })).json();
  expect(token_type).toBe('bEARER');
  for (const endpoint of ['userinfo', 'api']) await sandbox.faults.arm({ fault: 'challenge_case', endpoint });
  for (const path of ['/userinfo', '/api/products']) {
    const { headers } = await get(sandbox.url + path, { authorization: 'Bearer a.b.c' });
    expect(headers.get('www-authenticate'), path).toMatch(/^bEARER\b/);
  }
});
