import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../../src/index.ts';
import { get, post, signIn } from '../support/wire.ts';

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await createSandbox({ signingAlg: 'ES256' });
});
afterEach(() => sandbox.stop());

const page = async (path = '') => (await get(`${sandbox.url}/dashboard/scopes${path}`)).text();

/** What a form does, and the page after it. */
async function send(path: string, form: Readonly<Record<string, string>>) {
  const response = await post(`${sandbox.url}/dashboard/scopes${path}`, form, { origin: sandbox.url });
  const to = response.headers.get('location');
  return {
    status: response.status,
    html: to === null ? await response.text() : await (await get(sandbox.url + to)).text(),
  };
}

/** The row of a scope in the list, without its tags. */
async function rowOf(name: string): Promise<string> {
  const rows = (await page())
    .split('data-testid="scopes-row"')
    .map(row => row.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' '));
  return rows.find(row => row.includes(`> ${name} `)) ?? '';
}

const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

describe('the page of the scopes', () => {
  it('says of each scope who may ask for it and what it opens', async () => {
    expect(await rowOf('products:read')).toMatch(
      /see the products .*frontend.* GET \/api\/products, GET \/api\/products\/\{id\}/,
    );
    expect(await rowOf('email')).toMatch(/frontend.* claims email, email_verified/);
    expect(await page('?q=client:sensor')).not.toContain('products:read</a>');
  });

  it('has a column for the status if a scope has one', async () => {
    expect(await page()).not.toContain('>Status</th>');
    const { html } = await send('', { name: 'orders:read', description: '', claims: '' });
    expect(html).toContain('orders:read');
    const list = await page();
    expect(list).toContain('>Status</th>');
    expect(list).toContain('>created</span>');
  });

  it('makes a scope that clients may ask for, and that is in their tokens then', async () => {
    const made = await send('', { name: 'orders:read', description: 'see your orders', claims: '' });
    expect(made.html).toContain('Scope created (in memory).');
    expect(made.html).toContain('None. A client is refused with <code>invalid_scope</code> if it asks.');
    const allowed = await send('/orders%3Aread', { action: 'allow', client: 'frontend' });
    expect(allowed.html).toContain('frontend may ask for orders:read from now on.');
    const { access_token } = await signIn(sandbox.url, 'alice', { scope: 'openid orders:read' });
    expect(claimsOf(access_token).scope).toBe('openid orders:read');
  });

  it('changes what the next token has', async () => {
    const form = { action: 'save', description: 'see products', claims: '', access_token_claims: '{ "tier": "gold" }' };
    expect((await send('/products%3Aread', form)).html).toContain('Saved in memory. Takes effect with the next token.');
    const { access_token } = await signIn(sandbox.url, 'alice', { scope: 'openid products:read' });
    expect(claimsOf(access_token).tier).toBe('gold');
    const other = await signIn(sandbox.url, 'alice', { scope: 'openid' });
    expect(claimsOf(other.access_token)).not.toHaveProperty('tier');
    expect(await page('/products%3Aread')).toMatch(/scopes-standing">changed/);
    await send('/products%3Aread', { action: 'revert' });
    expect(await page('/products%3Aread')).not.toContain('scopes-standing');
  });

  it('refuses what the control API refuses, beside the field', async () => {
    const taken = await send('', { name: 'email', description: '', claims: '' });
    expect([taken.status, taken.html.match(/scopes-problem">[^<]*/)?.[0]]).toEqual([
      400,
      'scopes-problem">&#34;email&#34; was sent, expected a name that no other scope has.',
    ]);
    const wrong = await send('/email', { action: 'save', access_token_claims: '{ "a": }' });
    expect([wrong.status, wrong.html.match(/scopes-problem">[^<]*/)?.[0]]).toEqual([
      400,
      expect.stringContaining('Line 1'),
    ]);
  });

  it('deletes a scope that nobody needs, and brings it back', async () => {
    expect(await page('/openid')).toContain('OpenID Connect defines this scope, so it stays.');
    expect(await page('/products%3Aread')).toContain('The sample API asks for this scope, so it stays.');
    await send('', { name: 'spare', description: '', claims: 'plan' });
    expect((await send('/spare', { action: 'delete' })).html).toContain('spare was deleted (in memory).');
    expect((await get(`${sandbox.url}/dashboard/scopes/spare`)).status).toBe(404);
    await send('', { restore: 'spare' });
    expect(await page('/spare')).toContain('value="plan"');
    expect((await send('/openid', { action: 'delete' })).status).toBe(400);
  });
});
