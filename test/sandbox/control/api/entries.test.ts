import { describe, expect, it } from 'vitest';
import { observes } from '../../../observed.ts';
import { controlled } from './support.ts';

const configuration = { scopes: { audit: 'read the audit trail' } };

const kinds = [
  {
    ...{ path: '/clients', what: 'client' },
    id: 'client_id',
    known: 'frontend',
    entry: { client_id: 'till', client_secret: 's3cret', grant_types: ['client_credentials'], scope: 'read' },
    patch: { client_name: 'Till 7' },
    wrong: { client_id: 'till', grant_types: ['client_credental'], redirect_uri: 'http://localhost' },
    problems: [
      { member: 'grant_types[0]', sent: '"client_credental"', nearest: 'client_credentials' },
      { member: 'redirect_uri', nearest: 'redirect_uris' },
    ],
  },
  {
    ...{ path: '/users', what: 'user' },
    id: 'sub',
    known: 'alice',
    entry: { sub: 'till', claims: { name: 'Till Tiger' } },
    patch: { username: 'tiger' },
    wrong: { sub: 'till', claims: 7, pasword: 'x' },
    problems: [
      { member: 'claims', sent: '7', expected: 'an object' },
      { member: 'pasword', nearest: 'password' },
    ],
  },
  {
    ...{ path: '/scopes', what: 'scope' },
    id: 'name',
    known: 'audit',
    entry: { name: 'till', description: 'open the till', claims: ['email'] },
    patch: { access_token_claims: { department: 'sales' } },
    wrong: { name: 'till', claims: 7, descripton: 'x' },
    problems: [
      { member: 'claims', sent: '7', expected: 'a list of claim names' },
      { member: 'descripton', nearest: 'description' },
    ],
  },
  {
    ...{ path: '/resources', what: 'collection' },
    id: 'name',
    known: 'bikes',
    entry: { name: 'till', readScope: 'till:read', fields: { drawer: 'string' }, seed: [{ drawer: 'left' }] },
    patch: { readMaxAge: 60 },
    wrong: { name: 'till', readScope: 7, field: {} },
    problems: [
      { member: 'readScope', sent: '7' },
      { member: 'field', nearest: 'fields' },
    ],
  },
] as const;

describe.each(kinds)('$path', ({ path, what, id, known, entry, patch, wrong, problems }) => {
  const isNamed = id === 'name';

  it('lists and reads them, with the lines that keep one', async () => {
    observes(
      'operation listClients',
      'operation getClient',
      'operation listUsers',
      'operation getUser',
      'operation getScope',
      'operation listResources',
      'operation getResource',
    );
    const { call } = await controlled(configuration);
    const list = (await call(`GET ${path}`)).body[path.slice(1)];
    expect(list).toContainEqual(expect.objectContaining({ [id]: known, changed: false }));
    const { body } = await call(`GET ${path}/${known}`);
    expect(body.entry[id]).toBe(known);
    expect(body.lines[0].code).toContain(isNamed ? `${known}: {` : `${id}: '${known}'`);
    const { name, ...members } = body.entry;
    expect(JSON.parse(body.lines[1].code)).toEqual(isNamed ? { [name]: members } : body.entry);
  });

  it('makes one, which is there from then on, and deletes it again', async () => {
    const { call, sandbox } = await controlled(configuration);
    const made = await call(`POST ${path}`, entry);
    expect(made).toMatchObject({ status: 201, body: { [id]: 'till', changed: true, entry: { [id]: 'till' } } });
    expect(made.body.lines[0].code).toContain('till');
    const again = await call(`POST ${path}`, entry);
    expect([again.status, again.body.reason, again.body.errors]).toEqual([
      ...[409, 'control_entry_taken'],
      [{ member: id, sent: '"till"', expected: `a ${id} that no other ${what} has` }],
    ]);
    // a problem of the entry itself comes before a name that is taken
    expect((await call(`POST ${path}`, { ...entry, ...wrong })).status).toBe(400);
    expect((await call(`GET ${path}/till`)).status).toBe(200);
    const gone = await call(`DELETE ${path}/till`);
    expect([gone.status, gone.body.entry]).toEqual([200, undefined]);
    expect(gone.body.lines[0].code).toContain('remove the entry');
    expect((await call(`GET ${path}/till`)).status).toBe(404);
    const told = sandbox.events
      .latest('configuration.changed', 9)
      .map(({ change, subject, by }) => [change, subject, by]);
    expect(told).toEqual([
      ['deleted', 'till', 'api'],
      ['created', 'till', 'api'],
    ]);
  });

  it('patches: null returns a member to its default, and revert all of them', async () => {
    const { call } = await controlled(configuration);
    const [[member, value] = ['', '']] = Object.entries(patch);
    const patched = await call(`PATCH ${path}/${known}`, patch);
    expect(patched).toMatchObject({ status: 200, body: { changed: true, entry: { [member]: value } } });
    const back = await call(`PATCH ${path}/${known}`, { [member]: null });
    expect(back.body.entry).not.toHaveProperty(member);
    const reverted = await call(`POST ${path}/${known}/revert`);
    expect(reverted).toMatchObject({ status: 200, body: { changed: false } });
    await call(`DELETE ${path}/${known}`);
    expect(await call(`POST ${path}/${known}/revert`)).toMatchObject({ status: 200, body: { changed: false } });
    expect((await call(`POST ${path}/nobody/revert`)).status).toBe(400);
  });

  it('replaces: what is not said is at its default, and one that is not there is made', async () => {
    const { call } = await controlled(configuration);
    expect((await call(`PUT ${path}/till`, { ...entry, ...patch })).status).toBe(201);
    const replaced = await call(`PUT ${path}/till`, entry);
    expect([replaced.status, Object.keys(replaced.body.entry)]).not.toContain(Object.keys(patch)[0]);
    expect(replaced.body.entry).toEqual((await call(`GET ${path}/till`)).body.entry);
    expect(replaced.body.entry).not.toHaveProperty(Object.keys(patch)[0] ?? '');
    expect(await call(`PUT ${path}/other`, entry)).toMatchObject({ status: 400, body: { errors: [{ member: id }] } });
  });

  it('refuses all that is wrong at once, with the nearest name and the value', async () => {
    const { call } = await controlled(configuration);
    for (const request of [`POST ${path}`, `PUT ${path}/till`, `PATCH ${path}/${known}`]) {
      const { status, headers, body } = await call(request, wrong);
      expect([status, headers.get('content-type')]).toEqual([400, 'application/problem+json']);
      expect(body).toMatchObject({ status: 400, reason: expect.stringMatching(/^control_/) });
      if (!request.startsWith('PATCH')) {
        for (const problem of problems) expect(body.errors).toContainEqual(expect.objectContaining(problem));
      }
    }
    expect((await call(`GET ${path}/till`)).status).toBe(404);
  });

  it('answers an unknown one with the nearest', async () => {
    const { call } = await controlled(configuration);
    const { status, body } = await call(`DELETE ${path}/${known}x`);
    expect([status, body.reason, body.expected]).toEqual([404, 'control_entry_unknown', known]);
    expect((await call(`POST ${path}`, ['x'])).body.errors).toEqual([
      { member: '', sent: 'a list', expected: 'an object' },
    ]);
  });
});

describe('what is changed', () => {
  it('works at once: a client of the API gets a token, and no secret is in a refusal', async () => {
    const { call, sandbox } = await controlled();
    await call('POST /clients', kinds[0].entry);
    const answer = await fetch(`${sandbox.url}/oauth2/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa('till:s3cret')}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    expect(answer.status).toBe(200);
    const refused = await call('POST /clients', { client_id: 'x', client_secret: 'hush-hush\n' });
    expect(refused.status).toBe(400);
    expect(JSON.stringify(refused.body)).not.toContain('hush');
  });

  it('takes an address with slashes as an id', async () => {
    const { call } = await controlled();
    const id = 'https://app.example/client';
    const made = await call(`PUT /clients/${encodeURIComponent(id)}`, { redirect_uris: ['http://localhost:1/cb'] });
    expect([made.status, made.body.client_id]).toEqual([201, id]);
  });

  it('tells what tokens would say of a user', async () => {
    observes('operation getUserClaims');
    const { call } = await controlled();
    const { body } = await call('GET /users/alice/claims?client=frontend&scope=openid%20profile');
    expect(body).toMatchObject({ access: { sub: 'alice', client_id: 'frontend' }, userinfo: { sub: 'alice' } });
    expect((await call('GET /users/alice/claims?client=nobody')).body.errors).toMatchObject([{ member: 'client' }]);
    expect((await call('GET /users/alice/claims')).body.errors).toMatchObject([{ member: 'client' }]);
    expect((await call('GET /users/nobody/claims?client=frontend')).status).toBe(404);
  });

  it('is of one issuer alone', async () => {
    const { call, sandbox } = await controlled({ issuers: { tenant: {} } }, '/tenant');
    await call('POST /users', { sub: 'tess' });
    expect(await sandbox.users.get('tess')).toBeUndefined();
    expect(await sandbox.issuers.get('tenant')?.users.get('tess')).toEqual({ sub: 'tess' });
  });
});
