import { decodeProtectedHeader } from 'jose';
import { describe, expect, it } from 'vitest';
import type { Sandbox } from '../../../../src/index.ts';
import { observes } from '../../../observed.ts';
import { createAgent } from '../../../support/agent.ts';
import { controlled } from './support.ts';

async function tokenOf(sandbox: Sandbox): Promise<string> {
  const response = await fetch(`${sandbox.url}/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa('sensor:sensor-secret')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'telemetry:write' }),
  });
  const { access_token } = (await response.json()) as { access_token: string };
  return access_token;
}
const introspected = async (sandbox: Sandbox, token: string) => {
  const response = await fetch(`${sandbox.url}/oauth2/introspect`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa('sensor:sensor-secret')}` },
    body: new URLSearchParams({ token }),
  });
  return ((await response.json()) as { active: boolean }).active;
};
const kids = async (sandbox: Sandbox) => {
  const { keys } = (await (await fetch(`${sandbox.url}/oauth2/jwks`)).json()) as { keys: { kid: string }[] };
  return keys.map(({ kid }) => kid);
};

describe('/keys', () => {
  it('lists and rotates keys, and unpublishes those that no longer sign', async () => {
    observes('operation listKeys', 'operation rotateKeys', 'operation unpublishKeys');
    const { call, sandbox } = await controlled();
    const before = (await call('GET /keys')).body.keys;
    expect(before[0]).toMatchObject({ signing: true, published: true, alg: 'RS256' });
    expect(JSON.stringify(before)).not.toContain('"d"');
    const rotated = (await call('POST /keys/rotate')).body.keys;
    expect(rotated.map(({ kid }: { kid: string }) => kid)).toContain(before[0].kid);
    expect(decodeProtectedHeader(await tokenOf(sandbox)).kid).toBe(rotated[0].kid);
    expect(await kids(sandbox)).toContain(before[0].kid);
    await call('POST /keys/unpublish');
    expect(await kids(sandbox)).not.toContain(before[0].kid);
    await call('POST /keys/rotate', { unpublish: true });
    expect(await kids(sandbox)).not.toContain(rotated[0].kid);
    expect((await call('POST /keys/rotate', { unpublish: 'yes' })).body.errors).toEqual([
      { member: 'unpublish', sent: '"yes"', expected: 'true or false' },
    ]);
  });
});

describe('/tokens', () => {
  it('lists by query, reads with claims, expires, resumes and revokes', async () => {
    observes(
      'operation listTokens',
      'operation getToken',
      'operation expireToken',
      'operation resumeToken',
      'operation revokeToken',
    );
    const { call, sandbox } = await controlled();
    const token = await tokenOf(sandbox);
    const { tokens } = (await call('GET /tokens?q=client:sensor')).body;
    expect(tokens).toMatchObject([{ token, tokenType: 'access', status: 'valid', client_id: 'sensor' }]);
    expect((await call('GET /tokens?q=client:frontend')).body.tokens).toEqual([]);
    const at = `/tokens/${tokens[0].tokenId}`;
    expect((await call(`GET ${at}`)).body).toMatchObject({ claims: { client_id: 'sensor' } });
    expect((await call(`POST ${at}/expire`)).body.status).toBe('expired');
    expect(await introspected(sandbox, token)).toBe(false);
    expect((await call(`POST ${at}/resume`)).body.status).toBe('valid');
    expect(await introspected(sandbox, token)).toBe(true);
    expect((await call(`POST ${at}/revoke`)).body.status).toBe('revoked');
    expect(await introspected(sandbox, token)).toBe(false);
    expect((await call('POST /tokens/tok_none/revoke')).status).toBe(404);
    expect((await call('GET /tokens?q=colour:red')).body.errors[0]).toMatchObject({ member: 'q', sent: 'colour:red' });
  });

  it('inspects any token: signature, claims, status and refusals', async () => {
    observes('operation inspectToken');
    const { call, sandbox } = await controlled();
    sandbox.clock.freeze();
    const inspect = async (token: unknown) => (await call('POST /tokens/inspect', { token })).body;
    const token = await tokenOf(sandbox);
    await fetch(`${sandbox.url}/api/bikes`, { headers: { authorization: `Bearer ${token}` } });
    const good = await inspect(` ${token}\n`);
    expect(good).toMatchObject({
      ...{ format: 'jwt', header: { alg: 'RS256' }, claims: { client_id: 'sensor' }, faults: [] },
      signature: { ok: true, key: 'signing' },
      issued: { tokenType: 'access', status: 'valid' },
      refusals: [{ endpoint: 'api', error: 'insufficient_scope', status: 403 }],
    });
    sandbox.clock.advance('2h');
    expect((await inspect(token)).faults).toEqual(['Expired 1 h 55 min ago.']);
    const foreign = [{ alg: 'none' }, { iss: 'https://other.example', nbf: 1e11 }].map(part =>
      Buffer.from(JSON.stringify(part)).toString('base64url'),
    );
    expect((await inspect(`${foreign.join('.')}.`)).faults).toEqual([
      'No key of this issuer signed it: it is not signed at all.',
      `iss is "https://other.example"; this sandbox is ${sandbox.issuer}.`,
      'No aud: the token does not name its receiver.',
      expect.stringMatching(/^Not valid yet, valid in .+\.$/),
      'No exp: the token never expires.',
    ]);
    const compared = async (expected: object) =>
      (await call('POST /tokens/inspect', { token, expected })).body.faults.filter(
        (fault: string) => !fault.startsWith('Expired'),
      );
    expect(await compared({ issuer: sandbox.issuer, audience: 'sensor', typ: 'application/AT+jwt' })).toEqual([]);
    expect(await compared({ audience: 'my-api', typ: 'JWT' })).toEqual([
      'aud is "sensor", and "my-api" is expected.',
      'typ is "at+jwt", and "JWT" is expected.',
    ]);
    const { token: unnamed } = await sandbox.issueToken({ client: 'sensor', claims: { aud: null } });
    const absent = await call('POST /tokens/inspect', { token: unnamed, expected: { audience: 'my-api' } });
    expect(absent.body.faults).toEqual(['There is no aud, and "my-api" is expected.']);
    expect(
      (await call('POST /tokens/inspect', { token, expected: { issuer: `${sandbox.issuer}/` } })).body.faults,
    ).toContain(`iss is "${sandbox.issuer}", and "${sandbox.issuer}/" is expected.`);
    expect(await inspect('opaque')).toEqual({
      format: 'opaque',
      faults: ['The history has no such token.'],
      refusals: [],
    });
    expect(await inspect('a.b.c.d.e')).toMatchObject({ format: 'encrypted' });
    const refresh = await sandbox.issueToken({ client: 'frontend', user: 'alice', type: 'refresh' });
    const { tokenId } = (await inspect(refresh.token)).issued;
    await call(`POST /tokens/${tokenId}/revoke`);
    expect((await inspect(refresh.token)).faults[0]).toMatch(/^It was revoked\./);
    const nested = Buffer.from(`{"a":${'['.repeat(40)}${']'.repeat(40)}}`).toString('base64url');
    expect(await inspect(`${foreign[0]}.${nested}.`)).toMatchObject({ format: 'opaque' });
    expect((await call('POST /tokens/inspect', { token: 'x'.repeat(70_000) })).status).toBe(400);
    expect((await call('POST /tokens/inspect', { token: 5 })).body.errors).toMatchObject([
      { member: 'token', sent: '5' },
    ]);
  });

  it('pages, the latest first', async () => {
    const { call, sandbox } = await controlled();
    const sent = [await tokenOf(sandbox), await tokenOf(sandbox), await tokenOf(sandbox)];
    const first = (await call('GET /tokens?limit=2')).body.tokens;
    expect(first.map(({ token }: { token: string }) => token)).toEqual([sent[2], sent[1]]);
    const next = (await call(`GET /tokens?limit=2&before=${first[1].id}`)).body.tokens;
    expect(next.map(({ token }: { token: string }) => token)).toEqual([sent[0]]);
  });
});

async function login(sandbox: Sandbox): Promise<ReturnType<typeof createAgent>> {
  const agent = createAgent(sandbox.url);
  await sandbox.nextLogin({ sub: 'alice' });
  const query = new URLSearchParams({
    ...{ response_type: 'code', client_id: 'frontend', redirect_uri: 'http://localhost:8080/dashboard', state: 'x' },
    ...{ code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' },
  });
  await agent.open(`${sandbox.url}/oauth2/authorize?${query}`);
  return agent;
}

describe('/sessions and /reset', () => {
  it('lists logins, and ends one, or all', async () => {
    observes('operation listSessions', 'operation endSession');
    const { call, sandbox } = await controlled();
    await login(sandbox);
    const [session] = (await call('GET /sessions?sub=alice')).body.sessions;
    expect(session).toMatchObject({ sub: 'alice' });
    expect((await call('GET /sessions?sub=bob')).body.sessions).toEqual([]);
    expect((await call(`DELETE /sessions/${session.sid}`)).body).toEqual({ sid: session.sid, ended: true });
    expect((await call(`DELETE /sessions/${session.sid}`)).status).toBe(404);
    expect((await call('GET /sessions')).body.sessions).toEqual([]);
    await login(sandbox);
    expect((await call('POST /reset', { part: 'sessions' })).body).toEqual({ reset: 'sessions' });
    expect((await call('GET /sessions')).body.sessions).toEqual([]);
    expect(sandbox.events.latest('session.ended', 9)).toHaveLength(2);
  });

  it('resets one part and leaves the others', async () => {
    observes('operation reset');
    const { call, sandbox } = await controlled();
    await sandbox.users.create({ sub: 'tess' });
    await call('POST /reset', { part: 'history' });
    expect(sandbox.events.latest('configuration.changed', 9)).toEqual([]);
    expect((await call('GET /users/tess')).status).toBe(200);
    await call('POST /reset', { part: 'configuration' });
    expect((await call('GET /users/tess')).status).toBe(404);
    sandbox.clock.advance(3600);
    await call('POST /reset', { part: 'clock' });
    expect(sandbox.clock.state()).toMatchObject({ offset: 0 });
    const { body } = await call('POST /reset', { part: 'sesions' });
    expect(body.errors).toMatchObject([{ member: 'part', sent: '"sesions"', nearest: 'sessions' }]);
  });

  it('brings the rows of the sample backend back', async () => {
    const scopes = { readScope: 'telemetry:write', writeScope: 'telemetry:write' };
    const things = { ...scopes, fields: { name: 'string' }, seed: [{ name: 'bell' }] } as const;
    const { call, sandbox } = await controlled({ collections: { things } });
    const path = '/api/things';
    const authorization = `Bearer ${await tokenOf(sandbox)}`;
    const status = async (method = 'GET') =>
      (await fetch(`${sandbox.url}${path}/1`, { method, headers: { authorization } })).status;
    expect([await status(), await status('DELETE'), await status()]).toEqual([200, 204, 404]);
    await call('POST /reset', { part: 'history' });
    expect(await status()).toBe(404);
    await call('POST /reset', { part: 'resources' });
    expect(await status()).toBe(200);
  });

  it('forgets everything without a part', async () => {
    const { call, sandbox } = await controlled();
    await login(sandbox);
    await sandbox.users.create({ sub: 'tess' });
    expect((await call('POST /reset')).body).toEqual({ reset: 'everything' });
    expect(sandbox.events.latest('login.succeeded', 9)).toEqual([]);
    expect((await call('GET /sessions')).body.sessions).toEqual([]);
    expect(await sandbox.users.get('tess')).toBeUndefined();
  });
});

describe('/resources', () => {
  it('are a part of the sample backend and of its metadata at once, and keep their rows where they can', async () => {
    const { call, sandbox } = await controlled();
    const scopes = { readScope: 'telemetry:write', writeScope: 'telemetry:write' };
    await call('POST /resources', { name: 'things', ...scopes, fields: { name: 'string' } });
    const authorization = `Bearer ${await tokenOf(sandbox)}`;
    const ask = (method: string, body?: object) =>
      fetch(`${sandbox.url}/api/things`, {
        ...{ method, headers: { authorization, 'content-type': 'application/json' } },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    expect((await ask('POST', { name: 'bell' })).status).toBe(201);
    expect((await call('PATCH /resources/things', { readMaxAge: 9 })).body.entry.readMaxAge).toBe(9);
    expect(await call('PATCH /resources/things', { readMaxAge: null })).toMatchObject({ status: 200 });
    expect(await (await ask('GET')).json()).toEqual([{ id: 1, name: 'bell' }]);
    const metadata = `${sandbox.url}/.well-known/oauth-protected-resource/api/things`;
    expect(await (await fetch(metadata)).json()).toMatchObject({ resource: `${sandbox.issuer}/api/things` });
    await call('PATCH /resources/things', { seed: [{ name: 'horn' }] });
    expect(await (await ask('GET')).json()).toEqual([{ id: 1, name: 'horn' }]);
    await call('POST /reset', { part: 'configuration' });
    expect([(await ask('GET')).status, (await fetch(metadata)).status]).toEqual([404, 404]);
  });

  it('bring their scopes with them', async () => {
    const { call } = await controlled();
    const { body } = await call('POST /resources', {
      name: 'till',
      readScope: 'till:read',
      fields: { drawer: 'string' },
    });
    expect(body.notes.join()).toContain('till:read is new');
    expect((await call('GET /scopes/till:read')).status).toBe(200);
  });
});

describe('/scopes and /settings', () => {
  it('release claims at once, and stay for as long as somebody has them', async () => {
    const { call, sandbox } = await controlled();
    await call('POST /scopes', { name: 'till', access_token_claims: { drawer: 'left' } });
    await call('PATCH /clients/sensor', { scope: 'telemetry:write till' });
    const { claims } = await sandbox.issueToken({ client: 'sensor', scope: 'till' });
    expect(claims).toMatchObject({ drawer: 'left' });
    const kept = await call('DELETE /scopes/till');
    expect([kept.status, kept.body.expected]).toEqual([400, 'a scope that no client has; sensor has it']);
    expect((await call('DELETE /scopes/openid')).status).toBe(400);
    await call('PATCH /clients/sensor', { scope: '' });
    expect((await call('DELETE /scopes/till')).status).toBe(200);
  });

  it('lists scopes, including those added with a client', async () => {
    observes('operation listScopes');
    const { call } = await controlled();
    await call('PATCH /clients/sensor', { scope: 'read write polish' });
    const { scopes } = (await call('GET /scopes')).body;
    expect(scopes.map(({ name }: { name: string }) => name)).toEqual(expect.arrayContaining(['openid', 'polish']));
  });

  it('lists settings, and no secret of them', async () => {
    observes('operation listSettings');
    const { call } = await controlled({ codeLifetime: 77, registration: 'token', registrationToken: 'hush-hush' });
    const { settings } = (await call('GET /settings')).body;
    expect(settings).toContainEqual(expect.objectContaining({ name: 'CODE_LIFETIME', value: '77' }));
    expect(settings).toContainEqual(expect.objectContaining({ name: 'REGISTRATION_TOKEN', value: '***' }));
    expect(JSON.stringify(settings)).not.toContain('hush');
  });
});
