import { beforeEach, describe, expect, it } from 'vitest';
import { verifyAccessToken } from '../../../src/protocol/tokens/verify-access-token.ts';
import { findSession } from '../../../src/protocol/users/session.ts';
import { basic, redemption, refusal } from '../../support/server.ts';
import { type ControlledServer, controlledServer } from './support.ts';

let running: ControlledServer;
beforeEach(() => {
  running = controlledServer();
});

const userinfoOf = async (scopes: readonly string[]) => {
  const { server } = running.sandbox;
  const [client, user] = [server.clients.get('frontend'), server.users.get('alice')];
  if (client === undefined || user === undefined) throw new Error('they are configured');
  return (await running.control.preview(client, user, scopes)).userinfo;
};

describe('a user who is created, changed or deleted at run time', () => {
  it('is there at once, by the defaults of the configuration', async () => {
    expect(await running.apply({ kind: 'user.create', members: { sub: 'dora', claims: { name: 'Dora' } } })).toEqual(
      {},
    );
    expect(running.sandbox.server.users.get('dora')).toEqual({
      sub: 'dora',
      username: 'dora',
      claims: { name: 'Dora' },
      access_token_claims: {},
    });
    expect(running.told()).toMatchObject([
      { type: 'configuration.changed', what: 'user', subject: 'dora', change: 'created' },
    ]);
    expect(running.control.isChanged('user', 'dora')).toBe(true);
  });

  it.each([
    ['a sub that is taken', { sub: 'alice' }, 'sub'],
    ['a sub that is a client', { sub: 'frontend' }, 'sub'],
    ['a sub that could become a client', { sub: 'https://client.example/' }, 'sub'],
    ['a username that is taken', { sub: 'dora', username: 'Bobby' }, 'username'],
    ['a claim of the protocol', { sub: 'dora', claims: { iss: 'me' } }, 'claims.iss'],
    ['a standard claim beside the claims', { sub: 'dora', email: 'x' }, 'email'],
    ['no sub', {}, 'sub'],
  ])('is refused with %s', async (_what, members, member) => {
    expect(Object.keys(await running.apply({ kind: 'user.create', members }))).toContain(member);
    expect(running.told()).toEqual([]);
  });

  it('has changed claims in the next token', async () => {
    await running.apply({
      kind: 'user.patch',
      sub: 'alice',
      members: { claims: { name: 'Alice B.' }, access_token_claims: { roles: ['none'] } },
    });
    const { access_token } = await running.sandbox.tokens();
    expect(await verifyAccessToken(running.sandbox.server, access_token)).toMatchObject({ roles: ['none'] });
    expect(await userinfoOf(['openid', 'profile'])).toEqual({ sub: 'alice', name: 'Alice B.' });
    expect(running.told().at(-1)).toBeDefined();
  });

  it('loses the hash of a password when a password is given, and the other way round', async () => {
    const password_hash = '$pbkdf2-sha256$i=1000$c2FsdA$aGFzaGhhc2g';
    await running.apply({ kind: 'user.patch', sub: 'bob', members: { password_hash } });
    expect(running.control.userEntry('bob')).toMatchObject({ password_hash });
    expect(running.control.userEntry('bob')).not.toHaveProperty('password');
    await running.apply({ kind: 'user.patch', sub: 'bob', members: { username: 'bobbie', password: null } });
    expect(running.control.userEntry('bob')).toMatchObject({ password_hash });
    await running.apply({ kind: 'user.patch', sub: 'bob', members: { password: 'new' } });
    expect(running.control.userEntry('bob')).toMatchObject({ password: 'new' });
    expect(running.control.userEntry('bob')).not.toHaveProperty('password_hash');
    expect(JSON.stringify(running.told())).not.toContain(password_hash);
  });

  it('needs no password to be saved, and can lose it', async () => {
    await running.apply({ kind: 'user.patch', sub: 'bob', members: { claims: { name: 'B' } } });
    expect(running.control.userEntry('bob')).toMatchObject({ password: 'bob-password' });
    await running.apply({ kind: 'user.patch', sub: 'bob', members: { password: null } });
    expect(running.control.userEntry('bob')).not.toHaveProperty('password');
    expect(running.control.isChanged('user', 'bob')).toBe(true);
    await running.apply({ kind: 'user.revert', sub: 'bob' });
    expect(running.control.isChanged('user', 'bob')).toBe(false);
  });

  it('keeps the sub', async () => {
    expect(await running.apply({ kind: 'user.patch', sub: 'bob', members: { sub: 'bert' } })).toHaveProperty('sub');
    expect(await running.apply({ kind: 'user.patch', sub: 'nobody', members: {} })).toHaveProperty('sub');
  });

  it('takes sessions and tokens along when deleted', async () => {
    const { server } = running.sandbox;
    const session = await running.sandbox.login();
    running.log.append({ type: 'login.succeeded', sub: 'alice', sid: session.sid, amr: ['user'] }, 'req_1');
    const tokens = await running.sandbox.tokens({}, session);
    await running.apply({ kind: 'user.delete', sub: 'alice' });
    expect(await findSession(server, session.id)).toBeUndefined();
    expect((await refusal(verifyAccessToken(server, tokens.access_token))).reason).toBe('access_token_revoked');
    const refresh = { grant_type: 'refresh_token', client_id: 'frontend', refresh_token: tokens.refresh_token ?? '' };
    expect((await refusal(running.sandbox.token(refresh))).code).toBe('invalid_grant');
  });
});

describe('a preview', () => {
  it('previews the tokens, and stores nothing', async () => {
    const { server } = running.sandbox;
    const [client, user] = [server.clients.get('frontend'), server.users.get('alice')];
    if (client === undefined || user === undefined) throw new Error('they are configured');
    const { access, id, userinfo } = await running.control.preview(client, user, ['openid', 'email', 'bikes:read']);
    expect(running.told()).toEqual([]);
    const tokens = await running.sandbox.tokens({ scope: 'openid email bikes:read' });
    const anew = '(differs in each token)';
    const real = await verifyAccessToken(server, tokens.access_token);
    expect(access).toEqual({ ...real, jti: anew, sid: anew });
    const payload = JSON.parse(Buffer.from(tokens.id_token?.split('.')[1] ?? '', 'base64url').toString());
    expect(id).toEqual({ ...payload, at_hash: anew, sid: anew });
    expect(userinfo).toEqual({ sub: 'alice', email: 'alice@example.com', email_verified: true });
  });

  it('is of the user as given, saved or not', async () => {
    const { server } = running.sandbox;
    const client = server.clients.get('frontend');
    if (client === undefined) throw new Error('it is configured');
    const stranger = { sub: 'zoe', username: 'zoe', claims: { name: 'Zoe' }, access_token_claims: { level: 3 } };
    const { access, userinfo } = await running.control.preview(client, stranger, ['openid', 'profile']);
    expect(access).toMatchObject({ sub: 'zoe', level: 3 });
    expect(userinfo).toEqual({ sub: 'zoe', name: 'Zoe' });
    expect(server.users.has('zoe')).toBe(false);
  });

  it('of a client that acts for itself has an access token only', async () => {
    const client = running.sandbox.server.clients.get('sensor');
    if (client === undefined) throw new Error('it is configured');
    const preview = await running.control.preview(client, undefined, ['telemetry:write']);
    expect(Object.keys(preview)).toEqual(['access', 'origins']);
    const { access_token } = await running.sandbox.token(
      { grant_type: 'client_credentials', scope: 'telemetry:write' },
      basic('sensor', 'sensor-secret'),
    );
    expect(preview.access).toEqual({
      ...(await verifyAccessToken(running.sandbox.server, access_token)),
      jti: '(differs in each token)',
    });
  });
});

describe('sessions', () => {
  it('are listed while they are alive, and end as by a logout', async () => {
    const session = await running.sandbox.login();
    running.log.append({ type: 'login.succeeded', sub: 'alice', sid: session.sid, amr: ['user'] }, 'req_1');
    const tokens = await running.sandbox.tokens({}, session);
    expect(await running.control.sessions('bob')).toEqual([]);
    expect(await running.control.sessions()).toEqual([
      { sid: session.sid, sub: 'alice', auth_time: session.auth_time, acr: '0', amr: ['user'], clients: ['frontend'] },
    ]);
    running.told();
    expect(await running.control.endSession(session.sid)).toBe(true);
    expect(await running.control.sessions()).toEqual([]);
    expect(await running.control.endSession(session.sid)).toBe(false);
    expect(running.told()).toMatchObject([
      { type: 'session.ended', sub: 'alice', endedBy: 'owner' },
      { type: 'token.revoked', reason: 'session_ended' },
    ]);
    const refresh = { grant_type: 'refresh_token', client_id: 'frontend', refresh_token: tokens.refresh_token ?? '' };
    expect((await refusal(running.sandbox.token(refresh))).reason).toBe('authorization_revoked');
  });

  it('keep their sid when the same user logs in again', async () => {
    const { server } = running.sandbox;
    const user = server.users.get('alice');
    if (user === undefined) throw new Error('she is configured');
    const { startSession } = await import('../../../src/protocol/users/session.ts');
    const first = await startSession(server, { user, method: 'click' });
    const second = await startSession(server, { user, method: 'click', previous: first });
    expect(second.sid).toBe(first.sid);
    expect(await running.control.endSession(second.sid)).toBe(true);
    expect(await findSession(server, second.id)).toBeUndefined();
  });
});

describe('tokens', () => {
  it('are revoked once, with all that grew from the same authorization', async () => {
    const { access_token } = await running.sandbox.tokens();
    const tokenId = running.log.latestIssued(1)[0]?.tokenId ?? '';
    running.told();
    expect(await running.control.revokeToken(tokenId)).toBe(true);
    expect(await running.control.revokeToken(tokenId)).toBe(true);
    expect(running.told()).toMatchObject([{ type: 'token.revoked', reason: 'revoked_by_owner' }]);
    expect((await refusal(verifyAccessToken(running.sandbox.server, access_token))).reason).toBe(
      'access_token_revoked',
    );
    expect(await running.control.revokeToken('tok_unknown')).toBe(false);
  });

  it('count as expired until they are resumed', async () => {
    const { access_token } = await running.sandbox.tokens();
    const tokenId =
      running.log.latest('token.issued', 9).find(({ tokenType }) => tokenType === 'access')?.tokenId ?? '';
    expect(await running.control.expireToken(tokenId)).toBe(true);
    expect((await refusal(verifyAccessToken(running.sandbox.server, access_token))).reason).toBe('token_ended');
    expect(await running.control.resumeToken(tokenId)).toBe(true);
    expect(await verifyAccessToken(running.sandbox.server, access_token)).toMatchObject({ sub: 'alice' });
    expect(await running.control.expireToken('tok_unknown')).toBe(false);
  });

  it('of a code that was ended are none', async () => {
    const code = await running.sandbox.code();
    const tokenId = running.log.latest('code.issued', 1)[0]?.tokenId ?? '';
    await running.control.expireToken(tokenId);
    expect((await refusal(running.sandbox.token({ ...redemption, code }))).code).toBe('invalid_grant');
  });
});

describe('keys', () => {
  it('are listed without anything private, the one that signs first', async () => {
    const [first] = await running.control.keys();
    await running.control.rotateKeys();
    const keys = await running.control.keys();
    expect(keys.map(({ isSigning, isPublished }) => ({ isSigning, isPublished }))).toEqual([
      { isSigning: true, isPublished: true },
      { isSigning: false, isPublished: true },
    ]);
    expect(keys[1]?.kid).toBe(first?.kid);
    expect(keys[1]?.publishedUntil).toBe(running.sandbox.server.clock() + 600);
    expect(JSON.stringify(keys)).not.toContain('"d":');
    expect(keys[0]?.publicKey.type).toBe('public');
  });

  it('are out of the JWK Set at once when they are unpublished', async () => {
    await running.control.rotateKeys();
    await running.control.rotateKeys({ unpublish: true, by: 'dashboard' });
    expect((await running.sandbox.server.keys.jwks()).keys).toHaveLength(1);
    expect((await running.control.keys()).map(({ isPublished }) => isPublished)).toEqual([true, false, false]);
    expect(running.told().at(-1)).toMatchObject({
      type: 'configuration.changed',
      what: 'keys',
      subject: 'ES256',
      by: 'dashboard',
    });
  });
});
