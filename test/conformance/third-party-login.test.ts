import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { get } from '../support/wire.ts';
import { checkTokenError } from './checks.ts';
import { type Op, registerWithKey, sendRegistration, startOp } from './party.ts';

let op: Op;
beforeAll(async () => {
  op = await startOp();
});
afterAll(() => op[Symbol.asyncDispose]());

describe('oidcc-3rdparty-init-login', () => {
  it('sends the user from the dashboard to the initiate_login_uri with the issuer, and the login that follows ends well', async () => {
    const initiate_login_uri = 'https://rp.example/initiate?tenant=1';
    const party = await registerWithKey(op, { initiate_login_uri });
    expect(party.registration).toMatchObject({ initiate_login_uri });
    const html = await (await get(`${op.sandbox.url}/dashboard`)).text();
    const links = [...html.matchAll(/href="(https:[^"]+)" rel="noreferrer"/g)].map(([, href = '']) => href);
    const [start] = links.map(href => new URL(href.replace(/&#38;|&amp;/g, '&')));
    expect(start?.origin).toBe('https://rp.example');
    expect(Object.fromEntries(start?.searchParams ?? [])).toEqual({ tenant: '1', iss: op.metadata.issuer });
    expect((await party.logIn()).idToken.sub).toBe('alice');
  });
});

describe('oidcc-3rdparty-init-login-nohttps', () => {
  it('cannot be registered with plain http on another machine', async () => {
    const response = await sendRegistration(op, { initiate_login_uri: 'http://rp.example/initiate' });
    expect(await checkTokenError(response)).toBe('invalid_client_metadata');
  });
});
