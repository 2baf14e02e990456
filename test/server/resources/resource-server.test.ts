import { afterAll, describe, expect, it } from 'vitest';
import { createResourceServer } from '../../../src/server/resources/index.ts';
import { type collections, issuer, json, now, rsa, sign, startServer } from './running-server.ts';

const server = await startServer();
const token = await sign();
afterAll(() => server.close());

describe('methods', () => {
  it.each([
    ['/api/products', 'PUT', 'GET, HEAD, POST, OPTIONS'],
    ['/api/products', 'PATCH', 'GET, HEAD, POST, OPTIONS'],
    ['/api/products', 'DELETE', 'GET, HEAD, POST, OPTIONS'],
    ['/api/products/1', 'POST', 'GET, HEAD, PUT, DELETE, OPTIONS'],
    ['/api/products/1', 'PATCH', 'GET, HEAD, PUT, DELETE, OPTIONS'],
    ['/api/bikes', 'POST', 'GET, HEAD, OPTIONS'],
    ['/api/bikes/1', 'PUT', 'GET, HEAD, OPTIONS'],
    ['/api/bikes/1', 'DELETE', 'GET, HEAD, OPTIONS'],
    ['/api/telemetry', 'GET', 'POST, OPTIONS'],
    ['/api/telemetry', 'HEAD', 'POST, OPTIONS'],
    ['/api/telemetry/1', 'GET', 'PUT, DELETE, OPTIONS'],
  ])('that %s does not offer are 405: %s', async (path, method, allow) => {
    const response = await server.request(path, { method, token });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe(allow);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
  });

  it('are told by OPTIONS', async () => {
    const response = await server.request('/api/products', { method: 'OPTIONS' });
    expect(response.status).toBe(204);
    expect(response.headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS');
  });

  it('offered with write scope only accept what a sensor sends', async () => {
    const response = await server.request('/api/telemetry', { ...json('POST', { name: 'temperature' }), token });
    expect(response.status).toBe(201);
    expect(response.headers.get('location')).toBe('/api/telemetry/1');
  });

  it('offered with read scope only list the seed', async () => {
    expect(await (await server.request('/api/bikes', { token })).json()).toEqual([{ id: 1, name: 'Tourer' }]);
  });
});

describe('paths', () => {
  it.each([
    '/api',
    '/api/',
    '/api/cars',
    '/api/Products',
    '/api/products/1/parts',
    '/api/constructor',
    '/api/__proto__',
    '/api/%00',
    '/api//products',
  ])('that name no collection are 404: %s', async path => {
    const response = await server.request(path);
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(await response.json()).toMatchObject({ detail: expect.stringContaining('products, bikes, telemetry') });
  });
});

describe('the order of refusals', () => {
  it.each([
    ['/api/products/999', 'GET', 401],
    ['/api/products/x', 'DELETE', 401],
    ['/api/products?nonsense=1', 'GET', 401],
    ['/api/products', 'POST', 401],
    ['/api/products', 'PATCH', 405],
    ['/api/cars', 'GET', 404],
  ])('without a token answers %s %s with %i', async (path, method, status) => {
    expect((await server.request(path, { method })).status).toBe(status);
  });

  it('asks for an existing resource before it looks at the body', async () => {
    expect((await server.request('/api/products/99', { method: 'PUT', body: '{', token })).status).toBe(404);
  });
});

describe('two servers in one process', () => {
  it('share nothing', async () => {
    const other = await startServer();
    await other.request('/api/products/1', { method: 'DELETE', token });
    expect((await server.request('/api/products/1', { token })).status).toBe(200);
    await other.close();
  });
});

describe('an invalid configuration', () => {
  const create = (collection: Partial<(typeof collections)[number]>) =>
    createResourceServer({
      issuer,
      audience: [],
      keys: async () => rsa.publicKey,
      clock: () => now,
      collections: [{ name: 'things', fields: { name: { type: 'string', required: true } }, seed: [], ...collection }],
    });

  it.each([
    [{ seed: [{ name: 1 }] }, /collection things, seed row 0: .*expected a string/],
    [{ seed: [{ name: 'a' }, {}] }, /seed row 1: .*missing/],
    [{ seed: [{ name: 'a', colour: 'red' }] }, /unknown field/],
    [
      {
        seed: [
          { name: 'a', id: 2 },
          { name: 'b', id: 2 },
        ],
      },
      /seed row 1: id 2/,
    ],
    [{ seed: [{ name: 'a', id: 0 }] }, /seed row 0: id 0/],
    [{ seed: [{ name: 'a', id: 'x' }] }, /seed row 0: id x/],
    [{ name: 'a/b' }, /collection name 'a\/b'/],
    [{ name: ':id' }, /collection name ':id'/],
  ])('is refused at once: %j', (collection, message) => {
    expect(() => create(collection)).toThrow(message);
  });

  it('is not one where seed rows bring ids, or fields name the id', () => {
    const fields = { id: { type: 'integer', required: true }, name: { type: 'string', required: true } } as const;
    expect(() => create({ fields, seed: [{ id: 10, name: 'a' }, { name: 'b' }] })).not.toThrow();
  });
});
