import { describe, expect, it } from 'vitest';
import { createEventLog } from '../../../src/base/events/event-log.ts';
import type { RegisteredClient } from '../../../src/protocol/clients/client.ts';
import type { TestUser } from '../../../src/protocol/users/user.ts';
import { createCollections } from '../../../src/sandbox/control/collections.ts';
import { createControl } from '../../../src/sandbox/control/create-control.ts';
import { clientEntryOf } from '../../../src/sandbox/control/entry.ts';
import { loadConfig } from '../../support/load-config.ts';
import { newFolder } from '../../support/new-folder.ts';
import { createTestServer, frontend, now, sensor, users, web } from '../../support/server.ts';
import { defaults } from './support.ts';

const hostile: TestUser = {
  sub: 'it\'s "me"',
  username: 'back\\slash\\',
  password: "\\'\n\u2028\ud800$`{x}`",
  claims: {
    'a-b': [{ deep: [1, -2.5, 1e21, true, null, ''] }],
    name: '</script>',
    emoji: '\u{1f6b2}',
    long: ['a sentence that is rather long', 'and another one that does not fit on the same line any more'],
    ...JSON.parse('{"__proto__": {"polluted": true}, "constructor": "x"}'),
  },
  access_token_claims: {},
};

const odd: RegisteredClient = {
  ...web,
  client_id: 'odd one',
  client_secret: `q'uo"te\\`,
  token_endpoint_auth_methods: ['client_secret_basic'],
  grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
  audience: ['https://api.example', 'other'],
  scope: 'openid offline_access products:read',
  id_token_signed_response_alg: 'ES256',
  access_token_claims: { 'https://example.com/tenant': { id: 7, tags: [] } },
  refresh_token_rotation: false,
  require_consent: true,
  default_max_age: 60,
  jwks: { keys: [{ kty: 'OKP', crv: 'Ed25519', x: 'AAAA' }] },
};

const patient: RegisteredClient = { ...frontend, client_id: 'patient', access_token_lifetime: 7200, audience: ['one'] };
// the one of the test server has an algorithm for ID tokens it cannot get
const device: RegisteredClient = { ...sensor, id_token_signed_response_alg: 'RS256' };
const sandbox = createTestServer({ clients: [odd, patient, device] });
sandbox.server.users.save(hostile);
const control = createControl({
  config: {
    clients: [],
    users: [],
    scopes: [],
    collections: [],
    tokenClaims: [],
    userLimit: 1000,
    clientDefaults: defaults,
  },
  collections: createCollections([], () => {}),
  server: sandbox.server,
  events: createEventLog({ capacity: 10, now: () => now }),
  rotateKeys: async () => {},
  reset: async () => {},
});

/** A configuration file with these lines in it, as somebody pastes them. */
async function loaded(name: string, content: string) {
  return loadConfig({ cwd: newFolder({ [name]: content }) });
}

describe('the lines that keep a client', () => {
  it.each([frontend, device, web, odd, patient])(
    'make the same client of $client_id, as clients.config.ts',
    async client => {
      const lines = control.configurationLines('client', client.client_id);
      const { clients } = await loaded('clients.config.ts', `export default {\n  clients: [\n${lines}\n  ],\n};\n`);
      expect(clients).toEqual([client]);
    },
  );

  it.each([frontend, device, web, odd, patient])(
    'make the same client of $client_id, as clients.config.json',
    async client => {
      const json = control.configurationLines('client', client.client_id, 'json');
      const { clients } = await loaded('clients.config.json', `{"clients": [${json}]}`);
      expect(clients).toEqual([client]);
    },
  );

  it('say nothing that is so anyway', () => {
    expect(control.clientEntry('sensor')).toEqual({
      client_id: 'sensor',
      client_name: 'Demo sensor',
      client_secret: 'sensor-secret',
      token_endpoint_auth_method: 'client_secret_basic',
      grant_types: ['client_credentials'],
      scope: 'telemetry:write',
    });
  });

  it('name no method for a client that may send its secret by Basic or in the body', () => {
    expect(control.clientEntry('web')).not.toHaveProperty('token_endpoint_auth_method');
    expect(control.clientEntry('web')).not.toHaveProperty('token_endpoint_auth_methods');
  });

  it('are none for a client that is not there', () => {
    expect(control.configurationLines('client', 'nobody')).toBe('');
    expect(control.clientEntry('nobody')).toBeUndefined();
  });
});

describe('the lines that keep a user', () => {
  it.each([...users, hostile])('make the same user of $sub', async user => {
    const lines = control.configurationLines('user', user.sub);
    const typescript = await loaded('clients.config.ts', `export default { users: [ ${lines} ] };`);
    expect(typescript.users).toEqual([user]);
    const json = await loaded(
      'clients.config.json',
      `{"users": [${control.configurationLines('user', user.sub, 'json')}]}`,
    );
    expect(json.users).toEqual([user]);
  });

  it('are short where they fit on a line, and long where not', () => {
    expect(control.configurationLines('user', 'bob')).toBe(`{
  sub: 'bob',
  username: 'Bobby',
  password: 'bob-password',
  claims: { name: 'Bob Brewer' },
},`);
  });
});

describe('the entry of a client', () => {
  it('is written once for the same client and the same defaults', () => {
    expect(clientEntryOf(odd, defaults)).toBe(clientEntryOf(odd, defaults));
    expect(clientEntryOf(odd, { ...defaults, consent: !defaults.consent })).not.toBe(clientEntryOf(odd, defaults));
  });
});
