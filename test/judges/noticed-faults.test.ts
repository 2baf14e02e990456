import * as client from 'openid-client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../../src/index.ts';
import { catalogue } from '../../src/server/faults/catalogue.ts';

const redirect_uri = 'http://localhost:5173/callback';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox();
});
afterAll(() => sandbox.stop());
beforeEach(() => sandbox.reset());

const insecure = { execute: [client.allowInsecureRequests, client.enableNonRepudiationChecks], timeout: 2 };

function discover(): Promise<client.Configuration> {
  return client.discovery(new URL(sandbox.issuer), 'frontend', {}, client.None(), insecure);
}

/** A login as an ordinary client does it, with all that it checks by itself, its calls included. */
async function logIn(config: client.Configuration, armed?: () => Promise<unknown>): Promise<void> {
  const [state, nonce, pkceCodeVerifier] = [
    client.randomState(),
    client.randomNonce(),
    client.randomPKCECodeVerifier(),
  ];
  const url = client.buildAuthorizationUrl(config, {
    ...{ redirect_uri, state, nonce, scope: 'openid profile products:read', code_challenge_method: 'S256' },
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
  });
  await sandbox.nextLogin({ sub: 'alice' });
  await armed?.();
  const { headers } = await fetch(url, { redirect: 'manual' });
  const callback = new URL(headers.get('Location') ?? 'about:blank');
  const tokens = await client.authorizationCodeGrant(config, callback, {
    ...{ expectedState: state, expectedNonce: nonce, pkceCodeVerifier, idTokenExpected: true },
  });
  const { sub = '' } = tokens.claims() ?? {};
  await client.fetchUserInfo(config, tokens.access_token, sub);
  const refresh = tokens.refresh_token;
  if (refresh === undefined) throw new Error('no refresh token came');
  if (tokens.expires_in === undefined) throw new Error('nobody knows when it expires');
  await callApi(config, tokens.access_token);
  await client.refreshTokenGrant(config, refresh);
}

async function callApi(config: client.Configuration, token: string): Promise<void> {
  const response = await client.fetchProtectedResource(config, token, new URL(`${sandbox.issuer}/api/products`), 'GET');
  if (!response.ok) throw new Error(`the API answered ${response.status}`);
}

it('is a login that nothing disturbs, with no fault', async () => {
  await logIn(await discover());
});

/** What a client that checks all it must check does not mind: the fault is one of patience, or of what is not checked. */
const unnoticed = new Map([
  ['slow', 'waits'],
  ['jitter', 'waits'],
  ['no_cors', 'concerns browsers alone'],
  ['challenge_case', 'reads a challenge without regard to case'],
  ['token_type_case', 'reads token_type without regard to case'],
  ['wrong_expires_in', 'is found out when the token is refused'],
  ['expires_in_text', 'is read as a number by openid-client'],
  ['multi_factor', 'says more than was asked'],
  ['reversed_parameters', 'reads parameters by their names'],
  ['keys_rotated', 'had not read the old keys yet'],
]);

/** What is said of a fault where its default would meet nothing that is looked at, or that has no default. */
const said = new Map<string, object>([
  ['slow', { seconds: 0.1 }],
  ['wrong_audience', { token: 'id' }], // the sample backend takes any, unless API_AUDIENCE says one
  ['jitter', { seconds: 0.1 }],
  ['changed_members', { change: { access_token: null } }],
  ['changed_parameters', { change: { state: 'another' } }],
  ['changed_claims', { token: 'id', change: { iss: 'https://another.example' } }],
]);

describe('each fault of the catalogue', () => {
  // dpop_nonce meets clients with DPoP alone: examine-fapi.test.ts
  const names = [...catalogue.keys()].filter(name => !unnoticed.has(name) && name !== 'dpop_nonce');
  it.each(names)('%s is noticed by openid-client, and the next login is healthy', async name => {
    const order = { fault: name, ...said.get(name) };
    const place = catalogue.get(name)?.place;
    const isEarly = place === 'metadata';
    if (isEarly) await sandbox.faults.arm(order);
    const failed = discover().then(config => logIn(config, isEarly ? undefined : () => sandbox.faults.arm(order)));
    await expect(failed).rejects.toThrow();
    expect(sandbox.events.count('fault.applied'), 'it was met').toBeGreaterThan(0);
    await logIn(await discover());
  });

  it.each([...unnoticed])('%s: the client %s', async name => {
    await logIn(await discover(), () => sandbox.faults.arm({ fault: name, ...said.get(name) }));
    expect(sandbox.events.count('fault.applied'), 'it was met').toBeGreaterThan(0);
  });
});
