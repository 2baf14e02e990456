import { describe, expect, it } from 'vitest';
import { importFiles } from './support.ts';

const clients = [
  {
    ClientId: 'harbour',
    ClientSecrets: ['harbour-secret'],
    AllowedGrantTypes: ['client_credentials'],
    AllowedScopes: ['berths'],
  },
];
const users = [{ SubjectId: '1', Username: 'pilot', Password: 'pw' }];

const compose = (volumes: readonly unknown[], environment: unknown) => ({
  services: { idp: { image: 'ghcr.io/soluto/oidc-server-mock:0.9.2', volumes, environment } },
});
const paths = {
  CLIENTS_CONFIGURATION_PATH: '/config/clients.json',
  USERS_CONFIGURATION_PATH: '/config/users.json',
  LOGIN_OPTIONS_INLINE: '{ "AllowRememberLogin": false }',
};

/** Beside the Compose file there are the files that it mounts. */
const importCompose = (file: object, others: Readonly<Record<string, unknown>> = {}) =>
  importFiles({ 'compose.json': file, ...others }, {}, 'compose.json');

describe('a Compose file whose variables name files', () => {
  it.each([
    ['a folder', ['./config:/config:ro']],
    ['a folder as an object', [{ type: 'bind', source: './config', target: '/config' }]],
    ['each file', ['./config/clients.json:/config/clients.json', './config/users.json:/config/users.json:ro']],
    ['the innermost of two folders', ['./other:/', './config/:/config/']],
  ])('has the clients and users of the files: it mounts %s', async (_, volumes) => {
    const files = { 'config/clients.json': [{ ...clients[0], Future: 1 }], 'config/users.json': users };
    const { config, notes, problems } = await importCompose(compose(volumes, paths), files);
    expect(problems).toEqual([]);
    expect(config.clients).toMatchObject([{ client_id: 'harbour', client_secret: 'harbour-secret' }]);
    expect(config.users).toMatchObject([{ sub: '1', username: 'pilot', password: 'pw' }]);
    expect(notes).toContain(
      './config/clients.json: ["harbour"].Future: not a member of a client that this version knows',
    );
  });

  it('lists a file that it does not mount, with what to run', async () => {
    const environment = { ...paths, CLIENTS_CONFIGURATION_INLINE: JSON.stringify(clients) };
    const { config, notes } = await importCompose(compose(['data:/config'], environment));
    expect(config.clients).toMatchObject([{ client_id: 'harbour' }]);
    const said = 'names /config/users.json, which no folder is mounted at: run grantbox import with that file, too';
    expect(notes).toContain(`services.idp.environment.USERS_CONFIGURATION_PATH: ${said}`);
    // the variable with the list itself counts before the path
    expect(notes.join('\n')).not.toContain('CLIENTS_CONFIGURATION_PATH');
  });

  it.each([
    ['no mount', [], {}, 'names /config/clients.json, which no folder is mounted at'],
    ['a file that is not there', ['./config:/config'], {}, './config/clients.json cannot be read'],
    ['a file that is broken', ['./config:/config'], { 'config/clients.json': '[' }, 'it is not valid JSON'],
  ])('is refused where nothing is left of it: %s', async (_, volumes, files, said) => {
    const { problems } = await importCompose(
      compose(volumes, { CLIENTS_CONFIGURATION_PATH: paths.CLIENTS_CONFIGURATION_PATH }),
      files,
    );
    expect(problems).toEqual([expect.stringContaining(said)]);
    expect(problems[0]).toMatch(/^compose\.json cannot be imported: it has nothing that the new file can have/);
  });
});

describe('a Compose file', () => {
  it('with mock-oauth2-server has the file of JSON_CONFIG_PATH, the usual one, or a login page', async () => {
    const service = { image: 'ghcr.io/navikt/mock-oauth2-server:3.0.1', volumes: ['./mock.json:/app/config.json'] };
    const files = { 'mock.json': { tokenProvider: { keyProvider: { algorithm: 'ES256' } } } };
    const expected = { signingAlg: 'ES256', anyClient: true, anyIssuer: true };
    const named = { ...service, environment: ['JSON_CONFIG_PATH=/app/config.json'] };
    expect((await importCompose({ services: { idp: named } }, files)).config).toEqual(expected);
    expect((await importCompose({ services: { idp: service } }, files)).config).toEqual(expected);
    const bare = await importCompose({ services: { idp: { image: service.image } } });
    expect(bare.config).toEqual({ anyClient: true, anyIssuer: true });
  });

  it('with Keycloak has the realms that it imports', async () => {
    const keycloak = { image: 'quay.io/keycloak/keycloak:26.0', volumes: ['./realms:/opt/keycloak/data/import'] };
    const files = { 'realms/harbour-realm.json': { realm: 'harbour', users: [{ username: 'pilot' }] } };
    const { config, titles } = await importCompose({ services: { keycloak } }, files);
    expect(titles).toEqual(['a realm export of Keycloak']);
    expect(config).toMatchObject({ preset: { realm: 'harbour' }, users: [{ sub: 'pilot' }] });
  });

  it('whose variables are in a file says so', async () => {
    const service = { image: 'ghcr.io/soluto/oidc-server-mock:0.9.2', env_file: '.env' };
    const said = 'services.idp.env_file: its variables are not read';
    expect((await importCompose({ services: { idp: service } })).problems).toEqual([expect.stringContaining(said)]);
    const environment = { CLIENTS_CONFIGURATION_INLINE: JSON.stringify(clients) };
    expect((await importCompose({ services: { idp: { ...service, environment } } })).notes).toEqual([said]);
  });

  it('with a broken JSON_CONFIG is refused by its place', async () => {
    const { problems } = await importCompose({ services: { idp: { environment: { JSON_CONFIG: '{"a":' } } } });
    expect(problems).toEqual([expect.stringContaining('services.idp.environment.JSON_CONFIG: it is not valid YAML')]);
  });

  it('without a known service says which services were looked at', async () => {
    const { problems } = await importCompose({ services: { db: { image: 'postgres:17' }, app: { build: '.' } } });
    expect(problems).toEqual([
      'compose.json cannot be imported: it is a Compose file, and none of its services is a known mock: db (postgres:17), app',
    ]);
  });

  it('in a folder with the files that it mounts has their entries once', async () => {
    const files = {
      'compose.yaml': compose(['./config:/config'], paths),
      'config/clients.json': clients,
      'config/users.json': users,
    };
    const { config } = await importFiles(files);
    expect([config.clients?.length, config.users?.length]).toEqual([1, 1]);
  });
});

describe('a folder of oidc-server-mock', () => {
  const folder = {
    'api-resources.yaml': '- Name: harbour-api\n  Scopes: [berths]\n  Future: 1\n',
    'api-scopes.yaml': '- Name: berths\n  UserClaims: [quay]\n',
    'identity-resources.json': [{ Name: 'harbour-identity', ClaimTypes: ['quay'] }],
    'clients.json': clients,
    'users.json': users,
  };

  it('has the scopes and APIs of its lists, and clients with their audience', async () => {
    const { config, notes, problems } = await importFiles(folder);
    expect(problems).toEqual([]);
    expect(config).toMatchObject({
      clients: [{ client_id: 'harbour', scope: 'berths', audience: 'harbour-api' }],
      users: [{ sub: '1', username: 'pilot' }],
      scopes: { berths: { claims: ['quay'] }, 'harbour-identity': { claims: ['quay'] } },
    });
    expect(notes).toEqual([
      'api-resources.yaml: ["harbour-api"].Future: not a member of an API resource that this version knows',
    ]);
  });

  it('lists a file that is no export, and imports the others', async () => {
    const { config, notes, problems } = await importFiles({ ...folder, 'package.json': { name: 'harbour' } });
    expect(problems).toEqual([]);
    expect(config.clients).toHaveLength(1);
    expect(notes).toContain('package.json: not imported, because it is an object of no known kind');
  });

  it('is refused where no file is an export', async () => {
    const { problems } = await importFiles({ 'package.json': { name: 'harbour' }, 'other.json': 7 });
    expect(problems).toHaveLength(2);
  });
});

describe('the databases of cognito-local', () => {
  const pilot = {
    Username: 'pilot',
    Password: 'pw',
    Enabled: true,
    UserStatus: 'CONFIRMED',
    Attributes: [
      { Name: 'sub', Value: '0c0ffee0-0000-4000-8000-000000000002' },
      { Name: 'email', Value: 'pilot@harbour.example' },
    ],
    RefreshTokens: ['token'],
  };
  const files = {
    'clients.json': {
      Clients: {
        '7abc': {
          ClientId: '7abc',
          ClientName: 'harbour',
          UserPoolId: 'local_Harbour1',
          AllowedOAuthFlows: ['code'],
          AllowedOAuthScopes: ['openid', 'email'],
          CallbackURLs: ['https://harbour.example/cb'],
          AccessTokenValidity: 10,
          TokenValidityUnits: { AccessToken: 'minutes' },
        },
      },
    },
    'local_Harbour1.json': {
      Options: { Id: 'local_Harbour1', MfaConfiguration: 'OFF' },
      Users: { pilot, mate: { ...pilot, Username: 'mate', Enabled: false } },
      Groups: { crew: { GroupName: 'crew', members: ['pilot'] } },
    },
  };

  it('become clients, and users with their passwords and groups', async () => {
    const { config, notes, problems } = await importFiles(files);
    expect(problems).toEqual([]);
    expect(config).toEqual({
      clients: [
        {
          client_id: '7abc',
          client_name: 'harbour',
          grant_types: ['authorization_code', 'refresh_token'],
          redirect_uris: ['https://harbour.example/cb'],
          scope: 'openid email',
          access_token_lifetime: 600,
        },
      ],
      users: [
        {
          sub: '0c0ffee0-0000-4000-8000-000000000002',
          username: 'pilot',
          password: 'pw',
          claims: { email: 'pilot@harbour.example', groups: ['crew'], 'cognito:username': 'pilot' },
        },
      ],
    });
    expect(notes).toEqual([
      'Options.Id: the preset has the pool: PRESET=cognito,pool=local_Harbour1',
      'Users.mate: left out, because the user is disabled',
    ]);
  });
});
