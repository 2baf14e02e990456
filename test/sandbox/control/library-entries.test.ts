import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../../../src/index.ts';

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await createSandbox({ issuers: { tenant: {} } });
});
afterEach(() => sandbox.stop());

describe('sandbox.clients and sandbox.users', () => {
  it('list, make, read, replace, patch, revert and delete', async () => {
    const { users } = sandbox;
    expect((await users.list()).map(({ sub }) => sub)).toContain('alice');
    expect(await users.create({ sub: 'tess', claims: { name: 'Tess' } })).toEqual({
      sub: 'tess',
      claims: { name: 'Tess' },
    });
    expect(await users.patch('tess', { username: 'tessa' })).toMatchObject({
      username: 'tessa',
      claims: { name: 'Tess' },
    });
    expect(await users.patch('tess', { username: null })).not.toHaveProperty('username');
    expect(await users.replace('tess', { password: 'pw' })).toEqual({ sub: 'tess', password: 'pw' });
    expect(await users.get('tess')).toEqual({ sub: 'tess', password: 'pw' });
    await users.delete('tess');
    expect(await users.get('tess')).toBeUndefined();
    await users.delete('alice');
    expect(await users.revert('alice')).toMatchObject({ sub: 'alice' });
  });

  it('patch within an object, and keep its other members (RFC 7396)', async () => {
    const { users } = sandbox;
    await users.create({ sub: 'tess', claims: { name: 'Tess', address: { locality: 'Ulm', country: 'DE' } } });
    const changed = await users.patch('tess', {
      claims: { address: { locality: 'Bonn', country: null }, nickname: 'T' },
    });
    expect(changed.claims).toEqual({ name: 'Tess', address: { locality: 'Bonn' }, nickname: 'T' });
    expect((await users.patch('tess', { claims: { name: null } })).claims).not.toHaveProperty('name');
    expect(await users.patch('tess', { claims: null })).not.toHaveProperty('claims');
  });

  it('throw a TypeError that names every problem with the found and the expected value', async () => {
    const wrong = { client_id: 'till', grant_types: ['client_credental'], redirect_uri: 'http://localhost' };
    const error = await sandbox.clients.create(wrong as never).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TypeError);
    expect(String(error)).toMatch(/grant_types\[0\]: found "client_credental", .*did you mean client_credentials\?/);
    expect(String(error)).toMatch(/redirect_uri: expected a known name \(did you mean redirect_uris\?\)/);
    await expect(sandbox.clients.delete('nobody')).rejects.toThrow(
      /client_id: found nobody, expected a client that exists/,
    );
    await expect(sandbox.users.create(7 as never)).rejects.toThrow('expected an object');
    await expect(sandbox.resources.delete('nothing')).rejects.toThrow(/^resources\.delete: name: found nothing, /);
  });

  it('work at once, and name the library in the log', async () => {
    await sandbox.clients.create({ client_id: 'till', client_secret: 's3cret', grant_types: ['client_credentials'] });
    const response = await fetch(`${sandbox.url}/oauth2/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa('till:s3cret')}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    expect(response.status).toBe(200);
    expect(sandbox.events.latest('configuration.changed', 1)).toMatchObject([{ subject: 'till', by: 'library' }]);
  });

  it('are of one issuer alone, and so is its reset', async () => {
    const tenant = sandbox.issuers.get('tenant');
    await tenant?.users.create({ sub: 'tess' });
    await sandbox.users.create({ sub: 'theo' });
    expect(await sandbox.users.get('tess')).toBeUndefined();
    await tenant?.reset('configuration');
    expect([await tenant?.users.get('tess'), (await sandbox.users.get('theo'))?.sub]).toEqual([undefined, 'theo']);
    await sandbox.reset('configuration');
    expect(await sandbox.users.get('theo')).toBeUndefined();
  });
});
