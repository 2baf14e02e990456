import { beforeEach, describe, expect, it } from 'vitest';
import { token } from '../../../src/protocol/endpoints/token.ts';
import { basic, createTestServer, eventsOf, redemption, refusal, type TestServer } from '../../support/server.ts';

const asSensor = basic('sensor', 'sensor-secret');

let sandbox: TestServer;
beforeEach(() => {
  sandbox = createTestServer();
});

describe('the token response (RFC 6749 §5.1)', () => {
  it('has the members that a service needs, and no others', async () => {
    expect(await sandbox.token({ grant_type: 'client_credentials', scope: 'telemetry:write' }, asSensor)).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 300,
      scope: 'telemetry:write',
    });
  });

  it('has no scope where none was asked for', async () => {
    const response = await sandbox.token({ grant_type: 'client_credentials' }, asSensor);
    expect(Object.keys(response).sort()).toEqual(['access_token', 'expires_in', 'token_type']);
  });

  it('has an ID token and a refresh token for a user', async () => {
    const response = await sandbox.tokens({ scope: 'openid email' });
    expect(Object.keys(response).sort()).toEqual([
      ...['access_token', 'expires_in', 'id_token', 'refresh_token', 'scope', 'token_type'],
    ]);
    expect(response.scope).toBe('openid email');
  });

  it('has no ID token without openid, used in a plain OAuth way', async () => {
    expect(await sandbox.tokens({ scope: 'bikes:read' })).not.toHaveProperty('id_token');
    expect(await sandbox.tokens({ scope: '' })).not.toHaveProperty('id_token');
  });

  it('is status 200', async () => {
    const request = sandbox.request({ grant_type: 'client_credentials' }, { authorization: asSensor });
    expect(await token(sandbox.server, request)).toMatchObject({ kind: 'json', status: 200 });
  });
});

describe('the token endpoint refuses', () => {
  it.each<[string, Record<string, string>, string | undefined, string]>([
    ['nobody', { grant_type: 'client_credentials' }, undefined, 'invalid_client'],
    ['no grant_type', {}, asSensor, 'invalid_request'],
    ['an empty grant_type', { grant_type: '' }, asSensor, 'invalid_request'],
    ['the password grant of sensor', { grant_type: 'password' }, asSensor, 'unauthorized_client'],
    ['an unknown grant_type', { grant_type: 'magic' }, asSensor, 'unsupported_grant_type'],
    ['a grant_type of JavaScript', { grant_type: 'constructor' }, asSensor, 'unsupported_grant_type'],
    ['another case', { grant_type: 'Client_Credentials' }, asSensor, 'unsupported_grant_type'],
    [
      'the device grant of sensor',
      { grant_type: 'urn:ietf:params:oauth:grant-type:device_code' },
      asSensor,
      'unauthorized_client',
    ],
    ['authorization_code of sensor', { grant_type: 'authorization_code', code: 'x' }, asSensor, 'unauthorized_client'],
    ['refresh_token of sensor', { grant_type: 'refresh_token', refresh_token: 'x' }, asSensor, 'unauthorized_client'],
    [
      'client_credentials of frontend',
      { grant_type: 'client_credentials', client_id: 'frontend' },
      undefined,
      'unauthorized_client',
    ],
    ['no code', { grant_type: 'authorization_code', client_id: 'frontend' }, undefined, 'invalid_request'],
    ['no refresh_token', { grant_type: 'refresh_token', client_id: 'frontend' }, undefined, 'invalid_request'],
    ['a wrong secret before anything else', { grant_type: 'magic' }, basic('sensor', 'x'), 'invalid_client'],
    [
      'a foreign scope',
      { grant_type: 'client_credentials', scope: 'telemetry:write bikes:read' },
      asSensor,
      'invalid_scope',
    ],
    ['a bad resource', { grant_type: 'client_credentials', resource: 'x#y' }, asSensor, 'invalid_target'],
  ])('%s', async (_what, parameters, authorization, code) => {
    expect((await refusal(sandbox.token(parameters, authorization))).code).toBe(code);
    expect(eventsOf(sandbox.events, 'token.issued')).toEqual([]);
  });

  it.each(['grant_type', 'code', 'redirect_uri', 'code_verifier', 'client_id', 'scope', 'unknown'])(
    'a %s that comes twice',
    async name => {
      const encoded = new URLSearchParams({ ...redemption, code: 'x', scope: 'openid', unknown: '1' });
      encoded.append(name, 'again');
      expect(await refusal(sandbox.token(encoded.toString()))).toMatchObject({
        code: 'invalid_request',
        reason: 'parameter_repeated',
      });
    },
  );

  it.each(['grant_type=a%00', 'code=%zz', 'anything=%1f'])('the unreadable %s', async encoded => {
    expect(await refusal(sandbox.token(encoded, asSensor))).toMatchObject({ reason: 'parameter_malformed' });
  });
});

describe('the log', () => {
  it('has the client, its scopes and the ignored parameters', async () => {
    await sandbox.token(
      { grant_type: 'client_credentials', scope: 'telemetry:write', audience: 'x', code: 'y' },
      asSensor,
    );
    expect(sandbox.events.slice(0, 2)).toEqual([
      { type: 'client.authenticated', client_id: 'sensor', method: 'client_secret_basic' },
      {
        type: 'token.requested',
        client_id: 'sensor',
        grant_type: 'client_credentials',
        scope: 'telemetry:write',
        ignored: ['audience', 'code'],
      },
    ]);
  });

  it('has each token with its lineage: code, then access, ID and refresh token', async () => {
    const { access_token, id_token, refresh_token } = await sandbox.tokens();
    const [code] = eventsOf(sandbox.events, 'code.issued');
    const issued = eventsOf(sandbox.events, 'token.issued');
    expect(issued.map(({ tokenType, token: value }) => [tokenType, value])).toEqual([
      ['access', access_token],
      ['id', id_token],
      ['refresh', refresh_token],
    ]);
    for (const each of issued)
      expect(each).toMatchObject({
        authorizationId: code?.authorizationId,
        parentTokenId: code?.tokenId,
        sub: 'alice',
      });
  });

  it('has no secret', async () => {
    await sandbox.token({ grant_type: 'client_credentials', client_secret: '' }, asSensor);
    await refusal(sandbox.token({ grant_type: 'client_credentials', client_id: 'web', client_secret: 'web-secret' }));
    expect(JSON.stringify(sandbox.events)).not.toMatch(/sensor-secret|web-secret/);
  });
});
