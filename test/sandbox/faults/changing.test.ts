import { decodeJwt, decodeProtectedHeader } from 'jose';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../../../src/index.ts';
import { answer, asSensor, get, login, post } from '../../support/wire.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox({ signingAlg: 'ES256' });
});
afterEach(() => sandbox.faults.clear());
afterAll(() => sandbox.stop());

const discovery = () => get(`${sandbox.url}/.well-known/openid-configuration`);
const token = (headers = {}) =>
  post(`${sandbox.url}/oauth2/token`, { grant_type: 'client_credentials' }, { authorization: asSensor, ...headers });

it('members of any JSON response are added, replaced and removed', async () => {
  const change = { issuer: 'https://other.example', jwks_uri: null, new_member: [1] };
  await sandbox.faults.arm({ fault: 'changed_members', endpoint: 'discovery', change });
  const changed = await (await discovery()).json();
  expect(changed).toMatchObject({ issuer: 'https://other.example', new_member: [1] });
  expect(changed).not.toHaveProperty('jwks_uri');
  expect(await (await discovery()).json(), 'the next is as it was').toMatchObject({ issuer: sandbox.issuer });
});

it('parameters of an authorization response are, too', async () => {
  const cookie = await login(sandbox.url);
  await sandbox.faults.arm({ fault: 'changed_parameters', change: { state: 'other', iss: null, extra: { a: 1 } } });
  const response = await answer(sandbox.url, cookie);
  expect(Object.fromEntries(response)).toMatchObject({ state: 'other', extra: '{"a":1}', code: expect.any(String) });
  expect(response.has('iss')).toBe(false);
});

it('the order of those parameters is reversed', async () => {
  const cookie = await login(sandbox.url);
  const usual = [...(await answer(sandbox.url, cookie)).keys()];
  await sandbox.faults.arm({ fault: 'reversed_parameters' });
  expect([...(await answer(sandbox.url, cookie)).keys()]).toEqual(usual.toReversed());
});

it('members of a registration are changed, which is answered with 201', async () => {
  await sandbox.faults.arm({ fault: 'changed_members', endpoint: 'registration', change: { client_name: 'other' } });
  const { registration_endpoint } = await (await discovery()).json();
  const response = await fetch(registration_endpoint, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ redirect_uris: ['http://localhost:3000/callback'] }),
  });
  expect(response.status).toBe(201);
  expect(await response.json()).toMatchObject({ client_name: 'other' });
});

it('claims and the header of a token are, and it is signed with them', async () => {
  const change = { iss: 'https://other.example', scope: null };
  await sandbox.faults.arm({ fault: 'changed_claims', change, header: { kid: null, typ: 'JWT' } });
  const { access_token } = await (await token()).json();
  expect(decodeJwt(access_token)).toMatchObject({ iss: 'https://other.example', client_id: 'sensor' });
  expect(decodeJwt(access_token)).not.toHaveProperty('scope');
  expect(decodeProtectedHeader(access_token)).toEqual({ alg: 'ES256', typ: 'JWT' });
});

it('two changes of one response add up, and the same one armed twice changes two', async () => {
  const armed = (change: object) =>
    sandbox.faults.arm({ fault: 'changed_members', endpoint: 'discovery', change: { ...change } });
  await armed({ a: 1 });
  await armed({ b: 2 });
  await armed({ b: 2 });
  expect(await (await discovery()).json()).toMatchObject({ a: 1, b: 2 });
  expect(await (await discovery()).json()).toMatchObject({ b: 2 });
});

it('a request orders a change for itself in percent-encoding', async () => {
  const change = encodeURIComponent(JSON.stringify({ access_token: 'x', a: 'b,c;d' }));
  const changed = await (await token({ 'sandbox-fault': `changed_members;change=${change}` })).json();
  expect(changed).toMatchObject({ access_token: 'x', a: 'b,c;d' });
});

it.each([
  [{ fault: 'changed_claims' }, 'change: found nothing, expected a JSON object'],
  [
    { fault: 'changed_members', change: 'x' as unknown as Readonly<Record<string, unknown>> },
    'change: found x, expected a JSON object',
  ],
  [{ fault: 'changed_members', header: {}, change: {} }, 'header: found {}, expected change: the parameters of'],
])('an order that changes nothing is refused: %j', async (order, problem) => {
  await expect(sandbox.faults.arm(order)).rejects.toThrow(problem);
});
