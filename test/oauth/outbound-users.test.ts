import { describe, expect, it } from 'vitest';
import { clientKeys } from '../../src/oauth/clients/client-keys.ts';
import { findClient } from '../../src/oauth/clients/find-client.ts';
import { ping } from '../../src/oauth/decisions/ping.ts';
import { closeSession } from '../../src/oauth/endpoints/close-session.ts';
import { register } from '../../src/oauth/endpoints/register.ts';
import type { Outbound } from '../../src/oauth/outbound.ts';
import { fetchRequestObject } from '../../src/oauth/requests/request-object.ts';
import { createOutbound } from '../../src/outbound/outbound.ts';
import { createTestServer, eventsOf, web, webRequest } from '../support/server.ts';

/** Where a name may lead that nothing may be fetched from, whatever the reach. */
const forbidden = [
  '169.254.169.254',
  '169.254.170.2',
  '0.0.0.0',
  '100.100.100.200',
  '168.63.129.16',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  'fe80::1',
  'fd00:ec2::254',
  'ff02::1',
  '::ffff:169.254.169.254',
  '64:ff9b::a9fe:a9fe',
  '2002:a9fe:a9fe::1',
];
const name = 'https://rebound.example';

/** An outbound with a name server of its own; connections are never made, because every address is refused first. */
function outboundTo(address: string): { outbound: Outbound; asked: string[]; refused: string[] } {
  const asked: string[] = [];
  const refused: string[] = [];
  const real = createOutbound({
    reach: 'any',
    resolve: async host => {
      asked.push(host);
      return [address];
    },
  });
  const told = async (work: Promise<Awaited<ReturnType<Outbound['get']>>>) => {
    try {
      return await work;
    } catch (error) {
      refused.push((error as { failure?: string }).failure ?? String(error));
      throw error;
    }
  };
  const outbound: Outbound = {
    get: (url, options) => told(real.get(url, options)),
    post: (url, body, options) => told(real.post(url, body, options)),
  };
  return { outbound, asked, refused };
}

type Use = (outbound: Outbound) => Promise<unknown>;

const uses: readonly (readonly [string, Use])[] = [
  [
    'jwks_uri',
    outbound => {
      const it = createTestServer({ outbound });
      return clientKeys(
        it.server,
        { client_id: 'web', jwks_uri: `${name}/jwks` },
        { use: 'sig', alg: 'ES256', kid: 'k' },
      );
    },
  ],
  [
    'request_uri',
    outbound =>
      fetchRequestObject(
        createTestServer({ outbound }).server,
        { ...web, request_uris: [`${name}/request`] },
        `${name}/request`,
      ),
  ],
  [
    'sector_identifier_uri',
    outbound => {
      const it = createTestServer({ outbound });
      const json = {
        redirect_uris: ['https://a.example/cb', 'https://b.example/cb'],
        subject_type: 'pairwise',
        sector_identifier_uri: `${name}/sector`,
      };
      return register(it.server, it.request({}, { json }));
    },
  ],
  ['a client metadata document', outbound => findClient(createTestServer({ outbound }).server, `${name}/client.json`)],
  [
    'backchannel_logout_uri',
    async outbound => {
      const clients = [{ ...web, backchannel_logout_uri: `${name}/logout` }];
      const it = createTestServer({ clients, outbound });
      const session = await it.login();
      await it.code(webRequest, session);
      const [notice] = await closeSession(it.server, session, { by: undefined }, fact => void it.events.push(fact));
      if (notice?.failure !== undefined) throw new Error(notice.failure);
    },
  ],
  [
    'backchannel_client_notification_endpoint',
    async outbound => {
      const it = createTestServer({ outbound });
      const client = {
        ...web,
        backchannel_token_delivery_mode: 'ping' as const,
        backchannel_client_notification_endpoint: `${name}/ping`,
      };
      const asked = { id: 'a', client_notification_token: 't' } as Parameters<typeof ping>[2];
      await ping(it.server, client, asked, 'the-id', fact => void it.events.push(fact));
      const [notified] = eventsOf(it.events, 'ciba.notified');
      if (notified?.failure !== undefined) throw new Error(notified.failure);
    },
  ],
];

describe.each(uses)('%s (T-19)', (_what, use) => {
  it.each(forbidden)('is not fetched from a name of %s', async address => {
    const { outbound, asked, refused } = outboundTo(address);
    await expect(use(outbound)).rejects.toThrow();
    expect(asked).toEqual([new URL(name).hostname]);
    expect(refused).toEqual(['address_forbidden']);
  });
});
