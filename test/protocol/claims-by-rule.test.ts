import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import { createDialect } from '../../src/protocol/dialects/create-dialect.ts';
import { introspect } from '../../src/protocol/endpoints/introspect.ts';
import { userinfo } from '../../src/protocol/endpoints/userinfo.ts';
import type { TokenRule } from '../../src/protocol/token-rule.ts';
import { createTestServer, redemption, sensor, type TestServer, type TestServerOptions } from '../support/server.ts';

function withRules(templates: readonly TokenRule[], options: TestServerOptions = {}): TestServer {
  return createTestServer({ tokenRules: { templates, timeout: 2 }, ...options });
}

type Members = Readonly<Record<string, unknown>>;

/** The claims of the tokens of a login of alice, and those that UserInfo answers. */
async function claimsOf(it: TestServer, parameters: Readonly<Record<string, string>> = {}) {
  const { access_token, id_token = '' } = await it.tokens({ scope: 'openid email', ...parameters });
  const reply = await userinfo(it.server, it.request({}, { authorization: `Bearer ${access_token}` }));
  if (reply.kind !== 'json') throw new Error(`a ${reply.kind} from UserInfo`);
  return { accessToken: decodeJwt(access_token), idToken: decodeJwt(id_token), userinfo: { ...reply.body } as Members };
}

const byBasic = `Basic ${btoa('sensor:sensor-secret')}`;

describe('claims by rule', () => {
  it('are in access token, ID token and UserInfo, with values of the user, the client and the grant', async () => {
    const claims = {
      mail: '${user.email}',
      roles: '${user.access_token_claims.roles}',
      greeting: '${user.name} at ${client.client_name}',
      by: '${grant.type}',
      list: ['all', '${...scopes}'],
      who: '${user.sub}',
    };
    const all = await claimsOf(withRules([{ claims }]));
    const expected = {
      mail: 'alice@example.com',
      roles: ['admin', 'buyer'],
      greeting: 'Alice Archer at Demo front end',
      by: 'authorization_code',
      list: ['all', 'openid', 'email'],
      who: 'alice',
    };
    for (const each of Object.values(all)) expect(each).toMatchObject(expected);
  });

  it.each(['accessToken', 'idToken', 'userinfo'] as const)('are only in the %s where the rule says so', async kind => {
    const all = await claimsOf(withRules([{ for: kind, claims: { marked: true } }]));
    expect(Object.entries(all).filter(([_, claims]) => claims.marked === true)).toEqual([[kind, all[kind]]]);
  });

  it('are for one client, one scope, one audience and one grant, each a text or a list', async () => {
    const rules: readonly TokenRule[] = [
      { client: 'frontend', claims: { a: 1 } },
      { client: ['sensor', 'web'], claims: { b: 1 } },
      { scope: ['bikes:read', 'email'], claims: { c: 1 } },
      { scope: 'bikes:read', claims: { d: 1 } },
      { grant: 'authorization_code', claims: { e: 1 } },
      { grant: 'client_credentials', claims: { f: 1 } },
      { audience: 'frontend', claims: { g: 1 } },
      { audience: 'https://api.example', claims: { h: 1 } },
    ];
    const it = withRules(rules);
    const login = await claimsOf(it);
    for (const claims of Object.values(login)) {
      expect(Object.keys(claims).filter(name => name.length === 1)).toEqual(['a', 'c', 'e', 'g']);
    }
    const { access_token } = await it.token(
      { grant_type: 'client_credentials', scope: 'telemetry:write', resource: 'https://api.example' },
      byBasic,
    );
    expect(Object.keys(decodeJwt(access_token)).filter(name => name.length === 1)).toEqual(['b', 'f', 'h']);
  });

  it('apply when a path has a value, or has none', async () => {
    const rules: readonly TokenRule[] = [
      { when: 'user.email', claims: { a: 1 } },
      { when: '!user.email', claims: { b: 1 } },
      { when: ['user.email', '!claims.nickname'], claims: { c: 1 } },
      { when: 'request.tenant', claims: { d: '${request.tenant}' } },
    ];
    const it = withRules(rules);
    const code = await it.code();
    const { access_token } = await it.token({ ...redemption, code, tenant: 'blue' });
    expect(decodeJwt(access_token)).toMatchObject({ a: 1, c: 1, d: 'blue' });
    expect(decodeJwt(access_token)).not.toHaveProperty('b');
  });

  it('apply when a value is the one of the condition, or matches it as a whole', async () => {
    const conditions = {
      ...{
        'request.tenant=blue': true,
        'request.tenant=blu': false,
        '!request.tenant=blue': false,
        'request.tenant=': false,
      },
      ...{
        'request.tenant~b.+': true,
        'request.tenant~b': false,
        'request.tenant~red|blue': true,
        '!request.tenant~red': true,
      },
      ...{ 'request.none=': false, '!request.none=x': true, 'request.none~.*': false },
      ...{ 'request.audience=https://api.example/a=b': true, 'client.client_id=frontend': true },
      ...{ 'scopes=email': true, 'scopes=e': false, 'scopes~op.*': true, 'user.email_verified=true': true },
      ...{ 'user.access_token_claims.roles=admin': true, 'user.access_token_claims=admin': false },
      ...{ 'claims[https://a.example/?b=c]=d': true, 'claims[https://a.example/?b=c]': true },
    };
    const first = { claims: { 'https://a.example/?b=c': 'd' } };
    const rules = Object.keys(conditions).map(when => ({ when, claims: { [`is ${when}`]: true } }));
    const it = withRules([first, ...rules]);
    const asked = { tenant: 'blue', audience: 'https://api.example/a=b' };
    const { access_token } = await it.token({
      ...redemption,
      code: await it.code({ scope: 'openid email' }),
      ...asked,
    });
    const claims = decodeJwt(access_token);
    expect(Object.fromEntries(Object.keys(conditions).map(when => [when, claims[`is ${when}`] === true]))).toEqual(
      conditions,
    );
  });

  it('come in the order of the rules, and each rule sees the claims so far', async () => {
    const rules: readonly TokenRule[] = [
      { claims: { roles: ['first', '${...claims.roles}'] } },
      { claims: { roles: ['${...claims.roles}', 'last'] } },
      { for: 'accessToken', when: 'claims.fleet', claims: { fleet: 'not ${claims.fleet}' } },
    ];
    const { accessToken } = await claimsOf(withRules(rules), { scope: 'openid bikes:read' });
    expect(accessToken).toMatchObject({ roles: ['first', 'admin', 'buyer', 'last'], fleet: 'not city' });
  });

  it('have nothing of a user where a client acts for itself', async () => {
    const it = withRules([{ claims: { mail: '${user.email}', at: 'the ${client.client_name}' } }]);
    const { access_token } = await it.token({ grant_type: 'client_credentials' }, byBasic);
    expect(decodeJwt(access_token)).toMatchObject({ at: 'the Demo sensor' });
    expect(decodeJwt(access_token)).not.toHaveProperty('mail');
  });

  it('never show a secret of the request, the client or the user', async () => {
    const secrets = [
      ...['request.client_secret', 'request.code', 'request.code_verifier', 'request.password', 'request.assertion'],
      ...['request.subject_token', 'request.refresh_token', 'client.client_secret', 'user.password'],
    ];
    const claims = Object.fromEntries(secrets.map((path, index) => [`c${index}`, `\${${path}}`]));
    const it = withRules([
      { claims: { ...claims, type: '${request.subject_token_type}', seen: '${client.client_id}' } },
    ]);
    const code = await it.code({ client_id: 'web', redirect_uri: 'https://shop.example/callback' });
    const sent = { client_secret: 'web-secret', password: 'p', assertion: 'a', subject_token: 's', refresh_token: 'r' };
    const { access_token } = await it.token({
      ...{ ...redemption, client_id: 'web', redirect_uri: 'https://shop.example/callback', code },
      ...{ ...sent, subject_token_type: 'urn:x' },
    });
    const names = Object.keys(decodeJwt(access_token));
    expect(names).toEqual(expect.arrayContaining(['type', 'seen']));
    expect(names.filter(name => /^c\d$/.test(name))).toEqual([]);
  });

  it('are in opaque access tokens, in introspection, and in the events', async () => {
    const it = withRules([{ claims: { seal: 'blue' } }, { client: 'nobody', claims: { seal: 'red' } }], {
      clients: [{ ...sensor, client_id: 'meter', access_token_format: 'opaque' }],
    });
    const authorization = `Basic ${btoa('meter:sensor-secret')}`;
    const { access_token } = await it.token({ grant_type: 'client_credentials' }, authorization);
    const reply = await introspect(it.server, it.request({ token: access_token }, { authorization }));
    expect(reply).toMatchObject({ body: { active: true, seal: 'blue' } });
    expect(it.events).toContainEqual(
      expect.objectContaining({ type: 'token.issued', ruled: { seal: 'tokenClaims[0]' } }),
    );
  });

  it('come after those of a preset, and see them', async () => {
    const dialect = createDialect({
      ...{ name: 'made-up', options: {}, metadata: { add: {}, omit: [] }, accessTokenType: 'JWT', errors: {} },
      forms: { accessToken: { omit: [], rules: [{ claims: { realm: 'demo', kept: 'by the preset' } }] } },
    });
    const it = withRules([{ for: 'accessToken', claims: { realm: 'my ${claims.realm}' } }], { dialect });
    const { access_token } = await it.token({ grant_type: 'client_credentials' }, byBasic);
    expect(decodeJwt(access_token)).toMatchObject({ realm: 'my demo', kept: 'by the preset' });
    const reply = await introspect(it.server, it.request({ token: access_token }, { authorization: byBasic }));
    expect(reply).toMatchObject({ body: { active: true, realm: 'my demo' } });
    expect(it.events).toContainEqual(
      expect.objectContaining({
        ...{ type: 'token.issued', ruled: { realm: 'tokenClaims[0]' } },
        written: { by: 'made-up', claims: ['realm', 'kept'] },
      }),
    );
  });

  it('know the request of the front channel', async () => {
    const it = withRules([{ for: 'idToken', claims: { hint: '${request.login_hint}', asked: '${request.scope}' } }]);
    const parameters = { response_type: 'code id_token', nonce: 'n', login_hint: 'alice', scope: 'openid email' };
    const web = { client_id: 'web', redirect_uri: 'https://shop.example/callback' };
    const answer = await withHybrid(it).answer({ ...web, ...parameters }, await it.login());
    expect(decodeJwt(answer.get('id_token') ?? '')).toMatchObject({ hint: 'alice', asked: 'openid email' });
  });
});

/** `web` may use the hybrid flow. */
function withHybrid(it: TestServer): TestServer {
  const web = it.server.clients.get('web');
  if (web === undefined) throw new Error('there is no web');
  it.server.clients.replace({
    ...web,
    response_types: ['code id_token'],
    grant_types: ['authorization_code', 'implicit'],
  });
  return it;
}
