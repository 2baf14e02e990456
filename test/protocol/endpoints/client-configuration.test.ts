import { describe, expect, it } from 'vitest';
import { introspect } from '../../../src/protocol/endpoints/introspect.ts';
import { clientConfiguration } from '../../../src/protocol/endpoints/register.ts';
import { userinfo } from '../../../src/protocol/endpoints/userinfo.ts';
import { bodyOf, manage, registerClient, sentAgain, spa } from '../../support/registration.ts';
import { basic, createTestServer, eventsOf, issuer, refusal } from '../../support/server.ts';

const machine = { grant_types: ['client_credentials'], scope: 'bikes:read' };

describe('reading a registration', () => {
  it('answers with the registered metadata and the registration access token', async () => {
    const it = createTestServer();
    const registered = await registerClient(it);
    const reply = await manage(it, 'GET', registered);
    expect(reply).toMatchObject({ kind: 'json', status: 200 });
    expect(bodyOf(reply)).toEqual(registered);
  });

  it.each([
    ['no token', undefined, 'registration_access_token_missing', `Bearer realm="${issuer}"`],
    ['another scheme', 'Basic YTpi', 'access_token_scheme_wrong', `Bearer realm="${issuer}"`],
    ['a wrong token', 'Bearer wrong', 'registration_access_token_wrong', expect.stringContaining('invalid_token')],
  ])('is refused with %s', async (_what, authorization, reason, challenge) => {
    const it = createTestServer();
    const { client_id } = await registerClient(it);
    const path = `/connect/register/${client_id}`;
    const sent = { method: 'GET', path, ...(authorization === undefined ? {} : { authorization }) };
    const error = await refusal(clientConfiguration(it.server, it.request({}, sent)));
    expect([error.status, error.code, error.reason]).toEqual([401, 'invalid_token', reason]);
    expect(error.details.headers).toEqual({ 'WWW-Authenticate': challenge });
  });

  it.each(['frontend', 'nobody', '__proto__', 'constructor'])(
    'is refused for %s, which did not register itself',
    async client_id => {
      const it = createTestServer();
      const { registration_access_token } = await registerClient(it);
      const error = await refusal(manage(it, 'GET', { client_id, registration_access_token }));
      expect(error.reason).toBe('registration_access_token_wrong');
    },
  );

  it("is refused with another client's token, and with a token for tokens", async () => {
    const it = createTestServer();
    const { client_id } = await registerClient(it);
    const { registration_access_token } = await registerClient(it);
    const { access_token } = await it.token({ grant_type: 'client_credentials' }, basic('sensor', 'sensor-secret'));
    for (const token of [registration_access_token, access_token]) {
      const error = await refusal(manage(it, 'GET', { client_id, registration_access_token: token }));
      expect(error.reason).toBe('registration_access_token_wrong');
    }
  });
});

describe('replacing a registration', () => {
  it('changes the sent members and deletes the others', async () => {
    const it = createTestServer();
    const registered = await registerClient(it, { ...spa, logo_uri: 'https://app.example/logo.png' });
    const { logo_uri: _, ...kept } = sentAgain(registered);
    const body = bodyOf(await manage(it, 'PUT', registered, { ...kept, client_name: 'Renamed' }));
    expect(body).not.toHaveProperty('logo_uri');
    expect(body).toMatchObject({ client_id: registered.client_id, client_name: 'Renamed' });
    expect(bodyOf(await manage(it, 'GET', registered))).toEqual(body);
    expect(eventsOf(it.events, 'client.updated')).toMatchObject([{ client_name: 'Renamed' }]);
  });

  it('keeps id, secret, time and token', async () => {
    const it = createTestServer();
    const registered = await registerClient(it, machine);
    it.pass(60);
    const body = bodyOf(await manage(it, 'PUT', registered, { ...sentAgain(registered), software_id: 'x' }));
    const { client_id, client_secret, client_id_issued_at, registration_access_token } = registered;
    expect(body).toMatchObject({ client_id, client_secret, client_id_issued_at, registration_access_token });
  });

  it('gives a longer secret to a client whose HMAC needs one (RFC 7518 §3.2)', async () => {
    const it = createTestServer();
    const registered = await registerClient(it, machine);
    const changed = {
      ...sentAgain(registered),
      token_endpoint_auth_method: 'client_secret_jwt',
      token_endpoint_auth_signing_alg: 'HS512',
    };
    const { client_secret = '' } = bodyOf(await manage(it, 'PUT', registered, changed));
    expect(client_secret.length).toBeGreaterThanOrEqual(64);
    const again = bodyOf(await manage(it, 'PUT', registered, { ...changed, client_secret }));
    expect(again.client_secret).toBe(client_secret);
  });

  it('gives a secret to a client that needs one now, and takes it from one that does not', async () => {
    const it = createTestServer();
    const registered = await registerClient(it);
    const sent = sentAgain(registered);
    const confidential = { ...sent, token_endpoint_auth_method: 'client_secret_post' };
    const { client_secret } = bodyOf(await manage(it, 'PUT', registered, confidential));
    expect(client_secret).toEqual(expect.stringMatching(/^[\w-]{43}$/));
    expect(bodyOf(await manage(it, 'PUT', registered, sent))).not.toHaveProperty('client_secret');
  });

  it.each([
    ['no client_id', { client_id: undefined }, 'invalid_request'],
    ['another client_id', { client_id: 'frontend' }, 'invalid_request'],
    ['another secret', { client_secret: 'mine' }, 'invalid_request'],
    ['its token', { registration_access_token: 'x' }, 'invalid_request'],
    ['its address', { registration_client_uri: 'x' }, 'invalid_request'],
    ['the time of its registration', { client_id_issued_at: 1 }, 'invalid_request'],
    ['the end of its secret', { client_secret_expires_at: 0 }, 'invalid_request'],
    ['bad metadata', { subject_type: 'shared' }, 'invalid_client_metadata'],
    ['a bad redirect URI', { redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
  ])('is refused with %s, and nothing changes', async (_what, changes, code) => {
    const it = createTestServer();
    const registered = await registerClient(it);
    const error = await refusal(manage(it, 'PUT', registered, { ...sentAgain(registered), ...changes }));
    expect([error.status, error.code]).toEqual([400, code]);
    expect(bodyOf(await manage(it, 'GET', registered))).toEqual(registered);
  });

  it('is refused with a body that is no object', async () => {
    const it = createTestServer();
    const error = await refusal(manage(it, 'PUT', await registerClient(it), [1]));
    expect(error.code).toBe('invalid_client_metadata');
  });
});

describe('deleting a registration', () => {
  it('answers 204, and then the client is gone', async () => {
    const it = createTestServer();
    const registered = await registerClient(it);
    expect(await manage(it, 'DELETE', registered)).toEqual({ kind: 'empty' });
    expect(it.server.clients.has(registered.client_id)).toBe(false);
    expect((await refusal(manage(it, 'GET', registered))).status).toBe(401);
    expect((await refusal(manage(it, 'DELETE', registered))).status).toBe(401);
    expect(eventsOf(it.events, 'client.deleted')).toEqual([
      { type: 'client.deleted', client_id: registered.client_id },
    ]);
  });

  it('ends its tokens', async () => {
    const it = createTestServer();
    const registered = await registerClient(it, machine);
    const { client_id, client_secret = '' } = registered;
    const authorization = basic(client_id, client_secret);
    const { access_token } = await it.token({ grant_type: 'client_credentials' }, authorization);
    const asked = () => introspect(it.server, it.request({ token: access_token }, { authorization: asSensor }));
    const asSensor = basic('sensor', 'sensor-secret');
    expect(await asked()).toMatchObject({ body: { active: true } });
    await manage(it, 'DELETE', registered);
    expect(await asked()).toMatchObject({ body: { active: false } });
    expect((await refusal(it.token({ grant_type: 'client_credentials' }, authorization))).code).toBe('invalid_client');
    const sent = { method: 'GET', authorization: `Bearer ${access_token}` };
    expect((await refusal(userinfo(it.server, it.request({}, sent)))).reason).toBe('access_token_revoked');
  });

  it('ends nothing of another client', async () => {
    const it = createTestServer();
    const { access_token } = await it.tokens();
    await manage(it, 'DELETE', await registerClient(it));
    const sent = { method: 'GET', authorization: `Bearer ${access_token}` };
    expect(await userinfo(it.server, it.request({}, sent))).toMatchObject({ status: 200 });
  });
});
