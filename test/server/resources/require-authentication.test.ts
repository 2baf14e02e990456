import { afterAll, beforeAll, expect, it } from 'vitest';
import { collections, json, now, product, type RunningServer, sign, startServer } from './running-server.ts';

const [products] = collections;
let server: RunningServer;
beforeAll(async () => {
  if (products === undefined) throw new Error('there is no collection');
  const writing = { writeAcrValues: ['urn:silver', 'urn:gold'], writeMaxAge: 60 };
  server = await startServer({ collections: [{ ...products, ...writing, readMaxAge: 3600 }] });
});
afterAll(() => server.close());

async function write(claims: object): Promise<Response> {
  return server.request('/api/products', { ...json('POST', product), token: await sign({ ...claims }) });
}

it('takes a token of a login that was strong and fresh enough', async () => {
  expect((await write({ acr: 'urn:gold', auth_time: now - 60 })).status).toBe(201);
});

it.each([
  ['was too weak', { acr: '0', auth_time: now }, "acr is '0'; expected 'urn:silver' or 'urn:gold'"],
  ['is of unknown strength', { auth_time: now }, "acr is nothing; expected 'urn:silver' or 'urn:gold'"],
  ['is too old', { acr: 'urn:gold', auth_time: now - 61 }, 'the sign-in is 61 s old; at most 60 s are accepted'],
  ['never was', { acr: 'urn:gold' }, 'auth_time is nothing; expected the time of a sign-in'],
  ['was at no time', { acr: 'urn:gold', auth_time: 'today' }, "auth_time is 'today'; expected the time of a sign-in"],
])('asks for a step up where the login behind a token %s (RFC 9470 §3)', async (_what, claims, detail) => {
  const response = await write(claims);
  expect(response.status).toBe(401);
  const said = `error="insufficient_user_authentication", error_description="${detail}"`;
  expect(response.headers.get('www-authenticate')).toContain(
    `Bearer ${said}, acr_values="urn:silver urn:gold", max_age="60", resource_metadata="http`,
  );
  expect(await response.json()).toMatchObject({
    error: 'insufficient_user_authentication',
    acr_values: 'urn:silver urn:gold',
    max_age: 60,
  });
});

it('asks of reading what was said of reading, and no more', async () => {
  const young = await sign({ auth_time: now - 3600 });
  expect((await server.request('/api/products', { token: young })).status).toBe(200);
  const old = await server.request('/api/products/1', { token: await sign({ auth_time: now - 3601 }) });
  expect(old.status).toBe(401);
  expect(old.headers.get('www-authenticate')).toContain('max_age="3600"');
  expect(old.headers.get('www-authenticate')).not.toContain('acr_values');
});

it('asks for the scope first: a stronger login would not help without it', async () => {
  const response = await write({ scope: 'products:read', acr: '0' });
  expect(response.status).toBe(403);
});
