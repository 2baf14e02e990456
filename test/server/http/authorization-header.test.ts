import { afterAll, describe, expect, it } from 'vitest';
import { createSandbox } from '../../../src/index.ts';
import { basic } from '../../support/server.ts';
import { raw, signIn } from '../../support/wire.ts';

const sandbox = await createSandbox({ logLevel: 'silent' });
afterAll(() => sandbox.stop());
const { access_token } = await signIn(sandbox.url, 'alice', { scope: 'openid products:read' });
const { port, host } = new URL(sandbox.url);

/** `fetch` would write several headers as one. */
function ask(method: string, path: string, authorizations: readonly string[], form = ''): Promise<string> {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    ...[`Host: ${host}`, 'Connection: close', `Content-Length: ${form.length}`],
    'Content-Type: application/x-www-form-urlencoded',
    ...authorizations.map(value => `Authorization: ${value}`),
  ];
  return raw(Number(port), `${lines.join('\r\n')}\r\n\r\n${form}`);
}

const secret = basic('sensor', 'sensor-secret');

describe.each([
  ['POST', '/oauth2/token', secret, 'grant_type=client_credentials', 200],
  ['POST', '/oauth2/introspect', secret, 'token=x', 200],
  ['POST', '/oauth2/revoke', secret, 'token=x', 200],
  ['GET', '/userinfo', `Bearer ${access_token}`, '', 200],
  ['GET', '/api/products', `Bearer ${access_token}`, '', 200],
] as const)('%s %s', (method, path, header, form, status) => {
  it('takes one Authorization header', async () => {
    expect(await ask(method, path, [header], form)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });

  it.each([
    ['two that are the same', [header, header]],
    ['a second one that is another', [header, basic('frontend', 'x')]],
    ['a second one that is the good one', ['Basic eDp5', header]],
    ['a second one that is empty', [header, '']],
  ])('refuses %s', async (_what, headers) => {
    const answer = await ask(method, path, headers, form);
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    expect(answer).toContain('invalid_request');
    expect(answer).toContain('2 Authorization headers');
  });
});

/** The refusal of a request, and the title of its problem. */
async function refused(path: string, init: RequestInit = {}) {
  const response = await fetch(sandbox.url + path, init);
  const challenge = response.headers.get('www-authenticate') ?? '';
  await response.arrayBuffer();
  const id = response.headers.get('x-request-id');
  const problem = await (await fetch(`${sandbox.url}/dashboard/api/v1/problems/${id}`)).json();
  const { title, reason, error_description } = problem as Record<'title' | 'reason' | 'error_description', string>;
  return { status: response.status, challenge, title, reason, error_description };
}

const names = [
  ['Token', `Token ${access_token}`, 401, /scheme of the Authorization header is Token instead of Bearer$/],
  ['Basic', basic('sensor', 'sensor-secret'), 401, /scheme of the Authorization header is Basic instead of Bearer$/],
  ['a token alone', access_token, 401, /has a token, but not the word Bearer before it$/],
  ['a colon', `Bearer:${access_token}`, 401, /has a token, but not the word Bearer before it$/],
  ['undefined alone', 'undefined', 401, /^The Authorization header is the word undefined$/],
  ['Bearer undefined', 'Bearer undefined', 401, /^The app sent the word undefined as a token$/],
  ['Bearer null', 'Bearer null', 401, /^The app sent the word null as a token$/],
  ['an object', 'Bearer [object Object]', 400, /^The app sent the text \[object Object\] as a token$/],
  ['Bearer twice', `Bearer Bearer ${access_token}`, 400, /^The Authorization header is malformed$/],
] as const;

describe.each(['/userinfo', '/api/products'])('an Authorization header that %s cannot use', path => {
  it.each(names)('is named: %s', async (_what, authorization, status, title) => {
    const told = await refused(path, { headers: { authorization } });
    expect(told.status).toBe(status);
    expect(told.title).toMatch(title);
    expect(told.error_description).not.toMatch(/no access token|there is no Authorization/);
    // RFC 6750 section 3.1: an error code only where a token was sent in a scheme that is supported
    expect(told.challenge.includes('error=')).toBe(/^(Bearer |Bearer$)/.test(authorization));
    expect(told.error_description).not.toContain(access_token);
  });

  it.each(path === '/userinfo' ? (['GET', 'POST'] as const) : (['GET'] as const))(
    'does not hide a token in the query of a %s',
    async method => {
      const told = await refused(`${path}?access_token=${access_token}`, { method });
      expect(told).toMatchObject({ status: 401, title: 'The access token is in the query of the address' });
      expect(told.error_description).toMatch(/^the access token is in the query of the address; send /);
    },
  );
});

describe('a secret that ends in a line break is told as that', () => {
  const grant = 'grant_type=client_credentials';
  const form = { 'content-type': 'application/x-www-form-urlencoded' };

  it('by Basic', async () => {
    const authorization = basic('sensor', 'sensor-secret\n');
    const told = await refused('/oauth2/token', { method: 'POST', body: grant, headers: { ...form, authorization } });
    expect(told).toMatchObject({ status: 401, reason: 'client_secret_wrong' });
    expect(told.error_description).toMatch(/\(it ends in a line break: /);
  });

  it.each(['%0A', '%0D%0A'])('in the body, as %s', async end => {
    const body = `${grant}&client_id=sensor&client_secret=sensor-secret${end}`;
    const told = await refused('/oauth2/token', { method: 'POST', body, headers: form });
    expect(told).toMatchObject({ status: 400, title: 'The parameter `client_secret` ends in a line break' });
    expect(told.error_description).toMatch(/^client_secret ends in a line break: /);
  });
});

it('names the parameters in the query of a POST', async () => {
  const headers = { authorization: basic('sensor', 'sensor-secret') };
  expect(await refused('/oauth2/token?grant_type=client_credentials', { method: 'POST', headers })).toMatchObject({
    title: 'The parameter `grant_type` is in the query of a POST',
    error_description: 'grant_type is missing: it is in the query, and a POST sends it in the body',
  });
  expect(await refused('/oauth2/token?client_id=frontend', { method: 'POST' })).toMatchObject({
    reason: 'client_unidentified',
    error_description: expect.stringMatching(/client_id is in the query, and a POST sends it in the body$/),
  });
});

it('knows an access token of this server in the place of an ID token', async () => {
  const told = await refused(`/connect/logout?id_token_hint=${access_token}&post_logout_redirect_uri=http://a.test/`, {
    headers: { accept: 'application/json' },
  });
  expect(told.title).toBe('The id_token_hint is an access token');
  expect(told.error_description).toBe(
    'id_token_hint is an access token of this server; send the ID token of the same response',
  );
});
