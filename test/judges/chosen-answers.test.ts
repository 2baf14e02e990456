import * as client from 'openid-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/index.ts';
import { createAgent } from '../support/agent.ts';
import { codeVerifier } from '../support/authorization-url.ts';
import { createSandbox } from '../support/bundle.ts';
import { callback } from '../support/wire.ts';

let sandbox: Sandbox;
let server: client.Configuration;
beforeAll(async () => {
  sandbox = await createSandbox();
  const options = { execute: [client.allowInsecureRequests] };
  server = await client.discovery(new URL(sandbox.issuer), 'frontend', undefined, client.None(), options);
});
afterAll(() => sandbox.stop());

async function loginUrl(parameters: Readonly<Record<string, string>> = {}): Promise<URL> {
  return client.buildAuthorizationUrl(server, {
    redirect_uri: callback,
    scope: 'openid email',
    code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
    state: 'the state',
    nonce: 'the nonce',
    ...parameters,
  });
}

const checks = { pkceCodeVerifier: codeVerifier, expectedState: 'the state', expectedNonce: 'the nonce' };
const redeem = (url: URL) => client.authorizationCodeGrant(server, url, checks);

async function choose(button: string, parameters: Readonly<Record<string, string>> = {}): Promise<URL> {
  const agent = createAgent(sandbox.url);
  return (await agent.submit(await agent.open(await loginUrl(parameters)), button)).url;
}

describe('openid-client', () => {
  it.each(['access_denied', 'login_required', 'consent_required', 'temporarily_unavailable', 'server_error'])(
    'takes %s as an answer to its request',
    async error => {
      await expect(redeem(await choose(`login-error-${error}`))).rejects.toMatchObject({
        ...{ code: 'OAUTH_AUTHORIZATION_RESPONSE_ERROR', error },
      });
    },
  );

  it('refuses an answer with a wrong state, and redeems nothing', async () => {
    const before = sandbox.events.count('error.returned');
    await expect(redeem(await choose('login-error-wrong_state'))).rejects.toMatchObject({
      cause: { message: expect.stringContaining('unexpected "state"') },
    });
    expect(sandbox.events.count('error.returned')).toBe(before);
  });

  it('finds the same errors in a signed response (JARM)', async () => {
    const signed = await client.discovery(new URL(sandbox.issuer), 'frontend', undefined, client.None(), {
      execute: [client.allowInsecureRequests, client.useJwtResponseMode],
    });
    const url = await choose('login-error-interaction_required', { response_mode: 'jwt' });
    await expect(client.authorizationCodeGrant(signed, url, checks)).rejects.toMatchObject({
      ...{ code: 'OAUTH_AUTHORIZATION_RESPONSE_ERROR', error: 'interaction_required' },
    });
  });

  it('gets its tokens without a click, with the claims that were set for the login', async () => {
    await sandbox.nextLogin({ client: 'frontend', sub: 'bob', claims: { email: 'b@example.org', tenant: 'acme' } });
    const { url } = await createAgent(sandbox.url).open(await loginUrl());
    const tokens = await redeem(url);
    expect(tokens.claims()).toMatchObject({ sub: 'bob', tenant: 'acme', nonce: 'the nonce' });
    const userinfo = await client.fetchUserInfo(server, tokens.access_token, 'bob');
    expect(userinfo).toMatchObject({ email: 'b@example.org', tenant: 'acme' });
    const refreshed = await client.refreshTokenGrant(server, tokens.refresh_token ?? '');
    expect(refreshed.claims()).toMatchObject({ tenant: 'acme' });
  });

  it('is signed in by sandbox_login', async () => {
    const { url } = await createAgent(sandbox.url).open(await loginUrl({ sandbox_login: 'carol' }));
    expect((await redeem(url)).claims()?.sub).toBe('carol');
  });
});
