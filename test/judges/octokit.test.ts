import { App, OAuthApp, Octokit } from 'octokit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Sandbox, SandboxConfig } from '../../src/index.ts';
import { createAgent } from '../support/agent.ts';
import { createSandbox } from '../support/bundle.ts';

// The unmodified octokit, with the API of the sandbox as that of a GitHub Enterprise Server.

const redirectUrl = 'http://localhost:3000/callback';
const users: NonNullable<SandboxConfig['users']> = [
  { sub: 'alice', claims: { uid: 583231, name: 'Alice Archer', email: 'alice@example.com', email_verified: true } },
];

const sandboxes: Sandbox[] = [];
async function start(preset: 'github' | 'github-app'): Promise<Sandbox> {
  const clients = [{ client_id: 'shop', client_secret: 'shop-secret', redirect_uris: [redirectUrl] }];
  const sandbox = await createSandbox({ preset, autoLogin: 'alice', users, clients });
  sandboxes.push(sandbox);
  return sandbox;
}
let oauth: Sandbox;
let apps: Sandbox;
beforeAll(async () => {
  oauth = await start('github');
  apps = await start('github-app');
});
afterAll(() => Promise.all(sandboxes.map(each => each.stop())));

const at = ({ url }: Sandbox) => Octokit.defaults({ baseUrl: `${url}/api/v3` });
const given = { clientId: 'shop', clientSecret: 'shop-secret' };

/** The code that GitHub sends the browser back with. */
async function codeOf(sandbox: Sandbox, address: string): Promise<string> {
  const { url } = await createAgent(sandbox.url).open(address);
  return url.searchParams.get('code') ?? '';
}

it('signs a user in, and checks, resets and deletes the token of an OAuth app', async () => {
  const app = new OAuthApp({
    ...given,
    clientType: 'oauth-app' as const,
    defaultScopes: ['user:email'],
    Octokit: at(oauth),
  });
  const { url } = app.getWebFlowAuthorizationUrl({ state: 'x', redirectUrl });
  const { token } = (await app.createToken({ code: await codeOf(oauth, url) })).authentication;
  const octokit = await app.getUserOctokit({ token, scopes: ['user:email'] });
  expect((await octokit.request('GET /user')).data).toMatchObject({ login: 'alice', id: 583231 });
  expect((await app.checkToken({ token })).data).toMatchObject({ token, scopes: ['user:email'] });
  const { data, authentication } = await app.resetToken({ token });
  expect(data).toMatchObject({ token: authentication.token, scopes: ['user:email'], user: { login: 'alice' } });
  expect(authentication.token).toMatch(/^gho_/);
  await expect(app.checkToken({ token })).rejects.toMatchObject({ status: 404 });
  await expect(octokit.request('GET /user')).rejects.toMatchObject({ status: 401 });
  expect((await app.checkToken({ token: authentication.token })).status).toBe(200);
  expect((await app.deleteToken({ token: authentication.token })).status).toBe(204);
  await expect(app.checkToken({ token: authentication.token })).rejects.toMatchObject({ status: 404 });
});

/** Its types lack `target`, which the API demands. */
type ScopeOptions = Parameters<App['oauth']['scopeToken']>[0];

it('gets a token for one account, and renews and resets the token of a GitHub App', async () => {
  const { oauth: app } = new App({ appId: 1, privateKey: 'not used', oauth: given, Octokit: at(apps) });
  const { url } = app.getWebFlowAuthorizationUrl({ state: 'x', redirectUrl });
  const { token } = (await app.createToken({ code: await codeOf(apps, url) })).authentication;
  const scoped = await app.scopeToken({ token, target: 'acme', permissions: { metadata: 'read' } } as ScopeOptions);
  expect(scoped.authentication.token).toMatch(/^ghu_/);
  expect(scoped.authentication.token).not.toBe(token);
  expect((await app.checkToken({ token })).status).toBe(200);
  await expect(app.scopeToken({ token } as ScopeOptions)).rejects.toMatchObject({
    status: 422,
  });
  const { authentication } = await app.resetToken({ token });
  expect(authentication).toMatchObject({
    expiresAt: expect.stringMatching(/^\d{4}-/),
    token: expect.stringMatching(/^ghu_/),
  });
  await expect(app.checkToken({ token })).rejects.toMatchObject({ status: 404 });
});
