import { readFileSync } from 'node:fs';
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose';
import * as openidClient from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ClientEntry, Sandbox } from '../../src/index.ts';
import { createAgent } from '../support/agent.ts';
import { createSandbox } from '../support/bundle.ts';
import { freePort } from '../support/free-port.ts';

// Each lab ends with the lines for the reader's own client. They run here as they are printed.

const redirect_uri = 'http://localhost:3000/callback';
const scope = 'openid products:read';
const insecure = { execute: [openidClient.allowInsecureRequests] };
/** The library as the lines use it; these servers have no TLS. */
const client = {
  ...openidClient,
  discovery: (server: URL, id: string, secret?: string) =>
    openidClient.discovery(server, id, secret, undefined, insecure),
};

let sandbox: Sandbox;
let config: openidClient.Configuration;
beforeAll(async () => {
  const port = await freePort();
  const members: Omit<ClientEntry, 'client_id'> = {
    grant_types: ['authorization_code', 'refresh_token'],
    redirect_uris: [redirect_uri],
    scope,
  };
  const spa = { ...members, client_id: 'spa', refresh_token_rotation: true };
  const web = { ...members, client_id: 'web', client_secret: 'web-secret' };
  sandbox = await createSandbox({ port, clients: [spa, web] });
  config = await openidClient.discovery(new URL(sandbox.url), 'spa', undefined, openidClient.None(), insecure);
});
afterAll(() => sandbox.stop());

/** The lines at the end of a lab. */
function linesOf(lab: string): string {
  const text = readFileSync(`src/extensions/lessons/labs/${lab}/lesson.md`, 'utf8');
  const [, lines = ''] = /## Yours[\s\S]*?```ts\n([\s\S]*?)```/.exec(text) ?? [];
  expect(lines, lab).not.toBe('');
  return lines;
}

/** Runs lines with these names in scope, and returns the value of an expression after them. */
async function run(lines: string, names: Readonly<Record<string, unknown>>, result = 'undefined'): Promise<unknown> {
  const body = `return (async () => { ${lines}\nreturn ${result}; })();`;
  return new Function(...Object.keys(names), body)(...Object.values(names));
}

/** Logs Alice in, and returns the address of the callback. */
async function callbackOf(login: URL): Promise<URL> {
  const browser = createAgent(sandbox.url);
  const { url } = await browser.submit(await browser.open(login), 'login-user-alice');
  return url;
}

/** Begins a login as the labs advise. */
async function logIn(of = config) {
  const session = {
    issuer: sandbox.url,
    state: client.randomState(),
    nonce: client.randomNonce(),
    codeVerifier: client.randomPKCECodeVerifier(),
  };
  const code_challenge = await client.calculatePKCECodeChallenge(session.codeVerifier);
  const { state, nonce, codeVerifier: pkceCodeVerifier } = session;
  const pkce = { code_challenge, code_challenge_method: 'S256' };
  const login = client.buildAuthorizationUrl(of, { redirect_uri, scope, state, nonce, ...pkce });
  return { session, login, checks: { expectedState: state, expectedNonce: nonce, pkceCodeVerifier } };
}

async function tokens() {
  const { login, checks } = await logIn();
  return client.authorizationCodeGrant(config, await callbackOf(login), checks);
}

/** An error of the library that names a parameter of the answer. */
function becauseOf(parameter: string) {
  return { cause: { message: expect.stringContaining(parameter) } };
}

describe('the lines at the end of a lab', () => {
  it('send the challenge with the login, and the verifier with the code', async () => {
    const [first = '', second = ''] = linesOf('a01-code-interception').split('// later, in the callback');
    const session = {};
    const login = await run(first, { client, config, session, redirect_uri, scope }, 'login');
    expect(login).toBeInstanceOf(URL);
    const { searchParams } = login as URL; // checked above
    expect(searchParams.get('code_challenge_method')).toBe('S256');
    const callbackUrl = await callbackOf(login as URL);
    await expect(run(second, { client, config, session: {}, callbackUrl })).rejects.toThrow();
    await run(second, { client, config, session, callbackUrl });
  });

  it('refuse the answer to a login of a different browser', async () => {
    const lines = linesOf('a03-login-csrf');
    const [own, foreign] = [await logIn(), await logIn()];
    const names = { client, config, session: own.session };
    const callbackUrl = await callbackOf(foreign.login);
    await expect(run(lines, { ...names, callbackUrl })).rejects.toMatchObject(becauseOf('"state"'));
    await run(lines, { ...names, callbackUrl: await callbackOf(own.login) });
  });

  it.each([
    ['/orders?page=2', 'https://shop.example/orders?page=2'],
    ['/.//evil.test', 'https://shop.example//evil.test'],
    ['https:evil.test', 'https://shop.example/evil.test'],
    ['//evil.test', 'https://shop.example/'],
    ['/\\evil.test', 'https://shop.example/'],
    ['https://shop.example@evil.test', 'https://shop.example/'],
    ['javascript:alert(1)', 'https://shop.example/'],
  ])('send a browser that asks for %s to %s', async (next, arrives) => {
    const origin = 'https://shop.example';
    const url = new URL(`${origin}/next?${new URLSearchParams({ next })}`);
    const locations: string[] = [];
    const response = { redirect: (to: string) => locations.push(to) };
    await run(linesOf('a04-redirect-pattern'), { url, origin, response });
    expect(locations.map(to => new URL(to, url).href)).toEqual([arrives]);
  });

  it('refuse an answer that names a different issuer', async () => {
    const lines = linesOf('a05-mix-up');
    const web = await client.discovery(new URL(sandbox.url), 'web', 'web-secret');
    const { session, login, checks } = await logIn(web);
    const callbackUrl = await callbackOf(login);
    const mixedUp = new URL(callbackUrl);
    mixedUp.searchParams.set('iss', 'https://mallory.test');
    const names = { client, clientId: 'web', clientSecret: 'web-secret', session, checks };
    await expect(run(lines, { ...names, callbackUrl: mixedUp })).rejects.toMatchObject(becauseOf('"iss"'));
    await run(lines, { ...names, callbackUrl });
  });

  it('accept the access token, and no ID token and no token without a signature', async () => {
    const { access_token, id_token = '' } = await tokens();
    const forged = `${btoa('{"alg":"none","typ":"at+jwt"}')}.${access_token.split('.')[1]}.`;
    const names = { createRemoteJWKSet, jwtVerify, issuer: sandbox.url };
    const { aud: audience } = decodeJwt(access_token);
    const lines = linesOf('a06-forged-token');
    await run(lines, { ...names, audience, token: access_token });
    await expect(run(lines, { ...names, audience, token: forged })).rejects.toThrow();
    await expect(run(lines, { ...names, audience, token: id_token })).rejects.toThrow('typ');

    const keys = createRemoteJWKSet(new URL(`${sandbox.url}/oauth2/jwks`));
    const other = run(linesOf('a07-wrong-audience'), { ...names, keys, token: access_token });
    await expect(other).rejects.toThrow('aud');
  });

  it('bind the token to the key of the client', async () => {
    const { login, checks } = await logIn();
    const apiUrl = new URL(`${sandbox.url}/api/products`);
    const names = { client, config, checks, callbackUrl: await callbackOf(login), apiUrl };
    const access_token = String(await run(linesOf('a09-token-replay'), names, 'access_token'));
    expect(decodeJwt(access_token)).toHaveProperty('cnf.jkt');
    const replay = await fetch(apiUrl, { headers: { Authorization: `Bearer ${access_token}` } });
    expect(replay.status).toBe(401);
  });

  it('keep the newest refresh token', async () => {
    const session = { refreshToken: (await tokens()).refresh_token };
    for (const _ of [1, 2, 3]) {
      const { refreshToken } = session;
      await run(linesOf('a10-refresh-theft'), { client, config, session });
      expect(session.refreshToken).not.toBe(refreshToken);
    }
  });
});
