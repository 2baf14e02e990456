import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import { tokenHash } from '../../../src/protocol/tokens/id-token.ts';
import { basic, createTestServer, frontend, issuer, now, sensor, type TestServer } from '../../support/server.ts';

let sandbox: TestServer;
beforeEach(() => {
  sandbox = createTestServer();
});

const asSensor = basic('sensor', 'sensor-secret');
const ofSensor = async (scope = 'telemetry:write') =>
  (await sandbox.token({ grant_type: 'client_credentials', scope }, asSensor)).access_token;

describe('an access token (RFC 9068 §2)', () => {
  it('has alg, kid and typ at+jwt in its header', async () => {
    const [key] = (await sandbox.server.keys.jwks()).keys;
    expect(decodeProtectedHeader(await ofSensor())).toEqual({ alg: 'ES256', kid: key?.kid, typ: 'at+jwt' });
  });

  it('says who issued it, for whom, to whom and until when', async () => {
    expect(decodeJwt(await ofSensor())).toEqual({
      iss: issuer,
      sub: 'sensor',
      aud: 'sensor',
      client_id: 'sensor',
      iat: now,
      nbf: now,
      exp: now + 300,
      jti: expect.stringMatching(/^[0-9a-f-]{36}\.[0-9a-f]{12}$/),
      scope: 'telemetry:write',
    });
  });

  it('says of a user when and how they signed in', async () => {
    const session = await sandbox.login('alice');
    sandbox.pass(30);
    const { access_token } = await sandbox.tokens({ scope: 'openid bikes:read' }, session);
    expect(decodeJwt(access_token)).toMatchObject({
      sub: 'alice',
      aud: 'frontend',
      client_id: 'frontend',
      scope: 'openid bikes:read',
      auth_time: now,
      iat: now + 30,
      acr: '0',
      amr: ['user'],
      sid: session.sid,
    });
  });

  it('has a jti of its own each time', async () => {
    const ids = [decodeJwt(await ofSensor()).jti, decodeJwt(await ofSensor()).jti];
    expect(new Set(ids).size).toBe(2);
  });

  it('has no scope claim at all when none was granted', async () => {
    expect(decodeJwt(await ofSensor(''))).not.toHaveProperty('scope');
  });

  it('has the configured claims of scope, client and user', async () => {
    sandbox = createTestServer({ clients: [{ ...frontend, access_token_claims: { tenant: 'blue', fleet: 'own' } }] });
    const { access_token } = await sandbox.tokens({ scope: 'bikes:read' });
    expect(decodeJwt(access_token)).toMatchObject({ tenant: 'blue', fleet: 'own', roles: ['admin', 'buyer'] });
  });

  it('lets no configured claim replace one of the protocol', async () => {
    const claims = { iss: 'x', sub: 'x', aud: 'x', client_id: 'x', iat: 1, nbf: 1, exp: 1, jti: 'x', scope: 'x' };
    sandbox = createTestServer({ clients: [{ ...sensor, access_token_claims: claims }] });
    expect(decodeJwt(await ofSensor())).toMatchObject({
      ...{ iss: issuer, sub: 'sensor', aud: 'sensor', client_id: 'sensor', iat: now, nbf: now, exp: now + 300 },
      scope: 'telemetry:write',
    });
  });

  it.each([
    [['urn:one'], 'urn:one'],
    [
      ['urn:one', 'urn:two'],
      ['urn:one', 'urn:two'],
    ],
    [[], 'sensor'],
  ])('is for the audience of the client: %j', async (audience, aud) => {
    sandbox = createTestServer({ clients: [{ ...sensor, audience }] });
    expect(decodeJwt(await ofSensor()).aud).toEqual(aud);
  });

  it('is for the resource asked for before that', async () => {
    sandbox = createTestServer({ clients: [{ ...frontend, audience: ['urn:default'] }] });
    expect(decodeJwt((await sandbox.tokens({ resource: 'urn:asked' })).access_token).aud).toBe('urn:asked');
    expect(decodeJwt((await sandbox.tokens()).access_token).aud).toBe('urn:default');
  });

  it('has the scope as an array where that is set', async () => {
    sandbox = createTestServer({ scopeClaim: 'array' });
    expect(decodeJwt((await sandbox.tokens({ scope: 'openid email' })).access_token).scope).toEqual([
      'openid',
      'email',
    ]);
    expect(decodeJwt((await sandbox.tokens({ scope: 'email' })).access_token).scope).toEqual(['email']);
    expect(decodeJwt((await sandbox.tokens({ scope: '' })).access_token)).not.toHaveProperty('scope');
  });

  it('lives as long as its client says', async () => {
    sandbox = createTestServer({ clients: [{ ...sensor, access_token_lifetime: 7 }] });
    const response = await sandbox.token({ grant_type: 'client_credentials' }, asSensor);
    expect(response.expires_in).toBe(7);
    expect(decodeJwt(response.access_token).exp).toBe(now + 7);
  });

  it.each(['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519', 'RS256', 'PS256'])(
    'is signed with %s where that is set',
    async alg => {
      sandbox = createTestServer({ signingAlg: alg });
      const token = await ofSensor();
      const jwks = await sandbox.server.keys.jwks();
      const verified = await jwtVerify(token, createLocalJWKSet({ keys: [...jwks.keys] }), {
        currentDate: new Date(now * 1000),
        algorithms: [alg],
      });
      expect(verified.protectedHeader.alg).toBe(alg);
    },
  );
});

describe('an opaque access token', () => {
  beforeEach(() => {
    sandbox = createTestServer({ clients: [{ ...frontend, access_token_format: 'opaque' }] });
  });

  it('is a random string of 256 bits', async () => {
    const { access_token } = await sandbox.tokens();
    expect(access_token).toMatch(/^[A-Za-z0-9_-]{43}$/);
  });

  it('comes with a right at_hash', async () => {
    const { access_token, id_token = '' } = await sandbox.tokens();
    expect(decodeJwt(id_token).at_hash).toBe(tokenHash(access_token, 'ES256'));
  });
});
