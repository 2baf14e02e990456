import { compactDecrypt, decodeJwt, decodeProtectedHeader, type JWTPayload, jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import type { RegisteredClient } from '../../../src/protocol/clients/client.ts';
import { encryptionAlgs, encryptionEncs } from '../../../src/protocol/clients/client.ts';
import { userinfo } from '../../../src/protocol/endpoints/userinfo.ts';
import { encryptJwt } from '../../../src/protocol/tokens/encrypt-jwt.ts';
import { signingAlgs } from '../../../src/protocol/tokens/signing-key.ts';
import { createOutbound } from '../../../src/server/outbound/outbound.ts';
import { type ClientKey, makeClientKey, startKeysServer } from '../../support/keys-server.ts';
import {
  createTestServer,
  eventsOf,
  frontend,
  issuer,
  now,
  redemption,
  refusal,
  type TestServer,
} from '../../support/server.ts';

const rsa = await makeClientKey('RSA-OAEP', { kid: 'rsa', use: 'enc' });
const ec = await makeClientKey('ECDH-ES', { kid: 'ec', use: 'enc' });
const x25519 = await makeClientKey('ECDH-ES', {}, { crv: 'X25519' });
const signing = await makeClientKey('ES256', { kid: 'sig', use: 'sig' });

const set = (...keys: readonly ClientKey[]) => ({ keys: keys.map(({ publicJwk }) => ({ ...publicJwk })) });
const app: RegisteredClient = { ...frontend, client_id: 'app', jwks: set(signing, rsa, ec) };

function encrypt(client: RegisteredClient, alg: string, enc?: string): Promise<string> {
  const { server, events } = createTestServer({ clients: [client] });
  return encryptJwt({ server, client, emit: fact => void events.push(fact) }, 'a.b.c', { alg, enc });
}

async function open(jwe: string, { privateKey }: ClientKey): Promise<string> {
  return new TextDecoder().decode((await compactDecrypt(jwe, privateKey)).plaintext);
}

describe('a nested JWT (RFC 7519 §5.2)', () => {
  it.each(encryptionAlgs)('is opened by the private key of the client, for %s', async alg => {
    const key = await makeClientKey(alg, { kid: 'the key', use: 'enc' });
    const jwe = await encrypt({ ...app, jwks: set(signing, key) }, alg);
    expect(decodeProtectedHeader(jwe)).toMatchObject({ alg, enc: 'A128CBC-HS256', cty: 'JWT', kid: 'the key' });
    expect(await open(jwe, key)).toBe('a.b.c');
  });

  it('names no key where the client names none', async () => {
    const jwe = await encrypt({ ...app, jwks: set(x25519) }, 'ECDH-ES');
    expect(decodeProtectedHeader(jwe)).not.toHaveProperty('kid');
  });

  it.each(encryptionEncs)('has the content encryption %s where that is registered', async enc => {
    const jwe = await encrypt(app, 'ECDH-ES', enc);
    expect(decodeProtectedHeader(jwe).enc).toBe(enc);
    expect(await open(jwe, ec)).toBe('a.b.c');
  });

  it('is opened by a key on X25519', async () => {
    expect(await open(await encrypt({ ...app, jwks: set(x25519) }, 'ECDH-ES+A256KW'), x25519)).toBe('a.b.c');
  });

  it('prefers the key that says it is for encryption', async () => {
    const plain = await makeClientKey('ECDH-ES', { kid: 'plain' });
    const jwe = await encrypt({ ...app, jwks: set(plain, ec) }, 'ECDH-ES');
    expect(decodeProtectedHeader(jwe).kid).toBe('ec');
  });

  it.each<[string, RegisteredClient, string]>([
    ['has no key for encryption', { ...app, jwks: set(signing) }, 'ECDH-ES'],
    ['has a key of another type only', { ...app, jwks: set(ec) }, 'RSA-OAEP'],
    ['has a broken key', { ...app, jwks: { keys: [{ kty: 'RSA', n: 'AQAB', e: 'AQAB' }] } }, 'RSA-OAEP'],
  ])('is refused where the client %s', async (_what, client, alg) => {
    expect(await refusal(encrypt(client, alg))).toMatchObject({
      code: 'invalid_request',
      reason: 'client_encryption_key_missing',
      details: { client_id: 'app', expected: expect.stringContaining(alg) },
    });
  });
});

async function logIn(sandbox: TestServer, client_id: string) {
  const code = await sandbox.code({ client_id, scope: 'openid email' });
  return sandbox.token({ ...redemption, client_id, code });
}

async function userInfoOf(sandbox: TestServer, client_id: string) {
  const { access_token } = await logIn(sandbox, client_id);
  return userinfo(sandbox.server, sandbox.request({}, { method: 'GET', authorization: `Bearer ${access_token}` }));
}

/** Verifies with the published key of the header's kid. */
async function verified(sandbox: TestServer, jwt: string): Promise<JWTPayload> {
  const key = await sandbox.server.keys.find(decodeProtectedHeader(jwt).kid);
  if (key === undefined) throw new Error('no key of ours');
  return (await jwtVerify(jwt, key.publicKey, { algorithms: [key.alg], currentDate: new Date(now * 1000) })).payload;
}

describe('an ID token', () => {
  it('is signed, then encrypted, for a client that is registered for it (OIDC Core §2)', async () => {
    const sandbox = createTestServer({ clients: [{ ...app, id_token_encrypted_response_alg: 'ECDH-ES+A128KW' }] });
    const { id_token = '' } = await logIn(sandbox, 'app');
    const inside = await open(id_token, ec);
    expect(await verified(sandbox, inside)).toMatchObject({ iss: issuer, aud: 'app', sub: 'alice' });
    const [event] = eventsOf(sandbox.events, 'token.issued').filter(({ tokenType }) => tokenType === 'id');
    expect(event).toMatchObject({ token: id_token, signed: inside });
  });

  it.each(signingAlgs.filter(alg => !/^(RS(384|512)|PS(256|384))$/.test(alg)))(
    'is signed with %s for a client that is registered for it, with a key made then',
    async id_token_signed_response_alg => {
      const sandbox = createTestServer();
      sandbox.server.clients.register({ ...app, id_token_signed_response_alg });
      const { id_token = '' } = await logIn(sandbox, 'app');
      expect(decodeProtectedHeader(id_token).alg).toBe(id_token_signed_response_alg);
      expect(await verified(sandbox, id_token)).toMatchObject({ aud: 'app' });
    },
  );

  it('is encrypted to the key at the jwks_uri', async () => {
    await using site = await startKeysServer(ec);
    const { jwks, ...rest } = app;
    expect(jwks).toBeDefined();
    const sandbox = createTestServer({
      clients: [{ ...rest, jwks_uri: site.url, id_token_encrypted_response_alg: 'ECDH-ES' }],
      outbound: createOutbound({ reach: 'loopback' }),
    });
    const { id_token = '' } = await logIn(sandbox, 'app');
    expect(decodeJwt(await open(id_token, ec))).toMatchObject({ sub: 'alice' });
  });
});

describe('UserInfo (OIDC Core §5.3.2)', () => {
  it('is JSON where nothing is registered', async () => {
    const sandbox = createTestServer({ clients: [app] });
    expect(await userInfoOf(sandbox, 'app')).toMatchObject({ kind: 'json', body: { sub: 'alice' } });
  });

  it('is a JWT of ours with iss and aud, and without a nonce, where signing is registered', async () => {
    const sandbox = createTestServer({ clients: [{ ...app, userinfo_signed_response_alg: 'ES384' }] });
    const reply = await userInfoOf(sandbox, 'app');
    if (reply.kind !== 'text') throw new Error(reply.kind);
    expect(reply.type).toBe('application/jwt');
    expect(decodeProtectedHeader(reply.body)).toMatchObject({ alg: 'ES384', typ: 'JWT' });
    expect(await verified(sandbox, reply.body)).toEqual({
      iss: issuer,
      aud: 'app',
      sub: 'alice',
      email: 'alice@example.com',
      email_verified: true,
    });
  });

  it('is signed, then encrypted, where both are registered', async () => {
    const client = { ...app, userinfo_signed_response_alg: 'ES256', userinfo_encrypted_response_alg: 'RSA-OAEP' };
    const sandbox = createTestServer({ clients: [client] });
    const reply = await userInfoOf(sandbox, 'app');
    if (reply.kind !== 'text') throw new Error(reply.kind);
    expect(decodeProtectedHeader(reply.body)).toMatchObject({ alg: 'RSA-OAEP', cty: 'JWT' });
    expect(await verified(sandbox, await open(reply.body, rsa))).toMatchObject({ sub: 'alice', aud: 'app' });
  });

  it('is encrypted claims where only encryption is registered', async () => {
    const sandbox = createTestServer({
      clients: [{ ...app, userinfo_encrypted_response_alg: 'ECDH-ES', userinfo_encrypted_response_enc: 'A256GCM' }],
    });
    const reply = await userInfoOf(sandbox, 'app');
    if (reply.kind !== 'text') throw new Error(reply.kind);
    expect(decodeProtectedHeader(reply.body)).toMatchObject({ alg: 'ECDH-ES', enc: 'A256GCM' });
    expect(decodeProtectedHeader(reply.body)).not.toHaveProperty('cty');
    expect(JSON.parse(await open(reply.body, ec))).toMatchObject({ sub: 'alice', iss: issuer, aud: 'app' });
  });
});
