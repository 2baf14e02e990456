import { beforeEach, describe, expect, it } from 'vitest';
import { authorize, denyAuthorization } from '../../../src/protocol/endpoints/authorize.ts';
import type { Reply } from '../../../src/protocol/endpoints/endpoint.ts';
import { featureNames } from '../../../src/protocol/feature.ts';
import { rememberAsked } from '../../../src/protocol/users/asked-login.ts';
import type { Session } from '../../../src/protocol/users/session.ts';
import {
  answerOf,
  callback,
  challenge,
  createTestServer,
  eventsOf,
  issuer,
  now,
  refusal,
  type TestServer,
  web,
  webRequest,
} from '../../support/server.ts';

let sandbox: TestServer;
let session: Session;
beforeEach(async () => {
  sandbox = createTestServer();
  session = await sandbox.login();
});

const error = async (parameters: Readonly<Record<string, string>>, as: Session | undefined = session) =>
  Object.fromEntries(await sandbox.answer(parameters, as));

function pageOf(reply: Reply) {
  if (reply.kind !== 'page' || reply.page.name !== 'login')
    throw new Error(`not the sign-in page: ${JSON.stringify(reply)}`);
  return reply.page;
}

describe('a request with a session', () => {
  it('is answered with code, state and iss at the redirect URI (RFC 6749 §4.1.2, RFC 9207 §2)', async () => {
    const reply = await sandbox.authorize({ state: 'x'.repeat(128) }, session);
    if (reply.kind !== 'redirect') throw new Error(reply.kind);
    const url = new URL(reply.location);
    expect(url.origin + url.pathname).toBe(callback);
    expect(url.hash).toBe('');
    expect([...url.searchParams.keys()]).toEqual(['code', 'session_state', 'state', 'iss']);
    expect(url.searchParams.get('state')).toBe('x'.repeat(128));
    expect(url.searchParams.get('iss')).toBe(issuer);
  });

  it('gets a code of at least 256 bits, another each time', async () => {
    const codes = [await sandbox.code(), await sandbox.code(), await sandbox.code()];
    expect(new Set(codes).size).toBe(3);
    for (const code of codes) expect(Buffer.from(code, 'base64url').length).toBeGreaterThanOrEqual(32);
  });

  it.each(['a b', 'ünïcödé €', 'a&b=c#d', '"><script>alert(1)</script>', '%0d%0aSet-Cookie: a=b', "'"])(
    'has its state %j returned exactly',
    async state => {
      expect((await sandbox.answer({ state }, session)).get('state')).toBe(state);
    },
  );

  it('has no state invented', async () => {
    expect((await sandbox.answer({ state: '' }, session)).has('state')).toBe(false);
  });
});

describe('the log', () => {
  it.each([
    ['claims', 'claims', '{"userinfo":{"name":null}}'],
    ['rar', 'authorization_details', '[]'],
    ['dpop', 'dpop_jkt', 'A'.repeat(43)],
  ] as const)('counts as ignored what belongs to the feature %s, where that is off', async (feature, name, value) => {
    sandbox = createTestServer({ features: new Set(featureNames.filter(each => each !== feature)) });
    await sandbox.answer({ [name]: value }, await sandbox.login());
    expect(eventsOf(sandbox.events, 'authorization.requested')).toMatchObject([{ ignored: [name] }]);
  });

  it('has the request, its ignored parameters and the code', async () => {
    const code = await sandbox.code({ display: 'page', audience: 'x', scope: 'email openid' }, session);
    expect(eventsOf(sandbox.events, 'authorization.requested')).toEqual([
      {
        type: 'authorization.requested',
        client_id: 'frontend',
        redirect_uri: callback,
        response_type: 'code',
        response_mode: 'query',
        scope: 'email openid',
        code_challenge_method: 'S256',
        ignored: ['display', 'audience'],
      },
    ]);
    expect(eventsOf(sandbox.events, 'code.issued')).toMatchObject([
      { token: code, client_id: 'frontend', sub: 'alice', scope: 'email openid', iat: now, exp: now + 60 },
    ]);
  });

  it('has the refusal that was redirected', async () => {
    await error({ response_type: 'token' });
    expect(eventsOf(sandbox.events, 'error.returned')).toMatchObject([
      {
        form: 'redirect',
        error: 'unauthorized_client',
        reason: 'grant_type_not_registered',
        client_id: 'frontend',
      },
    ]);
  });
});

describe('before client and redirect URI are trusted', () => {
  it.each([
    ['no client_id', { client_id: '' }, 'parameter_missing'],
    ['an unknown client_id', { client_id: 'nobody' }, 'client_unknown'],
    ['a client_id of JavaScript', { client_id: '__proto__' }, 'client_unknown'],
    ['a foreign redirect_uri', { redirect_uri: 'https://evil.example/' }, 'redirect_uri_not_registered'],
    ['a redirect_uri with user info', { redirect_uri: 'http://localhost:80@evil/' }, 'redirect_uri_not_registered'],
    ['a redirect_uri with a fragment', { redirect_uri: `${callback}#x` }, 'redirect_uri_not_registered'],
    ['a redirect_uri that no header can hold', { redirect_uri: 'http://localhost/€' }, 'redirect_uri_not_registered'],
    ['a script', { redirect_uri: 'javascript:alert(1)' }, 'redirect_uri_not_registered'],
    ['no redirect_uri in an OpenID request', { redirect_uri: '' }, 'redirect_uri_missing'],
    ['several registered and none sent', { ...webRequest, redirect_uri: '', scope: 'email' }, 'redirect_uri_missing'],
    [
      'another query',
      { ...webRequest, redirect_uri: 'https://shop.example/other?tenant=2' },
      'redirect_uri_not_registered',
    ],
    [
      'an added query',
      { ...webRequest, redirect_uri: 'https://shop.example/callback?x=1' },
      'redirect_uri_not_registered',
    ],
    ['a client without redirect URIs', { client_id: 'sensor' }, 'redirect_uri_not_registered'],
  ])('a request is refused without a redirect: %s', async (_what, parameters, reason) => {
    expect(await refusal(sandbox.authorize(parameters, session))).toMatchObject({ code: 'invalid_request', reason });
  });

  it.each(['client_id', 'redirect_uri'])('a repeated %s is refused without a redirect', async name => {
    const request = sandbox.request(`client_id=frontend&redirect_uri=${callback}&${name}=x&response_type=code`);
    expect(await refusal(denyAuthorization(sandbox.server, request))).toMatchObject({ reason: 'parameter_repeated' });
  });

  it('a request may leave out the only registered redirect_uri where it is no OpenID request', async () => {
    const reply = await sandbox.authorize({ redirect_uri: '', scope: 'email' }, session);
    expect(reply).toMatchObject({ kind: 'redirect', location: expect.stringContaining(`${callback}?code=`) });
  });
});

describe('afterwards, an error goes to the redirect URI with state and iss', () => {
  it.each<[string, Record<string, string>, string]>([
    ['no response_type', { response_type: '' }, 'invalid_request'],
    ['response_type none', { response_type: 'none' }, 'unsupported_response_type'],
    ['response_type token of a client without it', { response_type: 'token' }, 'unauthorized_client'],
    ['response_type code id_token of a client without it', { response_type: 'code id_token' }, 'unauthorized_client'],
    ['an unknown response_mode', { response_mode: 'web_message' }, 'invalid_request'],
    ['no PKCE from a public client', { code_challenge: '', code_challenge_method: '' }, 'invalid_request'],
    ['plain PKCE', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['a challenge without a method', { code_challenge_method: '' }, 'invalid_request'],
    ['a malformed challenge', { code_challenge: 'short' }, 'invalid_request'],
    ['a foreign scope', { scope: 'openid telemetry:write' }, 'invalid_scope'],
    ['a malformed scope', { scope: 'openid "' }, 'invalid_scope'],
    ['an unknown prompt', { prompt: 'maybe' }, 'invalid_request'],
    ['prompt none with another', { prompt: 'none login' }, 'invalid_request'],
    ['max_age in words', { max_age: 'soon' }, 'invalid_request'],
    ['a negative max_age', { max_age: '-1' }, 'invalid_request'],
    ['a very long acr value', { acr_values: `a ${'x'.repeat(201)}` }, 'invalid_request'],
    ['a bad resource', { resource: '/api' }, 'invalid_target'],
    ['a request object that is none', { request: 'eyJ' }, 'invalid_request_object'],
    ['a request_uri that is not registered', { request_uri: 'urn:x' }, 'invalid_request_uri'],
    ['registration', { registration: '{}' }, 'registration_not_supported'],
    ['a broken id_token_hint', { id_token_hint: 'x.y.z' }, 'invalid_request'],
    ['a NUL somewhere', { anything: 'a\0b' }, 'invalid_request'],
  ])('%s', async (_what, parameters, code) => {
    const answer = await error(parameters);
    expect(answer).toMatchObject({ error: code, state: 'a state', iss: issuer });
    expect(answer.error_description).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]{5,}$/);
    expect(answer).not.toHaveProperty('code');
  });

  it.each<[string, Record<string, string>, string]>([
    ['response_type token', { response_type: 'token' }, 'unsupported_response_type'],
    ['response_type code id_token', { response_type: 'code id_token' }, 'unsupported_response_type'],
    ['a request object', { request: 'eyJ' }, 'request_not_supported'],
    ['a request_uri', { request_uri: 'https://x.example/' }, 'request_uri_not_supported'],
    [
      'the request_uri of a pushed request',
      { request_uri: 'urn:ietf:params:oauth:request_uri:x' },
      'request_uri_not_supported',
    ],
    ['a signed response', { response_mode: 'jwt' }, 'invalid_request'],
  ])('%s, where it is switched off', async (_what, parameters, code) => {
    sandbox = createTestServer({ features: new Set() });
    expect(Object.fromEntries(await sandbox.answer(parameters))).toMatchObject({ error: code, state: 'a state' });
  });

  it('unauthorized_client, where the client is not registered for the code grant', async () => {
    const machine = { ...web, client_id: 'machine', grant_types: ['client_credentials'] };
    sandbox = createTestServer({ clients: [machine] });
    expect(await error({ ...webRequest, client_id: 'machine' })).toMatchObject({ error: 'unauthorized_client' });
  });

  it('without a state that came twice', async () => {
    const parameters = `client_id=frontend&redirect_uri=${callback}&response_type=code&state=a&state=b`;
    const answer = answerOf(await denyAuthorization(sandbox.server, sandbox.request(parameters)));
    expect(answer.get('error')).toBe('invalid_request');
    expect(answer.has('state')).toBe(false);
  });

  it('and emits no code', async () => {
    await error({ scope: 'foreign' });
    expect(eventsOf(sandbox.events, 'code.issued')).toEqual([]);
  });

  it('with error_uri where a request is explained', async () => {
    const request = {
      ...sandbox.request(`client_id=frontend&redirect_uri=${callback}`),
      errorUri: 'http://localhost:9000/why',
    };
    expect(answerOf(await denyAuthorization(sandbox.server, request)).get('error_uri')).toBe(
      'http://localhost:9000/why',
    );
  });
});

describe('response modes', () => {
  it('query is the default, and keeps a registered query', async () => {
    const redirect_uri = 'https://shop.example/other?tenant=1';
    const reply = await sandbox.authorize({ ...webRequest, redirect_uri }, session);
    expect(reply).toMatchObject({ location: expect.stringMatching(/^https:\/\/shop\.example\/other\?tenant=1&code=/) });
  });

  it('fragment puts nothing into the query', async () => {
    const reply = await sandbox.authorize({ response_mode: 'fragment' }, session);
    expect(reply).toMatchObject({ kind: 'redirect', location: expect.stringMatching(/^[^?]+callback#code=/) });
  });

  it('form_post is a form for the redirect URI', async () => {
    const reply = await sandbox.authorize({ response_mode: 'form_post' }, session);
    expect(reply).toEqual({
      kind: 'form_post',
      action: callback,
      parameters: { code: expect.any(String), session_state: expect.any(String), state: 'a state', iss: issuer },
    });
  });

  it.each(['fragment', 'form_post'])('%s is used for errors too', async response_mode => {
    const reply = await sandbox.authorize({ response_mode, scope: 'foreign' }, session);
    expect(reply).toMatchObject(
      response_mode === 'form_post'
        ? { kind: 'form_post', parameters: { error: 'invalid_scope', iss: issuer } }
        : { kind: 'redirect', location: expect.stringContaining('callback#error=invalid_scope') },
    );
  });
});

describe('who has to log in (OIDC Core §3.1.2.1)', () => {
  const cause = async (parameters: Record<string, string>, as: Session | undefined = session) =>
    pageOf(await sandbox.authorize(parameters, as)).cause;

  it('somebody without a session', async () => {
    expect(pageOf(await sandbox.authorize())).toMatchObject({
      cause: 'no_session',
      client: { client_id: 'frontend' },
      request: { scopes: ['openid'], state: 'a state', code_challenge: challenge },
    });
  });

  it('somebody with an unknown or expired session', async () => {
    expect(await cause({}, { ...session, id: 'unknown' })).toBe('no_session');
    sandbox.pass(28_800);
    expect(await cause({})).toBe('no_session');
  });

  it.each<[Record<string, string>, string]>([
    [{ prompt: 'login' }, 'prompt_login'],
    [{ prompt: 'select_account' }, 'select_account'],
    [{ prompt: 'login consent' }, 'prompt_login'],
    [{ max_age: '0' }, 'max_age'],
    [{ max_age: '00' }, 'max_age'],
    [{ login_hint: 'bob' }, 'hint'],
    [{ login_hint: 'BOBBY' }, 'hint'],
    [{ acr_values: 'urn:gold urn:silver' }, 'acr_values'],
  ])('somebody with a session, for %j', async (parameters, expected) => {
    expect(await cause(parameters)).toBe(expected);
  });

  it.each<Record<string, string>>([
    { max_age: '10000' },
    { login_hint: 'alice' },
    { login_hint: 'Alice@Example.COM' },
    { login_hint: 'nobody-we-know' },
    { acr_values: 'urn:gold 0' },
    { display: 'popup' },
    { ui_locales: 'de en' },
    { claims_locales: 'de' },
    { claims: '{"userinfo":{"name":{"essential":true}}}' },
    { nonce: 'n' },
    { anything: 'else' },
  ])('but not for %j', async parameters => {
    expect((await sandbox.answer(parameters, session)).has('code')).toBe(true);
  });

  it('when the login is older than max_age, and not before', async () => {
    sandbox.pass(10);
    expect((await sandbox.answer({ max_age: '10' }, session)).has('code')).toBe(true);
    sandbox.pass(1);
    expect(await cause({ max_age: '10' })).toBe('max_age');
  });

  it('with the hinted user offered', async () => {
    expect(pageOf(await sandbox.authorize({ login_hint: 'carol@example.com' }, session)).hinted?.sub).toBe('carol');
  });

  it('with the session offered', async () => {
    expect(pageOf(await sandbox.authorize({ prompt: 'login' }, session)).session).toEqual(session);
  });

  it('not for an id_token_hint of who is logged in, expired or not', async () => {
    const { id_token = '' } = await sandbox.tokens({}, session);
    sandbox.pass(10_000);
    expect((await sandbox.answer({ id_token_hint: id_token }, session)).has('code')).toBe(true);
  });

  it('for an id_token_hint of somebody else, which counts before login_hint', async () => {
    const { id_token = '' } = await sandbox.tokens({}, await sandbox.login('bob'));
    const page = pageOf(await sandbox.authorize({ id_token_hint: id_token, login_hint: 'alice' }, session));
    expect(page).toMatchObject({ cause: 'hint', hinted: { sub: 'bob' } });
  });

  it('again, where somebody else has logged in than the id_token_hint names (OIDC Core §3.1.2.2)', async () => {
    const { id_token = '' } = await sandbox.tokens({}, await sandbox.login('bob'));
    const hinting = { client_id: 'frontend', redirect_uri: callback, response_type: 'code', id_token_hint: id_token };
    const pkce = { code_challenge: challenge, code_challenge_method: 'S256' };
    const asked = (who: Session) =>
      authorize(sandbox.server, sandbox.request({ ...hinting, ...pkce }, { method: 'GET', sessionId: who.id }));
    const { parameters } = sandbox.request({ ...hinting, ...pkce });
    await rememberAsked(sandbox.server, session, parameters);
    expect(pageOf(await asked(session))).toMatchObject({ cause: 'hint', hinted: { sub: 'bob' } });
    const bob = await sandbox.login('bob');
    await rememberAsked(sandbox.server, bob, parameters);
    expect(await asked(bob)).toMatchObject({ kind: 'redirect', location: expect.stringContaining('code=') });
  });

  it('once for a login_hint, which is no more than a hint', async () => {
    const hinting = { client_id: 'frontend', redirect_uri: callback, response_type: 'code', login_hint: 'bob' };
    const sent = { ...hinting, code_challenge: challenge, code_challenge_method: 'S256' };
    const request = sandbox.request(sent, { method: 'GET', sessionId: session.id });
    expect(pageOf(await authorize(sandbox.server, request))).toMatchObject({ cause: 'hint' });
    await rememberAsked(sandbox.server, session, request.parameters);
    const reply = await authorize(sandbox.server, request);
    expect(reply).toMatchObject({ kind: 'redirect', location: expect.stringContaining('code=') });
  });
});

describe('prompt=none', () => {
  it('is answered silently, with the same sub and auth_time', async () => {
    sandbox.pass(100);
    expect((await sandbox.answer({ prompt: 'none' }, session)).has('code')).toBe(true);
  });

  it.each<[string, Record<string, string>]>([
    ['the sign-in is too old', { max_age: '0' }],
    ['somebody else is hinted', { login_hint: 'bob' }],
  ])('is login_required when %s', async (_when, parameters) => {
    expect(await error({ prompt: 'none', ...parameters })).toMatchObject({ error: 'login_required' });
  });

  it('is login_required when nobody is logged in', async () => {
    const answer = await sandbox.answer({ prompt: 'none', state: 's'.repeat(128) });
    expect(Object.fromEntries(answer)).toMatchObject({ error: 'login_required', state: 's'.repeat(128), iss: issuer });
  });

  it('is answered whatever acr_values say: acr is a voluntary claim', async () => {
    expect((await sandbox.answer({ prompt: 'none', acr_values: 'urn:gold' }, session)).has('code')).toBe(true);
  });

  it('is login_required for an id_token_hint of somebody else, even one forgotten since', async () => {
    sandbox.users.create('dave');
    const { id_token = '' } = await sandbox.tokens({}, await sandbox.login('dave'));
    expect(await error({ prompt: 'none', id_token_hint: id_token })).toMatchObject({ error: 'login_required' });
    expect(eventsOf(sandbox.events, 'error.returned').at(-1)).toMatchObject({ reason: 'hint_of_another_user' });
    sandbox.users.reset();
    expect(await error({ prompt: 'none', id_token_hint: id_token })).toMatchObject({ error: 'login_required' });
  });

  it('is invalid_request for an access token as id_token_hint', async () => {
    const { access_token } = await sandbox.tokens({}, session);
    expect(await error({ prompt: 'none', id_token_hint: access_token })).toMatchObject({ error: 'invalid_request' });
  });
});

describe('a denial', () => {
  const deny = (parameters: Record<string, string>) =>
    denyAuthorization(
      sandbox.server,
      sandbox.request({ client_id: 'frontend', redirect_uri: callback, ...parameters }),
    );
  const complete = { response_type: 'code', code_challenge: challenge, code_challenge_method: 'S256', state: 's' };

  it('is access_denied at the redirect URI', async () => {
    expect(Object.fromEntries(answerOf(await deny(complete)))).toMatchObject({
      error: 'access_denied',
      state: 's',
      iss: issuer,
    });
  });

  it('makes the same checks first', async () => {
    expect(answerOf(await deny({ ...complete, scope: 'foreign' })).get('error')).toBe('invalid_scope');
    expect(await refusal(deny({ ...complete, redirect_uri: 'https://evil.example' }))).toMatchObject({
      reason: 'redirect_uri_not_registered',
    });
  });
});

describe('a confidential client', () => {
  it('need not use PKCE, unless it is demanded', async () => {
    expect((await sandbox.answer(webRequest, session)).has('code')).toBe(true);
    sandbox = createTestServer({ clients: [{ ...web, require_pkce: true }] });
    expect((await sandbox.answer(webRequest)).get('error')).toBe('invalid_request');
  });

  it('may use PKCE, which then counts', async () => {
    const code = await sandbox.code({ client_id: 'web', redirect_uri: webRequest.redirect_uri }, session);
    const request = { grant_type: 'authorization_code', code, client_id: 'web', client_secret: 'web-secret' };
    expect(await refusal(sandbox.token(request))).toMatchObject({ reason: 'pkce_missing' });
  });
});
