import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import { observes } from '../../../observed.ts';
import { type ControlledSandbox, controlled } from './support.ts';

const asSensor = `Basic ${btoa('sensor:sensor-secret')}`;

async function seal({ sandbox }: ControlledSandbox): Promise<unknown> {
  const response = await fetch(`${sandbox.url}/oauth2/token`, {
    ...{ method: 'POST', headers: { authorization: asSensor } },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  return decodeJwt(((await response.json()) as { access_token: string }).access_token).seal;
}

describe('/token-claims', () => {
  it('lists the rules of the configuration, and those that replaced them', async () => {
    observes('operation listTokenClaims');
    const tokenClaims = [{ client: 'sensor', claims: { seal: 'of the file' } }];
    const one = await controlled({ tokenClaims });
    expect(await one.call('GET /token-claims')).toMatchObject({ status: 200, body: { tokenClaims } });
    const next = [{ claims: { seal: '${client.client_id}' } }];
    expect(await one.call('PUT /token-claims', { tokenClaims: next })).toMatchObject({ status: 200 });
    expect((await one.call('GET /token-claims')).body).toEqual({ tokenClaims: next });
  });

  it('replaces the rules, which count at once, until a reset', async () => {
    observes('operation replaceTokenClaims');
    const one = await controlled({ tokenClaims: [{ claims: { seal: 'red' } }] });
    expect(await seal(one)).toBe('red');
    await one.call('PUT /token-claims', { tokenClaims: [{ claims: { seal: 'of ${client.client_id}' } }] });
    expect(await seal(one)).toBe('of sensor');
    await one.call('PUT /token-claims', { tokenClaims: [] });
    expect(await seal(one)).toBeUndefined();
    await one.call('POST /reset', { part: 'configuration' });
    expect(await seal(one)).toBe('red');
    await one.call('PUT /token-claims', { tokenClaims: [] });
    await one.call('POST /reset');
    expect(await seal(one)).toBe('red');
  });

  it('begins where the sandbox had no rules, and leaves onToken alone', async () => {
    const plain = await controlled();
    await plain.call('PUT /token-claims', { tokenClaims: [{ claims: { seal: 'red' } }] });
    expect(await seal(plain)).toBe('red');
    const one = await controlled({ onToken: ({ claims }) => ({ seal: `not ${claims.seal}` }) });
    await one.call('PUT /token-claims', { tokenClaims: [{ claims: { seal: 'red' } }] });
    expect(await seal(one)).toBe('not red');
    await one.call('PUT /token-claims', { tokenClaims: [] });
    expect(await seal(one)).toBe('not undefined');
  });

  it('tells the log which rules changed, and nothing where none did', async () => {
    const one = await controlled({ tokenClaims: [{ claims: { a: 1 } }, { claims: { b: 1 } }] });
    await one.call('PUT /token-claims', { tokenClaims: [{ claims: { a: 1 } }, { claims: { b: 2 } }, { claims: {} }] });
    await one.call('PUT /token-claims', { tokenClaims: [{ claims: { a: 1 } }, { claims: { b: 2 } }, { claims: {} }] });
    expect(one.sandbox.events.latest('configuration.changed', 10)).toMatchObject([
      {
        ...{ what: 'rules', subject: 'tokenClaims', change: 'changed', by: 'api' },
        members: ['tokenClaims[1]', 'tokenClaims[2]'],
      },
    ]);
  });

  it('refuses all mistakes at once, with the place of each, and keeps the rules', async () => {
    const one = await controlled({ tokenClaims: [{ claims: { seal: 'red' } }] });
    const tokenClaims = [{ claims: { a: '${usr.email}', exp: 1 } }, { client: 'senser', claims: {} }, 'x'];
    const { status, body } = await one.call('PUT /token-claims', { tokenClaims });
    expect(status).toBe(400);
    expect(body.errors).toMatchObject([
      { member: 'tokenClaims[0].claims.exp', expected: expect.stringContaining('a different name') },
      { member: 'tokenClaims[0].claims.a', sent: '"usr.email"', nearest: 'user' },
      { member: 'tokenClaims[1].client', sent: '"senser"', nearest: 'sensor' },
      { member: 'tokenClaims[2]', expected: 'an object' },
    ]);
    expect(await seal(one)).toBe('red');
  });

  it.each<[string, unknown, string]>([
    ['nothing', undefined, 'tokenClaims'],
    ['a list', [], 'tokenClaims'],
    ['no list', { tokenClaims: {} }, 'tokenClaims'],
    ['another member', { tokenClaims: [], rules: [] }, 'rules'],
  ])('refuses %s', async (_what, body, member) => {
    const one = await controlled();
    const answer = await one.call('PUT /token-claims', body);
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ member }] } });
  });

  it('knows clients and scopes that were made while the sandbox runs', async () => {
    const one = await controlled();
    const till = { client_id: 'till', client_secret: 'one', grant_types: ['client_credentials'], audience: 'tills' };
    await one.call('POST /clients', till);
    await one.call('POST /scopes', { name: 'till:open' });
    const tokenClaims = [{ client: 'till', scope: 'till:open', audience: 'tills', claims: {} }];
    expect(await one.call('PUT /token-claims', { tokenClaims })).toMatchObject({ status: 200 });
  });

  it('of an issuer are its own', async () => {
    const one = await controlled({ issuers: { '/other': {} } });
    const response = await fetch(`${one.sandbox.url}/other/_sandbox/token-claims`, {
      ...{ method: 'PUT', headers: { 'content-type': 'application/json' } },
      body: JSON.stringify({ tokenClaims: [{ claims: { seal: 'red' } }] }),
    });
    expect(response.status).toBe(200);
    expect((await one.call('GET /token-claims')).body).toEqual({ tokenClaims: [] });
  });
});

describe('a change at run time', () => {
  it('stays when a reload brings other changes, and gives way to changed rules', async () => {
    const one = await controlled({ tokenClaims: [{ claims: { seal: 'red' } }] });
    const { sandbox } = one;
    await sandbox.tokenClaims.replace([{ claims: { seal: 'blue' } }]);
    await sandbox.reload({ tokenClaims: [{ claims: { seal: 'red' } }], idTokenLifetime: 5 });
    expect(await seal(one)).toBe('blue');
    await sandbox.reload({ tokenClaims: [{ claims: { seal: 'green' } }] });
    expect(await seal(one)).toBe('green');
    expect(await sandbox.tokenClaims.list()).toEqual([{ claims: { seal: 'green' } }]);
  });
});
