import { afterAll, describe, expect, it } from 'vitest';
import { createSandbox } from '../../src/index.ts';
import { basic } from '../support/server.ts';
import { raw, signIn } from '../support/wire.ts';

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
