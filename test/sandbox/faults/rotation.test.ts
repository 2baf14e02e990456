import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../../../src/index.ts';
import { asSensor, get, post } from '../../support/wire.ts';

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await createSandbox({ signingAlg: 'ES256' });
});
afterEach(() => sandbox.stop());

async function token(): Promise<string> {
  const form = { grant_type: 'client_credentials' };
  const response = await post(`${sandbox.url}/oauth2/token`, form, { authorization: asSensor });
  return ((await response.json()) as { access_token: string }).access_token;
}

/** As a client keeps it that never asks again. */
async function keySet() {
  return createLocalJWKSet((await (await get(`${sandbox.url}/oauth2/jwks`)).json()) as JSONWebKeySet);
}

const api = async (jwt: string) =>
  (await get(`${sandbox.url}/api/products`, { authorization: `Bearer ${jwt}` })).headers.get('www-authenticate');

describe('keys_rotated', () => {
  it('has a token come by a key that a kept JWK Set does not have', async () => {
    const kept = await keySet();
    await jwtVerify(await token(), kept);
    await sandbox.faults.arm({ fault: 'keys_rotated' });
    const fresh = await token();
    await expect(jwtVerify(fresh, kept)).rejects.toMatchObject({ code: 'ERR_JWKS_NO_MATCHING_KEY' });
    await jwtVerify(fresh, await keySet());
    expect(sandbox.events.latest('key.rotated', 1)).toMatchObject([{ requestId: expect.stringMatching(/^req_/) }]);
  });

  it('has older tokens refused from then on, and all is well with new ones', async () => {
    const old = await token();
    await sandbox.faults.arm({ fault: 'keys_rotated', endpoint: 'jwks' });
    await expect(jwtVerify(old, await keySet())).rejects.toMatchObject({ code: 'ERR_JWKS_NO_MATCHING_KEY' });
    expect(await api(old)).toContain('invalid_token');
    const fresh = await token();
    await jwtVerify(fresh, await keySet());
    expect(await api(fresh)).not.toContain('invalid_token');
    expect(sandbox.events.count('fault.applied')).toBe(1);
  });
});
