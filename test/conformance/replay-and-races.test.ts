import { SignJWT } from 'jose';
import { afterAll, describe, expect, it } from 'vitest';
import { createSandbox } from '../support/bundle.ts';
import { createDpopKey } from '../support/dpop.ts';
import { authorizeQuery, callback, get, login, post, verifier } from '../support/wire.ts';
import { asBank, bearerGrant, cibaGrant, deviceGrant, everything, key } from './everything.ts';

const sandbox = await createSandbox(everything);
const { url } = sandbox;
const cookie = await login(url);
afterAll(() => sandbox.stop());

const tokenUrl = `${url}/oauth2/token`;
const now = () => Math.floor(Date.now() / 1000);
const many = 12;
/** How many of so many at the same moment are taken. */
async function wins(send: () => Promise<Response>): Promise<number> {
  const answers = await Promise.all(Array.from({ length: many }, send));
  await Promise.all(answers.map(answer => answer.arrayBuffer()));
  expect(answers.map(({ status }) => status).filter(status => status >= 500)).toEqual([]);
  return answers.filter(({ status }) => status < 400).length;
}
const json = async (response: Promise<Response>) => (await (await response).json()) as Record<string, string>;
let made = 0;
const assertion = (claims: object) =>
  new SignJWT({ aud: sandbox.issuer, exp: now() + 60, iat: now(), jti: `jti ${++made}`, ...claims })
    .setProtectedHeader({ alg: 'ES256', kid: 'k' })
    .sign(key.privateKey);

describe('of many at the same moment one wins (T-26, T-27)', () => {
  it('with a device_code', async () => {
    const device = await json(post(`${url}/oauth2/device_authorization`, { client_id: 'frontend', scope: 'openid' }));
    const form = { user_code: device.user_code ?? '', decision: 'allow', as: 'alice' };
    await post(`${url}/oauth2/device_verification`, form, { cookie, origin: url });
    const poll = { grant_type: deviceGrant, client_id: 'frontend', device_code: device.device_code ?? '' };
    expect(await wins(() => post(tokenUrl, poll))).toBe(1);
    expect(await json(post(tokenUrl, poll))).toMatchObject({ error: 'invalid_grant' });
  });

  it('with an auth_req_id', async () => {
    const asked = { scope: 'openid', login_hint: 'alice' };
    const { auth_req_id = '' } = await json(post(`${url}/oauth2/bc-authorize`, asked, { authorization: asBank }));
    const html = await (await get(`${url}/approvals`, { cookie })).text();
    const request = /name="request" value="([^"]+)"/.exec(html)?.[1] ?? '';
    await post(`${url}/approvals`, { request, decision: 'allow' }, { cookie, origin: url });
    const poll = { grant_type: cibaGrant, auth_req_id };
    expect(await wins(() => post(tokenUrl, poll, { authorization: asBank }))).toBe(1);
    expect(await json(post(tokenUrl, poll, { authorization: asBank }))).toMatchObject({ error: 'invalid_grant' });
  });

  it('with a request_uri', async () => {
    const { request_uri = '' } = await json(post(`${url}/oauth2/par`, authorizeQuery().toString()));
    const address = `${url}/oauth2/authorize?client_id=frontend&request_uri=${encodeURIComponent(request_uri)}`;
    const answers = await Promise.all(Array.from({ length: many }, () => get(address, { cookie })));
    const codes = answers.filter(({ headers }) => headers.get('location')?.includes('code='));
    expect(codes).toHaveLength(1);
    expect((await get(address, { cookie })).status).toBe(400);
  });

  it('with a refresh token bound to a DPoP key, each with a proof of its own', async () => {
    const dpop = await createDpopKey();
    const proof = () => dpop.proof({ htu: `${sandbox.issuer}/oauth2/token`, iat: now() });
    const { headers } = await get(`${url}/oauth2/authorize?${authorizeQuery()}`, { cookie });
    const code = new URL(headers.get('location') ?? '').searchParams.get('code') ?? '';
    const form = {
      grant_type: 'authorization_code',
      client_id: 'frontend',
      code,
      redirect_uri: callback,
      code_verifier: verifier,
    };
    const { refresh_token = '', token_type } = await json(post(tokenUrl, form, { dpop: await proof() }));
    expect(token_type).toBe('DPoP');
    const refresh = { grant_type: 'refresh_token', client_id: 'frontend', refresh_token };
    expect(await wins(async () => post(tokenUrl, refresh, { dpop: await proof() }))).toBe(1);
    expect(await json(post(tokenUrl, refresh, { dpop: await proof() }))).toMatchObject({ error: 'invalid_grant' });
  });

  it('with a DPoP proof', async () => {
    const proof = await (await createDpopKey()).proof({ htu: `${sandbox.issuer}/oauth2/token`, iat: now() });
    const form = { grant_type: 'client_credentials' };
    expect(await wins(() => post(tokenUrl, form, { authorization: asBank, dpop: proof }))).toBe(1);
  });

  it('with a client assertion', async () => {
    const form = {
      grant_type: 'client_credentials',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: await assertion({ iss: 'signer', sub: 'signer' }),
    };
    expect(await wins(() => post(tokenUrl, form))).toBe(1);
    expect(await json(post(`${url}/oauth2/introspect`, { ...form, token: 'x' }))).toMatchObject({
      error: 'invalid_client',
    });
  });

  it('with an assertion of a trusted issuer', async () => {
    const form = {
      grant_type: bearerGrant,
      assertion: await assertion({ iss: 'https://partner.example', sub: 'alice' }),
    };
    expect(await wins(() => post(tokenUrl, form, { authorization: asBank }))).toBe(1);
  });

  it('with two decisions about a device', async () => {
    const device = await json(post(`${url}/oauth2/device_authorization`, { client_id: 'frontend' }));
    const decide = (decision: string) =>
      post(
        `${url}/oauth2/device_verification`,
        { user_code: device.user_code ?? '', decision, as: 'alice' },
        { cookie, origin: url },
      );
    const pages = await Promise.all(['allow', 'deny', 'allow', 'deny'].map(async each => (await decide(each)).text()));
    expect(pages.filter(page => /<h1>(Done|Denied)/.test(page))).toHaveLength(1);
  });

  it('with the deletion of a client', async () => {
    const body = JSON.stringify({ redirect_uris: ['https://app.example/cb'] });
    const client = await json(post(`${url}/connect/register`, body, { 'content-type': 'application/json' }));
    const headers = { authorization: `Bearer ${client.registration_access_token}` };
    expect(
      await wins(() => fetch(client.registration_client_uri ?? '', { method: 'DELETE', headers })),
    ).toBeGreaterThan(0);
    expect((await get(client.registration_client_uri ?? '', headers)).status).toBe(401);
  });
});
