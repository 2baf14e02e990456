import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Sandbox } from '../../src/index.ts';
import { observes } from '../observed.ts';
import { type Agent, createAgent, type Visit } from '../support/agent.ts';
import { sensorToken } from '../support/authorization-url.ts';
import { createSandbox } from '../support/bundle.ts';
import { asSensor, get, post, signIn, type Tokens } from '../support/wire.ts';

const scope = 'openid profile products:read offline_access';

let sandbox: Sandbox;
let agent: Agent;
beforeEach(async () => {
  sandbox = await createSandbox();
  agent = createAgent(sandbox.url);
});
afterEach(() => sandbox.stop());

function idOf(token: string): string {
  const found = sandbox.events.latestIssued(100).find(event => event.token === token);
  return found?.tokenId ?? 'no such token';
}

const pageOf = (token: string) => agent.open(`${sandbox.url}/dashboard/tokens/${idOf(token)}`);
const callApi = async (token: string) =>
  (await get(`${sandbox.url}/api/products`, { authorization: `Bearer ${token}` })).status;

async function isActive(token: string): Promise<boolean> {
  const response = await post(`${sandbox.url}/oauth2/introspect`, { token }, { authorization: asSensor });
  return ((await response.json()) as { active: boolean }).active;
}

/** The status in the head of a page. */
const statusOf = ({ html }: Visit) => /token-head[\s\S]*?badge status (\w+)/.exec(html)?.[1];

it('a token that is expired by hand is refused at once, until that is taken back', async () => {
  const { access_token } = await signIn(sandbox.url, 'alice', { scope });
  expect(await callApi(access_token)).toBe(200);
  const ended = await agent.submit(await pageOf(access_token), 'token-expire');
  expect(statusOf(ended)).toBe('expired');
  expect(ended.html).toContain('data-testid="token-undo"');
  expect([await callApi(access_token), await isActive(access_token)]).toEqual([401, false]);
  expect((await get(`${sandbox.url}/dashboard/tokens?q=status:expired`)).status).toBe(200);
  expect((await agent.open(`${sandbox.url}/dashboard/tokens?q=status:expired`)).html).toContain(idOf(access_token));
  const resumed = await agent.submit(ended, 'token-undo');
  expect(statusOf(resumed)).toBe('valid');
  expect(resumed.html).toContain('The token is valid again.');
  expect([await callApi(access_token), await isActive(access_token)]).toEqual([200, true]);
});

it('a revoked token is refused by introspection, and accepted by an API that checks only the signature, as the page says', async () => {
  const { access_token, refresh_token } = await signIn(sandbox.url, 'alice', { scope });
  const page = await agent.submit(await pageOf(access_token), 'token-revoke');
  expect(statusOf(page)).toBe('revoked');
  expect(page.html).toContain('The sample API checks only the signature (API_TOKEN_CHECK=local)');
  expect([await callApi(access_token), await isActive(access_token)]).toEqual([200, false]);
  expect(statusOf(await pageOf(refresh_token))).toBe('revoked');
  expect((await pageOf(refresh_token)).html).toContain('here in the sandbox');
});

it('with API_TOKEN_CHECK=introspection the sample API refuses it, too, and the page says that', async () => {
  observes('setting apiTokenCheck');
  await sandbox.stop();
  sandbox = await createSandbox({ apiTokenCheck: 'introspection' });
  agent = createAgent(sandbox.url);
  const { access_token } = await signIn(sandbox.url, 'alice', { scope });
  const page = await agent.submit(await pageOf(access_token), 'token-revoke');
  expect(page.html).toContain('Introspection, UserInfo and the sample API refuse it');
  expect(await callApi(access_token)).toBe(401);
});

it('a refresh token and a code that are expired by hand give nothing any more', async () => {
  const { refresh_token } = await signIn(sandbox.url, 'alice', { scope });
  await agent.submit(await pageOf(refresh_token), 'token-expire');
  const form = { grant_type: 'refresh_token', client_id: 'frontend', refresh_token };
  expect(await (await post(`${sandbox.url}/oauth2/token`, form)).json()).toMatchObject({ error: 'invalid_grant' });
  const page = await agent.submit(await pageOf(refresh_token), 'token-resume');
  expect(statusOf(page)).toBe('valid');
  expect((await post(`${sandbox.url}/oauth2/token`, form)).status).toBe(200);
});

it('an access token is used from its page, each way recorded and linked', async () => {
  const { access_token } = await signIn(sandbox.url, 'alice', { scope });
  const called = await agent.submit(await pageOf(access_token), 'token-use-api');
  expect(called.html).toContain('<code>GET /api/products</code> answered <span class="st ">200</span>');
  expect(called.html).toContain('City bike');
  const [, requestId = ''] = /\/dashboard\/requests\/(req_\w+)">The request/.exec(called.html) ?? [];
  const request = sandbox.events.ofRequest(requestId).find(event => event.type === 'request.completed');
  expect(request?.exchange.requestHeaders).toMatch(/Grantbox-Tool\ndashboard/i);
  const told = await agent.submit(called, 'token-use-userinfo');
  expect(told.html).toContain('<span class="json-text">&#34;Alice Archer&#34;</span>');
  const introspected = await agent.submit(told, 'token-use-introspect');
  expect(introspected.html).toContain('&#34;active&#34;</span>: <span class="json-value">true</span>');
  expect(introspected.html).toContain('introspected by sensor: active');
});

it('a refresh token is used from its page; its client, which still has it, then loses everything', async () => {
  const { refresh_token } = await signIn(sandbox.url, 'alice', { scope });
  const page = await agent.submit(await pageOf(refresh_token), 'token-use-refresh');
  expect(page.html).toContain('New access token');
  expect(statusOf(page)).toBe('replaced');
  const form = { grant_type: 'refresh_token', client_id: 'frontend', refresh_token };
  expect((await post(`${sandbox.url}/oauth2/token`, form)).status).toBe(400);
  const after = await pageOf(refresh_token);
  expect(statusOf(after)).toBe('revoked');
  expect(after.html).toContain('used again');
  expect(after.html).toContain('refresh token used twice');
});

it('what changed since the last login is one link away', async () => {
  await signIn(sandbox.url, 'alice', { scope });
  const { access_token } = (await signIn(sandbox.url, 'alice', { scope: 'openid email' })) satisfies Tokens;
  const page = await agent.open(`${sandbox.url}/dashboard/tokens/${idOf(access_token)}/diff`);
  expect(page.html).toContain('changed: profile, products:read, offline_access were removed; email was added');
});

it('a token of a key that was taken out of the JWK Set says so', async () => {
  const { access_token } = await signIn(sandbox.url, 'alice', { scope });
  await sandbox.rotateKeys();
  expect((await pageOf(access_token)).html).toContain('which was replaced and is still published');
});

it('what is pasted into Decode is judged by the real keys, and is nowhere in the history', async () => {
  const { access_token } = await signIn(sandbox.url, 'alice', { scope });
  const form = await agent.open(`${sandbox.url}/dashboard/decode`);
  const [head = '', payload = ''] = access_token.split('.');
  const forged = `${head}.${Buffer.from(`${Buffer.from(payload, 'base64url')}`.replace('alice', 'mallory')).toString('base64url')}.AAAA`;
  const before = sandbox.events.lastId;
  const page = await agent.submit(form, 'decode-submit', { token: `Bearer ${access_token}` });
  expect(page.html).toContain('Issued by this sandbox:');
  expect(page.html).toMatch(/signature RS256, verified with key/);
  const judged = await agent.submit(form, 'decode-submit', { token: forged });
  expect(judged.html).toMatch(/signature not verified: it does not match the key/);
  expect(judged.html).toContain('Not a token of this sandbox');
  const events = sandbox.events.since(before) ?? [];
  expect(events.every(({ type }) => type === 'page.served')).toBe(true);
  expect(JSON.stringify(events)).not.toContain(forged.slice(-60));
});

it('the claims say where they are from', async () => {
  const token = await sensorToken(sandbox);
  const { html } = await pageOf(token);
  expect(html).toContain('data-source="default"');
  expect(html).toContain('The client, which acts for itself');
  const { access_token } = await signIn(sandbox.url, 'alice', { scope });
  expect((await pageOf(access_token)).html).toContain('>From the record of user alice</a>');
});
