import { request as httpRequest } from 'node:http';
import express from 'express';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createResourceServer } from '../../../src/server/resources/index.ts';
import { collections, issuer, json, now, product, rsa, sign, startServer } from './running-server.ts';

const server = await startServer();
const token = await sign();
beforeEach(() => server.reset());
afterAll(() => server.close());

const call = (path: string, init: RequestInit = {}) => server.request(path, { ...init, token });
const get = async (path: string) => (await call(path)).json();

async function expectProblem(response: Response, status: number, detail?: string | RegExp) {
  expect(response.status).toBe(status);
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  const body = (await response.json()) as { detail: string; errors?: Record<string, string>[] };
  expect(body).toMatchObject({ type: 'about:blank', title: expect.any(String), status });
  if (detail !== undefined) expect(body.detail).toMatch(detail);
  return body;
}

describe('reading', () => {
  it('lists the seed rows as a JSON array with ids', async () => {
    const response = await call('/api/products');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('x-total-count')).toBe('3');
    expect(await response.json()).toEqual([
      { id: 1, name: 'Saddle', category: 'parts', price: 49.5, stock: 3, organic: false },
      { id: 2, name: 'Bell', category: 'parts', price: 9 },
      { id: 3, name: 'Apple', category: 'food & drink', price: 1, organic: true },
    ]);
  });

  it('reads one resource', async () => {
    expect(await get('/api/products/2')).toEqual({ id: 2, name: 'Bell', category: 'parts', price: 9 });
  });

  it.each(['/api/products', '/api/products/1'])('answers HEAD %s as GET without a body', async path => {
    const [head, full] = [await call(path, { method: 'HEAD' }), await call(path)];
    expect(head.status).toBe(200);
    expect(await head.text()).toBe('');
    for (const name of ['content-type', 'content-length', 'x-total-count', 'link']) {
      expect(head.headers.get(name)).toBe(full.headers.get(name));
    }
  });

  it.each(['4', '0', '-1', '-0', '9007199254740993', '9'.repeat(500)])('has no resource with id %.20s', async id => {
    await expectProblem(await call(`/api/products/${id}`), 404, 'products has no resource with id');
  });

  it.each(['x', '1.0', '01', '1e0', '0x1', '__proto__', 'constructor', '%00', '%20', '%F0%9F%98%80'])(
    'refuses the id %s',
    async id => {
      await expectProblem(await call(`/api/products/${id}`), 400, 'expected an integer');
    },
  );

  it('refuses a path that is not percent-encoded', async () => {
    await expectProblem(await call('/api/products/%zz'), 400, 'percent-encoding');
  });
});

describe('filters', () => {
  it.each([
    ['category=parts', [1, 2]],
    ['category=food+%26+drink', [3]],
    ['category=none', []],
    ['category=', []],
    ['price=9', [2]],
    ['price=9.0', [2]],
    ['price=4.95e1', [1]],
    ['stock=3', [1]],
    ['organic=true', [3]],
    ['organic=false', [1]],
    ['id=2', [2]],
    ['category=parts&price=9', [2]],
    ['category=parts&organic=true', []],
  ])('finds by %s', async (query, ids) => {
    const rows = (await get(`/api/products?${query}`)) as { id: number }[];
    expect(rows.map(({ id }) => id)).toEqual(ids);
  });

  it.each([
    ['price=cheap', 'price', 'type number'],
    ['price=', 'price', 'type number'],
    ['price=Infinity', 'price', 'type number'],
    ['price=1e999', 'price', 'type number'],
    ['stock=1.5', 'stock', 'type integer'],
    ['stock=9007199254740993', 'stock', 'type integer'],
    ['organic=yes', 'organic', 'type boolean'],
    ['id=x', 'id', 'type integer'],
    ['colour=red', 'colour', 'known parameters: page, size and the fields id, name, category, price, stock, organic'],
    ['__proto__=1', '__proto__', 'unknown parameter'],
    ['constructor=1', 'constructor', 'unknown parameter'],
    ['category[]=parts', 'category[]', 'unknown parameter'],
    ['category=a&category=b', 'category', 'more than once'],
    ['page=0&page=0', 'page', 'more than once'],
    [`name=${'x'.repeat(201)}`, 'name', 'longer than 200'],
    ['page=-1', 'page', 'an integer from 0'],
    ['page=1.5', 'page', 'an integer from 0'],
    ['page=', 'page', 'an integer from 0'],
    ['page=99999999999999999999', 'page', 'an integer from 0'],
    ['size=0', 'size', 'an integer from 1 to 100'],
    ['size=101', 'size', 'an integer from 1 to 100'],
    ['size=ten', 'size', 'an integer from 1 to 100'],
    ['access_token=abc', 'access_token', 'unknown parameter'],
  ])('refuses %.30s', async (query, parameter, words) => {
    const { errors } = await expectProblem(await call(`/api/products?${query}`), 400, 'the query is not valid');
    expect(errors).toContainEqual({ parameter, detail: expect.stringContaining(words) });
  });

  it('names every invalid parameter', async () => {
    const { errors } = await expectProblem(await call('/api/products?size=0&colour=red&price=x'), 400);
    expect(errors?.map(({ parameter }) => parameter)).toEqual(['size', 'colour', 'price']);
  });

  it('lists 25 errors and counts the rest', async () => {
    const query = Array.from({ length: 1000 }, (_, index) => `x${index}`).join('&');
    const { errors } = await expectProblem(await call(`/api/products?${query}`), 400);
    expect(errors).toHaveLength(26);
    expect(errors?.[25]).toEqual({ detail: '975 more' });
  });
});

describe('pages', () => {
  const links = async (path: string) => {
    const header = (await call(path)).headers.get('link') ?? '';
    return Object.fromEntries([...header.matchAll(/<([^>]+)>; rel="(\w+)"/g)].map(([, uri, rel]) => [rel, uri]));
  };
  const uri = (page: number, size: number) => `/api/products?page=${page}&size=${size}`;

  it.each([
    ['', { first: uri(0, 20), last: uri(0, 20) }],
    ['?size=1', { first: uri(0, 1), next: uri(1, 1), last: uri(2, 1) }],
    ['?size=1&page=1', { first: uri(0, 1), prev: uri(0, 1), next: uri(2, 1), last: uri(2, 1) }],
    ['?size=1&page=2', { first: uri(0, 1), prev: uri(1, 1), last: uri(2, 1) }],
    ['?size=2&page=1', { first: uri(0, 2), prev: uri(0, 2), last: uri(1, 2) }],
    ['?size=1&page=9', { first: uri(0, 1), prev: uri(2, 1), last: uri(2, 1) }],
  ])('link to their neighbours: %s', async (query, expected) => {
    expect(await links(`/api/products${query}`)).toEqual(expected);
  });

  it('keep the filters in their links', async () => {
    const { next } = await links('/api/products?category=parts&size=1');
    expect(next).toBe('/api/products?category=parts&page=1&size=1');
    expect(await get(next ?? '')).toEqual([{ id: 2, name: 'Bell', category: 'parts', price: 9 }]);
  });

  it('encode hostile filter values in their links', async () => {
    const response = await call(`/api/products?category=${encodeURIComponent('>; rel="next", <\r\nX: y')}`);
    expect(response.headers.get('link')).toMatch(/^<[\w/?=&%+.-]+>; rel="first", <[\w/?=&%+.-]+>; rel="last"$/);
  });

  it('have one, empty, where nothing is found', async () => {
    const response = await call('/api/products?category=none');
    expect(await response.json()).toEqual([]);
    expect(response.headers.get('x-total-count')).toBe('0');
    expect(response.headers.get('link')).toContain('page=0&size=20>; rel="last"');
  });

  it('beyond the end are empty and still tell the total', async () => {
    const response = await call('/api/products?page=9');
    expect(await response.json()).toEqual([]);
    expect(response.headers.get('x-total-count')).toBe('3');
  });

  it('hold 20 resources by default and up to 100', async () => {
    for (let i = 0; i < 120; i++) await call('/api/products', json('POST', product));
    expect(await get('/api/products')).toHaveLength(20);
    expect(await get('/api/products?size=100&page=0')).toHaveLength(100);
    expect(await get('/api/products?size=100&page=1')).toHaveLength(23);
  });
});

describe('writing', () => {
  it('creates a resource and says where', async () => {
    const response = await call('/api/products', json('POST', product));
    expect(response.status).toBe(201);
    expect(response.headers.get('location')).toBe('/api/products/4');
    expect(await response.json()).toEqual({ id: 4, ...product });
    expect(await get('/api/products/4')).toEqual({ id: 4, ...product });
  });

  it('replaces a resource as a whole', async () => {
    const response = await call('/api/products/1', json('PUT', product));
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ id: 1, ...product });
    expect(await get('/api/products/1')).toEqual({ id: 1, ...product });
  });

  it('takes back what was read', async () => {
    const read = (await get('/api/products/1')) as object;
    expect(await (await call('/api/products/1', json('PUT', { ...read, price: 5 }))).json()).toEqual({
      ...read,
      price: 5,
    });
  });

  it('deletes a resource', async () => {
    const response = await call('/api/products/1', { method: 'DELETE' });
    expect(response.status).toBe(204);
    expect(await response.text()).toBe('');
    await expectProblem(await call('/api/products/1'), 404);
  });

  it.each(['PUT', 'DELETE'])('answers %s of an unknown id with 404', async method => {
    await expectProblem(await call('/api/products/99', method === 'PUT' ? json('PUT', product) : { method }), 404);
  });

  it('never uses an id twice', async () => {
    await call('/api/products/3', { method: 'DELETE' });
    await call('/api/products', json('POST', product));
    expect((await call('/api/products/4')).status).toBe(200);
  });

  it('returns to the seed rows on reset, ids included', async () => {
    await call('/api/products', json('POST', product));
    await call('/api/products/1', { method: 'DELETE' });
    await call('/api/products/2', json('PUT', product));
    server.reset();
    expect(((await get('/api/products')) as { name: string }[]).map(({ name }) => name)).toEqual([
      'Saddle',
      'Bell',
      'Apple',
    ]);
    expect((await call('/api/products', json('POST', product))).headers.get('location')).toBe('/api/products/4');
  });
});

describe('bodies', () => {
  it.each([
    ['a missing field', { name: 'a', category: 'b' }, 'price', 'missing; expected a number'],
    ['a number in quotes', { ...product, price: '20' }, 'price', "expected a number, got the string '20'"],
    ['null', { ...product, name: null }, 'name', 'got null'],
    ['a fraction for an integer', { ...product, stock: 1.5 }, 'stock', 'expected an integer, got 1.5'],
    ['an unsafe integer', { ...product, stock: 2 ** 53 }, 'stock', 'expected an integer'],
    ['text for a boolean', { ...product, organic: 'true' }, 'organic', 'expected true or false'],
    ['an object', { ...product, name: {} }, 'name', 'got an object'],
    ['a list', { ...product, name: ['a'] }, 'name', 'got an array'],
    ['an unknown field', { ...product, colour: 'red' }, 'colour', 'unknown field; known fields: name, category, price'],
    ['an unknown field beyond ASCII', { ...product, größe: 1 }, 'größe', 'unknown field'],
    ['constructor', { ...product, constructor: {} }, 'constructor', 'unknown field'],
    ['an id', { ...product, id: 7 }, 'id', 'set by the server; leave it out'],
    ['a very long string', { ...product, name: 'x'.repeat(10_001) }, 'name', 'up to 10000 characters'],
  ])('are refused with %s', async (_, body, field, words) => {
    const { errors } = await expectProblem(
      await call('/api/products', json('POST', body)),
      400,
      'not a valid resource',
    );
    expect(errors).toEqual([{ field, detail: expect.stringContaining(words) }]);
  });

  it('are told every field that is wrong', async () => {
    const { errors } = await expectProblem(await call('/api/products', json('POST', { colour: 1 })), 400);
    expect(errors?.map(({ field }) => field)).toEqual(['name', 'category', 'price', 'colour']);
  });

  it('with __proto__ are refused and change nothing', async () => {
    const init = { ...json('POST', {}), body: '{"name":"a","category":"b","price":1,"__proto__":{"polluted":true}}' };
    const { errors } = await expectProblem(await call('/api/products', init), 400);
    expect(errors?.[0]).toMatchObject({ field: '__proto__' });
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('cannot borrow required fields from a prototype', async () => {
    const init = { ...json('POST', {}), body: '{"__proto__":{"name":"a","category":"b","price":1}}' };
    const { errors } = await expectProblem(await call('/api/products', init), 400);
    expect(errors?.map(({ field }) => field)).toEqual(['name', 'category', 'price', '__proto__']);
  });

  it('of a PUT may not carry another id', async () => {
    const { errors } = await expectProblem(await call('/api/products/1', json('PUT', { ...product, id: 2 })), 400);
    expect(errors).toEqual([{ field: 'id', detail: 'expected no id, or the id 1 of the path, got 2' }]);
  });

  it.each(['[]', 'null', '"text"', '42', 'true'])('that are %s are not an object', async body => {
    await expectProblem(await call('/api/products', { ...json('POST', {}), body }), 400, 'not a JSON object');
  });

  it.each(['{', '{"name":}', "{'name':'a'}", '{} {}', 'NaN', '\u0000', '['.repeat(100_000)])(
    'are refused when malformed: %.20s',
    async body => {
      await expectProblem(await call('/api/products', { ...json('POST', {}), body }), 400, 'not well-formed JSON');
    },
  );

  it('are refused when a number is beyond all numbers', async () => {
    const body = '{"name":"a","category":"b","price":1e999}';
    const { errors } = await expectProblem(await call('/api/products', { ...json('POST', {}), body }), 400);
    expect(errors).toEqual([{ field: 'price', detail: 'expected a number, got Infinity' }]);
  });

  it('are refused when empty', async () => {
    await expectProblem(await call('/api/products', { ...json('POST', {}), body: '' }), 400, 'the body is empty');
  });

  it('are refused when not UTF-8', async () => {
    const body = new Uint8Array([0x22, 0xff, 0x22]);
    await expectProblem(await call('/api/products', { ...json('POST', {}), body }), 400, 'JSON in UTF-8');
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', 'application/json-patch+json', 'a'])(
    'of type %s are unsupported',
    async type => {
      const init = { method: 'POST', headers: { 'content-type': type }, body: JSON.stringify(product) };
      const response = await call('/api/products', init);
      await expectProblem(response, 415, `the Content-Type is '${type}'; expected application/json`);
      expect(response.headers.get('accept')).toBe('application/json');
    },
  );

  it('without a type are unsupported', async () => {
    const response = await call('/api/products', { method: 'POST', body: new Uint8Array([0x7b, 0x7d]) });
    await expectProblem(response, 415, 'the Content-Type is nothing; expected application/json');
  });

  it.each(['application/json', 'Application/JSON', 'application/json; charset=utf-8', 'application/json ;x=y'])(
    'of type %s are read',
    async type => {
      const init = { method: 'POST', headers: { 'content-type': type }, body: JSON.stringify(product) };
      expect((await call('/api/products', init)).status).toBe(201);
    },
  );

  it('that are compressed are unsupported', async () => {
    const init = json('POST', product);
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    await expectProblem(await call('/api/products', { ...init, headers }), 415, "the Content-Encoding is 'gzip'");
  });

  it('over 256 KiB are too large', async () => {
    const response = await call('/api/products', json('POST', { ...product, name: 'x'.repeat(256 * 1024) }));
    await expectProblem(response, 413, 'larger than 262144 bytes');
  });

  it('over 256 KiB are too large in chunks, too', async () => {
    const response = await new Promise<{ status: number | undefined }>((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const upload = httpRequest(`${server.url}/api/products`, { method: 'POST', headers }, message => {
        message.resume();
        resolve({ status: message.statusCode });
      }).on('error', reject);
      for (let i = 0; i < 20; i++) upload.write(' '.repeat(64 * 1024));
      upload.end();
    });
    expect(response.status).toBe(413);
  });

  it('that end early do no harm', async () => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'content-length': '1000' };
    await new Promise(closed => {
      const upload = httpRequest(`${server.url}/api/products`, { method: 'POST', headers }).on('error', closed);
      upload.write('{"name"', () => setTimeout(() => upload.destroy(new Error('gone')), 20));
    });
    expect(await get('/api/products')).toHaveLength(3);
    expect(server.errors).toEqual([]);
  });

  it('already read by an express.json() further out are taken as they are', async () => {
    const { router } = createResourceServer({
      issuer,
      audience: [],
      keys: async () => rsa.publicKey,
      clock: () => now,
      collections,
    });
    const app = express().use(express.json()).use('/v1', router);
    const outer = app.listen(0, '127.0.0.1');
    await new Promise(listening => outer.once('listening', listening));
    const address = outer.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const init = json('POST', product);
    const headers = { ...(init.headers as Record<string, string>), authorization: `Bearer ${token}` };
    const response = await fetch(`http://127.0.0.1:${port}/v1/products`, { ...init, headers });
    expect(response.status).toBe(201);
    expect(response.headers.get('location')).toBe('/v1/products/4');
    const unauthenticated = await fetch(`http://127.0.0.1:${port}/v1/products`);
    expect(unauthenticated.headers.get('www-authenticate')).toBe('Bearer scope="products:read"');
    outer.close();
    outer.closeAllConnections();
  });
});
