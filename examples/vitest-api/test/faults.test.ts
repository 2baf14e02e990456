import { describe, expect } from 'vitest';
import { test } from './test.ts';

describe('our API comes again', () => {
  test('when the token endpoint is down for a moment', async ({ issuer, api }) => {
    const { access_token } = await issuer.login({ client: 'web', user: 'ana', as: 'tokens' });
    await issuer.faults.arm({ fault: 'unavailable', client: 'bookings', times: 1 });

    const response = await api('POST', '/bookings', access_token, { product: 2 });
    expect(response.status).toBe(201);

    // the fault met one request, and only the second has given a token
    expect(await issuer.events.list({ type: 'fault.applied' })).toMatchObject([
      { fault: 'unavailable', endpoint: 'token', client_id: 'bookings' },
    ]);
    expect(await issuer.events.list({ type: 'token.issued', q: 'client:bookings' })).toHaveLength(1);
    expect(await issuer.faults.list()).toEqual([]);
  });

  test('when the API of products is', async ({ issuer, api }) => {
    const { access_token } = await issuer.login({ client: 'web', user: 'ana', as: 'tokens' });
    await issuer.faults.arm({ fault: 'unavailable', endpoint: 'api', times: 2 });
    expect((await api('POST', '/bookings', access_token, { product: 2 })).status).toBe(201);
  });

  test('and gives up after three times', async ({ issuer, api }) => {
    const { access_token } = await issuer.login({ client: 'web', user: 'ana', as: 'tokens' });
    await issuer.faults.arm({ fault: 'unavailable', endpoint: 'api', times: 'always' });
    expect((await api('POST', '/bookings', access_token, { product: 2 })).status).toBe(500);
    expect(await issuer.events.list({ type: 'fault.applied' })).toHaveLength(3);
  });
});
