import { generateKeyPairSync, type JsonWebKey } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { movedState } from '../../../src/extensions/state/operations.ts';
import { endToken, isEnded } from '../../../src/protocol/kept-authorizations.ts';
import { findSession } from '../../../src/protocol/users/session.ts';
import { type ControlledServer, controlledServer } from '../../sandbox/control/support.ts';
import { now, refusal, type TestServer, web } from '../../support/server.ts';

const refresh = ({ token }: TestServer, refresh_token = '') =>
  token({ grant_type: 'refresh_token', client_id: 'frontend', refresh_token });

const collection = (name: string) => ({
  entry: { name, readScope: 'openid', fields: { a: { type: 'string' } }, seed: [] },
});

/** As it is written and read again. */
const moved = async (from: ControlledServer) => JSON.parse(JSON.stringify(await movedState(from.parts).exportState()));

function key(namedCurve: string): JsonWebKey {
  return generateKeyPairSync('ec', { namedCurve }).privateKey.export({ format: 'jwk' });
}

describe('the state of an issuer', () => {
  it('goes to another one: keys, changed entries, sessions, refresh tokens, what was revoked', async () => {
    const [one, two] = [controlledServer(), controlledServer()];
    const session = await one.sandbox.login();
    const { refresh_token, access_token } = await one.sandbox.tokens({}, session);
    const used = await one.sandbox.tokens({}, session);
    await refresh(one.sandbox, used.refresh_token);
    await endToken(one.sandbox.server, 'tok_ended', now + 300);
    one.sandbox.users.create('visitor@example.com', 'visitor');
    await one.apply({ kind: 'client.create', members: { client_id: 'made', redirect_uris: ['https://a.example/'] } });
    await one.apply({ kind: 'client.delete', client_id: 'sensor' });
    one.sandbox.server.clients.replace({ ...web, client_id: 'registered', origin: 'registration' });
    await two.apply({ kind: 'user.create', members: { sub: 'gone' } });
    two.told();

    await movedState(two.parts).importState(await moved(one), 'api');
    const { server } = two.sandbox;
    expect(await server.keys.jwks()).toEqual(await one.sandbox.server.keys.jwks());
    expect(server.pairwiseSalt).toBe(one.sandbox.server.pairwiseSalt);
    expect(await findSession(server, session.id)).toEqual(session);
    expect([...server.clients.keys()].sort()).toEqual([...one.sandbox.server.clients.keys()].sort());
    expect(server.clients.get('registered')).toEqual(one.sandbox.server.clients.get('registered'));
    expect(server.users.get('visitor@example.com')).toMatchObject({ isVisitor: true });
    expect(server.users.has('gone')).toBe(false);
    expect(await isEnded(server, 'tok_ended')).toBe(true);
    expect(await refresh(two.sandbox, refresh_token)).toHaveProperty('access_token');
    expect(await refusal(refresh(two.sandbox, used.refresh_token))).toMatchObject({ reason: 'refresh_token_reused' });
    expect(two.told()).toContainEqual(expect.objectContaining({ type: 'state.imported', by: 'api' }));
    expect(access_token).toEqual(expect.any(String));
  });

  it('says the same twice, and nothing of entries that are as configured', async () => {
    const one = controlledServer();
    const state = await movedState(one.parts).exportState();
    expect(await moved(one)).toEqual(state);
    const [saved] = Object.values(state.issuers);
    expect(saved).toMatchObject({
      clients: { changed: [], deleted: [] },
      users: { changed: [], deleted: [] },
      scopes: { changed: [], deleted: [] },
    });
  });

  it('has a client that signs in a user who is saved, too, or was deleted', async () => {
    const [one, two] = [controlledServer(), controlledServer()];
    await one.apply({ kind: 'user.create', members: { sub: 'zoe' } });
    await one.apply({ kind: 'client.patch', client_id: 'frontend', members: { auto_login: 'zoe' } });
    await movedState(two.parts).importState(await moved(one), 'api');
    expect(two.sandbox.server.clients.get('frontend')).toMatchObject({ auto_login: 'zoe' });
    await one.apply({ kind: 'user.delete', sub: 'zoe' });
    await movedState(two.parts).importState(await moved(one), 'api');
    expect(two.sandbox.users.has('zoe')).toBe(false);
  });

  it('does not bring back what has expired meanwhile', async () => {
    const [one, two] = [controlledServer(), controlledServer()];
    const session = await one.sandbox.login();
    const state = await moved(one);
    two.sandbox.pass(28_800);
    await movedState(two.parts).importState(state, 'api');
    expect(await findSession(two.sandbox.server, session.id)).toBeUndefined();
  });

  it('of one issuer fits each; of several, the one with the same path is taken', async () => {
    const one = controlledServer();
    await one.apply({ kind: 'user.create', members: { sub: 'made' } });
    const state = await moved(one);
    const shop = controlledServer({ issuer: 'http://localhost:9000/shop' });
    await movedState(shop.parts).importState(state, 'api');
    expect(shop.sandbox.users.has('made')).toBe(true);
    const several = { ...state, issuers: { '/a': state.issuers['/'], '/b': state.issuers['/'] } };
    await expect(movedState(shop.parts).importState(several, 'api')).rejects.toThrow(
      'the issuer /shop; the file has /a, /b',
    );
  });

  it('is refused as a whole if any of it is wrong, and changes nothing', async () => {
    const one = controlledServer();
    await one.apply({ kind: 'user.create', members: { sub: 'kept' } });
    const kids = await one.sandbox.server.keys.jwks();
    const state = await moved(one);
    const saved = state.issuers['/'];
    const none = { changed: [], deleted: [] };
    const wrong: readonly (readonly [object, string])[] = [
      [{ ...saved, store: [['session', 'id', { id: 1 }, now + 60]] }, 'a kind, an id, its value'],
      [{ ...saved, store: [['code', 'id', {}, now + 60]] }, 'a kind, an id, its value'],
      [{ ...saved, store: [['session', 'id', {}, Number.POSITIVE_INFINITY]] }, 'store'],
      [{ ...saved, keys: [{ jwk: { kty: 'EC' } }] }, 'a private key as JWK'],
      [{ ...saved, keys: [{ jwk: { ...key('P-256'), d: key('P-256').d, alg: 'ES256' } }] }, 'can be made and verified'],
      [{ ...saved, keys: [{ jwk: { ...key('P-384'), alg: 'ES256' } }] }, 'can be made and verified'],
      [{ ...saved, users: { ...none, changed: [{ entry: { sub: 5 } }] } }, 'users.changed.0.entry.sub'],
      [
        { ...saved, clients: { ...none, changed: [{ entry: { client_id: 'x', redirect_uris: 'y' } }] } },
        'clients.changed.0',
      ],
      [{ ...saved, tokenClaims: [{ nothing: 1 }] }, 'tokenClaims'],
      [
        { ...saved, collections: { ...none, changed: Array.from({ length: 201 }, (_, at) => collection(`c${at}`)) } },
        'at most 200 in all, and not 201',
      ],
      [{ ...saved, clients: undefined }, 'clients'],
    ];
    for (const [issuer, said] of wrong) {
      await expect(movedState(one.parts).importState({ ...state, issuers: { '/': issuer } }, 'api')).rejects.toThrow(
        said,
      );
    }
    for (const sent of [
      null,
      [],
      1,
      {},
      { grantbox_state: '1' },
      { grantbox_state: 1 },
      { grantbox_state: 2, issuers: {} },
    ])
      await expect(movedState(one.parts).importState(sent, 'api')).rejects.toThrow();
    expect(await one.sandbox.server.keys.jwks()).toEqual(kids);
    expect(one.sandbox.users.has('kept')).toBe(true);
  });
});
