import { afterAll, expect, it } from 'vitest';
import { json, product, resourceMetadata, sign, startServer } from './running-server.ts';

const server = await startServer();
afterAll(() => server.close());

it.each([
  ['a string', { scope: 'openid products:read' }],
  ['a list', { scope: ['openid', 'products:read'] }],
  ['scp as a list', { scope: undefined, scp: ['products:read'] }],
  ['scp as a string', { scope: undefined, scp: 'products:read' }],
])('accepts a scope that is %s', async (_, changes) => {
  expect((await server.request('/api/products', { token: await sign(changes) })).status).toBe(200);
});

it.each([
  ['another', 'bikes:read'],
  ['a longer', 'products:reader'],
  ['an upper case', 'PRODUCTS:READ'],
  ['a comma-separated', 'products:read,products:write'],
  ['a nested', [['products:read']]],
  ['an object as', { 'products:read': true }],
  ['an empty', ''],
])('refuses %s scope', async (_, scope) => {
  expect((await server.request('/api/products', { token: await sign({ scope }) })).status).toBe(403);
});

it('names the missing scope in the challenge', async () => {
  const response = await server.request('/api/products', { token: await sign({ scope: 'bikes:read' }) });
  expect(response.headers.get('www-authenticate')).toBe(
    `Bearer error="insufficient_scope", error_description="SCOPE_products:read is required; the scope of the token is 'bikes:read'", scope="products:read", resource_metadata="${resourceMetadata('products')}"`,
  );
});

it('tells required and present scope in the problem', async () => {
  const response = await server.request('/api/products', {
    ...json('POST', product),
    token: await sign({ scope: 'products:read' }),
  });
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  expect(await response.json()).toEqual({
    type: 'about:blank',
    title: 'Forbidden',
    status: 403,
    detail: "SCOPE_products:write is required; the scope of the token is 'products:read'",
    error: 'insufficient_scope',
    required_authority: 'SCOPE_products:write',
    required_scope: 'products:write',
    token_scope: 'products:read',
  });
});

it('treats a token without scope as authenticated, and satisfied by nothing', async () => {
  const response = await server.request('/api/products', { token: await sign({ scope: undefined }) });
  expect(response.status).toBe(403);
  expect(await response.json()).toMatchObject({
    detail: 'SCOPE_products:read is required; the token has no scope',
    token_scope: null,
  });
});

it('keeps a hostile scope out of the challenge', async () => {
  const token = await sign({ scope: `"\r\nX-Evil: 1\\${'ä'.repeat(900)}` });
  const response = await server.request('/api/products', { token });
  expect(response.status).toBe(403);
  expect(response.headers.get('x-evil')).toBeNull();
  expect(response.headers.get('www-authenticate')).toMatch(
    /^Bearer error="insufficient_scope", error_description="[\x20\x21\x23-\x5B\x5D-\x7E]{1,400}", scope=/,
  );
});

it.each([
  ['/api/products/999', 'GET'],
  ['/api/products/x', 'GET'],
  ['/api/products?nonsense=1', 'GET'],
  ['/api/products', 'POST'],
])('checks authority before the resource: %s', async (path, method) => {
  expect((await server.request(path, { method, token: await sign({ scope: undefined }) })).status).toBe(403);
});
