import { describe, expect, it } from 'vitest';
import { importFiles } from './support.ts';

const unresolved = 'a placeholder was not resolved: write its value into the new file';

describe('keywords of auth0-deploy-cli', () => {
  const tenant = `
## CLIENTS ##
##WEB##
clients:
  - name: Harbour Web
    app_type: spa
    callbacks: @@CALLBACKS@@
    allowed_logout_urls: "@@LOGOUTS@@"
    web_origins: ["##WEB##", '##OTHER##']
    initiate_login_uri: ##WEB##/start # a comment
    token_endpoint_auth_method: none
resourceServers:
  - identifier: ##API##
    scopes: [{ value: 'read:##THING##' }]
`;

  it('are replaced before the file is parsed, with or without quotes, by JSON or by their text', async () => {
    const env = {
      AUTH0_KEYWORD_REPLACE_MAPPINGS: JSON.stringify({
        CALLBACKS: ['https://web.example/cb'],
        WEB: 'https://web.example',
      }),
      LOGOUTS: '["https://web.example/bye"]',
      OTHER: 'https://other.example',
      API: 'https://api.example',
      THING: 'berths',
    };
    const { config, notes } = await importFiles({ 'tenant.yaml': tenant }, env);
    expect(config.clients).toMatchObject([
      {
        redirect_uris: ['https://web.example/cb'],
        post_logout_redirect_uris: ['https://web.example/bye'],
        web_origins: ['https://other.example'],
        initiate_login_uri: 'https://web.example/start',
        audience: 'https://api.example',
      },
    ]);
    expect(config.scopes).toEqual({ 'read:berths': {} });
    expect(notes.join('\n')).not.toMatch(/@@|##|placeholder/);
  });

  it('without a value stay, and are listed by their place', async () => {
    const { config, notes } = await importFiles({ 'tenant.yaml': tenant });
    expect(config.clients).toMatchObject([{ client_id: 'Harbour Web', audience: '##API##' }]);
    const list = notes.join('\n');
    expect(list).toMatch(new RegExp(`clients\\["Harbour Web"\\]\\.callbacks, .*allowed_logout_urls.*: ${unresolved}`));
    expect(list).toMatch(new RegExp(`initiate_login_uri.*: ${unresolved}`));
    expect(list).toMatch(new RegExp(`resourceServers\\["##API##"\\]\\.identifier.*: ${unresolved}`));
  });

  it('are known in JSON, too', async () => {
    const text = '{ "clients": [{ "name": "Web ##STAGE##", "app_type": "spa", "callbacks": @@CALLBACKS@@ }] }';
    const env = { CALLBACKS: '["https://web.example/cb"]', STAGE: 'test' };
    const { config } = await importFiles({ 'tenant.json': text }, env);
    expect(config.clients).toMatchObject([{ client_id: 'Web test', redirect_uris: ['https://web.example/cb'] }]);
    const { notes } = await importFiles({ 'tenant.json': text });
    expect(notes.join('\n')).toMatch(new RegExp(`clients\\["Web ##STAGE##"\\]\\.callbacks.*: ${unresolved}`));
  });
});

const realm = (secret: string) => ({
  realm: 'harbour',
  clients: [{ clientId: 'svc', secret, serviceAccountsEnabled: true, standardFlowEnabled: false }],
});

describe.each([
  ['JSON', (secret: string) => ({ 'realm.json': realm(secret) })],
  [
    'YAML',
    (secret: string) => ({
      'realm.yaml': `realm: harbour\nclients: [{ clientId: svc, secret: '${secret}', serviceAccountsEnabled: true, standardFlowEnabled: false }]`,
    }),
  ],
])('a placeholder of a tool in %s', (_, files) => {
  it.each([
    ['${SECRET}', 'of: "it"'],
    ['${SECRET:usual}', 'of: "it"'],
    ['${OTHER:usual}', 'usual'],
    ['${OTHER:-usual}', 'usual'],
    ['$(env:SECRET)', 'of: "it"'],
    ['$(env:OTHER:-usual)', 'usual'],
    ['$(env:OTHER:-${SECRET})', 'of: "it"'],
    ['${{SECRET}}', 'of: "it"'],
    ['${{ secrets.SECRET }}', 'of: "it"'],
    ['a-${SECRET}', 'a-of: "it"'],
  ])('is resolved from the environment: %s', async (written, secret) => {
    const { config, notes } = await importFiles(files(written), { SECRET: 'of: "it"' });
    expect(config.clients).toMatchObject([{ client_secret: secret }]);
    expect(notes.join('\n')).not.toContain('placeholder');
  });

  it.each(['${OTHER}', '$(env:OTHER)', '${{OTHER}}', '$(file:UTF-8:secret.txt)', '@@OTHER@@', '##OTHER##'])(
    'without a value stays as text, and is listed: %s',
    async written => {
      const { config, notes } = await importFiles(files(written));
      expect(config.clients).toMatchObject([{ client_secret: written }]);
      expect(notes).toContain(`clients["svc"].secret: ${unresolved}`);
    },
  );
});

it('a placeholder inside of metadata or a fixed claim is listed, too', async () => {
  const users = [{ email: 'pilot@harbour.example', app_metadata: { plan: '${PLAN}' } }];
  expect((await importFiles({ 'users.json': users })).notes).toEqual([
    `["pilot@harbour.example"].app_metadata: ${unresolved}`,
  ]);
  const config = { 'claim.name': 'tenant', 'claim.value': '${TENANT}', 'access.token.claim': 'true' };
  const [client] = realm('s').clients;
  const file = {
    ...realm('s'),
    clients: [{ ...client, protocolMappers: [{ protocolMapper: 'oidc-hardcoded-claim-mapper', config }] }],
  };
  expect((await importFiles({ 'realm.json': file })).notes).toContain(
    `clients["svc"].protocolMappers[0].config["claim.value"]: ${unresolved}`,
  );
});
