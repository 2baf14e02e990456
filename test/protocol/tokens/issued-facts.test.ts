import { expect, it } from 'vitest';
import { basic, createTestServer, eventsOf, frontend, redemption } from '../../support/server.ts';

const opaque = { ...frontend, client_id: 'opaque', access_token_format: 'opaque' as const };
const asSensor = basic('sensor', 'sensor-secret');
const plain = [
  ...['type', 'tokenId', 'token', 'exp', 'iat', 'authorizationId', 'client_id', 'grant_type', 'scope'],
  ...['tokenType', 'format', 'kid', 'alg'],
];

it('logs only basic facts of a plain token', async () => {
  const sandbox = createTestServer();
  await sandbox.token({ grant_type: 'client_credentials', scope: 'telemetry:write' }, asSensor);
  const [fact = {}] = eventsOf(sandbox.events, 'token.issued');
  expect(Object.keys(fact).sort()).toEqual(plain.sort());
});

it('tells the log which resources it was asked for', async () => {
  const sandbox = createTestServer();
  const resource = 'http://localhost:9000/api/bikes';
  await sandbox.token({ grant_type: 'client_credentials', scope: 'telemetry:write', resource }, asSensor);
  expect(eventsOf(sandbox.events, 'token.issued')).toMatchObject([{ resources: [resource] }]);
});

it('logs the claims that an opaque access token stands for', async () => {
  const sandbox = createTestServer({ clients: [opaque] });
  await sandbox.token({ ...redemption, client_id: 'opaque', code: await sandbox.code({ client_id: 'opaque' }) });
  const fact = eventsOf(sandbox.events, 'token.issued').find(({ tokenType }) => tokenType === 'access');
  expect(fact).toMatchObject({
    format: 'opaque',
    claims: { sub: 'alice', client_id: 'opaque', roles: ['admin', 'buyer'] },
  });
});

it('tells the log which claims of an ID token were asked for one by one, and are in it', async () => {
  const sandbox = createTestServer();
  await sandbox.tokens({ claims: '{"id_token":{"name":null,"nickname":null},"userinfo":{"email":null}}' });
  const facts = eventsOf(sandbox.events, 'token.issued');
  expect(facts.map(({ tokenType, requested }) => [tokenType, requested])).toEqual([
    ['access', undefined],
    ['id', ['name']],
    ['refresh', undefined],
  ]);
});
