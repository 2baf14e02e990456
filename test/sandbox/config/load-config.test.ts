import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readEarlySettings } from '../../../src/sandbox/config/load-config.ts';
import { loadConfig } from '../../support/load-config.ts';
import { newFolder } from '../../support/new-folder.ts';
import { errorOf, problemsOf, shop, withFile } from './support.ts';

describe('precedence', () => {
  const cwd = newFolder({ 'clients.config.json': { port: 3, label: 'file', historySize: 300 } });

  it('is flag, environment, file, default', async () => {
    const config = await loadConfig({ flags: { port: '1' }, env: { PORT: '2', SANDBOX_LABEL: 'env' }, cwd });
    expect(config).toMatchObject({ port: 1, label: 'env', historySize: 300, codeLifetime: 60 });
  });

  it('prefers the options of createSandbox to the environment', async () => {
    const config = await loadConfig({ overrides: { port: 0 }, env: { PORT: '2' }, cwd });
    expect(config).toMatchObject({ port: 0, label: 'file' });
  });

  it('checks a value even if a stronger source overrides it', async () => {
    const problems = await problemsOf({ flags: { port: '1' }, env: { PORT: 'x' } });
    expect(problems).toMatchObject([{ source: 'environment PORT' }]);
  });
});

describe('the registration in effect', () => {
  const ada = { sub: 'ada' };

  it('is the built-in one without a file', async () => {
    const config = await loadConfig({ cwd: newFolder() });
    expect(config.clients.map(({ client_id }) => client_id)).toEqual(['frontend', 'sensor']);
    expect(config.users.map(({ sub }) => sub)).toEqual(['alice', 'bob', 'carol']);
    expect(config).not.toHaveProperty('configFile');
  });

  it('takes each list from the file that has it', async () => {
    const config = await loadConfig(withFile({ clients: [shop] }));
    expect(config.clients.map(({ client_id }) => client_id)).toEqual(['shop']);
    expect(config.users).toHaveLength(3);
    expect(config.configFile).toBe('clients.config.json');
  });

  it('takes CLIENTS and USERS before the file', async () => {
    const env = { CLIENTS: JSON.stringify([shop]), USERS: JSON.stringify([ada]) };
    const config = await loadConfig({ ...withFile({ clients: [{ ...shop, client_id: 'other' }] }), env });
    expect(config).toMatchObject({ clients: [{ client_id: 'shop' }], users: [{ sub: 'ada', username: 'ada' }] });
  });

  it('takes the lists of createSandbox before CLIENTS', async () => {
    const config = await loadConfig({ overrides: { clients: [shop] }, env: { CLIENTS: '[{"client_id":"other"}]' } });
    expect(config.clients).toMatchObject([{ client_id: 'shop' }]);
  });

  it('replaces the collections', async () => {
    const cars = { readScope: 'cars:read', fields: { name: 'string', doors: { type: 'integer', required: false } } };
    const config = await loadConfig(withFile({ collections: { cars } }));
    const fields = { name: { type: 'string', required: true }, doors: { type: 'integer', required: false } };
    expect(config.collections).toEqual([{ name: 'cars', readScope: 'cars:read', fields, seed: [] }]);
  });

  it('adds scopes to the standard ones and describes those nobody described', async () => {
    const clients = [{ ...shop, scope: 'openid cars:read cars:write fly products:read' }];
    const config = await loadConfig(
      withFile({ clients, scopes: { fly: 'fly', profile: { description: 'look' } }, collections: {} }),
    );
    const described = Object.fromEntries(config.scopes.map(({ name, description }) => [name, description]));
    expect(described).toEqual({
      openid: 'know who you are',
      profile: 'look',
      email: 'see your e-mail address',
      address: 'see your postal address',
      phone: 'see your phone number',
      offline_access: 'keep its access while you are away',
      fly: 'fly',
      'cars:read': 'see cars',
      'cars:write': 'change cars',
      'products:read': 'see the products',
    });
    expect(config.scopes.find(({ name }) => name === 'profile')?.claims).toContain('given_name');
  });

  it('is frozen', async () => {
    expect(Object.isFrozen(await loadConfig({}))).toBe(true);
  });
});

/** Those of OpenID Connect, and those of the built-in collections. */
const builtInScopes =
  'openid profile email address phone offline_access products:read products:write bikes:read telemetry:write';

describe('a client', () => {
  it('has the defaults of RFC 7591 and ours', async () => {
    const { clients } = await loadConfig({ overrides: { clients: [shop], accessTokenLifetime: '10m' } });
    expect(clients).toEqual([
      {
        client_id: 'shop',
        client_name: 'shop',
        token_endpoint_auth_methods: ['none'],
        grant_types: ['authorization_code'],
        response_types: ['code'],
        redirect_uris: ['https://shop.example/callback'],
        post_logout_redirect_uris: [],
        scope: builtInScopes,
        id_token_signed_response_alg: 'RS256',
        subject_type: 'public',
        require_auth_time: false,
        require_pushed_authorization_requests: false,
        require_signed_request_object: false,
        dpop_bound_access_tokens: false,
        tls_client_certificate_bound_access_tokens: false,
        backchannel_logout_session_required: false,
        frontchannel_logout_session_required: false,
        loopback_redirects: false,
        require_consent: false,
        origin: 'configuration',
        require_pkce: true,
        audience: [],
        access_token_format: 'jwt',
        access_token_lifetime: 600,
        id_token_claims: 'scope',
        refresh_token_rotation: true,
        access_token_claims: {},
      },
    ]);
  });

  it('with a secret and no method may send the secret by Basic or in the body', async () => {
    const { clients } = await loadConfig({ overrides: { clients: [{ ...shop, client_secret: 's' }] } });
    const methods = ['client_secret_basic', 'client_secret_post'];
    expect(clients).toMatchObject([{ client_secret: 's', token_endpoint_auth_methods: methods, require_pkce: false }]);
  });

  it.each(['client_secret_basic', 'client_secret_post'] as const)('that names %s keeps to it', async method => {
    const client = { ...shop, client_secret: 's', token_endpoint_auth_method: method };
    const { clients } = await loadConfig({ overrides: { clients: [client] } });
    expect(clients).toMatchObject([{ token_endpoint_auth_methods: [method] }]);
  });

  it('that is confidential needs PKCE where the setting says so', async () => {
    const both = [
      { ...shop, client_secret: 's' },
      { ...shop, client_id: 'b', client_secret: 's', require_pkce: false },
    ];
    const { clients } = await loadConfig({ overrides: { clients: both, requirePkce: true } });
    expect(clients.map(client => client.require_pkce)).toEqual([true, false]);
  });

  it('may leave members undefined', async () => {
    const raw = { ...shop, client_secret: undefined, scope: undefined } as unknown as typeof shop;
    expect((await loadConfig({ overrides: { clients: [raw] } })).clients).toMatchObject([
      { client_id: 'shop', scope: builtInScopes },
    ]);
  });

  it('without a scope may ask for every scope of the sandbox, as one that registers may', async () => {
    const own = { ...shop, client_id: 'own', scope: 'orders:read' };
    const none = { ...shop, client_id: 'none', scope: '' };
    const collections = { orders: { readScope: 'orders:read', fields: { name: 'string' } } };
    for (const CLIENTS of [undefined, JSON.stringify([shop, own, none])]) {
      const env = CLIENTS === undefined ? {} : { CLIENTS };
      const content = { collections, ...(CLIENTS === undefined ? { clients: [shop, own, none] } : {}) };
      const { clients, clientDefaults, scopes } = await loadConfig({ ...withFile(content), env });
      const all = scopes.map(({ name }) => name).join(' ');
      expect(all).toBe('openid profile email address phone offline_access orders:read');
      expect(clients.map(({ scope }) => scope)).toEqual([all, 'orders:read', '']);
      expect(clientDefaults.scope).toBe(all);
    }
  });

  it('for client credentials alone has no response types', async () => {
    const worker = {
      client_id: 'worker',
      client_secret: 's',
      grant_types: ['client_credentials'] as const,
      audience: 'api',
    };
    const { clients } = await loadConfig({ overrides: { clients: [worker] } });
    expect(clients).toMatchObject([{ response_types: [], audience: ['api'] }]);
  });
});

describe('seed variables', () => {
  it('rename and change the demo clients', async () => {
    const env = {
      FRONTEND_CLIENT_ID: 'web',
      FRONTEND_REDIRECT_URIS: 'https://a.example/cb, https://b.example/cb',
      SENSOR_CLIENT_ID: 'meter',
      SENSOR_CLIENT_SECRET: 'other-secret',
    };
    const { clients } = await loadConfig({ env });
    expect(clients).toMatchObject([
      {
        client_id: 'web',
        client_name: 'Demo front end',
        redirect_uris: ['https://a.example/cb', 'https://b.example/cb'],
      },
      { client_id: 'meter', client_secret: 'other-secret' },
    ]);
  });

  it('work on whatever list is in effect', async () => {
    const env = { CLIENTS: JSON.stringify([{ ...shop, client_id: 'frontend' }]), FRONTEND_CLIENT_ID: 'web' };
    expect((await loadConfig({ env })).clients).toMatchObject([{ client_id: 'web' }]);
  });

  it('for a client that is not there are a problem', async () => {
    const problems = await problemsOf({
      ...withFile({ clients: [{ ...shop, client_id: 'frontent' }] }),
      env: { FRONTEND_CLIENT_ID: 'x' },
    });
    expect(problems).toEqual([
      {
        source: 'environment FRONTEND_CLIENT_ID',
        expected: 'a client frontend among the clients',
        nearest: 'frontent',
      },
    ]);
  });

  it('are named as the source of their wrong values', async () => {
    const env = { FRONTEND_REDIRECT_URIS: 'https://a.example/cb /cb', SENSOR_CLIENT_ID: 'frontend' };
    expect(await problemsOf({ env })).toMatchObject([
      { source: 'environment FRONTEND_REDIRECT_URIS[1]', value: '"/cb"' },
      { source: 'environment SENSOR_CLIENT_ID', value: '"frontend"', expected: 'a client_id no other client has' },
    ]);
  });
});

describe('problems', () => {
  it('are all reported at once, each with its source', async () => {
    const cwd = newFolder({
      'clients.config.json': {
        colour: 'red',
        port: 'x',
        clients: [
          { clientid: 'a', scope: 3 },
          { ...shop, redirect_uris: ['/cb', 'https://ok.example/'], grant_types: ['implied'] },
        ],
        users: { sub: 'x' },
        scopes: { 'a b': 'x', c: { descripton: 'y' } },
        collections: { Cars: { fields: { id: 'string', doors: 'int' } } },
      },
    });
    const error = await errorOf({
      cwd,
      flags: { prot: '1', host: '' },
      env: { SIGNING_ALG: 'RS255', CORS_ORIGINS: 'x' },
    });
    expect(
      error.problems.map(({ source, nearest }) => (nearest === undefined ? source : `${source} → ${nearest}`)).sort(),
    ).toEqual(
      [
        'clients.config.json: colour',
        'clients.config.json: port',
        'flag --prot → --port',
        'flag --host',
        'environment SIGNING_ALG → RS256',
        'environment CORS_ORIGINS[0]',
        'clients.config.json: users',
        'clients.config.json: clients[0].client_id',
        'clients.config.json: clients[0].clientid → client_id',
        'clients.config.json: clients[0].scope',
        'clients.config.json: clients[0].redirect_uris',
        'clients.config.json: clients[1].grant_types[0]',
        'clients.config.json: clients[1].redirect_uris[0]',
        'clients.config.json: scopes["a b"]',
        'clients.config.json: scopes.c.descripton → description',
        'clients.config.json: collections.Cars',
        'clients.config.json: collections.Cars.readScope',
        'clients.config.json: collections.Cars.fields.id',
        'clients.config.json: collections.Cars.fields.doors → integer',
      ].sort(),
    );
    expect(error.message.split('\n')).toHaveLength(error.problems.length + 1);
    expect(error.message).toContain('environment SIGNING_ALG: found "RS255", expected RS256, RS384');
    expect(error.message).toContain('(did you mean RS256?)');
  });

  it('never print secrets', async () => {
    const secret = 'TOP-SECRET-é';
    const clients = [
      { client_id: 'a', client_secret: secret, redirect_uris: ['https://a.example'] },
      {
        client_id: 'b',
        client_secret: 'TOP-SECRET',
        token_endpoint_auth_method: 'none',
        redirect_uris: ['https://a.example'],
      },
      { client_id: 'c', client_secrt: secret, loopback_redirects: true },
      { client_id: 'd', client_secret: [secret], loopback_redirects: true },
    ];
    const users = [
      { sub: 'u', password: { value: secret } },
      { sub: 'v', pasword: secret },
    ];
    const env = {
      CLIENTS: `[{"client_secret":"${secret}",]`,
      USERS: JSON.stringify({ password: secret }),
      SENSOR_CLIENT_SECRET: secret,
    };
    const sources = [
      withFile({ clients, users }),
      { env },
      { env: { CLIENTS: JSON.stringify(clients) } },
      { flags: { 'client-secret': secret } },
    ];
    for (const source of sources) expect((await errorOf(source)).message).not.toMatch(/TOP|SECRET-/);
    const problems = await problemsOf(withFile({ clients }));
    expect(problems.find(({ source }) => source === 'clients.config.json: clients[0].client_secret')?.value).toBe(
      '***',
    );
  });

  it('say that a flag exists only as a variable', async () => {
    expect(await problemsOf({ flags: { 'sensor-client-secret': 'x', 'no-dashboard': '' } })).toEqual([
      {
        source: 'flag --sensor-client-secret',
        expected: 'the environment variable SENSOR_CLIENT_SECRET: the setting has no flag',
      },
      { source: 'flag --no-dashboard', expected: 'a known flag', nearest: '--dashboard off' },
    ]);
  });

  it.each([
    ['not JSON', '[{]', /a JSON list of clients: it is not valid JSON/],
    ['no list', '{}', /a JSON list of clients/],
  ])('tell that CLIENTS is %s', async (_, CLIENTS, expected) => {
    const problems = await problemsOf({ env: { CLIENTS } });
    expect(problems).toMatchObject([{ source: 'environment CLIENTS' }]);
    expect(problems[0]?.expected).toMatch(expected);
  });

  it('name the entry of CLIENTS and of createSandbox', async () => {
    expect(await problemsOf({ env: { CLIENTS: '[{}]' } })).toMatchObject([
      { source: 'environment CLIENTS: [0].client_id' },
      { source: 'environment CLIENTS: [0].redirect_uris' },
    ]);
    const overrides = { clients: [{ ...shop, client_id: '' }], prot: 1 } as object;
    expect(await problemsOf({ overrides })).toMatchObject([
      { source: 'createSandbox: prot', nearest: 'port' },
      { source: 'createSandbox: clients[0].client_id', value: '""' },
    ]);
  });

  it('do not suggest for a file a setting that only the environment has', async () => {
    const problems = await problemsOf(withFile({ configFile: 'x', frontendClientId: 'x' }));
    expect(problems.map(({ source }) => source)).toEqual([
      'clients.config.json: configFile',
      'clients.config.json: frontendClientId',
    ]);
  });
});

describe('early settings', () => {
  it('tell the signing algorithm and whether keys come from a file or a seed', () => {
    expect(readEarlySettings({})).toEqual({ signingAlg: 'RS256', hasKeys: false });
    expect(readEarlySettings({ flags: { 'signing-alg': 'ES256' }, env: { SIGNING_ALG: 'PS256' } }).signingAlg).toBe(
      'ES256',
    );
    expect(readEarlySettings({ env: { KEYS_FILE: join('a', 'b') } }).hasKeys).toBe(true);
    expect(readEarlySettings({ flags: { seed: 'a seed' } }).hasKeys).toBe(true);
  });

  it('leave invalid values to loadConfig', () => {
    expect(readEarlySettings({ env: { SIGNING_ALG: 'x' } }).signingAlg).toBeUndefined();
  });
});
