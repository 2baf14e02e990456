import { hash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { RegisteredClient } from '../../../src/protocol/clients/client.ts';
import type { Outbound } from '../../../src/protocol/outbound.ts';
import { OutboundError } from '../../../src/protocol/outbound.ts';
import { fetchRequestObject } from '../../../src/protocol/requests/request-object.ts';
import type { Session } from '../../../src/protocol/users/session.ts';
import { readObject } from '../../support/read-object.ts';
import {
  type Changes,
  foreign,
  objectClaims,
  pss,
  requestObject,
  rsa,
  signer,
  unsignedObject,
} from '../../support/request-objects.ts';
import { answerOf, createTestServer, eventsOf, issuer, now, refusal, type TestServer } from '../../support/server.ts';

const callback = 'https://shop.example/callback';
let sandbox: TestServer;
let session: Session;
beforeEach(() => start());

async function start(changes: Partial<RegisteredClient> = {}, options: Parameters<typeof createTestServer>[0] = {}) {
  sandbox = createTestServer({ clients: [{ ...signer, ...changes }], ...options });
  session = await sandbox.login();
}

/** What has to stand beside the object in a plain OpenID request. */
const outside = {
  client_id: 'signer',
  response_type: 'code',
  redirect_uri: callback,
  scope: 'openid',
  state: 'outside',
};
const nothing = { code_challenge: '', code_challenge_method: '' };

const ask = (request: string, beside: Readonly<Record<string, string>> = outside) =>
  sandbox.authorize(
    { redirect_uri: '', response_type: '', scope: '', state: '', ...nothing, ...beside, request },
    session,
  );
const answerTo = async (request: string, beside?: Readonly<Record<string, string>>) =>
  Object.fromEntries(answerOf(await ask(request, beside)));

describe('a good request object (RFC 9101 §6)', () => {
  it('is answered, with its own state and no other', async () => {
    const answer = await answerTo(await requestObject());
    expect(answer).toMatchObject({ code: expect.any(String), state: 'the state', iss: issuer });
    expect(eventsOf(sandbox.events, 'authorization.requested')).toMatchObject([{ source: 'request_object' }]);
  });

  it('needs nothing beside it but client_id', async () => {
    expect(await answerTo(await requestObject(), { client_id: 'signer' })).toHaveProperty('code');
  });

  it('gets no parameter from outside: not even state, nonce or scope (§6.3)', async () => {
    const request = await requestObject({ state: undefined, scope: 'email' });
    const answer = await answerTo(request, { ...outside, nonce: 'outside', scope: 'openid profile' });
    expect(answer).not.toHaveProperty('state');
    expect(eventsOf(sandbox.events, 'code.issued')).toMatchObject([{ scope: 'email' }]);
  });

  it('wins where redirect_uri, state and nonce differ from those outside', async () => {
    const request = await requestObject({ redirect_uri: 'https://shop.example/other?tenant=1' });
    const reply = await ask(request);
    expect(reply).toMatchObject({ location: expect.stringContaining('https://shop.example/other?tenant=1&code=') });
  });

  it.each<[string, Changes]>([
    ['several audiences', { aud: ['https://other.example', issuer] }],
    ['no audience', { aud: undefined }],
    ['no iss', { iss: undefined }],
    ['neither exp nor nbf', { exp: undefined, nbf: undefined }],
    ['nbf 8 seconds ahead', { nbf: now + 8 }],
    ['max_age as a number', { max_age: 10_000 }],
    ['claims as an object', { claims: { userinfo: { name: null } } }],
    ['claims that are unknown', { jti: 'x', display: 'page' }],
    ['a resource', { resource: 'https://api.example/' }],
    ['several resources', { resource: ['https://a.example/', 'https://b.example/'] }],
  ])('may have %s', async (_what, changes) => {
    expect(await answerTo(await requestObject(changes))).toHaveProperty('code');
  });

  it.each([undefined, 'JWT', 'jwt', 'application/oauth-authz-req+jwt'])('may say typ %s', async typ => {
    expect(await answerTo(await requestObject({}, typ === undefined ? {} : { typ }))).toHaveProperty('code');
  });

  it.each([
    ['RS256', rsa],
    ['PS256', pss],
  ])('may be signed with %s', async (alg, { privateKey, publicJwk }) => {
    const request = await requestObject({}, { alg, kid: String(publicJwk.kid) }, privateKey);
    expect(await answerTo(request)).toHaveProperty('code');
  });

  it('has its max_age, its prompt and its acr_values honoured', async () => {
    const page = await ask(await requestObject({ prompt: 'login' }));
    expect(page).toMatchObject({ kind: 'page', page: { cause: 'prompt_login' } });
    sandbox.pass(20);
    expect(await ask(await requestObject({ max_age: 10, iat: now + 20 }))).toMatchObject({
      page: { cause: 'max_age' },
    });
  });

  it('has its parameters read as a plain request has: a control character is refused', async () => {
    expect(await answerTo(await requestObject({ nonce: 'a\u0000b' }))).toMatchObject({ error: 'invalid_request' });
  });
});

const refused = async (request: string, changes: Partial<RegisteredClient> = {}, options = {}) => {
  await start(changes, options);
  return refusal(readObject(sandbox, request));
};

describe('a request object is invalid_request_object', () => {
  it.each<[string, Changes, string]>([
    ['another client_id inside', { client_id: 'web' }, 'request_object_client_mismatch'],
    ['no client_id inside', { client_id: undefined }, 'request_object_client_mismatch'],
    ['another iss', { iss: 'web' }, 'request_object_client_mismatch'],
    ['a foreign audience', { aud: 'https://other.example' }, 'request_object_audience_mismatch'],
    ['the audience with a slash too many', { aud: `${issuer}/` }, 'request_object_audience_mismatch'],
    ['an expiry in the past', { exp: now }, 'request_object_expired'],
    ['nbf over 10 seconds ahead', { nbf: now + 11 }, 'request_object_not_yet_valid'],
    ['iat in milliseconds', { iat: now * 1000 }, 'request_object_not_yet_valid'],
    ['exp in words', { exp: 'soon' as unknown as number }, 'request_object_time_malformed'],
    ['a request inside', { request: 'eyJ' }, 'request_object_nested'],
    ['a request_uri inside', { request_uri: 'https://shop.example/object' }, 'request_object_nested'],
    ['sub, so that it could be a client assertion', { sub: 'signer' }, 'request_object_malformed'],
  ])('with %s', async (_what, changes, reason) => {
    const error = await refused(await requestObject(changes));
    expect(error).toMatchObject({ code: 'invalid_request_object', reason });
  });

  it.each(['at+jwt', 'dpop+jwt', 'logout+jwt', 'client-authentication+jwt'])('as a JWT of type %s', async typ => {
    expect(await refused(await requestObject({}, { typ }))).toMatchObject({ reason: 'request_object_malformed' });
  });

  it('with crit, though its signature is good', async () => {
    const request = await requestObject({}, { crit: ['b64'], b64: true });
    const error = await refused(request);
    expect(error).toMatchObject({ reason: 'request_object_malformed', description: expect.stringContaining('crit') });
  });

  it('with padding behind it', async () => {
    expect(await refused(`${await requestObject()}==`)).toMatchObject({ reason: 'request_object_malformed' });
  });

  it.each(['', 'eyJ', 'a.b.c', 'a.b.c.d.e', `${Buffer.from('{"alg":"ES256"}').toString('base64url')}.e30.`])(
    'as %j',
    async text => {
      expect(await refused(text)).toMatchObject({ code: 'invalid_request_object' });
    },
  );

  it("signed with another client's key", async () => {
    const request = await requestObject({}, {}, foreign.privateKey);
    expect(await refused(request)).toMatchObject({ reason: 'request_object_signature_wrong' });
  });

  it('changed after it was signed', async () => {
    const [header, , signature] = (await requestObject()).split('.');
    const payload = Buffer.from(JSON.stringify(objectClaims({ scope: 'openid email' }))).toString('base64url');
    const reason = 'request_object_signature_wrong';
    expect(await refused(`${header}.${payload}.${signature}`)).toMatchObject({ reason });
  });

  it('signed with a key it names that the client does not have', async () => {
    expect(await refused(await requestObject({}, { kid: 'x' }))).toMatchObject({
      reason: 'request_object_key_unknown',
    });
  });

  it('of a client without keys', async () => {
    const { jwks: _, ...keyless } = signer;
    sandbox = createTestServer({ clients: [keyless] });
    const error = await refusal(readObject(sandbox, await requestObject()));
    expect(error).toMatchObject({ code: 'invalid_request_object', reason: 'request_object_key_unknown' });
  });

  it('signed with the client secret', async () => {
    const request = await requestObject({}, { alg: 'HS256' }, new TextEncoder().encode('signer-secret'.repeat(4)));
    expect(await refused(request)).toMatchObject({ reason: 'request_object_alg_refused' });
  });

  it('signed with another algorithm than the client is registered for', async () => {
    const changes = { request_object_signing_alg: 'PS256' };
    expect(await refused(await requestObject(), changes)).toMatchObject({ reason: 'request_object_alg_refused' });
    const right = await requestObject({}, { alg: 'PS256', kid: 'pss' }, pss.privateKey);
    await start(changes);
    expect(await answerTo(right)).toHaveProperty('code');
  });
});

describe('under the FAPI 2.0 profile (Message Signing §5.3.2)', () => {
  const strict = { profile: 'fapi2' } as const;

  it.each<[string, Changes, string]>([
    ['without exp', { exp: undefined }, 'request_object_time_malformed'],
    ['without nbf', { nbf: undefined }, 'request_object_time_malformed'],
    ['with exp more than 60 minutes away', { exp: now + 3601 }, 'request_object_time_malformed'],
    ['with nbf more than 60 minutes ago', { nbf: now - 3601 }, 'request_object_time_malformed'],
    ['without aud', { aud: undefined }, 'request_object_audience_mismatch'],
  ])('a request object %s is refused', async (_what, changes, reason) => {
    const error = await refused(await requestObject(changes), {}, strict);
    expect(error).toMatchObject({ code: 'invalid_request_object', reason });
  });

  it.each<[string, Changes]>([
    ['60 minutes of life', { exp: now + 3600, nbf: now }],
    ['60 minutes behind it', { nbf: now - 3600 }],
    ['nbf 8 seconds ahead', { nbf: now + 8 }],
    ['several audiences', { aud: ['https://other.example', issuer] }],
  ])('a request object with %s is taken', async (_what, changes) => {
    await start({}, strict);
    expect((await readObject(sandbox, await requestObject(changes))).values.get('state')).toBe('the state');
  });

  it('RS256 is refused', async () => {
    const request = await requestObject({}, { alg: 'RS256', kid: 'rsa' }, rsa.privateKey);
    expect(await refused(request, {}, strict)).toMatchObject({ reason: 'request_object_alg_refused' });
  });
});

describe('an unsigned request object (OIDC Core §6.1)', () => {
  it('is request_not_supported at the redirect URI beside it', async () => {
    expect(await answerTo(unsignedObject())).toMatchObject({
      error: 'request_not_supported',
      state: 'outside',
      iss: issuer,
    });
  });

  it('is invalid_request_object for a client that is registered for an algorithm', async () => {
    await start({ request_object_signing_alg: 'ES256' });
    expect(await answerTo(unsignedObject())).toMatchObject({ error: 'invalid_request_object' });
  });
});

describe('a refused request object', () => {
  it('is told to the redirect URI beside it, as a plain request of this client is', async () => {
    const expired = await requestObject({ exp: now - 1 });
    expect(await answerTo(expired)).toMatchObject({ error: 'invalid_request_object', state: 'outside', iss: issuer });
    expect(eventsOf(sandbox.events, 'error.returned')).toMatchObject([
      { form: 'redirect', reason: 'request_object_expired', client_id: 'signer' },
    ]);
  });

  it.each<[string, Record<string, string>]>([
    ['none', { client_id: 'signer' }],
    ['a foreign one', { ...outside, redirect_uri: 'https://evil.example/' }],
  ])('is told on a page where the redirect URI beside it is %s', async (_what, beside) => {
    const error = await refusal(ask(await requestObject({ exp: now - 1 }), beside));
    expect(error).toMatchObject({ code: 'invalid_request_object' });
  });

  it('is told on a page for a client whose plain parameters count for nothing', async () => {
    await start({ require_signed_request_object: true });
    const error = await refusal(ask(await requestObject({ exp: now - 1 })));
    expect(error).toMatchObject({ code: 'invalid_request_object' });
  });

  it.each<[string, Changes]>([
    ['that is foreign', { redirect_uri: 'https://evil.example/' }],
    ['that stands outside only', { redirect_uri: undefined }],
  ])('is told on a page for a redirect URI %s', async (_what, changes) => {
    expect(await refusal(ask(await requestObject(changes)))).toMatchObject({ code: 'invalid_request' });
  });

  it('is told to its own redirect URI, with its own state, once it is a good one', async () => {
    expect(await answerTo(await requestObject({ scope: 'foreign' }))).toMatchObject({
      error: 'invalid_scope',
      state: 'the state',
    });
  });
});

describe('parameters beside it', () => {
  it('must agree in response_type (OIDC Core §6.1)', async () => {
    const answer = await answerTo(await requestObject(), { ...outside, response_type: 'token' });
    expect(answer).toMatchObject({ error: 'invalid_request_object' });
  });

  it('must have the client_id (RFC 9101 §5)', async () => {
    expect(await refusal(ask(await requestObject(), { ...outside, client_id: '' }))).toMatchObject({
      reason: 'parameter_missing',
    });
    expect(await refusal(ask(await requestObject(), { client_id: 'web' }))).toMatchObject({
      code: 'invalid_request_object',
    });
  });

  it('may be no second request object', async () => {
    const beside = { ...outside, request_uri: 'https://shop.example/object' };
    expect(await refusal(ask(await requestObject(), beside))).toMatchObject({ reason: 'request_parameters_combined' });
  });
});

describe.each<[string, Partial<RegisteredClient>, Parameters<typeof createTestServer>[0]]>([
  ['a client', { require_signed_request_object: true }, {}],
  ['every client', {}, { requireSignedRequests: true }],
])('where %s must sign its requests (RFC 9101 §10.5)', (_who, changes, options) => {
  beforeEach(() => start(changes, options));

  it('plain parameters get a page', async () => {
    expect(await refusal(sandbox.authorize(outside, session))).toMatchObject({
      code: 'invalid_request',
      reason: 'request_not_signed',
    });
  });

  it('signed ones are answered', async () => {
    expect(await answerTo(await requestObject())).toHaveProperty('code');
  });
});

describe('a request object by reference (OIDC Core §6.2)', () => {
  const address = 'https://shop.example/object';
  let asked: string[];

  function serving(body: string, status = 200): Outbound {
    return {
      async get(url) {
        asked.push(url);
        if (status === 0) throw new OutboundError('unreachable', 'nobody is there');
        return { status, headers: {}, body, milliseconds: 1 };
      },
      post: () => Promise.reject(new OutboundError('unreachable', 'nobody is there')),
    };
  }

  const fetched = async (request_uri: string, outbound: Outbound, request_uris: readonly string[] = [address]) => {
    asked = [];
    await start({ request_uris }, { outbound });
    return Object.fromEntries(answerOf(await sandbox.authorize({ ...outside, ...nothing, request_uri }, session)));
  };

  it('is fetched from a registered address, and answered', async () => {
    expect(await fetched(address, serving(await requestObject()))).toMatchObject({ state: 'the state' });
    expect(asked).toEqual([address]);
  });

  it('may have the hash of the object as fragment, which must be right', async () => {
    const request = await requestObject();
    const digest = hash('sha256', request, 'base64url');
    expect(await fetched(`${address}#${digest}`, serving(request))).toHaveProperty('code');
    expect(await fetched(`${address}#${digest}`, serving(request), [`${address}#${digest}`])).toHaveProperty('code');
    expect(await fetched(`${address}#wrong`, serving(request))).toMatchObject({ error: 'invalid_request_uri' });
  });

  it.each([
    `${address}/other`,
    'https://evil.example/object',
    'http://169.254.169.254/',
    'file:///etc/passwd',
    'urn:x',
  ])('is never fetched from %s, which is not registered (RFC 9101 §10.4)', async request_uri => {
    expect(await fetched(request_uri, serving(''))).toMatchObject({ error: 'invalid_request_uri' });
    expect(asked).toEqual([]);
  });

  it.each([
    ['nobody is there', 0],
    ['the address answers with 404', 404],
  ])('is invalid_request_uri where %s', async (_why, status) => {
    expect(await fetched(address, serving('', status))).toMatchObject({
      error: 'invalid_request_uri',
      state: 'outside',
    });
  });

  it('is judged like one by value', async () => {
    expect(await fetched(address, serving(unsignedObject()))).toMatchObject({ error: 'request_uri_not_supported' });
    expect(await fetched(address, serving('no object'))).toMatchObject({ error: 'invalid_request_uri' });
    expect(await fetched(address, serving('no.jwt.either'))).toMatchObject({ error: 'invalid_request_object' });
  });

  it('is fetched a few times a second by the real time, whatever clock the sandbox has', async () => {
    let elapsed = 0;
    const request = await requestObject();
    asked = [];
    await start({ request_uris: [address] }, { outbound: serving(request), elapsed: () => elapsed });
    const askByReference = () => sandbox.authorize({ ...outside, ...nothing, request_uri: address }, session);
    for (let count = 0; count < 5; count++) expect(answerOf(await askByReference()).has('code')).toBe(true);
    expect(await refusal(askByReference())).toMatchObject({ code: 'temporarily_unavailable', status: 503 });
    sandbox.pass(60);
    await refusal(askByReference());
    expect(asked).toHaveLength(5);
    elapsed += 1;
    await askByReference();
    expect(asked).toHaveLength(6);
  });

  it('of one client is fetched from five addresses at a time, and leaves room for others', async () => {
    const request_uris = Array.from({ length: 30 }, (_, n) => `https://${n}.example/object`);
    const waiting: Outbound = { ...serving(''), get: url => new Promise(() => void asked.push(url)) };
    asked = [];
    await start({}, { outbound: waiting });
    const begin = (client_id: string) =>
      request_uris.map(uri => fetchRequestObject(sandbox.server, { ...signer, client_id, request_uris }, uri));
    const refused = begin('signer').slice(5).map(refusal);
    expect((await Promise.all(refused)).map(({ reason }) => reason)).toEqual(Array(25).fill('metadata_document_busy'));
    begin('another').map(each => each.catch(() => {}));
    expect(asked).toHaveLength(10);
  });
});
