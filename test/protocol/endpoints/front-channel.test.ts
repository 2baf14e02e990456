import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import { type RegisteredClient, responseTypes } from '../../../src/protocol/clients/client.ts';
import { tokenHash } from '../../../src/protocol/tokens/id-token.ts';
import type { Session } from '../../../src/protocol/users/session.ts';
import {
  answerOf,
  createTestServer,
  eventsOf,
  issuer,
  refusal,
  type TestServer,
  type TestServerOptions,
  web,
} from '../../support/server.ts';

const callback = 'https://shop.example/callback';
const legacy: RegisteredClient = {
  ...web,
  client_id: 'legacy',
  client_secret: 'legacy-secret',
  token_endpoint_auth_methods: ['client_secret_post'],
  grant_types: ['authorization_code', 'implicit', 'refresh_token'],
  response_types: responseTypes,
};

let sandbox: TestServer;
let session: Session;
beforeEach(() => start());

async function start(changes: Partial<RegisteredClient> = {}, options: TestServerOptions = {}) {
  sandbox = createTestServer({ clients: [{ ...legacy, ...changes }], ...options });
  session = await sandbox.login();
}

const request = {
  client_id: 'legacy',
  redirect_uri: callback,
  scope: 'openid email offline_access',
  nonce: 'the nonce',
  code_challenge: '',
  code_challenge_method: '',
};
const ask = (response_type: string, changes: Readonly<Record<string, string>> = {}) =>
  sandbox.authorize({ ...request, response_type, ...changes }, session);
const answerTo = async (response_type: string, changes?: Readonly<Record<string, string>>) =>
  Object.fromEntries(answerOf(await ask(response_type, changes)));

async function verified(jwt: string | undefined) {
  const { keys: published } = await sandbox.server.keys.jwks();
  const keys = createLocalJWKSet({ keys: published.map(key => ({ ...key })) });
  const currentDate = new Date(sandbox.server.clock() * 1000);
  return (await jwtVerify(jwt ?? '', keys, { issuer, audience: 'legacy', currentDate })).payload;
}

async function redeem(code: string | undefined) {
  const client = { client_id: 'legacy', client_secret: 'legacy-secret' };
  return sandbox.token({ grant_type: 'authorization_code', code: code ?? '', redirect_uri: callback, ...client });
}

const parametersOf: Readonly<Record<string, readonly string[]>> = {
  id_token: ['id_token'],
  token: ['access_token', 'token_type', 'expires_in', 'scope'],
  'id_token token': ['access_token', 'token_type', 'expires_in', 'scope', 'id_token'],
  'code id_token': ['code', 'id_token'],
  'code token': ['code', 'access_token', 'token_type', 'expires_in', 'scope'],
  'code id_token token': ['code', 'access_token', 'token_type', 'expires_in', 'scope', 'id_token'],
};
const types = Object.keys(parametersOf);

describe.each(types)('response_type %s (OIDC Core §3.2, §3.3)', type => {
  it('is answered in the fragment, with the requested tokens and without a refresh token', async () => {
    const reply = await ask(type);
    if (reply.kind !== 'redirect') throw new Error(reply.kind);
    expect(new URL(reply.location).search).toBe('');
    const names = [...answerOf(reply).keys()].filter(name => name !== 'session_state');
    expect(names).toEqual([...(parametersOf[type] ?? []), 'state', 'iss']);
    expect(answerOf(reply).get('state')).toBe('a state');
  });

  it('can be answered by a form post, with nothing in the query', async () => {
    const reply = await ask(type, { response_mode: 'form_post' });
    expect(reply).toMatchObject({ kind: 'form_post', action: callback });
    expect(answerOf(reply).has(parametersOf[type]?.[0] ?? '')).toBe(true);
  });

  it.each(['query', 'query.jwt'])('is never answered in the query, not even when asked for %s', async response_mode => {
    const reply = await ask(type, { response_mode });
    expect(reply).toMatchObject({ location: expect.stringMatching(/^[^?]+#error=invalid_request&/) });
  });

  it('has its errors in the fragment, too', async () => {
    const reply = await ask(type, { scope: 'openid foreign' });
    expect(reply).toMatchObject({ location: expect.stringMatching(/^[^?]+#error=invalid_scope&/) });
  });

  it('may have its words in any order', async () => {
    const reversed = type.split(' ').reverse().join(' ');
    const names = [...answerOf(await ask(reversed)).keys()];
    expect(names).toEqual(expect.arrayContaining([...(parametersOf[type] ?? [])]));
    expect(eventsOf(sandbox.events, 'authorization.requested')).toMatchObject([{ response_type: type }]);
  });

  it('is unauthorized_client for a client that is not registered for it', async () => {
    const others = responseTypes.filter(each => each !== type);
    await start({ response_types: others });
    expect(await answerTo(type)).toMatchObject({ error: 'unauthorized_client' });
  });

  it.each<[string, TestServerOptions]>([
    ['the feature is off', { features: new Set(['par']) }],
    ['the FAPI 2.0 profile is on', { profile: 'fapi2' }],
  ])('is not offered where %s', async (_why, options) => {
    await start({}, options);
    const work = answerTo(type);
    if (options.profile === 'fapi2') return expect((await refusal(work)).reason).toBe('request_not_pushed');
    return expect(await work).toMatchObject({ error: 'unsupported_response_type' });
  });
});

describe.each(types.filter(type => type.includes('id_token')))('an ID token by response_type %s', type => {
  it('is signed for the client, with the nonce and the hashes of the code and the access token', async () => {
    const { id_token, access_token, code } = await answerTo(type);
    const claims = await verified(id_token);
    expect(claims).toMatchObject({ sub: 'alice', nonce: 'the nonce', auth_time: sandbox.server.clock() });
    expect(claims.at_hash).toBe(access_token === undefined ? undefined : tokenHash(access_token, 'ES256'));
    expect(claims.c_hash).toBe(code === undefined ? undefined : tokenHash(code, 'ES256'));
  });

  it('needs a nonce (OIDC Core §3.2.2.1)', async () => {
    expect(await answerTo(type, { nonce: '' })).toMatchObject({ error: 'invalid_request', state: 'a state' });
  });

  it('needs openid', async () => {
    expect(await answerTo(type, { scope: 'email' })).toMatchObject({ error: 'invalid_request' });
  });
});

describe('the code of a hybrid answer', () => {
  it.each(['code id_token', 'code token', 'code id_token token'])(
    'of %s gives tokens that agree with it',
    async type => {
      const { code, id_token } = await answerTo(type);
      const tokens = await redeem(code);
      expect(tokens.refresh_token).toBeDefined();
      const later = await verified(tokens.id_token);
      expect(later).toMatchObject({ sub: 'alice', nonce: 'the nonce' });
      if (id_token === undefined) return;
      const first = await verified(id_token);
      for (const name of ['iss', 'sub', 'aud', 'auth_time', 'nonce', 'sid', 'acr']) {
        expect(later[name], name).toEqual(first[name]);
      }
    },
  );

  it('revokes the tokens of the front channel when it is replayed', async () => {
    const { code, access_token } = await answerTo('code token');
    await redeem(code);
    expect(await refusal(redeem(code))).toMatchObject({ reason: 'code_replayed' });
    const revoked = eventsOf(sandbox.events, 'token.revoked').map(event => event.authorizationId);
    expect(String(decodeJwt(access_token ?? '').jti).split('.')[0]).toBe(revoked[0]);
  });

  it('asks for PKCE of those who must use it, and a code alone does', async () => {
    await start({ require_pkce: true });
    expect(await answerTo('code id_token')).toMatchObject({ error: 'invalid_request' });
    expect(await answerTo('id_token')).toHaveProperty('id_token');
  });
});

describe('an ID token alone', () => {
  it('has the claims of the scopes, because there is no UserInfo to ask (OIDC Core §5.4)', async () => {
    expect(await verified((await answerTo('id_token')).id_token)).toMatchObject({ email: 'alice@example.com' });
    expect(await verified((await answerTo('id_token token')).id_token)).not.toHaveProperty('email');
  });
});

describe('an access token of the front channel', () => {
  it('is of the implicit grant, for the resources that were asked for', async () => {
    const { access_token, expires_in } = await answerTo('token', { resource: 'https://api.example/' });
    expect(decodeJwt(access_token ?? '')).toMatchObject({ aud: 'https://api.example/', client_id: 'legacy' });
    expect(expires_in).toBe('300');
    expect(eventsOf(sandbox.events, 'token.issued')).toMatchObject([{ grant_type: 'implicit', tokenType: 'access' }]);
  });

  it.each(['dpop_bound_access_tokens', 'tls_client_certificate_bound_access_tokens'] as const)(
    'is refused to a client with %s: it would be a bearer token',
    async member => {
      await start({ [member]: true });
      expect(await answerTo('token')).toMatchObject({ error: 'unauthorized_client' });
      expect(await answerTo('id_token')).toHaveProperty('id_token');
    },
  );
});

describe('a response type', () => {
  it.each(['none', 'code none', 'code code', 'CODE', 'id_token,token'])('%s is not offered', async type => {
    expect(await answerTo(type)).toMatchObject({ error: 'unsupported_response_type' });
  });

  it('of tokens needs the grant type implicit', async () => {
    await start({ grant_types: ['authorization_code'] });
    expect(await answerTo('code id_token')).toMatchObject({ error: 'unauthorized_client' });
  });
});

describe('requirements that a client has registered for its requests', () => {
  it('default_max_age counts where max_age is not sent (OIDC Registration §2)', async () => {
    await start({ default_max_age: 10 });
    sandbox.pass(11);
    expect(await ask('code')).toMatchObject({ kind: 'page', page: { cause: 'max_age' } });
    expect(await answerTo('code', { max_age: '100' })).toHaveProperty('code');
  });

  it('default_acr_values count where acr_values are not sent', async () => {
    await start({ default_acr_values: ['urn:gold'] });
    expect(await ask('code')).toMatchObject({ kind: 'page', page: { cause: 'acr_values' } });
    expect(await answerTo('code', { acr_values: '0' })).toHaveProperty('code');
  });

  it('require_auth_time: auth_time is in each ID token', async () => {
    await start({ require_auth_time: true });
    const { code } = await answerTo('code');
    expect(await verified((await redeem(code)).id_token)).toMatchObject({ auth_time: sandbox.server.clock() });
  });
});
