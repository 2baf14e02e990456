import { beforeEach, describe, expect, it } from 'vitest';
import { verifyAccessToken } from '../../../src/protocol/tokens/verify-access-token.ts';
import { redemption, refusal } from '../../support/server.ts';
import { type ControlledServer, controlledServer } from './support.ts';

let running: ControlledServer;
beforeEach(() => {
  running = controlledServer();
});

const shop = {
  client_id: 'shop',
  client_name: 'The shop',
  redirect_uris: ['https://shop.example/cb'],
  scope: 'openid',
};
const members = (client_id: string) => running.control.clientEntry(client_id);

describe('a client that is created at run time', () => {
  it('gets the defaults of the configuration, and is logged', async () => {
    expect(await running.apply({ kind: 'client.create', members: shop })).toEqual({});
    expect(running.sandbox.server.clients.get('shop')).toMatchObject({
      origin: 'configuration',
      token_endpoint_auth_methods: ['none'],
      require_pkce: true,
      access_token_lifetime: 300,
    });
    expect(running.told()).toMatchObject([
      { type: 'configuration.changed', what: 'client', subject: 'shop', change: 'created', by: 'api' },
    ]);
    expect(running.control.isChanged('client', 'shop')).toBe(true);
  });

  it('is answered with the lines that keep it', async () => {
    const changed = await running.control.apply({ kind: 'client.create', members: shop }, 'dashboard');
    expect(changed).toMatchObject({ ok: true, lines: [{ where: 'clients.config.ts' }, { where: 'JSON' }] });
    expect(running.control.configurationLines('client', 'shop')).toBe(`{
  client_id: 'shop',
  client_name: 'The shop',
  redirect_uris: ['https://shop.example/cb'],
  scope: 'openid',
},`);
  });

  it('is refused with all problems and the sent values', async () => {
    const changed = await running.control.apply(
      {
        kind: 'client.create',
        members: { client_id: 'frontend', redirect_uris: ['nowhere'], grant_type: [], client_secret: '\n' },
      },
      'api',
    );
    if (changed.ok) throw new Error('it was not refused');
    expect(changed.problems).toMatchObject([
      { member: 'client_id', sent: '"frontend"', expected: 'a client_id that no other client has' },
      { member: 'client_secret', sent: '***' },
      { member: 'redirect_uris[0]', sent: '"nowhere"' },
      { member: 'grant_type', expected: 'a known name', nearest: 'grant_types' },
    ]);
    expect(running.told()).toEqual([]);
  });

  it.each([
    ['the id of a user', { ...shop, client_id: 'alice' }, 'client_id'],
    ['a feature that is off', { ...shop, dpop_bound_access_tokens: true }, 'dpop_bound_access_tokens'],
    [
      'mutual TLS without HTTPS',
      { ...shop, token_endpoint_auth_method: 'self_signed_tls_client_auth', jwks: { keys: [] } },
      'token_endpoint_auth_method',
    ],
    ['a user for auto_login who is not there', { ...shop, auto_login: 'nobody' }, 'auto_login'],
    ['the password grant while it is off', { ...shop, grant_types: ['authorization_code', 'password'] }, 'grant_types'],
    [
      'pairwise subjects for two hosts',
      { ...shop, subject_type: 'pairwise', redirect_uris: ['https://a.example/', 'https://b.example/'] },
      'sector_identifier_uri',
    ],
  ])('is refused with %s', async (_what, entry, member) => {
    running = controlledServer({ features: new Set(['par']) });
    expect(Object.keys(await running.apply({ kind: 'client.create', members: entry }))).toEqual([member]);
  });

  it('brings its scopes with it, and says so', async () => {
    const changed = await running.control.apply(
      { kind: 'client.create', members: { ...shop, scope: 'openid orders:read' } },
      'api',
    );
    expect(changed).toMatchObject({ ok: true, notes: [expect.stringContaining('orders:read is a new scope')] });
    expect(running.sandbox.server.scopes.get('orders:read')?.description).toBe('see orders');
  });
});

describe('a client that is changed at run time', () => {
  it('has the new members at once, and the others as they were', async () => {
    const uri = 'https://new.example/cb';
    await running.apply({ kind: 'client.patch', client_id: 'web', members: { redirect_uris: [uri] } });
    expect(running.sandbox.server.clients.get('web')).toMatchObject({
      redirect_uris: [uri],
      client_secret: 'web-secret',
    });
    expect(running.told()).toMatchObject([{ subject: 'web', change: 'changed', members: ['redirect_uris'] }]);
  });

  it('resets members with null to their defaults', async () => {
    await running.apply({
      kind: 'client.patch',
      client_id: 'frontend',
      members: { client_name: null, loopback_redirects: null },
    });
    expect(running.sandbox.server.clients.get('frontend')).toMatchObject({
      client_name: 'frontend',
      loopback_redirects: false,
    });
  });

  it('has one method for several, and several for one', async () => {
    const patch = (changes: object) =>
      running.apply({ kind: 'client.patch', client_id: 'web', members: { ...changes } });
    expect(await patch({ token_endpoint_auth_method: 'client_secret_post' })).toEqual({});
    expect(members('web')).toMatchObject({ token_endpoint_auth_method: 'client_secret_post' });
    expect(await patch({ token_endpoint_auth_methods: ['client_secret_post', 'client_secret_basic'] })).toEqual({});
    expect(members('web')).not.toHaveProperty('token_endpoint_auth_method');
  });

  it('stays as it was where something is wrong, and cannot have another id', async () => {
    const before = running.sandbox.server.clients.get('web');
    expect(
      await running.apply({ kind: 'client.patch', client_id: 'web', members: { client_id: 'other' } }),
    ).toHaveProperty('client_id');
    expect(
      await running.apply({ kind: 'client.patch', client_id: 'web', members: { redirect_uris: [] } }),
    ).toHaveProperty('redirect_uris');
    expect(await running.apply({ kind: 'client.patch', client_id: 'nobody', members: {} })).toHaveProperty('client_id');
    expect(running.sandbox.server.clients.get('web')).toBe(before);
  });

  it('causes no event if nothing changes', async () => {
    expect(
      await running.apply({ kind: 'client.patch', client_id: 'web', members: { client_name: 'Web shop' } }),
    ).toEqual({});
    expect(running.told()).toEqual([]);
    expect(running.control.isChanged('client', 'web')).toBe(false);
  });

  it('redeems the code it was given before', async () => {
    const code = await running.sandbox.code();
    await running.apply({
      kind: 'client.patch',
      client_id: 'frontend',
      members: { redirect_uris: ['https://other.example/'], loopback_redirects: null },
    });
    expect(await running.sandbox.token({ ...redemption, code })).toHaveProperty('access_token');
  });

  it('is as at the start when it is reverted, even after it was deleted', async () => {
    const before = members('web');
    await running.apply({ kind: 'client.patch', client_id: 'web', members: { client_name: 'Other' } });
    await running.apply({ kind: 'client.revert', client_id: 'web' });
    expect(members('web')).toEqual(before);
    await running.apply({ kind: 'client.delete', client_id: 'web' });
    await running.apply({ kind: 'client.revert', client_id: 'web' });
    expect(members('web')).toEqual(before);
    expect(running.control.isChanged('client', 'web')).toBe(false);
    expect(await running.apply({ kind: 'client.revert', client_id: 'shop' })).toHaveProperty('client_id');
  });
});

describe('a client that is deleted at run time', () => {
  it('is no more, and its tokens end', async () => {
    const { access_token } = await running.sandbox.tokens();
    running.told();
    await running.apply({ kind: 'client.delete', client_id: 'frontend' });
    expect(running.sandbox.server.clients.has('frontend')).toBe(false);
    expect((await refusal(verifyAccessToken(running.sandbox.server, access_token))).reason).toBe(
      'access_token_revoked',
    );
    expect(running.told()).toMatchObject([
      { type: 'token.revoked', reason: 'revoked_by_owner' },
      { type: 'configuration.changed', what: 'client', subject: 'frontend', change: 'deleted' },
    ]);
  });

  it('can come back: its new tokens are good, the old ones are not', async () => {
    const old = await running.sandbox.tokens();
    await running.apply({ kind: 'client.delete', client_id: 'frontend' });
    await running.apply({ kind: 'client.revert', client_id: 'frontend' });
    const { access_token } = await running.sandbox.tokens();
    expect(await verifyAccessToken(running.sandbox.server, access_token)).toMatchObject({ sub: 'alice' });
    expect((await refusal(verifyAccessToken(running.sandbox.server, old.access_token))).reason).toBe(
      'access_token_revoked',
    );
  });
});

describe('a reset of changed clients', () => {
  it('restores the configured clients, and removes the added ones', async () => {
    await running.apply({ kind: 'client.create', members: shop });
    await running.apply({ kind: 'client.delete', client_id: 'sensor' });
    await running.apply({ kind: 'client.patch', client_id: 'web', members: { client_name: 'Other' } });
    await running.apply({ kind: 'user.delete', sub: 'bob' });
    await running.control.reset();
    expect([...running.sandbox.server.clients.keys()]).toEqual(['frontend', 'sensor', 'web']);
    expect(running.sandbox.server.clients.get('web')?.client_name).toBe('Web shop');
    expect(running.sandbox.server.users.has('bob')).toBe(true);
    expect(await running.sandbox.tokens()).toHaveProperty('access_token');
  });
});
