import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import { checkResources, meantResource } from '../../src/protocol/requests/requested-access.ts';
import { createTestServer, eventsOf, issuer, refusal, sensor, type TestServer } from '../support/server.ts';

const api = 'https://api.example/orders';
const clients = [{ ...sensor, client_id: 'orders', audience: [api] }];
const asSensor = `Basic ${btoa('sensor:sensor-secret')}`;

const ask = (it: TestServer, resource: string) => it.token({ grant_type: 'client_credentials', resource }, asSensor);

describe('a requested resource (RFC 8707 §2)', () => {
  it.each([
    `${api}/`,
    'http://api.example/orders',
    'https://API.example/orders',
    'https://api.example:443/orders',
    'https://api.example/order',
    'https://api.exmaple/orders',
    'https://api.example/orderss',
  ])('is refused with the right value if it is nearly a configured one: %s', async resource => {
    const error = await refusal(ask(createTestServer({ clients }), resource));
    expect(error).toMatchObject({ code: 'invalid_target', details: { sent: resource, expected: api } });
  });

  it.each([
    'https://api.example/orders/v1',
    'https://api2.example/orders',
    'https://apa.example/orders',
    'https://api.example/orders1',
    'https://api.example:8443/orders',
    'https://elsewhere.example',
  ])('is accepted if it is another one, and the history says that nobody configured it: %s', async resource => {
    const it = createTestServer({ clients });
    expect(decodeJwt((await ask(it, resource)).access_token).aud).toBe(resource);
    expect(eventsOf(it.events, 'token.issued')).toMatchObject([
      { resources: [resource], unknownResources: [resource] },
    ]);
  });

  it('is not unknown if a client has it as its audience', async () => {
    const it = createTestServer({ clients });
    await ask(it, api);
    expect(eventsOf(it.events, 'token.issued')[0]).not.toHaveProperty('unknownResources');
  });

  it.each([{ unknownResources: 'refuse' }, { profile: 'fapi2' }] as const)(
    'is refused if nobody configured it, with %o, unless it was granted before',
    strict => {
      const { server } = createTestServer({ clients, ...strict });
      const resources = ['https://elsewhere.example'];
      expect(() => checkResources(server, resources)).toThrow('no API of this server');
      expect(checkResources(server, resources, resources)).toEqual(resources);
      expect(checkResources(server, [api])).toEqual([api]);
    },
  );

  it('is compared in linear time', () => {
    const long = `https://api.example/${'a'.repeat(20_000)}`;
    expect(meantResource(long, [`${long}b`])).toBeUndefined();
    expect(meantResource(issuer, [])).toBeUndefined();
  });
});
