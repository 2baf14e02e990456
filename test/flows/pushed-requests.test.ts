import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ClientEntry, Sandbox } from '../../src/index.ts';
import { type Agent, createAgent } from '../support/agent.ts';
import { createSandbox } from '../support/bundle.ts';
import { makeClientKey } from '../support/keys-server.ts';
import { authorizeQuery, callback, get, post, redeem } from '../support/wire.ts';

const signing = await makeClientKey('ES256', { kid: 'sig-1', use: 'sig' });
const frontend: ClientEntry = {
  client_id: 'frontend',
  grant_types: ['authorization_code', 'refresh_token'],
  redirect_uris: [callback],
  scope: 'openid profile email',
  jwks: { keys: [{ ...signing.publicJwk }] },
};

let sandbox: Sandbox;
let url: string;
let agent: Agent;
beforeAll(async () => {
  sandbox = await createSandbox({ clients: [frontend], loginMode: 'picker' });
  url = sandbox.url;
});
afterAll(() => sandbox.stop());

async function push(parameters: Readonly<Record<string, string>> = {}): Promise<string> {
  const response = await post(`${url}/oauth2/par`, authorizeQuery(parameters).toString());
  expect(response.status).toBe(201);
  const { request_uri } = (await response.json()) as { request_uri: string };
  return `${url}/oauth2/authorize?${new URLSearchParams({ client_id: 'frontend', request_uri })}`;
}

async function sign(parameters: Readonly<Record<string, string>> = {}): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const claims = { ...Object.fromEntries(authorizeQuery(parameters)), iss: 'frontend', aud: sandbox.issuer };
  const request = await new SignJWT({ ...claims, exp: now + 60 })
    .setProtectedHeader({ alg: 'ES256', kid: 'sig-1', typ: 'oauth-authz-req+jwt' })
    .sign(signing.privateKey);
  return `${url}/oauth2/authorize?${new URLSearchParams({ client_id: 'frontend', request })}`;
}

const isCode = (address: URL) => address.searchParams.has('code');
const newAgent = () => {
  agent = createAgent(url);
  return agent;
};

describe('the pushed authorization request endpoint over HTTP', () => {
  it('answers 201 with JSON that may not be kept', async () => {
    const response = await post(`${url}/oauth2/par`, authorizeQuery().toString());
    expect(response.status).toBe(201);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toEqual({ request_uri: expect.any(String), expires_in: 60 });
  });

  it.each(['GET', 'PUT', 'DELETE'])('answers 405 to %s (RFC 9126 §2.3)', async method => {
    const response = await fetch(`${url}/oauth2/par`, { method });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST');
    expect(await response.json()).toMatchObject({ error: 'invalid_request' });
  });

  it('tells errors as JSON', async () => {
    const response = await post(
      `${url}/oauth2/par`,
      authorizeQuery({ redirect_uri: 'https://evil.example/' }).toString(),
    );
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: 'invalid_request', error_description: expect.any(String) });
  });

  it('can be called from other origins', async () => {
    const origin = 'http://localhost:5173';
    const response = await post(`${url}/oauth2/par`, authorizeQuery().toString(), { origin });
    expect(response.headers.get('access-control-allow-origin')).toBe(origin);
    await response.arrayBuffer();
  });

  it('answers 501 where it is switched off, and is in no document', async () => {
    const off = await createSandbox({ clients: [frontend], features: { par: false } });
    try {
      const response = await post(`${off.url}/oauth2/par`, authorizeQuery().toString());
      expect(response.status).toBe(501);
      await response.arrayBuffer();
      const document = (await (await get(`${off.url}/.well-known/openid-configuration`)).json()) as object;
      expect(document).not.toHaveProperty('pushed_authorization_request_endpoint');
    } finally {
      await off.stop();
    }
  });
});

describe.each([
  ['pushed', push],
  ['signed', sign],
])('a login by a %s request', (kind, make) => {
  it('goes from the page to the code, and the tokens come', async () => {
    const visit = await newAgent().submit(await agent.open(await make()), 'login-user-alice');
    expect(visit.url.searchParams.get('state')).toBe('a state');
    const response = await redeem(url, visit.url.searchParams.get('code') ?? '');
    expect(await response.json()).toHaveProperty('id_token');
  });

  it('can be reloaded before the login', async () => {
    const address = await make();
    await newAgent().open(address);
    const page = await agent.open(address);
    expect(isCode((await agent.submit(page, 'login-user-alice')).url)).toBe(true);
  });

  it('survives a user nobody knows, and can be denied', async () => {
    const page = await newAgent().open(await make());
    const again = await agent.submit(page, 'login-user-alice', { sub: 'ü' });
    expect(again.html).toContain('Choose a demo user');
    expect((await agent.submit(again, 'login-deny')).url.searchParams.get('error')).toBe('access_denied');
  });

  it.each<Record<string, string>>([
    { prompt: 'login' },
    { max_age: '0' },
    { prompt: 'select_account' },
    { login_hint: 'bob' },
  ])('asks somebody who is signed in for %j, once and not again', async parameters => {
    await newAgent().submit(await agent.open(await make()), 'login-user-alice');
    const page = await agent.open(await make(parameters));
    expect(page.html).toContain('login-user-alice');
    expect(isCode((await agent.submit(page, 'login-user-alice')).url)).toBe(true);
  });

  it('with prompt=login asks each session anew, however young it is', async () => {
    const address = await make({ prompt: 'login' });
    await newAgent().submit(await agent.open(await make()), 'login-user-alice');
    expect((await agent.open(address)).html).toContain('login-user-alice');
    expect((await agent.open(address)).html).toContain('login-user-alice');
  });

  it('has its acr_values met', async () => {
    const page = await newAgent().open(await make({ acr_values: 'urn:gold' }));
    const { url: answer } = await agent.submit(page, 'login-user-alice');
    const tokens = (await (await redeem(url, answer.searchParams.get('code') ?? '')).json()) as { id_token: string };
    const claims = JSON.parse(Buffer.from(tokens.id_token.split('.')[1] ?? '', 'base64url').toString());
    expect(claims.acr).toBe('urn:gold');
  });

  if (kind === 'pushed') {
    it('gets one answer: afterwards there is a page, and no redirect', async () => {
      const address = await make();
      await newAgent().submit(await agent.open(address), 'login-user-alice');
      const again = await agent.open(address);
      expect(again.status).toBe(400);
      expect(again.html).toContain('request_uri');
    });
  } else {
    it('with prompt=login is asked again when it is sent again', async () => {
      const address = await make({ prompt: 'login' });
      await newAgent().submit(await agent.open(address), 'login-user-alice');
      expect((await agent.open(address)).html).toContain('login-user-alice');
    });
  }
});

describe('a plain request', () => {
  it('with prompt=login is asked again when it is sent again, after a login because of it', async () => {
    const address = `${url}/oauth2/authorize?${authorizeQuery({ prompt: 'login' })}`;
    await newAgent().submit(await agent.open(address), 'login-user-alice');
    expect((await agent.open(address)).html).toContain('login-user-alice');
  });

  it('of a client with default_max_age 0 is asked once', async () => {
    const strict = await createSandbox({ clients: [{ ...frontend, default_max_age: 0 }] });
    try {
      const browser = createAgent(strict.url);
      const page = await browser.open(`${strict.url}/oauth2/authorize?${authorizeQuery()}`);
      expect(isCode((await browser.submit(page, 'login-user-alice')).url)).toBe(true);
    } finally {
      await strict.stop();
    }
  });
});
