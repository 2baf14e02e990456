import { describe, expect, it } from 'vitest';
import { observes } from '../../observed.ts';
import { receiver, secret, told } from './support.ts';

describe('webhooks', () => {
  it('tell of users and clients that a call changes, without their secrets', async () => {
    observes('setting webhooks');
    const there = await receiver();
    const { sandbox } = await told({ webhooks: [{ url: there.url, secret, events: ['user.*', 'client.*'] }] });
    const password = 'a-password-of-tess';
    await sandbox.users.create({ sub: 'tess', password, claims: { name: 'Tess', roles: ['admin'] } });
    await sandbox.users.patch('tess', { claims: { roles: null } });
    await sandbox.users.delete('tess');
    const client_secret = 'a-secret-of-the-client';
    await sandbox.clients.create({ client_id: 'cli', client_secret, grant_types: ['client_credentials'], scope: 'a' });
    await sandbox.clients.delete('cli');
    await sandbox.scopes.create({ name: 'reports:read' });
    await sandbox.issueToken({ client: 'frontend', user: 'alice' });
    const received = await there.until(5);
    expect(received.map(({ type }) => type)).toEqual([
      ...['user.created', 'user.updated', 'user.deleted'],
      ...['client.created', 'client.deleted'],
    ]);
    const { issuer } = sandbox;
    expect(received[0]?.data).toEqual({
      ...{ issuer, sub: 'tess', username: 'tess', by: 'library' },
      claims: { name: 'Tess', roles: ['admin'] },
      changed: ['sub', 'password', 'claims'],
    });
    expect(received[1]?.data).toMatchObject({ changed: ['claims'], claims: { name: 'Tess' } });
    expect(received[2]?.data).toEqual({ issuer, sub: 'tess', changed: [], by: 'library' });
    expect(received[3]?.data).toMatchObject({ client_id: 'cli', grant_types: ['client_credentials'], scope: 'a' });
    const raw = received.map(each => each.raw).join();
    expect([password, client_secret].filter(each => raw.includes(each))).toEqual([]);
  });

  it('tell of sessions and tokens, and name a token by its jti and its hash alone', async () => {
    const there = await receiver();
    const { sandbox } = await told({ webhooks: [{ url: there.url, secret, events: ['session.*', 'token.*'] }] });
    const tokens = await sandbox.login({ client: 'frontend', user: 'alice', as: 'tokens', scope: 'openid bikes:read' });
    const [started] = await there.until(1, 'session.started');
    const issued = await there.until(3, 'token.issued');
    expect(started?.data).toMatchObject({ sub: 'alice', client_id: 'frontend', by: 'control' });
    const types = issued.map(({ data }) => data.token_type).sort();
    expect(types).toEqual(['access', 'id', 'refresh']);
    const access = issued.find(({ data }) => data.token_type === 'access')?.data;
    expect(access).toMatchObject({ sub: 'alice', client_id: 'frontend', jti: expect.any(String), format: 'jwt' });
    expect(access.hash).toMatch(/^[\w-]{43}$/);
    await fetch(`${sandbox.url}/_sandbox/sessions/${started?.data.sid}`, { method: 'DELETE' });
    const [ended] = await there.until(1, 'session.ended');
    expect(ended?.data).toMatchObject({ sid: started?.data.sid, sub: 'alice', reason: 'owner' });
    const [revoked] = await there.until(1, 'token.revoked');
    expect(revoked?.data).toMatchObject({ client_id: 'frontend', reason: 'session_ended' });
    expect(revoked?.data.tokens).toContainEqual({
      token_type: 'access',
      format: 'jwt',
      jti: access.jti,
      hash: access.hash,
    });
    const raw = there.received.map(each => each.raw).join();
    const secrets = [tokens.access_token, tokens.id_token, tokens.refresh_token].map(String);
    expect(secrets.filter(each => raw.includes(each))).toEqual([]);
  });

  it('tell of a problem once for each cause, with the page that explains it', async () => {
    const there = await receiver();
    const { sandbox } = await told({
      webhooks: [{ url: there.url, secret, events: ['problem.found', 'user.created'] }],
    });
    const refuse = (scope: string) =>
      fetch(`${sandbox.url}/oauth2/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa('sensor:sensor-secret')}` },
        body: new URLSearchParams({ grant_type: 'client_credentials', scope }),
      });
    const first = await refuse('bikes:read');
    await refuse('bikes:read');
    await sandbox.users.create({ sub: 'last' });
    await there.until(1, 'user.created');
    const requestId = first.headers.get('x-request-id');
    expect(there.received).toMatchObject([
      { type: 'problem.found', data: { kind: 'refusal', client_id: 'sensor', code: 'invalid_scope', requestId } },
      { type: 'user.created' },
    ]);
    const page = await fetch(there.received[0]?.data.page);
    expect(await page.text()).toContain('invalid_scope');
  });

  it('tell of clients that register themselves, and of what a reload brings', async () => {
    const there = await receiver();
    const webhooks = [{ url: there.url, secret, events: ['client.*', 'user.*'] }];
    const { sandbox } = await told({ webhooks, features: { registration: true } });
    const answered = await fetch(`${sandbox.url}/connect/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ redirect_uris: ['http://localhost:1/cb'], token_endpoint_auth_method: 'none' }),
    });
    const { client_id } = (await answered.json()) as { client_id: string };
    expect((await there.until(1))[0]).toMatchObject({
      type: 'client.created',
      data: { client_id, by: 'registration' },
    });
    await sandbox.reload({ webhooks, features: { registration: true }, users: [{ sub: 'alice' }, { sub: 'zoe' }] });
    const users = (await there.until(5)).slice(1).map(({ type, data }) => [type, data.sub, data.by]);
    expect(users).toContainEqual(['user.created', 'zoe', 'configuration']);
    expect(users).toContainEqual(['user.deleted', 'bob', 'configuration']);
  });

  it('begin and end with a reload, and keep a generated secret', async () => {
    const there = await receiver();
    const { sandbox, call } = await told();
    expect(await call('GET /webhooks')).toEqual({ webhooks: [] });
    await sandbox.reload({ webhooks: [there.url, 'http://127.0.0.1:1/nobody'] });
    const [first] = (await call('GET /webhooks')).webhooks;
    expect(first).toMatchObject({ url: there.url, configured: true, events: ['*'] });
    expect(first.secret).toMatch(/^whsec_/);
    await sandbox.reload({ webhooks: there.url });
    expect((await call('GET /webhooks')).webhooks).toEqual([first]);
    await sandbox.reload({ webhooks: `${there.url}#${secret}` });
    await sandbox.users.create({ sub: 'eve' });
    expect(await there.until(1, 'user.created')).toMatchObject([{ data: { sub: 'eve' } }]);
    await sandbox.reload({});
    expect((await call('GET /webhooks')).webhooks).toEqual([]);
  });

  it('keep endpoints added at run time over a reload, and have the time of the clock of the sandbox', async () => {
    const [there, other] = [await receiver(), await receiver()];
    const { sandbox, call } = await told({ webhooks: [{ url: other.url, secret }] });
    await call('POST /webhooks', { url: there.url, secret, events: ['user.created'] });
    await sandbox.reload({ webhooks: [] });
    expect((await call('GET /webhooks')).webhooks).toMatchObject([{ url: there.url, configured: false }]);
    sandbox.clock.freeze();
    sandbox.clock.set(4e9);
    await sandbox.users.create({ sub: 'eve' });
    expect(await there.until(1)).toMatchObject([{ timestamp: '2096-10-02T07:06:40.000Z', data: { sub: 'eve' } }]);
    expect(other.received).toEqual([]);
  });

  it('of a further issuer tell of that issuer', async () => {
    const there = await receiver();
    const { sandbox } = await told({ issuers: { '/tenant': { webhooks: [{ url: there.url, secret }] } } });
    await sandbox.users.create({ sub: 'nobody-is-told' });
    await sandbox.issuers.get('tenant')?.users.create({ sub: 'dora' });
    expect(await there.until(1)).toMatchObject([{ data: { issuer: `${sandbox.url}/tenant`, sub: 'dora' } }]);
  });

  it('are delivered before a stop ends, but for retries', async () => {
    const [there, broken] = [await receiver(), await receiver()];
    broken.answer = (_req, res) => void res.writeHead(500).end();
    const { sandbox } = await told({ webhooks: [there, broken].map(({ url }) => ({ url, secret })) });
    await sandbox.users.create({ sub: 'one' });
    for (const sub of ['two', 'three']) await sandbox.users.create({ sub });
    await sandbox.stop();
    expect(there.received.map(({ data }) => data.sub)).toEqual(['one', 'two', 'three']);
    expect(broken.received.map(({ data }) => data.sub)).toEqual(['one', 'two', 'three']);
  });
});
