import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import { denyAuthorization } from '../../../src/protocol/endpoints/authorize.ts';
import { pushedAuthorizationRequest } from '../../../src/protocol/endpoints/pushed-authorization-request.ts';
import type { Session } from '../../../src/protocol/users/session.ts';
import { asserted as assertedBy, assertionClaims } from '../../support/assertions.ts';
import {
  objectClaims,
  requestObject,
  signer,
  signerRequest,
  signing,
  unsignedObject,
} from '../../support/request-objects.ts';
import {
  answerOf,
  basic,
  callback,
  challenge,
  createTestServer,
  eventsOf,
  frontend,
  issuer,
  now,
  refusal,
  type TestServer,
  type TestServerOptions,
  verifier,
} from '../../support/server.ts';

let sandbox: TestServer;
let session: Session;
beforeEach(() => start());

async function start(options: TestServerOptions = {}): Promise<void> {
  sandbox = createTestServer({ clients: [signer], ...options });
  session = await sandbox.login();
}

const frontendRequest = {
  client_id: 'frontend',
  redirect_uri: callback,
  response_type: 'code',
  scope: 'openid',
  state: 'pushed state',
  code_challenge: challenge,
  code_challenge_method: 'S256',
};
const asSigner = { ...signerRequest, client_secret: 'signer-secret' };

/** How `signer` authenticates with its key. */
function asserted() {
  return assertedBy(signing.privateKey, { alg: 'ES256', kid: 'sig' }, assertionClaims('signer'));
}

function push(parameters: Readonly<Record<string, string>> | string = frontendRequest, headers = {}) {
  return pushedAuthorizationRequest(sandbox.server, sandbox.request(parameters, headers));
}

interface Pushed {
  readonly request_uri: string;
  readonly expires_in: number;
}

async function pushed(parameters?: Readonly<Record<string, string>>, headers = {}): Promise<Pushed> {
  const reply = await push(parameters, headers);
  if (reply.kind !== 'json') throw new Error(reply.kind);
  expect(reply.status).toBe(201);
  return reply.body as Pushed;
}

/** What the authorization endpoint says to a pushed request, and to nothing beside it. */
function visit(request_uri: string, as: Session | undefined = session, client_id = 'frontend') {
  return sandbox.authorize({ ...nothing, client_id, request_uri }, as);
}
const nothing = Object.fromEntries(Object.keys(frontendRequest).map(name => [name, '']));

describe('a good request (RFC 9126 §2.2)', () => {
  it('is answered with 201, a request_uri of 256 bits that nobody can guess, and its lifetime', async () => {
    const [one, other] = [await pushed(), await pushed()];
    expect(one.expires_in).toBe(60);
    expect(one.request_uri).toMatch(/^urn:ietf:params:oauth:request_uri:[A-Za-z0-9_-]{43}$/);
    expect(one.request_uri).not.toBe(other.request_uri);
  });

  it('is what the authorization endpoint answers, and nothing beside it counts', async () => {
    const { request_uri } = await pushed();
    const reply = await sandbox.authorize(
      { ...nothing, client_id: 'frontend', request_uri, state: 'outside', scope: 'telemetry:write' },
      session,
    );
    expect(Object.fromEntries(answerOf(reply))).toMatchObject({ state: 'pushed state', iss: issuer });
    const code = answerOf(reply).get('code') ?? '';
    const tokens = await sandbox.token({
      ...{ grant_type: 'authorization_code', client_id: 'frontend', redirect_uri: callback },
      ...{ code, code_verifier: verifier },
    });
    expect(tokens.scope).toBe('openid');
  });

  it('may leave out the only registered redirect_uri where it is no OpenID request', async () => {
    const { request_uri } = await pushed({ ...frontendRequest, redirect_uri: '', scope: 'email' });
    expect(answerOf(await visit(request_uri)).has('code')).toBe(true);
  });

  it('keeps each resource (RFC 8707 §2)', async () => {
    const query = `${new URLSearchParams(frontendRequest)}&resource=https://a.example/&resource=https://b.example/`;
    const reply = await push(query);
    if (reply.kind !== 'json') throw new Error(reply.kind);
    const code = answerOf(await visit((reply.body as Pushed).request_uri)).get('code') ?? '';
    const form = { grant_type: 'authorization_code', client_id: 'frontend', code, code_verifier: verifier };
    const { access_token } = await sandbox.token(form);
    const payload = JSON.parse(Buffer.from(access_token.split('.')[1] ?? '', 'base64url').toString());
    expect(payload.aud).toEqual(['https://a.example/', 'https://b.example/']);
  });

  it.each<Record<string, string>>([
    { state: '', nonce: '' },
    { nonce: 'n'.repeat(64) },
    { nonce: 'n'.repeat(1000), state: 's'.repeat(1000) },
    { scope: 'profile email openid' },
  ])('gives back what it was given, however long: %j', async changes => {
    const { request_uri } = await pushed({ ...frontendRequest, ...changes });
    const answer = answerOf(await visit(request_uri));
    expect(answer.get('state') ?? '').toBe(changes.state ?? 'pushed state');
    const form = { grant_type: 'authorization_code', client_id: 'frontend', code_verifier: verifier };
    const { id_token = '' } = await sandbox.token({ ...form, code: answer.get('code') ?? '' });
    const { nonce = '' } = JSON.parse(Buffer.from(id_token.split('.')[1] ?? '', 'base64url').toString());
    expect(nonce).toBe(changes.nonce ?? '');
  });

  it('is in the log, without secrets, and with what was ignored', async () => {
    await pushed({ ...asSigner, audience: 'x' });
    expect(eventsOf(sandbox.events, 'client.authenticated')).toMatchObject([
      { client_id: 'signer', method: 'client_secret_post' },
    ]);
    expect(eventsOf(sandbox.events, 'authorization.pushed')).toMatchObject([
      { client_id: 'signer', redirect_uri: signerRequest.redirect_uri, isSigned: false, ignored: ['audience'] },
    ]);
    expect(JSON.stringify(sandbox.events)).not.toContain('signer-secret');
  });
});

describe('the client', () => {
  it('authenticates as at the token endpoint (RFC 9126 §2)', async () => {
    const web = { ...signerRequest, client_id: 'web' };
    await pushed(web, { authorization: basic('web', 'web-secret') });
    expect(await refusal(push(web))).toMatchObject({ code: 'invalid_client', reason: 'client_secret_missing' });
    expect(await refusal(push({ ...asSigner, client_secret: 'wrong' }))).toMatchObject({
      code: 'invalid_client',
      reason: 'client_secret_wrong',
    });
  });

  it('may leave its client_id to the Authorization header', async () => {
    const { client_id: _, ...request } = signerRequest;
    const { request_uri } = await pushed(request, { authorization: basic('web', 'web-secret') });
    expect(answerOf(await visit(request_uri, session, 'web')).has('code')).toBe(true);
  });

  it('is the only one that can use what it pushed', async () => {
    const { request_uri } = await pushed();
    expect(await refusal(visit(request_uri, session, 'web'))).toMatchObject({
      code: 'invalid_request_uri',
      reason: 'request_uri_of_another_client',
    });
    expect(answerOf(await visit(request_uri)).has('code')).toBe(true);
  });
});

describe('a request that the authorization endpoint would refuse is refused here (RFC 9126 §2.1)', () => {
  it.each<[string, Record<string, string>, string]>([
    ['a foreign redirect_uri', { redirect_uri: 'https://evil.example/' }, 'invalid_request'],
    ['no redirect_uri in an OpenID request', { redirect_uri: '' }, 'invalid_request'],
    ['no response_type', { response_type: '' }, 'invalid_request'],
    ['response_type code id_token of a client without it', { response_type: 'code id_token' }, 'unauthorized_client'],
    ['no PKCE from a public client', { code_challenge: '', code_challenge_method: '' }, 'invalid_request'],
    ['plain PKCE', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['a foreign scope', { scope: 'openid telemetry:write' }, 'invalid_scope'],
    ['a bad resource', { resource: '/api' }, 'invalid_target'],
    ['an unknown response_mode', { response_mode: 'web_message' }, 'invalid_request'],
    ['claims that are no JSON', { claims: '{' }, 'invalid_request'],
    ['a broken dpop_jkt', { dpop_jkt: 'short' }, 'invalid_request'],
    ['a request_uri', { request_uri: 'urn:ietf:params:oauth:request_uri:x' }, 'invalid_request'],
    ['a request object that is none', { request: 'eyJ' }, 'invalid_request_object'],
  ])('%s', async (_what, changes, code) => {
    expect(await refusal(push({ ...frontendRequest, ...changes }))).toMatchObject({ code });
    expect(eventsOf(sandbox.events, 'authorization.pushed')).toEqual([]);
  });

  it('a parameter that came twice', async () => {
    expect(await refusal(push(`${new URLSearchParams(frontendRequest)}&state=b`))).toMatchObject({
      reason: 'parameter_repeated',
    });
  });

  it('a request object, where they are switched off', async () => {
    await start({ features: new Set(['par']) });
    expect(await refusal(push({ ...frontendRequest, request: 'eyJ' }))).toMatchObject({
      code: 'request_not_supported',
    });
  });
});

describe('a request_uri', () => {
  it('expires', async () => {
    const { request_uri } = await pushed();
    sandbox.pass(60);
    expect(await refusal(visit(request_uri))).toMatchObject({
      code: 'invalid_request_uri',
      reason: 'request_uri_expired_or_unknown',
    });
  });

  it('gives one code, also to two visits at once (RFC 9126 §7.3)', async () => {
    const { request_uri } = await pushed();
    const answers = await Promise.allSettled([visit(request_uri), visit(request_uri)]);
    const codes = answers.filter(each => each.status === 'fulfilled' && answerOf(each.value).has('code'));
    expect(codes).toHaveLength(1);
    expect(await refusal(visit(request_uri))).toMatchObject({ reason: 'request_uri_expired_or_unknown' });
  });

  it('can be loaded again before the login, and then waits for the user', async () => {
    const { request_uri } = await pushed();
    const nobody = sandbox.request({ client_id: 'frontend', request_uri }, { method: 'GET' });
    for (const _time of [1, 2]) {
      expect(await visitAs(nobody)).toMatchObject({ kind: 'page', page: { name: 'login' } });
      sandbox.pass(50);
    }
    sandbox.pass(400);
    expect(answerOf(await visit(request_uri)).has('code')).toBe(true);
  });

  it('does not wait longer because its page is loaded again and again', async () => {
    const { request_uri } = await pushed();
    const nobody = sandbox.request({ client_id: 'frontend', request_uri }, { method: 'GET' });
    for (const _time of [1, 2, 3]) {
      await visitAs(nobody);
      sandbox.pass(199);
    }
    await visitAs(nobody);
    sandbox.pass(10);
    expect(await refusal(visitAs(nobody))).toMatchObject({ reason: 'request_uri_expired_or_unknown' });
  });

  it('is used up by a refusal, too', async () => {
    const { request_uri } = await pushed();
    const request = sandbox.request({ client_id: 'frontend', request_uri });
    expect(answerOf(await denyAuthorization(sandbox.server, request)).get('error')).toBe('access_denied');
    expect(await refusal(visit(request_uri))).toMatchObject({ reason: 'request_uri_expired_or_unknown' });
  });

  it('is told to nobody where it is bad: whatever redirect_uri stands beside it', async () => {
    const request_uri = 'urn:ietf:params:oauth:request_uri:unknown';
    expect(await refusal(sandbox.authorize({ request_uri }, session))).toMatchObject({ code: 'invalid_request_uri' });
  });

  it('excludes a request object beside it', async () => {
    const { request_uri } = await pushed();
    expect(await refusal(sandbox.authorize({ request_uri, request: 'eyJ' }, session))).toMatchObject({
      reason: 'request_parameters_combined',
    });
  });
});

function visitAs(request: ReturnType<TestServer['request']>) {
  return sandbox.authorize(Object.fromEntries([...Object.entries(nothing), ...request.parameters.values]));
}

describe('a client that must push', () => {
  const strict = { ...signer, require_pushed_authorization_requests: true };

  it.each<[string, TestServerOptions]>([
    ['is registered so', { clients: [strict] }],
    ['is under the FAPI 2.0 profile', { clients: [signer], profile: 'fapi2' }],
  ])('because it %s gets a page for plain parameters, and no redirect', async (_why, options) => {
    await start(options);
    expect(await refusal(sandbox.authorize(signerRequest, session))).toMatchObject({
      code: 'invalid_request',
      reason: 'request_not_pushed',
    });
    const { request_uri } = await pushed({ ...signerRequest, ...(await asserted()) });
    expect(answerOf(await visit(request_uri, session, 'signer')).has('code')).toBe(true);
  });

  it('must push its request objects, too', async () => {
    await start({ clients: [strict] });
    const request = await requestObject();
    const refused = await refusal(sandbox.authorize({ ...signerRequest, request }, session));
    expect(refused).toMatchObject({ reason: 'request_not_pushed' });
  });

  it('sends redirect_uri and PKCE under the FAPI 2.0 profile, and has no response type but code', async () => {
    await start({ profile: 'fapi2', clients: [{ ...signer, redirect_uris: [signerRequest.redirect_uri] }] });
    const changes = [
      { redirect_uri: '', scope: 'email' },
      { code_challenge: '', code_challenge_method: '' },
    ];
    for (const each of changes) {
      expect(await refusal(push({ ...signerRequest, ...(await asserted()), ...each }))).toMatchObject({
        code: 'invalid_request',
      });
    }
    for (const response_type of ['code id_token', 'token']) {
      expect(await refusal(push({ ...signerRequest, ...(await asserted()), response_type }))).toMatchObject({
        code: 'unsupported_response_type',
      });
    }
  });
});

describe('a request object that is pushed (RFC 9126 §3)', () => {
  it('is read instead of what stands beside it', async () => {
    const request = await requestObject();
    const { request_uri } = await pushed({
      client_id: 'signer',
      client_secret: 'signer-secret',
      state: 'outside',
      request,
    });
    expect(answerOf(await visit(request_uri, session, 'signer')).get('state')).toBe('the state');
    expect(eventsOf(sandbox.events, 'authorization.pushed')).toMatchObject([{ isSigned: true }]);
  });

  it.each(['redirect_uri', 'scope', 'state'])('gets no %s from outside', async name => {
    const request = await requestObject({ [name]: undefined, scope: name === 'scope' ? undefined : 'email' });
    const reply = push({ ...asSigner, request }).then(
      async answer => (answer.kind === 'json' ? (answer.body as Pushed).request_uri : ''),
      (error: { reason: string }) => error.reason,
    );
    if (name === 'redirect_uri') return expect(await reply).toBe('redirect_uri_missing');
    const answer = answerOf(await visit(await reply, session, 'signer'));
    expect(answer.has('code')).toBe(true);
    expect(answer.has(name)).toBe(false);
    return undefined;
  });

  it('is demanded of a client that must sign', async () => {
    await start({ clients: [{ ...signer, require_signed_request_object: true }] });
    expect(await refusal(push(asSigner))).toMatchObject({ code: 'invalid_request', reason: 'request_not_signed' });
    const { request_uri } = await pushed({ ...asSigner, request: await requestObject() });
    expect(answerOf(await visit(request_uri, session, 'signer')).has('code')).toBe(true);
  });

  it('of another client is refused', async () => {
    const request = await requestObject({ client_id: 'web', iss: 'web' });
    expect(await refusal(push({ ...asSigner, request }))).toMatchObject({ reason: 'request_object_client_mismatch' });
  });

  it('must be signed', async () => {
    expect(await refusal(push({ ...asSigner, request: unsignedObject() }))).toMatchObject({
      code: 'invalid_request_object',
      reason: 'request_object_unsigned',
    });
  });

  it('may not hold a request_uri', async () => {
    expect(objectClaims()).not.toHaveProperty('request_uri');
    const request = await requestObject({ request_uri: 'https://shop.example/object' });
    expect(await refusal(push({ ...asSigner, request }))).toMatchObject({ reason: 'request_object_nested' });
  });
});

describe('DPoP (RFC 9449 §10.1)', () => {
  const key = generateKeyPair('ES256');

  async function proof(jti: string): Promise<string> {
    const { privateKey, publicKey } = await key;
    return new SignJWT({ jti, htm: 'POST', htu: `${issuer}/oauth2/par`, iat: now })
      .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk: await exportJWK(publicKey) })
      .sign(privateKey);
  }

  async function boundTo(request_uri: string): Promise<unknown> {
    const code = answerOf(await visit(request_uri)).get('code') ?? '';
    return sandbox.server.store.get<{ dpop_jkt?: string }>(['code', code]).then(record => record?.dpop_jkt);
  }

  it('binds the code to dpop_jkt', async () => {
    const { request_uri } = await pushed({ ...frontendRequest, dpop_jkt: challenge });
    expect(await boundTo(request_uri)).toBe(challenge);
  });

  it('binds the code to the key of a proof', async () => {
    const { request_uri } = await pushed(frontendRequest, { dpop: await proof('1') });
    expect(await boundTo(request_uri)).toMatch(/^[\w-]{43}$/);
  });

  it('refuses a proof by another key than dpop_jkt says', async () => {
    const refused = refusal(push({ ...frontendRequest, dpop_jkt: challenge }, { dpop: await proof('2') }));
    expect(await refused).toMatchObject({ code: 'invalid_request', reason: 'dpop_key_mismatch' });
  });

  it('refuses a proof for another endpoint', async () => {
    const { privateKey, publicKey } = await key;
    const dpop = await new SignJWT({ jti: '3', htm: 'POST', htu: `${issuer}/oauth2/token`, iat: now })
      .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk: await exportJWK(publicKey) })
      .sign(privateKey);
    expect(await refusal(push(frontendRequest, { dpop }))).toMatchObject({ code: 'invalid_dpop_proof' });
  });

  it('means nothing where it is switched off', async () => {
    await start({ features: new Set(['par']), clients: [frontend] });
    const { request_uri } = await pushed({ ...frontendRequest, dpop_jkt: 'short' }, { dpop: 'x' });
    expect(await boundTo(request_uri)).toBeUndefined();
  });
});
