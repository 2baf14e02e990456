import { afterEach, describe, expect, it } from 'vitest';
import { claims, now, type RunningServer, sign, startServer } from './running-server.ts';

let server: RunningServer;
let asked: string[];
afterEach(() => server.close());

/** A resource server whose issuer knows these tokens. */
async function start(known: Readonly<Record<string, Readonly<Record<string, unknown>>>>): Promise<void> {
  asked = [];
  server = await startServer({
    async introspect(token) {
      asked.push(token);
      return known[token];
    },
  });
}

const challengeOf = (response: Response) => response.headers.get('www-authenticate');

describe('with introspection the resource server', () => {
  it('takes an opaque token the issuer knows', async () => {
    await start({ 'an-opaque-token': claims });
    const response = await server.request('/api/products', { token: 'an-opaque-token' });
    expect(response.status).toBe(200);
    expect(asked).toEqual(['an-opaque-token']);
  });

  it('asks about a JWT, too, after it has verified it', async () => {
    const token = await sign();
    await start({ [token]: claims });
    expect((await server.request('/api/products', { token })).status).toBe(200);
    expect(asked).toEqual([token]);
  });

  it.each([
    ['an opaque token', async () => 'revoked'],
    ['a JWT that is good by itself', () => sign()],
  ])('refuses %s that is not active with 401 invalid_token', async (_what, make) => {
    await start({});
    const response = await server.request('/api/products', { token: await make() });
    expect(response.status).toBe(401);
    expect(challengeOf(response)).toMatch(/error="invalid_token".*not active: it was revoked/);
    expect(await response.json()).toMatchObject({ status: 401, error: 'invalid_token' });
  });

  it.each([
    ['another issuer', { iss: 'https://elsewhere.example' }, /iss is/],
    ['another time', { exp: now }, /has expired/],
  ])('refuses claims of %s, whatever the issuer says', async (_what, changes, description) => {
    await start({ opaque: { ...claims, ...changes } });
    const response = await server.request('/api/products', { token: 'opaque' });
    expect(response.status).toBe(401);
    expect(challengeOf(response)).toMatch(description);
  });

  it('tells what is wrong with a JWT without asking about it', async () => {
    await start({});
    const response = await server.request('/api/products', { token: await sign({ exp: now - 5 }) });
    expect(challengeOf(response)).toMatch(/expired: exp is/);
    expect(asked).toEqual([]);
  });

  it('needs the authority all the same', async () => {
    await start({ opaque: { ...claims, scope: 'bikes:read' } });
    expect((await server.request('/api/products', { token: 'opaque' })).status).toBe(403);
  });
});

it('without introspection refuses an opaque token', async () => {
  server = await startServer();
  const response = await server.request('/api/products', { token: 'an-opaque-token' });
  expect(response.status).toBe(401);
  expect(challengeOf(response)).toMatch(/is it an opaque token/);
});
