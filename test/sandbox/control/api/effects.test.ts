import { describe, expect, it } from 'vitest';
import { observes } from '../../../observed.ts';
import { answer } from '../../../support/wire.ts';
import { type ControlledSandbox, controlled } from './support.ts';

/** What the token endpoint answers a service with this secret. */
async function tokenStatus({ sandbox }: ControlledSandbox, id: string, secret: string): Promise<number> {
  const response = await fetch(`${sandbox.url}/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${id}:${secret}`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  await response.arrayBuffer();
  return response.status;
}

/** Whether this user can sign in, by any of their names. */
async function canSignIn({ sandbox }: ControlledSandbox, user: string): Promise<boolean> {
  return (await answer(sandbox.url, '', { sandbox_login: user })).has('code');
}

const till = { client_id: 'till', client_secret: 'one', grant_types: ['client_credentials'] } as const;

describe('at the token endpoint', () => {
  it('a client that was made is known', async () => {
    observes('operation createClient');
    const one = await controlled();
    expect(await tokenStatus(one, 'till', 'one')).toBe(401);
    await one.call('POST /clients', till);
    expect(await tokenStatus(one, 'till', 'one')).toBe(200);
  });

  it('a member that was patched counts, and the others still do', async () => {
    observes('operation patchClient');
    const one = await controlled();
    await one.call('PATCH /clients/sensor', { client_secret: 'two' });
    expect([await tokenStatus(one, 'sensor', 'sensor-secret'), await tokenStatus(one, 'sensor', 'two')]).toEqual([
      401, 200,
    ]);
  });

  it('a client that was replaced is as it was sent, and what was not sent is gone', async () => {
    observes('operation replaceClient');
    const one = await controlled();
    await one.call('PUT /clients/sensor', { ...till, client_id: 'sensor' });
    expect([await tokenStatus(one, 'sensor', 'sensor-secret'), await tokenStatus(one, 'sensor', 'one')]).toEqual([
      401, 200,
    ]);
    expect((await one.call('GET /clients/sensor')).body.entry).not.toHaveProperty('client_name');
  });

  it('a client that was deleted is nobody', async () => {
    observes('operation deleteClient');
    const one = await controlled();
    await one.call('DELETE /clients/sensor');
    expect(await tokenStatus(one, 'sensor', 'sensor-secret')).toBe(401);
  });

  it('a client that was reverted is the one of the configuration', async () => {
    observes('operation revertClient');
    const one = await controlled();
    await one.call('PATCH /clients/sensor', { client_secret: 'two' });
    await one.call('POST /clients/sensor/revert');
    expect([await tokenStatus(one, 'sensor', 'sensor-secret'), await tokenStatus(one, 'sensor', 'two')]).toEqual([
      200, 401,
    ]);
  });
});

describe('at the login', () => {
  it('a user who was made can sign in', async () => {
    observes('operation createUser');
    const one = await controlled();
    expect(await canSignIn(one, 'tess')).toBe(false);
    await one.call('POST /users', { sub: 'tess' });
    expect(await canSignIn(one, 'tess')).toBe(true);
  });

  it('a user who was patched has the new name, and the sub as before', async () => {
    observes('operation patchUser');
    const one = await controlled();
    await one.call('PATCH /users/alice', { username: 'wonder' });
    expect([await canSignIn(one, 'wonder'), await canSignIn(one, 'alice')]).toEqual([true, true]);
  });

  it('a user who was replaced is as they were sent, and what was not sent is gone', async () => {
    observes('operation replaceUser');
    const one = await controlled();
    expect(await canSignIn(one, 'alice@example.com')).toBe(true);
    await one.call('PUT /users/alice', { username: 'wonder' });
    expect([await canSignIn(one, 'wonder'), await canSignIn(one, 'alice@example.com')]).toEqual([true, false]);
  });

  it('a user who was deleted is nobody', async () => {
    observes('operation deleteUser');
    const one = await controlled();
    await one.call('DELETE /users/alice');
    expect(await canSignIn(one, 'alice')).toBe(false);
  });

  it('a user who was reverted is the one of the configuration', async () => {
    observes('operation revertUser');
    const one = await controlled();
    await one.call('DELETE /users/alice');
    await one.call('POST /users/alice/revert');
    expect(await canSignIn(one, 'alice@example.com')).toBe(true);
  });

  it('who was said to sign in next does, once and at that client', async () => {
    observes('operation nextLogin');
    const one = await controlled();
    await one.call('POST /next-login', { sub: 'bob', client: 'frontend' });
    expect((await answer(one.sandbox.url, '')).has('code')).toBe(true);
    expect(one.sandbox.events.latest('login.succeeded', 1)).toMatchObject([{ sub: 'bob' }]);
    expect((await answer(one.sandbox.url, '')).has('code')).toBe(false);
  });
});

describe('what goes wrong on purpose', () => {
  const always = { fault: 'server_error', endpoint: 'token', times: 'always' } as const;
  const status = (one: ControlledSandbox) => tokenStatus(one, 'sensor', 'sensor-secret');

  it('does from when it is armed', async () => {
    observes('operation armFault');
    const one = await controlled();
    expect(await status(one)).toBe(200);
    await one.call('POST /faults', always);
    expect(await status(one)).toBe(500);
  });

  it('is over when it is disarmed, and another is not', async () => {
    observes('operation disarmFault');
    const one = await controlled();
    const { id } = (await one.call('POST /faults', always)).body;
    await one.call('POST /faults', { ...always, endpoint: 'userinfo' });
    await one.call(`DELETE /faults/${id}`);
    expect(await status(one)).toBe(200);
    expect((await fetch(`${one.sandbox.url}/userinfo`)).status).toBe(500);
  });

  it('is over when all of it is disarmed', async () => {
    observes('operation disarmFaults');
    const one = await controlled();
    await one.call('POST /faults', always);
    await one.call('POST /faults', { ...always, endpoint: 'userinfo' });
    expect((await one.call('DELETE /faults')).body).toEqual({ disarmed: 2 });
    expect([await status(one), (await fetch(`${one.sandbox.url}/userinfo`)).status]).toEqual([200, 401]);
  });

  it('is in the list while it is armed, and in the catalogue always', async () => {
    observes('operation listFaults', 'operation listFaultKinds');
    const { call } = await controlled();
    await call('POST /faults', always);
    expect((await call('GET /faults')).body.faults).toMatchObject([{ ...always, met: 0, by: 'api' }]);
    const names = (await call('GET /faults/catalogue')).body.faults.map(({ name }: { name: string }) => name);
    expect(names).toContain('server_error');
    await call('DELETE /faults');
    expect((await call('GET /faults')).body.faults).toEqual([]);
  });
});

describe('in a token', () => {
  const drawer = { access_token_claims: { drawer: 'left' } };

  /** What the tokens of a client say by the scope `till`; undefined where they say nothing, null where there is no such scope. */
  async function drawerIn({ call, sandbox }: ControlledSandbox): Promise<unknown> {
    if ((await call('GET /scopes/till')).status === 404) return null;
    await call('PATCH /clients/sensor', { scope: 'telemetry:write till' });
    const { claims = {} } = await sandbox.issueToken({ client: 'sensor', scope: 'till' });
    return claims.drawer;
  }

  it('a scope that was made says its claims', async () => {
    observes('operation createScope');
    const one = await controlled();
    await one.call('POST /scopes', { name: 'till', ...drawer });
    expect(await drawerIn(one)).toBe('left');
  });

  it('a scope that was patched says what it says now', async () => {
    observes('operation patchScope');
    const one = await controlled({ scopes: { till: drawer } });
    await one.call('PATCH /scopes/till', { access_token_claims: { drawer: 'right' } });
    expect(await drawerIn(one)).toBe('right');
  });

  it('a scope that was replaced says nothing of before', async () => {
    observes('operation replaceScope');
    const one = await controlled({ scopes: { till: drawer } });
    expect(await drawerIn(one)).toBe('left');
    await one.call('PUT /scopes/till', { description: 'the till' });
    expect(await drawerIn(one)).toBeUndefined();
  });

  it('a scope that was patched has its new claims in the metadata at once', async () => {
    const one = await controlled({ scopes: { till: { description: 'the till', claims: ['drawer'] } } });
    const supported = async () => {
      const metadata = await fetch(`${one.sandbox.url}/.well-known/openid-configuration`);
      return ((await metadata.json()) as { claims_supported: string[] }).claims_supported;
    };
    expect(await supported()).toContain('drawer');
    await one.call('PATCH /scopes/till', { claims: ['cashier'] });
    expect(await supported()).toContain('cashier');
    expect(await supported()).not.toContain('drawer');
  });

  it('a name that cannot be one is told as it was sent', async () => {
    const one = await controlled();
    expect((await one.call('POST /scopes', { name: 'my till' })).body).toMatchObject({ sent: '"my till"' });
  });

  it('a scope that was deleted is in no metadata any more', async () => {
    observes('operation deleteScope');
    const one = await controlled({ scopes: { till: drawer } });
    const supported = async () => {
      const metadata = await fetch(`${one.sandbox.url}/.well-known/openid-configuration`);
      return ((await metadata.json()) as { scopes_supported: string[] }).scopes_supported;
    };
    expect(await supported()).toContain('till');
    await one.call('DELETE /scopes/till');
    expect(await supported()).not.toContain('till');
  });

  it('a scope that was reverted says what the configuration does', async () => {
    observes('operation revertScope');
    const one = await controlled({ scopes: { till: drawer } });
    await one.call('PATCH /scopes/till', { access_token_claims: null });
    await one.call('POST /scopes/till/revert');
    expect(await drawerIn(one)).toBe('left');
  });
});

describe('at the sample backend', () => {
  const things = { readScope: 'telemetry:write', fields: { name: 'string' } } as const;

  /** What it answers a token of `sensor`: 404 where there is no such collection, 403 where its scope is another. */
  async function statusOf({ sandbox }: ControlledSandbox, name: string): Promise<number> {
    const { token } = await sandbox.issueToken({ client: 'sensor', scope: 'telemetry:write' });
    const response = await fetch(`${sandbox.url}/api/${name}`, { headers: { authorization: `Bearer ${token}` } });
    await response.arrayBuffer();
    return response.status;
  }

  it('a collection that was made is served', async () => {
    observes('operation createResource');
    const one = await controlled();
    expect(await statusOf(one, 'things')).toBe(404);
    await one.call('POST /resources', { name: 'things', ...things });
    expect(await statusOf(one, 'things')).toBe(200);
  });

  it('a collection that was patched asks for what it says now', async () => {
    observes('operation patchResource');
    const one = await controlled({ collections: { things } });
    await one.call('PATCH /resources/things', { readScope: 'openid' });
    expect(await statusOf(one, 'things')).toBe(403);
  });

  it('a collection that was replaced asks for what it was sent with', async () => {
    observes('operation replaceResource');
    const one = await controlled({ collections: { things: { ...things, readScope: 'openid' } } });
    expect(await statusOf(one, 'things')).toBe(403);
    await one.call('PUT /resources/things', things);
    expect(await statusOf(one, 'things')).toBe(200);
  });

  it('a collection that was deleted is not there', async () => {
    observes('operation deleteResource');
    const one = await controlled({ collections: { things } });
    await one.call('DELETE /resources/things');
    expect(await statusOf(one, 'things')).toBe(404);
  });

  it('a collection that was reverted is the one of the configuration', async () => {
    observes('operation revertResource');
    const one = await controlled({ collections: { things } });
    await one.call('DELETE /resources/things');
    await one.call('POST /resources/things/revert');
    expect(await statusOf(one, 'things')).toBe(200);
  });
});
