import { describe, expect, it } from 'vitest';
import { deviceAuthorization } from '../../../src/protocol/endpoints/device-authorization.ts';
import { deviceGrant, startDevice, tv } from '../../support/decisions.ts';
import { basic, createTestServer, eventsOf, issuer, now, refusal, web } from '../../support/server.ts';

const console = {
  ...web,
  client_id: 'console',
  client_secret: 'console-secret',
  grant_types: [deviceGrant],
};

function start() {
  return createTestServer({ clients: [tv, console] });
}

// DEV-01
describe('device authorization (RFC 8628 §3.1, §3.2)', () => {
  it('gives the codes, where to type one, how long they live and how often to ask', async () => {
    const device = await startDevice(start(), { scope: 'openid bikes:read' });
    expect(device).toEqual({
      device_code: expect.stringMatching(/^[\w-]{43}$/),
      user_code: expect.stringMatching(/^[A-Z]{4}-[A-Z]{4}$/),
      verification_uri: `${issuer}/oauth2/device_verification`,
      verification_uri_complete: `${issuer}/oauth2/device_verification?user_code=${device.user_code}`,
      expires_in: 300,
      interval: 5,
    });
  });

  it('follows the settings for lifetime and interval', async () => {
    const { server } = start();
    const slow = createTestServer({
      clients: [tv],
      pollInterval: 9,
      lifetimes: { ...server.lifetimes, deviceCode: 60 },
    });
    expect(await startDevice(slow)).toMatchObject({ expires_in: 60, interval: 9 });
  });

  it('logs the client, its scopes and the page for the decision', async () => {
    const sandbox = start();
    const { user_code, verification_uri_complete } = await startDevice(sandbox, { scope: 'openid', colour: 'red' });
    expect(eventsOf(sandbox.events, 'client.authenticated')).toMatchObject([{ client_id: 'tv', method: 'none' }]);
    expect(eventsOf(sandbox.events, 'device.requested')).toMatchObject([
      { client_id: 'tv', scope: 'openid', user_code, verification_uri_complete, exp: now + 300, ignored: ['colour'] },
    ]);
    expect(JSON.stringify(sandbox.events)).not.toContain('device_code');
  });

  it('is given a confidential client that authenticates as at the token endpoint', async () => {
    const sandbox = start();
    const request = sandbox.request({ scope: 'openid' }, { authorization: basic('console', 'console-secret') });
    expect(await deviceAuthorization(sandbox.server, request)).toMatchObject({ kind: 'json', status: 200 });
  });

  it.each([
    [{ client_id: 'tv', scope: 'openid telemetry:write' }, 'invalid_scope', 'scope_not_registered'],
    [{ client_id: 'tv', scope: 'a"b' }, 'invalid_scope', 'scope_malformed'],
    [{ client_id: 'tv', resource: 'not a uri' }, 'invalid_target', 'resource_invalid'],
    [{ client_id: 'frontend' }, 'unauthorized_client', 'grant_type_not_registered'],
    [{ client_id: 'console' }, 'invalid_client', 'client_secret_missing'],
    [{ client_id: 'nobody' }, 'invalid_client', 'client_unknown'],
    [{}, 'invalid_client', 'client_unidentified'],
    [
      [
        ['client_id', 'tv'],
        ['scope', 'openid'],
        ['scope', 'profile'],
      ],
      'invalid_request',
      'parameter_repeated',
    ],
  ] as const)('refuses %j at once with %s', async (parameters, code, reason) => {
    const { server, request } = start();
    expect(await refusal(deviceAuthorization(server, request(parameters)))).toMatchObject({ code, reason });
  });
});
