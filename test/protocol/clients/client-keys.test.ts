import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RegisteredClient } from '../../../src/protocol/clients/client.ts';
import { ClientKeysError, clientKeys, type KeyQuery } from '../../../src/protocol/clients/client-keys.ts';
import { createOutbound } from '../../../src/server/outbound/outbound.ts';
import { type KeysServer, makeClientKey, startKeysServer } from '../../support/keys-server.ts';
import { createDocuments } from '../../support/registration.ts';
import { createTestServer, eventsOf, type TestServer, web } from '../../support/server.ts';

const one = await makeClientKey('ES256', { kid: 'one', use: 'sig' });
const two = await makeClientKey('ES256', { kid: 'two', alg: 'ES256' });
const rsa = await makeClientKey('RS256', { kid: 'rsa' });
const forEncryption = await makeClientKey('ECDH-ES', { kid: 'enc', use: 'enc' });
const anonymous = await makeClientKey('ES384');

const es256: KeyQuery = { use: 'sig', alg: 'ES256' };

async function kidsOf(server: TestServer, client: RegisteredClient, query: KeyQuery): Promise<unknown[]> {
  const keys = await clientKeys(server.server, client, query, fact => void server.events.push(fact));
  return keys.map(({ kid }) => kid);
}

describe('the registered keys of a client', () => {
  const client = {
    ...web,
    jwks: { keys: [one, two, rsa, forEncryption, anonymous].map(key => ({ ...key.publicJwk })) },
  };

  it.each<[string, KeyQuery, unknown[]]>([
    ['algorithm', es256, ['one', 'two']],
    ['kid', { ...es256, kid: 'two' }, ['two']],
    ['kid and algorithm', { ...es256, kid: 'rsa' }, []],
    ['use', { use: 'enc', alg: 'ECDH-ES' }, ['enc', undefined]],
    ['curve', { use: 'sig', alg: 'ES384' }, [undefined]],
    ['type', { use: 'sig', alg: 'PS512' }, ['rsa']],
    ['an algorithm without such a key', { use: 'sig', alg: 'EdDSA' }, []],
    ['an HMAC, which has no public key', { use: 'sig', alg: 'HS256' }, []],
    ['no algorithm', { use: 'sig', alg: 'none' }, []],
    ['a key that says it is for another algorithm', { use: 'enc', alg: 'ECDH-ES+A128KW', kid: 'two' }, []],
  ])('are found by %s', async (_what, query, kids) => {
    expect(await kidsOf(createTestServer(), client, query)).toEqual(kids);
  });

  it('must be registered', async () => {
    await expect(clientKeys(createTestServer().server, web, es256)).rejects.toThrow(
      'the client has registered neither jwks nor jwks_uri',
    );
  });
});

describe('the keys at a jwks_uri', () => {
  let site: KeysServer;
  let sandbox: TestServer;
  let client: RegisteredClient;
  beforeEach(async () => {
    site = await startKeysServer(one);
    sandbox = createTestServer({ outbound: createOutbound({ reach: 'loopback', timeoutMs: 1000 }) });
    client = { ...web, jwks_uri: site.url };
  });
  afterEach(() => site[Symbol.asyncDispose]());

  const ask = (kid: string) => kidsOf(sandbox, client, { ...es256, kid });

  it('are fetched once for many uses, and logged', async () => {
    expect([await ask('one'), await ask('one')]).toEqual([['one'], ['one']]);
    expect(site.calls).toBe(1);
    expect(eventsOf(sandbox.events, 'client_keys.fetched')).toEqual([
      { type: 'client_keys.fetched', client_id: 'web', jwks_uri: site.url, kids: ['one'] },
    ]);
  });

  it('are fetched once where many ask at the same time', async () => {
    expect(await Promise.all(Array.from({ length: 5 }, () => ask('one')))).toEqual(Array(5).fill(['one']));
    expect(site.calls).toBe(1);
  });

  it('are asked for a few times a second where they cannot be read: no flood becomes a storm', async () => {
    const outbound = createDocuments({});
    const flooded = createTestServer({ outbound });
    const reader = { ...web, jwks_uri: 'https://victim.example/jwks' };
    const errors = [];
    for (let count = 0; count < 20; count++) errors.push(await kidsOf(flooded, reader, es256).catch(error => error));
    expect(outbound.asked).toHaveLength(5);
    expect(errors.at(-1)).toMatchObject({ code: 'temporarily_unavailable', status: 503 });
  });

  it('are fetched again for a new kid at once, which is how a rotation is found', async () => {
    await ask('one');
    site.publish(one, two);
    expect(await ask('two')).toEqual(['two']);
    expect(site.calls).toBe(2);
  });

  it('are fetched a few times in a few seconds at most, however many unknown kids are sent', async () => {
    await ask('one');
    for (let count = 0; count < 10; count++) expect(await ask(`unknown ${count}`)).toEqual([]);
    expect(site.calls).toBe(1 + 3);
    sandbox.pass(5);
    expect(await ask('another')).toEqual([]);
    expect(site.calls).toBe(1 + 3 + 1);
  });

  it('are fetched again for one client whatever is asked of another', async () => {
    const other = { ...client, client_id: 'other' };
    await ask('one');
    for (let count = 0; count < 10; count++) await ask(`unknown ${count}`);
    sandbox.pass(1); // the same document is not fetched more often than that in a second
    site.publish(two);
    expect(await kidsOf(sandbox, other, { ...es256, kid: 'two' })).toEqual(['two']);
  });

  it('are asked for again where the clock of the sandbox stands still', async () => {
    let elapsed = 0;
    const outbound = createDocuments({});
    const frozen = createTestServer({ outbound, elapsed: () => elapsed });
    const reader = { ...web, jwks_uri: 'https://victim.example/jwks' };
    const read = () => kidsOf(frozen, reader, es256).catch(error => error);
    for (let count = 0; count < 10; count++) await read();
    expect(outbound.asked).toHaveLength(5);
    elapsed += 1;
    await read();
    expect(outbound.asked).toHaveLength(6);
  });

  it.each([
    ['nothing', '', 300],
    ['max-age=60', 'public, max-age=60', 60],
    ['an hour at most', 'max-age=31536000', 3600],
    ['one second', 'max-age=1', 1],
    ['one second at least', 'max-age=0', 1],
    ['no-store', 'no-store', 1],
    ['no-cache', 'no-cache, max-age=600', 1],
  ])('are kept as Cache-Control says: %s', async (_what, header, seconds) => {
    site.headers = header === '' ? {} : { 'Cache-Control': header };
    await ask('one');
    sandbox.pass(seconds - 1);
    await ask('one');
    expect(site.calls).toBe(1);
    sandbox.pass(1);
    await ask('one');
    expect(site.calls).toBe(2);
  });

  it('are kept by the real time: a clock that stands still keeps no old keys, and one that jumps asks nobody', async () => {
    let elapsed = 0;
    const outbound = createOutbound({ reach: 'loopback' });
    const frozen = createTestServer({ outbound, elapsed: () => elapsed });
    await kidsOf(frozen, client, es256);
    frozen.pass(86_400);
    await kidsOf(frozen, client, es256);
    expect(site.calls).toBe(1);
    elapsed += 300;
    site.publish(two);
    expect(await kidsOf(frozen, client, { ...es256, kid: 'one' })).toEqual([]);
    expect(site.calls).toBe(2);
  });

  it('are not kept where they could not be fetched', async () => {
    site.status = 503;
    await expect(ask('one')).rejects.toThrow(`the jwks_uri of the client cannot be read: status 503 at ${site.url}`);
    site.status = 200;
    expect(await ask('one')).toEqual(['one']);
  });

  it.each([
    ['a redirect', 302, '', /status 302/],
    ['no JSON', 200, 'hello', /there is no JWK Set/],
    ['null', 200, 'null', /there is no JWK Set/],
    ['a single key', 200, JSON.stringify(one.publicJwk), /there is no JWK Set/],
    ['a private key', 200, JSON.stringify({ keys: [{ ...one.publicJwk, d: 'AA' }] }), /a private or secret key/],
    ['a secret', 200, JSON.stringify({ keys: [{ kty: 'oct', k: 'AA' }] }), /a private or secret key/],
    ['too much', 200, ' '.repeat(70_000), /more than 65536 bytes/],
  ])('are refused where there is %s', async (_what, status, body, message) => {
    Object.assign(site, { status, body });
    await expect(ask('one')).rejects.toThrow(message);
    await expect(ask('one')).rejects.toBeInstanceOf(ClientKeysError);
  });

  it('are used without entries that are not keys', async () => {
    site.body = JSON.stringify({ keys: [null, 'one', {}, { kty: 1 }, one.publicJwk] });
    expect(await ask('one')).toEqual(['one']);
  });

  it.each(['http://0.0.0.0:9/jwks', 'http://[::]:9/jwks', 'ftp://127.0.0.1/jwks'])(
    'are never fetched from where the sandbox may not reach: %s',
    async jwks_uri => {
      await expect(kidsOf(sandbox, { ...web, jwks_uri }, es256)).rejects.toThrow(
        /the jwks_uri of the client cannot be read: (.* is not called|only http and https)/,
      );
    },
  );
});
