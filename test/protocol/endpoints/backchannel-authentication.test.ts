import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import type { RegisteredClient } from '../../../src/protocol/clients/client.ts';
import { asBank, bank, startCiba } from '../../support/decisions.ts';
import { basic, createTestServer, eventsOf, issuer, now, refusal, type TestServer } from '../../support/server.ts';

const notified = 'https://bank.example/ciba';
const pinged: RegisteredClient = {
  ...bank,
  client_id: 'pinged',
  backchannel_token_delivery_mode: 'ping',
  backchannel_client_notification_endpoint: notified,
};
const asPinged = basic('pinged', 'bank-secret');
/** Registered for a method besides `none`, which a configuration refuses for this grant. */
const careless: RegisteredClient = { ...bank, client_id: 'careless', token_endpoint_auth_methods: ['none'] };

function start(): TestServer {
  return createTestServer({ clients: [bank, pinged, careless] });
}

describe('the backchannel authentication endpoint (OIDC CIBA §7)', () => {
  it('gives an auth_req_id, how long it lives, and how often to ask', async () => {
    const answer = await startCiba(start());
    expect(answer).toEqual({ auth_req_id: expect.stringMatching(/^[\w-]{43}$/), expires_in: 300, interval: 5 });
  });

  it('tells the log who asked whom, and where it is decided', async () => {
    const sandbox = start();
    await startCiba(sandbox, { binding_message: 'W4SCT', colour: 'red' });
    expect(eventsOf(sandbox.events, 'ciba.requested')).toMatchObject([
      {
        client_id: 'bank',
        sub: 'alice',
        scope: 'openid profile',
        binding_message: 'W4SCT',
        delivery: 'poll',
        approvals_uri: `${issuer}/approvals`,
        exp: now + 300,
        ignored: ['colour'],
      },
    ]);
  });

  it.each(['alice', 'ALICE', 'alice@example.com'])('knows the user by login_hint %s', async login_hint => {
    const sandbox = start();
    await startCiba(sandbox, { login_hint });
    expect(eventsOf(sandbox.events, 'ciba.requested')).toMatchObject([{ sub: 'alice' }]);
  });

  it('knows the user by an ID token of the client, expired or not, and of no other client', async () => {
    const sandbox = start();
    const { id_token = '' } = await sandbox.tokens({ scope: 'openid' }, await sandbox.login('bob'));
    const foreign = await refusal(startCiba(sandbox, { login_hint: '', id_token_hint: id_token }));
    expect(foreign).toMatchObject({ code: 'invalid_request', reason: 'hint_invalid' });
    const { kid, privateKey } = await sandbox.server.keys.forAlg('ES256');
    const hint = await new SignJWT({ sub: 'bob', aud: 'bank', iss: issuer, iat: now, exp: now })
      .setProtectedHeader({ alg: 'ES256', typ: 'JWT', kid })
      .sign(privateKey);
    await startCiba(sandbox, { login_hint: '', id_token_hint: hint });
    expect(eventsOf(sandbox.events, 'ciba.requested')).toMatchObject([{ sub: 'bob' }]);
  });

  it.each([
    ['60', 60],
    ['3600', 3600],
    ['86400', 3600],
  ])('takes a requested_expiry of %s', async (requested_expiry, expires_in) => {
    expect(await startCiba(start(), { requested_expiry })).toMatchObject({ expires_in });
  });

  it.each([
    [{ scope: '' }, 'invalid_request', 'parameter_missing'],
    [{ scope: 'profile' }, 'invalid_scope', 'scope_missing_openid'],
    [{ scope: 'openid telemetry:write' }, 'invalid_scope', 'scope_not_registered'],
    [{ login_hint: '' }, 'invalid_request', 'hint_count_wrong'],
    [{ id_token_hint: 'x' }, 'invalid_request', 'hint_count_wrong'],
    [{ login_hint: '', id_token_hint: 'x' }, 'invalid_request', 'hint_invalid'],
    [{ login_hint: 'nobody' }, 'unknown_user_id', 'user_unknown'],
    [{ login_hint: '', login_hint_token: 'x' }, 'invalid_request', 'parameter_unsupported'],
    [{ user_code: '1234' }, 'invalid_request', 'parameter_unsupported'],
    [{ binding_message: 'x'.repeat(101) }, 'invalid_binding_message', 'binding_message_invalid'],
    [{ binding_message: 'a\u202eb' }, 'invalid_binding_message', 'binding_message_invalid'],
    [{ requested_expiry: '0' }, 'invalid_request', 'parameter_malformed'],
    [{ requested_expiry: 'soon' }, 'invalid_request', 'parameter_malformed'],
    [{ resource: 'nothing' }, 'invalid_target', 'resource_invalid'],
  ])('refuses %j with %s', async (parameters, code, reason) => {
    const sandbox = start();
    expect(await refusal(startCiba(sandbox, parameters))).toMatchObject({ code, reason, status: 400 });
    expect(eventsOf(sandbox.events, 'ciba.requested')).toEqual([]);
  });

  it('is for clients that authenticate', async () => {
    const sandbox = start();
    const { backchannelAuthentication } = await import('../../../src/protocol/endpoints/backchannel-authentication.ts');
    const ask = (parameters: Record<string, string>) =>
      backchannelAuthentication(
        sandbox.server,
        sandbox.request({ scope: 'openid', login_hint: 'alice', ...parameters }),
      );
    const cases = [
      [{ client_id: 'careless' }, 'unauthorized_client', 'client_must_be_confidential'],
      [{ client_id: 'bank' }, 'invalid_client', 'client_secret_missing'],
      [{ client_id: 'frontend' }, 'unauthorized_client', 'grant_type_not_registered'],
    ] as const;
    for (const [parameters, code, reason] of cases) {
      expect(await refusal(ask(parameters))).toMatchObject({ code, reason });
    }
  });

  describe('for a client of the mode ping', () => {
    it('needs a client_notification_token', async () => {
      const refused = await refusal(startCiba(start(), {}, asPinged));
      expect(refused).toMatchObject({ code: 'invalid_request', reason: 'parameter_missing' });
    });

    it.each(['with space', 'ü', 'x'.repeat(1025)])('refuses the client_notification_token %s', async token => {
      const refused = await refusal(startCiba(start(), { client_notification_token: token }, asPinged));
      expect(refused).toMatchObject({ code: 'invalid_request', reason: 'parameter_malformed' });
    });

    it('takes one, and keeps it to itself', async () => {
      const sandbox = start();
      const answer = await startCiba(sandbox, { client_notification_token: 'a-secret-token' }, asPinged);
      expect(answer).toMatchObject({ interval: 5 });
      expect(JSON.stringify(sandbox.events)).not.toContain('a-secret-token');
    });
  });
});

describe('a signed backchannel authentication request (OIDC CIBA §7.1.1)', () => {
  let privateKey: CryptoKey;
  let signer: RegisteredClient;

  beforeAll(async () => {
    const pair = await generateKeyPair('ES256');
    privateKey = pair.privateKey;
    signer = {
      ...bank,
      client_id: 'signer',
      jwks: { keys: [await exportJWK((await generateKeyPair('ES256')).publicKey), await exportJWK(pair.publicKey)] },
      backchannel_authentication_request_signing_alg: 'ES256',
    };
  });
  const asSigner = basic('signer', 'bank-secret');
  const times = { iat: now, nbf: now, exp: now + 60 };
  const good = { iss: 'signer', aud: issuer, jti: 'one', scope: 'openid', login_hint: 'bob', ...times };

  const sign = (claims: JWTPayload, key: CryptoKey = privateKey) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'ES256' }).sign(key);
  const send = (sandbox: TestServer, request: string, beside: Record<string, string> = {}) =>
    startCiba(sandbox, { scope: '', login_hint: '', request, ...beside }, asSigner);
  const signed = () => createTestServer({ clients: [bank, signer] });

  it('is read in place of parameters', async () => {
    const sandbox = signed();
    await send(sandbox, await sign({ ...good, binding_message: 'W4SCT', requested_expiry: 60 }));
    expect(eventsOf(sandbox.events, 'ciba.requested')).toMatchObject([
      { client_id: 'signer', sub: 'bob', binding_message: 'W4SCT', exp: now + 60 },
    ]);
  });

  it('is good once', async () => {
    const sandbox = signed();
    const jwt = await sign(good);
    await send(sandbox, jwt);
    expect(await refusal(send(sandbox, jwt))).toMatchObject({ reason: 'request_object_replayed' });
  });

  it.each([
    [{ iss: 'bank' }, 'request_object_client_mismatch'],
    [{ aud: 'https://elsewhere.example' }, 'request_object_audience_mismatch'],
    [{ exp: now }, 'request_object_expired'],
    [{ exp: now + 3601 }, 'request_object_time_malformed'],
    [{ nbf: now + 11 }, 'request_object_not_yet_valid'],
    [{ scope: 'profile' }, 'scope_missing_openid'],
    [{ acr_values: 'gold\u0000' }, 'parameter_malformed'],
  ])('is refused with %j', async (claims, reason) => {
    expect(await refusal(send(signed(), await sign({ ...good, ...claims })))).toMatchObject({ reason, status: 400 });
  });

  it.each(['exp', 'nbf', 'iat', 'jti', 'iss', 'aud'])('is refused without %s', async name => {
    const { [name]: _, ...claims } = good as JWTPayload;
    expect(await refusal(send(signed(), await sign(claims)))).toMatchObject({ code: 'invalid_request' });
  });

  it('is refused with the signature of somebody else, and when it is no JWT', async () => {
    const other = await generateKeyPair('ES256');
    const forged = await refusal(send(signed(), await sign(good, other.privateKey)));
    expect(forged).toMatchObject({ code: 'invalid_request', reason: 'request_object_signature_wrong' });
    expect(await refusal(send(signed(), 'nonsense'))).toMatchObject({ reason: 'request_object_malformed' });
  });

  it('is the only parameter', async () => {
    const refused = await refusal(send(signed(), await sign(good), { binding_message: 'outside' }));
    expect(refused).toMatchObject({ code: 'invalid_request', details: { sent: 'binding_message' } });
  });

  it('is demanded of a client that is registered for it, and refused of one that is not', async () => {
    const plain = await refusal(startCiba(signed(), {}, asSigner));
    expect(plain).toMatchObject({ code: 'invalid_request', reason: 'request_not_signed' });
    const sandbox = signed();
    const foreign = startCiba(
      sandbox,
      { scope: '', login_hint: '', request: await sign({ ...good, iss: 'bank' }) },
      asBank,
    );
    expect(await refusal(foreign)).toMatchObject({ reason: 'request_object_alg_refused' });
  });
});
