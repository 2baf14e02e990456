import { decodeJwt } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import { basic, createTestServer, refusal, sensor, type TestServer } from '../../support/server.ts';

const asSensor = basic('sensor', 'sensor-secret');

let sandbox: TestServer;
beforeEach(() => {
  sandbox = createTestServer();
});

const claims = async (parameters: Record<string, string> = {}, authorization = asSensor) => {
  const { access_token } = await sandbox.token({ grant_type: 'client_credentials', ...parameters }, authorization);
  return decodeJwt(access_token);
};

describe('client_credentials (RFC 6749 §4.4)', () => {
  it('without a scope gives a token without a scope claim', async () => {
    expect(await claims()).not.toHaveProperty('scope');
    expect(await claims({ scope: ' ' })).not.toHaveProperty('scope');
  });

  it('gives a token about the client, for the client itself', async () => {
    expect(await claims({ scope: 'telemetry:write' })).toMatchObject({
      sub: 'sensor',
      aud: 'sensor',
      client_id: 'sensor',
      scope: 'telemetry:write',
    });
  });

  it('refuses the whole request for a foreign scope, and issues nothing', async () => {
    const error = await refusal(claims({ scope: 'telemetry:write bikes:read' }));
    expect(error).toMatchObject({ code: 'invalid_scope', status: 400, details: { expected: 'telemetry:write' } });
    expect(sandbox.events.filter(({ type }) => type === 'token.issued')).toEqual([]);
  });

  it('gives no refresh token and no ID token, whatever the client is registered for', async () => {
    const all = { ...sensor, client_id: 'all', grant_types: ['client_credentials', 'refresh_token'], scope: 'openid' };
    sandbox = createTestServer({ clients: [all] });
    const request = { grant_type: 'client_credentials', scope: 'openid' };
    const response = await sandbox.token(request, basic('all', 'sensor-secret'));
    expect(response).not.toHaveProperty('refresh_token');
    expect(response).not.toHaveProperty('id_token');
  });

  it.each([
    ['one resource', 'resource=urn:a', 'urn:a'],
    ['two', 'resource=urn:a&resource=urn:b', ['urn:a', 'urn:b']],
    ['none', '', 'sensor'],
  ])('puts %s into aud (RFC 8707 §2)', async (_what, resources, aud) => {
    const { access_token } = await sandbox.token(`grant_type=client_credentials&${resources}`, asSensor);
    expect(decodeJwt(access_token).aud).toEqual(aud);
  });
});
