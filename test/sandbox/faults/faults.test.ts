import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createSandbox, type Sandbox } from '../../../src/index.ts';
import { catalogue } from '../../../src/server/faults/catalogue.ts';
import { changingFaultNames, faultNames } from '../../../src/server/faults/fault-names.ts';

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await createSandbox({ signingAlg: 'ES256' });
});
afterEach(() => sandbox.stop());

const basic = `Basic ${btoa('sensor:sensor-secret')}`;

function token(headers: Record<string, string> = {}): Promise<Response> {
  const body = new URLSearchParams({ grant_type: 'client_credentials', scope: 'telemetry:write' });
  return fetch(`${sandbox.issuer}/oauth2/token`, {
    method: 'POST',
    body,
    headers: { Authorization: basic, ...headers },
  });
}

async function control(method: string, path: string, body?: object): Promise<Response> {
  const headers = { 'Content-Type': 'application/json' };
  return fetch(`${sandbox.issuer}/_sandbox${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
}

async function arm(order: object): Promise<{ readonly id: string }> {
  const response = await control('POST', '/faults', order);
  expect(response.status, await response.clone().text()).toBe(201);
  return (await response.json()) as { id: string };
}

it('has a catalogue of the names that a configuration may have, and of those that need a change', () => {
  expect([...catalogue.keys()].sort()).toEqual([...faultNames, ...changingFaultNames].sort());
});

describe('a fault with a budget', () => {
  it('meets so many requests, and the next is healthy again', async () => {
    await arm({ fault: 'unavailable', times: 2, seconds: 7 });
    for (let count = 0; count < 2; count++) {
      const response = await token();
      expect(response.status).toBe(503);
      expect(response.headers.get('Retry-After')).toBe('7');
      expect(response.headers.get('Sandbox-Fault')).toBe('unavailable');
    }
    const healed = await token();
    expect(healed.status).toBe(200);
    expect(healed.headers.get('Sandbox-Fault')).toBeNull();
    expect(sandbox.events.count('fault.applied')).toBe(2);
    expect(sandbox.events.latest('fault.disarmed', 1)[0]).toMatchObject({ fault: 'unavailable', met: 2 });
  });

  it.each([
    ['an answer', { fault: 'unavailable' }, [503, 503, 200]],
    ['another answer behind it', { fault: 'unavailable' }, [503, 500, 200], { fault: 'server_error' }],
    ['an answer for any endpoint', { fault: 'http_status', status: 418, endpoint: 'any' }, [418, 418, 200]],
  ])('meets two requests where it is armed twice: %s', async (_, first, statuses, second = first) => {
    await arm(first);
    await arm(second);
    const met: number[] = [];
    for (let count = 0; count < 3; count++) met.push((await token()).status);
    expect(met).toEqual(statuses);
  });

  it.each([
    ['a wait', { fault: 'slow', seconds: 0 }],
    ['a missing member', { fault: 'missing_member', member: 'scope' }],
    ['a defect of the token', { fault: 'unknown_kid' }],
    ['keys that were replaced', { fault: 'keys_rotated', endpoint: 'token' }],
  ])('meets two requests where it is armed twice, and the answer is good: %s', async (_, order) => {
    await arm(order);
    await arm(order);
    const met: (string | null)[] = [];
    for (let count = 0; count < 3; count++) met.push((await token()).headers.get('Sandbox-Fault'));
    expect(met).toEqual([order.fault, order.fault, null]);
  });

  it('takes two members from one answer', async () => {
    await arm({ fault: 'missing_member', member: 'scope' });
    await arm({ fault: 'missing_member', member: 'expires_in' });
    expect(Object.keys((await (await token()).json()) as object).sort()).toEqual(['access_token', 'token_type']);
    expect((await token()).headers.get('Sandbox-Fault')).toBeNull();
  });

  it('is refused in the process in a sentence that reads', async () => {
    const order = { fault: 'unavailabel' };
    await expect(sandbox.faults.arm(order)).rejects.toThrow(
      /^faults\.arm: fault: found unavailabel, expected unavailable$/,
    );
  });

  it('is over when somebody says so', async () => {
    const { id } = await arm({ fault: 'server_error', times: 'always' });
    expect((await token()).status).toBe(500);
    expect(((await (await control('GET', '/faults')).json()) as { faults: object[] }).faults).toMatchObject([
      { id, met: 1, times: 'always', endpoint: 'token', by: 'api' },
    ]);
    expect((await control('DELETE', `/faults/${id}`)).status).toBe(200);
    expect((await token()).status).toBe(200);
    expect((await control('DELETE', `/faults/${id}`)).status).toBe(404);
  });

  it('is over with a reset', async () => {
    await arm({ fault: 'server_error', times: 'always' });
    await sandbox.reset();
    expect((await token()).status).toBe(200);
  });

  it('meets the client it is for alone', async () => {
    await arm({ fault: 'token_error', error: 'invalid_scope', client: 'frontend', times: 'always' });
    expect((await token()).status).toBe(200);
    await arm({ fault: 'token_error', error: 'invalid_scope', client: 'sensor' });
    const refused = await token();
    expect([refused.status, ((await refused.json()) as { error: string }).error]).toEqual([400, 'invalid_scope']);
  });

  it('is marked in the log and is no problem', async () => {
    await arm({ fault: 'missing_claim', member: 'aud' });
    await token();
    expect(sandbox.events.latest('request.completed', 1)[0]).toMatchObject({
      endpoint: 'token',
      faults: ['missing_claim'],
    });
    const problems = await fetch(`${sandbox.issuer}/dashboard/problems`, { headers: { Accept: 'text/html' } });
    expect(await problems.text()).not.toContain('missing_claim');
  });
});

describe('an order', () => {
  it.each([
    [{ fault: 'unavailabel' }, 'fault', 'unavailable'],
    [{ fault: 'keys_empty', endpoint: 'token' }, 'endpoint', 'one of jwks'],
    [{ fault: 'expired', seconds: 3 }, 'seconds', 'nothing: expired has no parameter'],
    [{ fault: 'slow', seconds: 3600 }, 'seconds', 'seconds, or 90s, 5m, 8h, 1d, 60 s at most'],
    [{ fault: 'slow', times: 0 }, 'times', '1 to 1000000, or always'],
    [{ fault: 'slow', probability: 2 }, 'probability', 'more than 0, up to 1'],
    [{ fault: 'slow', client: 'sensr' }, 'client', 'sensor'],
  ])('that cannot be met is refused: %j', async (order, member, expected) => {
    const response = await control('POST', '/faults', order);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ errors: [{ member, expected }] });
    expect(((await (await control('GET', '/faults')).json()) as { faults: object[] }).faults).toEqual([]);
  });
});

describe('a fault without anybody who arms it', () => {
  it('is asked for by a request itself', async () => {
    const response = await token({ 'Sandbox-Fault': 'token_error;error=invalid_grant' });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: 'invalid_grant' });
    expect((await token()).status).toBe(200);
  });

  it('comes with the setting of a client, and goes with it', async () => {
    expect((await control('PATCH', '/clients/sensor', { faults: ['rate_limited'] })).status).toBe(200);
    expect((await token()).status).toBe(429);
    expect((await control('PATCH', '/clients/sensor', { faults: null })).status).toBe(200);
    expect((await token()).status).toBe(200);
  });

  it('comes with the name of a user', async () => {
    await control('POST', '/users', { sub: 'expired@example.test', username: 'expired@example.test' });
    const tokens = await sandbox.login({ client: 'frontend', user: 'expired@example.test', as: 'tokens' });
    const access = (tokens as unknown as { access_token: string }).access_token;
    expect(decodeJwt(access).exp).toBeLessThan(sandbox.clock());
    const other = await sandbox.login({ client: 'frontend', user: 'alice', as: 'tokens' });
    expect(decodeJwt((other as unknown as { access_token: string }).access_token).exp).toBeGreaterThan(sandbox.clock());
  });
});

describe('a user whose name arms a fault', () => {
  const redirect_uri = 'http://localhost:5173/callback';
  const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

  async function callbackOf(sub: string): Promise<URLSearchParams> {
    await sandbox.users.create({ sub, username: sub });
    await sandbox.nextLogin({ sub });
    const asked = { response_type: 'code', client_id: 'frontend', redirect_uri, scope: 'openid', state: 'the state' };
    const pkce = { code_challenge: challenge, code_challenge_method: 'S256' };
    const query = new URLSearchParams({ ...asked, ...pkce });
    const { headers } = await fetch(`${sandbox.issuer}/oauth2/authorize?${query}`, { redirect: 'manual' });
    return new URL(headers.get('Location') ?? 'about:blank').searchParams;
  }

  async function redeemed(code: string): Promise<{ readonly id_token: string }> {
    const code_verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
    const grant = { grant_type: 'authorization_code', client_id: 'frontend', redirect_uri, code, code_verifier };
    const response = await fetch(`${sandbox.issuer}/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams(grant),
    });
    return (await response.json()) as { id_token: string };
  }

  it('deny@ is denied', async () => {
    const parameters = await callbackOf('deny@example.test');
    expect(Object.fromEntries(parameters)).toMatchObject({ error: 'access_denied', state: 'the state' });
    expect(parameters.has('code')).toBe(false);
  });

  it('slow@ waits for its tokens', async () => {
    const code = (await callbackOf('slow@example.test')).get('code') ?? '';
    const waits = vi.spyOn(globalThis, 'setTimeout');
    expect(decodeJwt((await redeemed(code)).id_token).sub).toBe('slow@example.test');
    expect(waits.mock.calls.map(([, milliseconds]) => milliseconds)).toContain(3000);
    waits.mockRestore();
  });

  it('mfa@ has shown a second factor', async () => {
    const order = sandbox.events.count('fault.applied');
    const code = (await callbackOf('mfa@example.test')).get('code') ?? '';
    expect(decodeJwt((await redeemed(code)).id_token).amr).toContain('mfa');
    expect(sandbox.events.count('fault.applied')).toBeGreaterThan(order);
  });
});

describe('a token that is bent', () => {
  const jwtFaultsAndCodes = [
    ['expired', 'ERR_JWT_EXPIRED'],
    ['not_yet_valid', 'ERR_JWT_CLAIM_VALIDATION_FAILED'],
    ['wrong_issuer', 'ERR_JWT_CLAIM_VALIDATION_FAILED'],
    ['wrong_audience', 'ERR_JWT_CLAIM_VALIDATION_FAILED'],
    ['missing_claim', 'ERR_JWT_CLAIM_VALIDATION_FAILED'],
    ['bad_signature', 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED'],
    ['wrong_key', 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED'],
    ['unknown_kid', 'ERR_JWKS_NO_MATCHING_KEY'],
    ['alg_none', 'ERR_JOSE_NOT_SUPPORTED'],
    ['hs256_with_public_key', 'ERR_JOSE_ALG_NOT_ALLOWED'],
    ['wrong_type', 'ERR_JWT_CLAIM_VALIDATION_FAILED'],
    ['tampered', 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED'],
    ['unknown_crit', 'ERR_JOSE_NOT_SUPPORTED'],
  ] as const;

  it.each(jwtFaultsAndCodes)('%s is noticed by jose, and the next is good', async (fault, code) => {
    const keys = createRemoteJWKSet(new URL(`${sandbox.issuer}/oauth2/jwks`));
    const expected = {
      ...{ issuer: sandbox.issuer, audience: 'sensor', typ: 'at+jwt' },
      ...{ requiredClaims: ['exp'], algorithms: ['ES256'] },
    };
    const verify = async () =>
      jwtVerify(((await (await token()).json()) as { access_token: string }).access_token, keys, expected);
    const { payload } = await verify();
    expected.audience = String(payload.aud);
    await arm({ fault });
    await expect(verify()).rejects.toMatchObject({
      code: expect.stringMatching(
        code === 'ERR_JOSE_NOT_SUPPORTED' ? /ERR_JOSE_(NOT_SUPPORTED|ALG_NOT_ALLOWED)/ : code,
      ),
    });
    await verify();
  });
});

describe('both tokens of one answer', () => {
  it('are one request of the budget', async () => {
    const expiries = async () => {
      const { access_token, id_token } = (await sandbox.login({ client: 'frontend', user: 'alice', as: 'tokens' })) as {
        access_token: string;
        id_token: string;
      };
      return [access_token, id_token].map(jwt => (decodeJwt(jwt).exp ?? 0) > sandbox.clock());
    };
    await arm({ fault: 'expired', token: 'both' });
    expect(await expiries()).toEqual([false, false]);
    expect(await expiries()).toEqual([true, true]);
    await arm({ fault: 'expired', token: 'id' });
    expect(await expiries()).toEqual([true, false]);
    await arm({ fault: 'expired' });
    expect(await expiries()).toEqual([false, true]);
  });
});

describe('the answer on the wire', () => {
  it.each([
    ['connection_dropped', false],
    ['truncated', true],
  ])('%s: the caller hears of it', async (fault, begins) => {
    await arm({ fault });
    const answer = token().then(response => {
      expect(begins).toBe(true);
      return response.json();
    });
    await expect(answer).rejects.toThrow();
    expect((await token()).status).toBe(200);
  });

  it('no_cors keeps the answer from a page', async () => {
    const from = { Origin: 'http://localhost:5173' };
    await arm({ fault: 'no_cors' });
    expect((await token(from)).headers.get('Access-Control-Allow-Origin')).toBeNull();
    expect((await token(from)).headers.get('Access-Control-Allow-Origin')).toBe('http://localhost:5173');
  });

  it('slow waits', async () => {
    await arm({ fault: 'slow', seconds: 0.3 });
    const waits = vi.spyOn(globalThis, 'setTimeout');
    expect((await token()).status).toBe(200);
    expect(waits.mock.calls.map(([, milliseconds]) => milliseconds)).toContain(300);
    waits.mockRestore();
  });

  it.each([
    ['metadata_wrong_issuer', '/.well-known/openid-configuration', { issuer: expect.stringContaining('.other') }],
    ['keys_empty', '/oauth2/jwks', { keys: [] }],
  ])('%s bends a document that is otherwise kept ready', async (fault, path, bent) => {
    const read = async () => (await fetch(sandbox.issuer + path)).json();
    const honest = await read();
    await arm({ fault });
    expect(await read()).toMatchObject(bent);
    expect(await read()).toEqual(honest);
  });

  it.each([
    ['api_unauthorized', 401],
    ['api_forbidden', 403],
    ['unavailable', 503],
  ])('%s stands before the sample backend', async (fault, status) => {
    await arm({ fault, endpoint: 'api' });
    const read = () => fetch(`${sandbox.issuer}/api/products`, { headers: { Authorization: 'Bearer x.e30.x' } });
    const response = await read();
    expect(response.status).toBe(status);
    expect(response.headers.get('Sandbox-Fault')).toBe(fault);
    expect((await read()).headers.get('Sandbox-Fault')).toBeNull();
  });
});
