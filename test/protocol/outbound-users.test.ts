import { describe, expect, it } from 'vitest';
import type { RegisteredClient } from '../../src/protocol/clients/client.ts';
import { ClientKeysError, clientKeys } from '../../src/protocol/clients/client-keys.ts';
import { findClient } from '../../src/protocol/clients/find-client.ts';
import { ping } from '../../src/protocol/decoupled/backchannel-authentication.ts';
import { register } from '../../src/protocol/endpoints/register.ts';
import { closeSession } from '../../src/protocol/endpoints/sessions.ts';
import { OAuthError } from '../../src/protocol/errors.ts';
import { type Outbound, type OutboundAnswer, OutboundError } from '../../src/protocol/outbound.ts';
import { fetchRequestObject } from '../../src/protocol/requests/request-object.ts';
import { createOutbound } from '../../src/server/outbound/outbound.ts';
import { createTestServer, eventsOf, type TestServerOptions, web, webRequest } from '../support/server.ts';

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
const es256 = { use: 'sig', alg: 'ES256' } as const;

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

type Ways = Pick<TestServerOptions, 'outbound' | 'strangersOutbound'>;
type Origin = RegisteredClient['origin'];

/** Uses what a client of that origin names. */
type Use = (ways: Ways, origin: Origin) => Promise<unknown>;

const uses: readonly (readonly [string, Use])[] = [
  [
    'jwks_uri',
    (ways, origin) => {
      const it = createTestServer(ways);
      return clientKeys(
        it.server,
        { client_id: 'web', jwks_uri: `${name}/jwks`, origin },
        { use: 'sig', alg: 'ES256', kid: 'k' },
      );
    },
  ],
  [
    'request_uri',
    (ways, origin) =>
      fetchRequestObject(
        createTestServer(ways).server,
        { ...web, origin, request_uris: [`${name}/request`] },
        `${name}/request`,
      ),
  ],
  [
    'sector_identifier_uri',
    ways => {
      const it = createTestServer(ways);
      const json = {
        redirect_uris: ['https://a.example/cb', 'https://b.example/cb'],
        subject_type: 'pairwise',
        sector_identifier_uri: `${name}/sector`,
      };
      return register(it.server, it.request({}, { json }));
    },
  ],
  ['a client metadata document', ways => findClient(createTestServer(ways).server, `${name}/client.json`)],
  [
    'backchannel_logout_uri',
    async (ways, origin) => {
      const client = { ...web, backchannel_logout_uri: `${name}/logout` };
      const it = createTestServer({ clients: [client], ...ways });
      const session = await it.login();
      await it.code(webRequest, session);
      it.server.clients.replace({ ...client, origin }); // a stranger would have been asked about first
      const [notice] = await closeSession(it.server, session, { by: undefined }, fact => void it.events.push(fact));
      if (notice?.failure !== undefined) throw new Error(notice.failure);
    },
  ],
  [
    'backchannel_client_notification_endpoint',
    async (ways, origin) => {
      const it = createTestServer(ways);
      const client = {
        ...web,
        origin,
        backchannel_token_delivery_mode: 'ping' as const,
        backchannel_client_notification_endpoint: `${name}/ping`,
      };
      const asked = { id: 'a', client_notification_token: 't' } as Parameters<typeof ping>[1];
      await ping({ server: it.server, client, emit: fact => void it.events.push(fact) }, asked, 'the-id');
      const [notified] = eventsOf(it.events, 'ciba.notified');
      if (notified?.failure !== undefined) throw new Error(notified.failure);
    },
  ],
];

describe.each(uses)('%s (T-19)', (_what, use) => {
  it.each(forbidden)('is not fetched from a name of %s', async address => {
    const { outbound, asked, refused } = outboundTo(address);
    await expect(use({ outbound }, 'configuration')).rejects.toThrow();
    expect(asked).toEqual([new URL(name).hostname]);
    expect(refused).toEqual(['address_forbidden']);
  });
});

describe('what strangers name', () => {
  const noWay: Outbound = {
    get: async () => Promise.reject(new Error('the wrong way')),
    post: async () => Promise.reject(new Error('the wrong way')),
  };

  it.each(uses)('is reached as far as strangers may: %s', async (_what, use) => {
    const { outbound: strangersOutbound, refused } = outboundTo('0.0.0.0');
    await expect(use({ outbound: noWay, strangersOutbound }, 'registration')).rejects.toThrow();
    expect(refused).toEqual(['address_forbidden']);
  });

  const configured = uses.filter(([what]) => !/sector|metadata/.test(what));
  it.each(configured)('is another way than that of configured clients: %s', async (_what, use) => {
    const { outbound, refused } = outboundTo('0.0.0.0');
    await expect(use({ outbound, strangersOutbound: noWay }, 'configuration')).rejects.toThrow();
    expect(refused).toEqual(['address_forbidden']);
  });
});

describe('an answer', () => {
  const uri = `${name}/document`;
  const answered = (answer: Partial<OutboundAnswer>) => async () => ({
    ...{ status: 200, headers: { 'content-type': 'application/json' }, body: '', milliseconds: 1 },
    ...answer,
  });
  const outcomes: readonly Outbound['get'][] = [
    async () => Promise.reject(new OutboundError('unreachable', 'connection refused')),
    async () => Promise.reject(new OutboundError('timeout', 'no answer')),
    async () => Promise.reject(new OutboundError('address_forbidden', 'a private address')),
    answered({ status: 404 }),
    answered({ status: 302 }),
    answered({ body: 'SSH-2.0' }),
    answered({ headers: { 'content-type': 'text/html' }, body: '<p>a router</p>' }),
    answered({ body: '{"status":"UP"}' }),
  ];
  const readings: readonly (readonly [string, (outbound: Outbound) => Promise<unknown>])[] = [
    [
      'the keys of a client',
      outbound => clientKeys(createTestServer({ outbound }).server, { client_id: 'web', jwks_uri: uri }, es256),
    ],
    [
      'a request object',
      outbound => fetchRequestObject(createTestServer({ outbound }).server, { ...web, request_uris: [uri] }, uri),
    ],
    [
      'a sector document',
      outbound => {
        const it = createTestServer({ outbound });
        const redirect_uris = ['https://a.example/cb', 'https://b.example/cb'];
        const json = { redirect_uris, subject_type: 'pairwise', sector_identifier_uri: uri };
        return register(it.server, it.request({}, { json }));
      },
    ],
    ['a client metadata document', outbound => findClient(createTestServer({ outbound }).server, uri)],
  ];

  it.each(readings)('tells nothing of how the fetch of %s ended, and the log all', async (_what, read) => {
    const told = new Set<string>();
    const logged = new Set<string>();
    for (const get of outcomes) {
      const error = await read({ get, post: url => get(url) }).catch((thrown: OAuthError | ClientKeysError) => thrown);
      if (error instanceof ClientKeysError) {
        told.add(error.description);
        logged.add(error.message);
      } else if (error instanceof OAuthError) {
        const { code, status, description } = error;
        told.add(`${code} ${status} ${description}`);
        logged.add(error.fullDescription);
      } else throw new Error('it was read');
    }
    expect([...told]).toHaveLength(1);
    expect(logged.size).toBeGreaterThanOrEqual(6);
  });
});
