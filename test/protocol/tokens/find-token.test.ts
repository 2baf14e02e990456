import { beforeEach, describe, expect, it } from 'vitest';
import { findToken } from '../../../src/protocol/tokens/find-token.ts';
import { signJwt } from '../../../src/protocol/tokens/signing-key.ts';
import { createSigningKeys } from '../../../src/protocol/tokens/signing-keys.ts';
import { createTestServer, frontend, issuer, now, redemption, type TestServer } from '../../support/server.ts';

const opaque = { ...frontend, client_id: 'opaque', access_token_format: 'opaque' } as const;

let sandbox: TestServer;
beforeEach(() => {
  sandbox = createTestServer({ clients: [opaque] });
});

async function opaqueTokens() {
  const code = await sandbox.code({ client_id: 'opaque' });
  return sandbox.token({ ...redemption, client_id: 'opaque', code });
}

describe('a token of ours is found', () => {
  it.each([undefined, 'access_token', 'refresh_token', 'id_token', 'nonsense', ''])(
    'whatever the hint says: %j',
    async hint => {
      const { access_token, refresh_token = '' } = await sandbox.tokens({ scope: 'openid email' });
      expect(await findToken(sandbox.server, access_token, hint)).toMatchObject({
        type: 'access_token',
        state: 'active',
        client_id: 'frontend',
        claims: { sub: 'alice', scope: 'openid email', iss: issuer },
      });
      expect(await findToken(sandbox.server, refresh_token, hint)).toMatchObject({
        type: 'refresh_token',
        state: 'active',
        client_id: 'frontend',
        claims: { sub: 'alice', scope: 'openid email', iss: issuer, iat: now, exp: now + 86_400 },
      });
    },
  );

  it('where it is opaque', async () => {
    const { access_token } = await opaqueTokens();
    expect(access_token).not.toContain('.');
    expect(await findToken(sandbox.server, access_token)).toMatchObject({
      type: 'access_token',
      state: 'active',
      client_id: 'opaque',
      claims: { sub: 'alice', exp: now + 300 },
    });
  });

  it('with the id the history knows it by, and one authorization for all of a login', async () => {
    const { access_token, refresh_token = '' } = await sandbox.tokens();
    const [access, refresh] = await Promise.all(
      [access_token, refresh_token].map(each => findToken(sandbox.server, each)),
    );
    const issued = sandbox.events.filter(event => event.type === 'token.issued');
    expect(issued.map(({ tokenType, tokenId }) => [tokenType, tokenId])).toContainEqual(['access', access?.tokenId]);
    expect(issued.map(({ tokenType, tokenId }) => [tokenType, tokenId])).toContainEqual(['refresh', refresh?.tokenId]);
    expect(access?.authorizationId).toBe(refresh?.authorizationId);
  });
});

describe('its state', () => {
  it('is expired from exp on', async () => {
    const { access_token, refresh_token = '' } = await sandbox.tokens();
    sandbox.pass(299);
    expect(await findToken(sandbox.server, access_token)).toMatchObject({ state: 'active' });
    sandbox.pass(1);
    expect(await findToken(sandbox.server, access_token)).toMatchObject({ state: 'expired' });
    expect(await findToken(sandbox.server, refresh_token)).toMatchObject({ state: 'active' });
  });

  it('is not_yet_valid before nbf', async () => {
    const key = await sandbox.server.keys.forAlg('ES256');
    const claims = { iss: issuer, sub: 'alice', client_id: 'frontend', jti: 'a.b', exp: now + 300, nbf: now + 100 };
    const token = await signJwt(key, 'at+jwt', claims);
    expect(await findToken(sandbox.server, token)).toMatchObject({ state: 'not_yet_valid' });
    sandbox.pass(100);
    expect(await findToken(sandbox.server, token)).toMatchObject({ state: 'active' });
  });

  it('is replaced for a refresh token that was rotated', async () => {
    const { refresh_token = '' } = await sandbox.tokens();
    await sandbox.token({ grant_type: 'refresh_token', client_id: 'frontend', refresh_token });
    expect(await findToken(sandbox.server, refresh_token)).toMatchObject({ state: 'replaced' });
  });

  it('is revoked for everything of a login in which a refresh token was used twice', async () => {
    const { access_token, refresh_token = '' } = await sandbox.tokens();
    const refresh = { grant_type: 'refresh_token', client_id: 'frontend', refresh_token };
    const next = await sandbox.token(refresh);
    await sandbox.token(refresh).catch(() => {});
    for (const token of [access_token, next.access_token, next.refresh_token ?? '']) {
      expect(await findToken(sandbox.server, token)).toMatchObject({ state: 'revoked' });
    }
  });
});

describe('no token of ours is', () => {
  it('a code or an ID token', async () => {
    const code = await sandbox.code();
    const { id_token = '' } = await sandbox.tokens();
    expect(await findToken(sandbox.server, code)).toBeUndefined();
    expect(await findToken(sandbox.server, id_token)).toBeUndefined();
  });

  it('anything signed by a foreign key, or for another issuer', async () => {
    const claims = { iss: issuer, sub: 'alice', client_id: 'frontend', jti: 'a.b', exp: now + 300 };
    const foreign = await createSigningKeys({ algs: ['ES256'] }).forAlg('ES256');
    const ours = await sandbox.server.keys.forAlg('ES256');
    expect(await findToken(sandbox.server, await signJwt(foreign, 'at+jwt', claims))).toBeUndefined();
    const elsewhere = await signJwt(ours, 'at+jwt', { ...claims, iss: 'https://elsewhere.example' });
    expect(await findToken(sandbox.server, elsewhere)).toBeUndefined();
    expect(await findToken(sandbox.server, await signJwt(ours, 'at+jwt', claims))).toBeDefined();
  });

  it.each(['', 'x', 'a.b.c', '..', 'constructor', '__proto__'])('%j', async text => {
    expect(await findToken(sandbox.server, text)).toBeUndefined();
  });
});
