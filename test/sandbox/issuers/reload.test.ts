import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeJwt } from 'jose';
import { afterEach, describe, expect, it } from 'vitest';
import { createSandbox } from '../../../src/index.ts';
import { ConfigError } from '../../../src/sandbox/config/load-config.ts';
import type { SandboxConfig } from '../../../src/sandbox/config/sandbox-config.ts';
import { type SandboxProcess, startSandbox } from '../../../src/sandbox/sandbox.ts';
import { createAgent } from '../../support/agent.ts';
import { loadConfig } from '../../support/load-config.ts';
import { newFolder } from '../../support/new-folder.ts';

const started: { stop(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map(sandbox => sandbox.stop()));
});

interface FromFile {
  readonly sandbox: SandboxProcess;
  /** Another content for the file, which nobody watches. */
  write(content: unknown): void;
  /** The same, read again. */
  change(content: SandboxConfig): ReturnType<SandboxProcess['reload']>;
}

const noPort = { PORT: '0', WATCH: 'off' };

async function fromFile(content: SandboxConfig, env: Readonly<Record<string, string>> = {}): Promise<FromFile> {
  const cwd = newFolder({ 'clients.config.json': content });
  const sandbox = await startSandbox(await loadConfig({ cwd, env: { ...noPort, ...env } }));
  started.push(sandbox);
  const write = (next: unknown) => writeFileSync(join(cwd, 'clients.config.json'), JSON.stringify(next));
  return {
    sandbox,
    write,
    change(next) {
      write(next);
      return sandbox.reload();
    },
  };
}

const machine = (client_id: string, more: object = {}) => ({
  ...{ client_id, client_secret: `${client_id}-secret`, grant_types: ['client_credentials' as const] },
  ...{ scope: 'telemetry:write', ...more },
});
const spa = { client_id: 'spa', redirect_uris: ['https://spa.example/cb'], scope: 'openid' };

async function tokens(url: string, client: string, form: Record<string, string> = {}) {
  const response = await fetch(`${url}/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${client}:${client}-secret`)}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', ...form }),
  });
  return (await response.json()) as Record<string, unknown>;
}
const metadata = async (url: string) =>
  (await (await fetch(`${url}/.well-known/openid-configuration`)).json()) as Record<string, unknown>;

describe('a configuration that is read again', () => {
  it('adds, changes and removes clients and users', async () => {
    const { sandbox, change } = await fromFile({
      clients: [machine('one'), machine('two')],
      users: [{ sub: 'ann', claims: { email: 'ann@old.example' } }, { sub: 'ben' }],
    });
    const changed = await change({
      clients: [machine('two', { access_token_lifetime: 7 }), machine('three')],
      users: [{ sub: 'ann', claims: { email: 'ann@new.example' } }, { sub: 'cy' }],
    });
    expect(await tokens(sandbox.url, 'three')).toHaveProperty('access_token');
    expect(await tokens(sandbox.url, 'two')).toMatchObject({ expires_in: 7 });
    expect(await tokens(sandbox.url, 'one')).toMatchObject({ error: 'invalid_client' });
    expect((await sandbox.users.list()).map(({ sub }) => sub)).toEqual(['ann', 'cy']);
    expect(await sandbox.users.get('ann')).toMatchObject({ claims: { email: 'ann@new.example' } });
    expect(changed).toEqual({
      file: 'clients.config.json',
      issuers: {},
      settings: [],
      atNextStart: [],
      entries: [
        {
          ...{ kind: 'client', name: 'two', change: 'changed' },
          members: [{ member: 'access_token_lifetime', to: '7' }],
        },
        { kind: 'client', name: 'three', change: 'added', members: [] },
        { kind: 'client', name: 'one', change: 'removed', members: [] },
        {
          ...{ kind: 'user', name: 'ann', change: 'changed' },
          members: [{ member: 'claims.email', from: '"ann@old.example"', to: '"ann@new.example"' }],
        },
        { kind: 'user', name: 'cy', change: 'added', members: [] },
        { kind: 'user', name: 'ben', change: 'removed', members: [] },
      ],
    });
    const { issuers: _, ...own } = changed;
    expect(sandbox.events.latest('configuration.reloaded', 1)).toMatchObject([{ by: 'library', ...own }]);
  });

  it('adds, changes and removes rules for claims', async () => {
    const clients = [machine('one')];
    const { sandbox, change } = await fromFile({ clients });
    const changes: unknown[] = [];
    const seals: unknown[] = [];
    for (const tokenClaims of [[{ claims: { seal: 'red' } }], [{ claims: { seal: 'blue' } }], []]) {
      changes.push(...(await change({ clients, tokenClaims })).entries);
      const { access_token = '' } = await tokens(sandbox.url, 'one');
      seals.push(decodeJwt(String(access_token)).seal);
    }
    expect(seals).toEqual(['red', 'blue', undefined]);
    expect(changes).toEqual([
      { kind: 'rule', name: 'tokenClaims[0]', change: 'added', members: [] },
      {
        ...{ kind: 'rule', name: 'tokenClaims[0]', change: 'changed' },
        members: [{ member: 'claims.seal', from: '"red"', to: '"blue"' }],
      },
      { kind: 'rule', name: 'tokenClaims[0]', change: 'removed', members: [] },
    ]);
  });

  it('revokes the tokens of a removed client', async () => {
    const { sandbox, change } = await fromFile({ clients: [machine('one'), machine('two')] });
    const { access_token } = await tokens(sandbox.url, 'one');
    await change({ clients: [machine('two')] });
    const asked = await fetch(`${sandbox.url}/oauth2/introspect`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa('two:two-secret')}` },
      body: new URLSearchParams({ token: String(access_token) }),
    });
    expect(await asked.json()).toEqual({ active: false });
    expect(sandbox.events.latest('token.revoked', 1)).toMatchObject([{ client_id: 'one', reason: 'revoked_by_owner' }]);
  });

  it('lets a login, its tokens and the keys live', async () => {
    const { sandbox, change } = await fromFile({ clients: [spa], users: [{ sub: 'ann' }] });
    const login = await sandbox.login({ client: 'spa', user: 'ann', as: 'tokens' });
    const keys = await (await fetch(`${sandbox.url}/oauth2/jwks`)).text();
    await change({ clients: [{ ...spa, client_name: 'Another name' }], users: [{ sub: 'ann' }, { sub: 'ben' }] });
    const headers = { authorization: `Bearer ${login.access_token}` };
    expect(await (await fetch(`${sandbox.url}/userinfo`, { headers })).json()).toMatchObject({ sub: 'ann' });
    expect(await (await fetch(`${sandbox.url}/oauth2/jwks`)).text()).toBe(keys);
  });

  it('keeps run-time changes of entries that the file did not change', async () => {
    const { sandbox, change } = await fromFile({ clients: [machine('one'), machine('two')], users: [{ sub: 'ann' }] });
    await sandbox.clients.patch('one', { client_name: 'Renamed' });
    await sandbox.clients.create(machine('made'));
    await sandbox.users.patch('ann', { claims: { email: 'ann@example.com' } });
    await sandbox.clients.delete('two');
    await change({ clients: [machine('one'), machine('two'), machine('three')], users: [{ sub: 'ann' }] });
    expect(await sandbox.clients.get('one')).toMatchObject({ client_name: 'Renamed' });
    expect(await sandbox.users.get('ann')).toMatchObject({ claims: { email: 'ann@example.com' } });
    expect((await sandbox.clients.list()).map(each => each.client_id)).toEqual(['one', 'made', 'three']);
  });

  it('keeps scopes and collections created or changed at run time, and self-registered clients', async () => {
    const open = { readScope: 'telemetry:write', fields: { text: 'string' } } as const;
    const said = { clients: [machine('one')], scopes: { mine: 'do things' }, collections: { notes: open } };
    const { sandbox, change } = await fromFile(said);
    await sandbox.scopes.patch('mine', { description: 'do other things' });
    await sandbox.scopes.create({ name: 'made', description: 'do more' });
    await sandbox.resources.create({ name: 'made', ...open });
    const registered = await fetch(`${sandbox.url}/connect/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ redirect_uris: ['https://rp.example/cb'] }),
    });
    const { client_id } = (await registered.json()) as { client_id: string };
    await change({ ...said, collections: { notes: { ...open, writeScope: 'telemetry:write' } } });
    expect(await sandbox.scopes.get('mine')).toMatchObject({ description: 'do other things' });
    expect(await sandbox.scopes.get('made')).toMatchObject({ description: 'do more' });
    expect((await sandbox.resources.list()).map(({ name }) => name)).toEqual(['notes', 'made']);
    expect(await sandbox.resources.get('notes')).toMatchObject({ writeScope: 'telemetry:write' });
    expect(await sandbox.clients.get(client_id)).toBeDefined();
  });

  it('overrides run-time changes of entries that the file changed', async () => {
    const { sandbox, change } = await fromFile({ clients: [machine('one'), machine('two')] });
    await sandbox.clients.patch('one', { client_name: 'By hand' });
    await sandbox.clients.delete('two');
    await change({ clients: [machine('one', { client_name: 'By file' }), machine('two', { client_name: 'Back' })] });
    expect(await sandbox.clients.get('one')).toMatchObject({ client_name: 'By file' });
    expect(await tokens(sandbox.url, 'two')).toHaveProperty('access_token');
  });

  it('is the target of a reset and of a revert', async () => {
    const { sandbox, change } = await fromFile({ clients: [machine('one')], users: [{ sub: 'ann' }] });
    await change({ clients: [machine('one', { client_name: 'New' }), machine('two')], users: [{ sub: 'ben' }] });
    await sandbox.clients.patch('one', { client_name: 'By hand' });
    await sandbox.clients.revert('one');
    expect(await sandbox.clients.get('one')).toMatchObject({ client_name: 'New' });
    await sandbox.clients.delete('two');
    await sandbox.users.create({ sub: 'cy' });
    await sandbox.reset('configuration');
    expect((await sandbox.clients.list()).map(each => each.client_id)).toEqual(['one', 'two']);
    expect((await sandbox.users.list()).map(({ sub }) => sub)).toEqual(['ben']);
  });

  it('makes way for its own users and clients among those that were made while it ran', async () => {
    const { sandbox, change } = await fromFile({ clients: [machine('one')], users: [{ sub: 'ann' }] });
    await sandbox.clients.create(machine('x'));
    await sandbox.users.create({ sub: 'y' });
    await change({ clients: [machine('one'), machine('y')], users: [{ sub: 'ann' }, { sub: 'x' }] });
    expect((await sandbox.clients.list()).map(each => each.client_id)).toEqual(['one', 'y']);
    expect((await sandbox.users.list()).map(({ sub }) => sub)).toEqual(['ann', 'x']);
  });

  it('shows no secret', async () => {
    const { sandbox, change } = await fromFile({
      clients: [machine('one')],
      users: [{ sub: 'ann', password: 'old-pw' }],
    });
    const { entries } = await change({
      clients: [machine('one', { client_secret: 'another-secret' })],
      users: [{ sub: 'ann', password: 'new-pw' }],
    });
    expect(entries.map(({ members }) => members)).toEqual([
      [{ member: 'client_secret', from: '***', to: '***' }],
      [{ member: 'password', from: '***', to: '***' }],
    ]);
    expect(JSON.stringify(sandbox.events.latest('configuration.reloaded', 1))).not.toMatch(
      /another-secret|old-pw|new-pw/,
    );
  });
});

describe('a configuration with problems', () => {
  it('is refused with all problems, and the old configuration stays', async () => {
    const { sandbox, change, write } = await fromFile({ clients: [machine('one')], codeLifetime: 50 });
    write({ clients: [machine('two', { client_secret: 3 })], codeLifetime: 'long', prot: 1 });
    const refused: unknown = await sandbox.reload().catch(error => error);
    expect(refused).toBeInstanceOf(ConfigError);
    expect((refused as ConfigError).problems).toHaveLength(3);
    expect(await tokens(sandbox.url, 'one')).toHaveProperty('access_token');
    expect((await sandbox.clients.list()).map(each => each.client_id)).toEqual(['one']);
    const [event] = sandbox.events.latest('configuration.refused', 1);
    expect(event).toMatchObject({ file: 'clients.config.json', by: 'library' });
    expect(event?.problems).toContain('clients.config.json: prot: expected a known name (did you mean port?)');
    expect(event?.problems).toContain('clients.config.json: clients[0].client_secret: found ***, expected text');
    expect((await change({ clients: [machine('two')], codeLifetime: 50 })).entries).toHaveLength(2);
  });

  it('is one that is not there, or cannot be read', async () => {
    const { sandbox, write } = await fromFile({});
    write('no object');
    await expect(sandbox.reload()).rejects.toThrow('expected an object as default export');
    expect(sandbox.events.latest('configuration.refused', 1)).toMatchObject([
      { problems: [expect.stringMatching(/^clients\.config\.json: /)] },
    ]);
  });
});

describe('settings of a configuration that is read again', () => {
  it('are in effect at once where that can be', async () => {
    const { sandbox, change } = await fromFile({ clients: [machine('one')] });
    const { settings, atNextStart } = await change({
      clients: [machine('one')],
      ...{ accessTokenLifetime: 77, codeLifetime: 11, acrValues: ['gold'], requireSignedRequests: true },
    });
    expect(settings.map(({ name, to }) => `${name} ${to}`).sort()).toEqual([
      'ACCESS_TOKEN_LIFETIME 77',
      'ACR_VALUES gold',
      'CODE_LIFETIME 11',
      'REQUIRE_SIGNED_REQUESTS on',
    ]);
    expect(atNextStart).toEqual([]);
    expect(await tokens(sandbox.url, 'one')).toMatchObject({ expires_in: 77 });
    expect(await metadata(sandbox.url)).toMatchObject({
      acr_values_supported: ['gold'],
      require_signed_request_object: true,
    });
  });

  it('are shown by a page that was open before', async () => {
    const { sandbox, change } = await fromFile({ codeLifetime: 41 });
    const inEffect = async () => {
      const page = await (await fetch(`${sandbox.url}/dashboard/settings`)).text();
      return /CODE_LIFETIME[\s\S]{0,300}?\b(\d\d)\b/.exec(page.slice(page.indexOf('id="effective-settings"')))?.[1];
    };
    expect(await inEffect()).toBe('41');
    await change({ codeLifetime: 42 });
    expect(await inEffect()).toBe('42');
  });

  it('wait for the next start where they must, and are told until then', async () => {
    const { sandbox, change } = await fromFile({ clients: [machine('one')] });
    const waiting = { host: '127.0.0.1', signingAlg: 'ES256', historySize: 200, seed: 'a seed' } as const;
    const { settings, atNextStart } = await change({ clients: [machine('one')], ...waiting });
    expect(settings).toEqual([]);
    expect(Object.fromEntries(atNextStart.map(({ name, to }) => [name, to]))).toEqual({
      HOST: '127.0.0.1',
      SIGNING_ALG: 'ES256',
      HISTORY_SIZE: '200',
      SEED: '***',
    });
    const again = await change({ clients: [machine('one')], ...waiting, codeLifetime: 9 });
    expect(again.settings).toEqual([{ name: 'CODE_LIFETIME', from: '60', to: '9' }]);
    expect(again.atNextStart).toHaveLength(4);
    const { settings: shown } = (await (await fetch(`${sandbox.url}/_sandbox/settings`)).json()) as {
      settings: { name: string; value: string }[];
    };
    const value = (name: string) => shown.find(row => row.name === name)?.value;
    expect([value('SIGNING_ALG'), value('CODE_LIFETIME')]).toEqual(['RS256', '9']);
    expect((await change({ clients: [machine('one')] })).atNextStart).toEqual([]);
  });

  it('reach clients that say nothing of them, and leave alone what was changed of those', async () => {
    const { sandbox, change } = await fromFile({
      clients: [machine('one'), machine('two', { access_token_lifetime: 20 })],
    });
    await sandbox.clients.patch('one', { client_name: 'By hand' });
    await change({
      clients: [machine('one'), machine('two', { access_token_lifetime: 20 })],
      accessTokenLifetime: 77,
    });
    expect(await tokens(sandbox.url, 'one')).toMatchObject({ expires_in: 77 });
    expect(await tokens(sandbox.url, 'two')).toMatchObject({ expires_in: 20 });
    expect(await sandbox.clients.get('one')).toMatchObject({ client_name: 'By hand' });
  });

  it('leave alone a client that says what the default was, or what it has become', async () => {
    const own = (accessTokenLifetime: number) => ({
      clients: [machine('one', { access_token_lifetime: 300 }), machine('two', { access_token_lifetime: 77 })],
      accessTokenLifetime,
    });
    const { sandbox, change } = await fromFile(own(300));
    await sandbox.clients.patch('one', { client_name: 'By hand' });
    await sandbox.clients.patch('two', { scope: null });
    for (const lifetime of [77, 300, 77]) {
      expect(await change(own(lifetime))).toMatchObject({ entries: [], settings: [{ to: String(lifetime) }] });
      expect(await tokens(sandbox.url, 'one')).toMatchObject({ expires_in: 300 });
      expect(await tokens(sandbox.url, 'two')).toMatchObject({ expires_in: 77 });
    }
    expect(await sandbox.clients.get('one')).toMatchObject({ client_name: 'By hand' });
    expect(await sandbox.clients.get('two')).not.toHaveProperty('scope');
    const { entries } = await change({ ...own(300), clients: [machine('one', { access_token_lifetime: 60 })] });
    expect(entries).toMatchObject([
      { name: 'one', members: [{ to: '60' }] },
      { name: 'two', change: 'removed' },
    ]);
    expect(await tokens(sandbox.url, 'one')).toMatchObject({ expires_in: 60 });
  });

  it('stay under flags and environment', async () => {
    const { change } = await fromFile({}, { CODE_LIFETIME: '30', USERS: '[{"sub":"zoe"}]' });
    expect(await change({ codeLifetime: 20, users: [{ sub: 'ann' }] })).toMatchObject({ settings: [], entries: [] });
  });

  it('leave clients of a profile that waits for the next start as they are', async () => {
    const { sandbox, change } = await fromFile({ clients: [{ ...spa, client_id: 'old' }], users: [{ sub: 'ann' }] });
    const next = await change({
      clients: [{ ...spa, client_id: 'old' }, spa],
      users: [{ sub: 'ann' }],
      profile: 'fapi2',
    });
    expect(next.atNextStart).toContainEqual({ name: 'PROFILE', from: 'none', to: 'fapi2' });
    expect(next.entries).toMatchObject([{ name: 'spa', change: 'added' }]);
    const { id_token = '' } = await sandbox.login({ client: 'spa', user: 'ann', as: 'tokens' });
    expect(JSON.parse(atob(id_token.split('.')[0] ?? ''))).toMatchObject({ alg: 'RS256' });
  });

  it('tell of a grant that only a start can turn on', async () => {
    const { change } = await fromFile({ clients: [machine('one')] });
    const { atNextStart } = await change({ clients: [machine('one', { grant_types: ['password'] })] });
    expect(atNextStart).toEqual([{ name: 'FEATURES', from: 'password=off', to: 'password=on' }]);
  });
});

describe('the other parts of a configuration', () => {
  it('is known when it is read again: scopes, types of authorization details, trusted issuers', async () => {
    const { sandbox, change } = await fromFile({
      clients: [machine('one')],
      scopes: { old: 'do old things' },
      authorizationDetailsTypes: { payment_initiation: {} },
    });
    const { entries } = await change({
      clients: [machine('one')],
      scopes: { new: 'do new things' },
      authorizationDetailsTypes: { payment_initiation: {}, payment: {} },
      trustedIssuers: { 'https://idp.example': { jwks_uri: 'https://idp.example/jwks' } },
    });
    expect(entries.map(({ kind, name, change }) => `${kind} ${name} ${change}`)).toEqual([
      'scope new added',
      'scope old removed',
      'authorization details type payment added',
      'trusted issuer https://idp.example added',
    ]);
    const { scopes_supported, authorization_details_types_supported } = await metadata(sandbox.url);
    expect(scopes_supported).toContain('new');
    expect(scopes_supported).not.toContain('old');
    expect(authorization_details_types_supported).toEqual(['payment_initiation', 'payment']);
  });

  it('is what the sample backend has; rows stay where fields and seed do', async () => {
    const fields = { text: 'string' } as const;
    const open = { readScope: 'telemetry:write', writeScope: 'telemetry:write', fields };
    const { sandbox, change } = await fromFile({
      clients: [machine('one')],
      collections: { kept: open, changed: { ...open, seed: [{ text: 'old' }] }, gone: open },
    });
    const headers = {
      authorization: `Bearer ${(await tokens(sandbox.url, 'one', { scope: 'telemetry:write' })).access_token}`,
      'content-type': 'application/json',
    };
    const rows = async (name: string) => (await fetch(`${sandbox.url}/api/${name}`, { headers })).json();
    for (const name of ['kept', 'changed'])
      await fetch(`${sandbox.url}/api/${name}`, { method: 'POST', headers, body: '{"text":"mine"}' });
    await change({
      clients: [machine('one')],
      collections: {
        kept: open,
        changed: { ...open, seed: [{ text: 'new' }] },
        added: { ...open, seed: [{ text: 'hi' }] },
      },
    });
    expect(await rows('kept')).toEqual([{ id: 1, text: 'mine' }]);
    expect(await rows('changed')).toEqual([{ id: 1, text: 'new' }]);
    expect(await rows('added')).toEqual([{ id: 1, text: 'hi' }]);
    expect((await fetch(`${sandbox.url}/api/gone`, { headers })).status).toBe(404);
    await sandbox.reset('resources');
    expect(await rows('kept')).toEqual([]);
    expect(await rows('changed')).toEqual([{ id: 1, text: 'new' }]);
  });

  it('is the rule of the sample backend for tokens', async () => {
    const { sandbox, change } = await fromFile({ clients: [machine('one')] });
    const { access_token } = await tokens(sandbox.url, 'one', { scope: 'telemetry:write' });
    const post = async () =>
      (
        await fetch(`${sandbox.url}/api/telemetry`, {
          method: 'POST',
          headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
          body: '{"sensorId":"s","value":1,"unit":"C"}',
        })
      ).status;
    expect(await post()).not.toBe(401);
    await change({ clients: [machine('one')], apiAudience: ['https://api.example'] });
    expect(await post()).toBe(401);
  });

  it('signs in whom it says', async () => {
    const { sandbox, change } = await fromFile({ clients: [spa], users: [{ sub: 'ann' }] });
    const url = `${sandbox.url}/oauth2/authorize?${new URLSearchParams({
      ...{ client_id: 'spa', redirect_uri: 'https://spa.example/cb', response_type: 'code', scope: 'openid' },
      ...{ code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' },
    })}`;
    expect((await createAgent(sandbox.url).open(url)).status).toBe(200);
    await change({ clients: [spa], users: [{ sub: 'ann' }], autoLogin: 'ann' });
    expect((await createAgent(sandbox.url).open(url)).url.href).toMatch(/^https:\/\/spa\.example\/cb\?code=/);
  });
});

describe('several issuers of a configuration that is read again', () => {
  it('each get their own part', async () => {
    const { sandbox, change } = await fromFile({
      clients: [machine('one')],
      issuers: { a: { clients: [machine('in-a')] }, b: {} },
    });
    const changed = await change({
      clients: [machine('one')],
      issuers: { a: { clients: [machine('other-a')], codeLifetime: 9 }, c: {} },
    });
    expect(changed.entries).toEqual([]);
    expect(changed.atNextStart).toEqual([{ name: 'issuers', from: '/a /b', to: '/a /c' }]);
    expect(changed.issuers).toMatchObject({
      a: {
        entries: [
          { name: 'other-a', change: 'added' },
          { name: 'in-a', change: 'removed' },
        ],
      },
    });
    expect(await tokens(`${sandbox.url}/a`, 'other-a')).toHaveProperty('access_token');
    expect(await tokens(`${sandbox.url}/b`, 'one')).toHaveProperty('access_token');
    expect((await fetch(`${sandbox.url}/c/.well-known/openid-configuration`)).status).toBe(404);
    expect(sandbox.issuers.get('a')?.events.latest('configuration.reloaded', 1)).toMatchObject([
      { path: '/a', settings: [{ name: 'CODE_LIFETIME', from: '60', to: '9' }] },
    ]);
  });

  it('all keep their configuration if one of them has problems', async () => {
    const { sandbox, write } = await fromFile({ clients: [machine('one')], issuers: { a: {} } });
    write({ clients: [machine('two')], issuers: { a: { clients: [{}] } } });
    await expect(sandbox.reload()).rejects.toBeInstanceOf(ConfigError);
    expect(await tokens(sandbox.url, 'one')).toHaveProperty('access_token');
    expect(sandbox.issuers.get('a')?.events.latest('configuration.refused', 1)).toHaveLength(1);
  });

  it('are made at run time by what it says now, and live on by what it said', async () => {
    const { sandbox, change } = await fromFile({ clients: [machine('one')] });
    const before = await sandbox.createIssuer();
    await change({ clients: [machine('two')] });
    const after = await sandbox.createIssuer();
    expect(await tokens(before.issuer, 'one')).toHaveProperty('access_token');
    expect(await tokens(after.issuer, 'two')).toHaveProperty('access_token');
    expect(await tokens(after.issuer, 'one')).toMatchObject({ error: 'invalid_client' });
  });
});

describe('a sandbox of the library', () => {
  it('takes another configuration in the place of the one it was made with', async () => {
    const sandbox = await createSandbox({ clients: [machine('one')] });
    started.push(sandbox);
    const { file, entries } = await sandbox.reload({ clients: [machine('two')] });
    expect(file).toBe('createSandbox');
    expect(entries).toMatchObject([
      { name: 'two', change: 'added' },
      { name: 'one', change: 'removed' },
    ]);
    expect(await tokens(sandbox.url, 'two')).toHaveProperty('access_token');
    await expect(sandbox.reload({ clients: [{ client_id: '' }] })).rejects.toThrow('createSandbox: clients[0]');
    expect(await tokens(sandbox.url, 'two')).toHaveProperty('access_token');
  });

  it('has no file to read again', async () => {
    const sandbox = await startSandbox(await loadConfig({ env: noPort }));
    started.push(sandbox);
    await expect(sandbox.reload()).rejects.toThrow('the sandbox started without a configuration file');
  });
});
