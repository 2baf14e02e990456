import { describe, expect } from 'vitest';
import { test } from './test.ts';

describe('a user', () => {
  test('signs in without a click and reads bookings', async ({ issuer, api }) => {
    const { access_token } = await issuer.login({ client: 'web', user: 'ana', as: 'tokens' });
    const response = await api('GET', '/bookings', access_token);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual([]);
  });

  test('books a product, which our API asks for in its own name', async ({ issuer, api }) => {
    const { access_token } = await issuer.login({ client: 'web', user: 'ana', as: 'tokens' });
    const response = await api('POST', '/bookings', access_token, { product: 1 });
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject({ guest: 'ana', product: 'City bike' });

    // what the server saw of it; an event that is still to come is waited for
    const issued = await issuer.events.waitFor({ type: 'token.issued', q: 'client:bookings' });
    expect(issued).toMatchObject({ grant_type: 'client_credentials', scope: 'products:read' });
  });

  test('who was not there at the start signs in too', async ({ issuer, api }) => {
    await issuer.users.create({ sub: 'cleo', claims: { email: 'cleo@example.com' } });
    const { access_token } = await issuer.login({ client: 'web', user: 'cleo@example.com', as: 'tokens' });
    expect((await api('GET', '/bookings', access_token)).status).toBe(200);
  });

  test('who refuses to consent gives no code', async ({ issuer }) => {
    const { error } = await issuer.login({ client: 'web', user: 'ana', action: 'deny' });
    expect(error).toBe('access_denied');
  });
});
