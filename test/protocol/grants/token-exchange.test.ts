import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { introspect } from '../../../src/protocol/endpoints/introspect.ts';
import { revoke } from '../../../src/protocol/endpoints/revoke.ts';
import { token } from '../../../src/protocol/endpoints/token.ts';
import type { TokenResponse } from '../../../src/protocol/tokens/issue-tokens.ts';
import { createUserDirectory } from '../../../src/protocol/users/user.ts';
import { createDpopKey, type DpopKey } from '../../support/dpop.ts';
import { type ClientKey, makeClientKey } from '../../support/keys-server.ts';
import {
  basic,
  createTestServer,
  eventsOf,
  frontend,
  issuer,
  now,
  redemption,
  refusal,
  sensor,
  type TestServer,
  users,
  web,
} from '../../support/server.ts';

const grant_type = 'urn:ietf:params:oauth:grant-type:token-exchange';
const urn = (type: string) => `urn:ietf:params:oauth:token-type:${type}`;

const gateway = {
  ...web,
  client_id: 'gateway',
  client_secret: 'gateway-secret',
  grant_types: [grant_type, 'client_credentials', 'refresh_token', 'authorization_code'],
  redirect_uris: ['https://gateway.example/callback'],
  scope: 'openid email bikes:read orders:read',
  access_token_lifetime: 600,
  audience: ['https://gateway.example'],
};
const backend = { ...gateway, client_id: 'backend', audience: ['orders'] };
const opaque = { ...gateway, client_id: 'opaque', access_token_format: 'opaque' } as const;
const plain = { ...gateway, client_id: 'plain', grant_types: [grant_type], scope: 'bikes:read' };
const pairwise = { ...frontend, client_id: 'pairwise', subject_type: 'pairwise' } as const;

let idp: ClientKey;
beforeAll(async () => {
  idp = await makeClientKey('ES256');
});

let sandbox: TestServer;
beforeEach(() => {
  sandbox = createTestServer({
    clients: [gateway, backend, opaque, plain, pairwise],
    trustedIssuers: new Map([
      [
        'https://idp.example',
        {
          issuer: 'https://idp.example',
          jwks: { keys: [{ ...idp.publicJwk }] },
          audience: [],
          algorithms: [],
          subjectClaim: 'sub',
          users: { 'a-42': 'alice' },
          createUsers: false,
        },
      ],
    ]),
  });
});

const as = (client_id: string) => basic(client_id, 'gateway-secret');

type Wire = TokenResponse & { readonly issued_token_type: string };

function exchange(subject_token: string, more: Record<string, string> = {}, client_id = 'gateway'): Promise<Wire> {
  const parameters = { grant_type, subject_token, subject_token_type: urn('access_token'), ...more };
  return sandbox.token(parameters, as(client_id)) as Promise<Wire>;
}

const loggedIn = (scope = 'openid email bikes:read') => sandbox.tokens({ scope });

async function machineToken(client_id = 'gateway') {
  return (await sandbox.token({ grant_type: 'client_credentials' }, as(client_id))).access_token;
}

async function actorOf(client_id = 'gateway') {
  return { actor_token: await machineToken(client_id), actor_token_type: urn('access_token') };
}

describe('the response of an exchange (RFC 8693 §2.2.1)', () => {
  it('has an access token where nothing else was asked for', async () => {
    const { access_token } = await loggedIn();
    expect(await exchange(access_token)).toEqual({
      access_token: expect.any(String),
      issued_token_type: urn('access_token'),
      token_type: 'Bearer',
      expires_in: 300,
      scope: 'openid email bikes:read',
    });
  });

  it('has an ID token in access_token, of the type N_A', async () => {
    const { access_token } = await loggedIn();
    const response = await exchange(access_token, { requested_token_type: urn('id_token') });
    expect(response).toMatchObject({ issued_token_type: urn('id_token'), token_type: 'N_A', expires_in: 300 });
    expect(response).not.toHaveProperty('id_token');
    expect(decodeJwt(response.access_token)).toMatchObject({
      iss: issuer,
      sub: 'alice',
      aud: 'gateway',
      azp: 'gateway',
    });
  });

  it('has a refresh token in access_token, which works and ends with the subject token', async () => {
    const { access_token } = await loggedIn();
    const response = await exchange(access_token, { requested_token_type: urn('refresh_token') });
    expect(response).toMatchObject({ issued_token_type: urn('refresh_token'), token_type: 'N_A', expires_in: 300 });
    sandbox.pass(200);
    const refresh = { grant_type: 'refresh_token', refresh_token: response.access_token };
    const refreshed = await sandbox.token(refresh, as('gateway'));
    expect(decodeJwt(refreshed.access_token)).toMatchObject({ sub: 'alice', client_id: 'gateway', exp: now + 300 });
    sandbox.pass(100);
    const late = sandbox.token({ ...refresh, refresh_token: refreshed.refresh_token ?? '' }, as('gateway'));
    expect(await refusal(late)).toMatchObject({ code: 'invalid_grant' });
  });

  it('has a JWT that is no access token, also for a client with opaque ones', async () => {
    const { access_token } = await loggedIn();
    const response = await exchange(access_token, { requested_token_type: urn('jwt'), audience: 'orders' }, 'opaque');
    expect(response).toMatchObject({ issued_token_type: urn('jwt'), token_type: 'N_A', expires_in: 300 });
    expect(decodeProtectedHeader(response.access_token)).toMatchObject({ typ: 'JWT' });
    expect(decodeJwt(response.access_token)).toMatchObject({ sub: 'alice', aud: 'orders', client_id: 'opaque' });
  });

  it('has an opaque access token for a client with opaque ones', async () => {
    const { access_token } = await loggedIn();
    expect((await exchange(access_token, {}, 'opaque')).access_token).not.toContain('.');
  });
});

describe('a subject token may be', () => {
  it('an access token of another client: impersonation keeps the subject and its login', async () => {
    const { access_token } = await loggedIn();
    const { sid, auth_time } = decodeJwt(access_token);
    const claims = decodeJwt((await exchange(access_token)).access_token);
    expect(claims).toMatchObject({
      sub: 'alice',
      client_id: 'gateway',
      aud: 'https://gateway.example',
      sid,
      auth_time,
    });
    expect(claims).not.toHaveProperty('act');
  });

  it('an opaque access token', async () => {
    const { access_token } = await exchange((await loggedIn()).access_token, {}, 'opaque');
    expect(decodeJwt((await exchange(access_token)).access_token)).toMatchObject({ sub: 'alice' });
  });

  it('the access token of a client', async () => {
    const { access_token } = await sandbox.token(
      { grant_type: 'client_credentials' },
      basic('sensor', 'sensor-secret'),
    );
    expect(decodeJwt((await exchange(access_token)).access_token)).toMatchObject({
      sub: 'sensor',
      client_id: 'gateway',
    });
  });

  it('an access token with a pairwise sub: the new one has the sub its own client knows', async () => {
    const code = await sandbox.code({ client_id: 'pairwise' });
    const { access_token } = await sandbox.token({ ...redemption, client_id: 'pairwise', code });
    expect(decodeJwt(access_token).sub).not.toBe('alice');
    expect(decodeJwt((await exchange(access_token)).access_token).sub).toBe('alice');
  });

  it('a refresh token of the client itself, which stays in use', async () => {
    const response = await exchange((await loggedIn()).access_token, { requested_token_type: urn('refresh_token') });
    const own = { subject_token_type: urn('refresh_token') };
    expect(decodeJwt((await exchange(response.access_token, own)).access_token)).toMatchObject({ sub: 'alice' });
    expect(await exchange(response.access_token, own)).toBeDefined();
  });

  it('an ID token of the client itself; what scopes it gives is for the client to ask', async () => {
    const response = await exchange((await loggedIn()).access_token, { requested_token_type: urn('id_token') });
    const own = { subject_token_type: urn('id_token') };
    const exchanged = await exchange(response.access_token, own);
    expect(exchanged).not.toHaveProperty('scope');
    expect(decodeJwt(exchanged.access_token)).toMatchObject({ sub: 'alice' });
    expect(await exchange(response.access_token, { ...own, scope: 'bikes:read' })).toMatchObject({
      scope: 'bikes:read',
    });
  });

  it('a JWT from an exchange, and an access token that is a JWT', async () => {
    const { access_token } = await loggedIn();
    const jwt = await exchange(access_token, { requested_token_type: urn('jwt') });
    for (const token of [jwt.access_token, access_token]) {
      const claims = decodeJwt((await exchange(token, { subject_token_type: urn('jwt') }, 'backend')).access_token);
      expect(claims).toMatchObject({ sub: 'alice', client_id: 'backend' });
    }
  });

  it('a JWT of a trusted issuer, as often as it is good', async () => {
    const jwt = await new SignJWT({ iss: 'https://idp.example', sub: 'a-42', aud: issuer, exp: now + 60.7, jti: '1' })
      .setProtectedHeader({ alg: 'ES256' })
      .sign(idp.privateKey);
    const response = await exchange(jwt, { subject_token_type: urn('jwt'), scope: 'bikes:read' });
    expect(response).toMatchObject({ expires_in: 60, scope: 'bikes:read' });
    expect(decodeJwt(response.access_token)).toMatchObject({ iss: issuer, sub: 'alice', client_id: 'gateway' });
    expect(await exchange(jwt, { subject_token_type: urn('jwt') })).toBeDefined();
  });
});

describe('delegation (RFC 8693 §4.1)', () => {
  it('says who acts', async () => {
    const { access_token } = await loggedIn();
    const claims = decodeJwt((await exchange(access_token, await actorOf())).access_token);
    expect(claims).toMatchObject({ sub: 'alice', act: { sub: 'gateway' } });
  });

  it('puts the present actor around those before, and keeps them where nobody else acts', async () => {
    const { access_token } = await loggedIn();
    const first = await exchange(access_token, await actorOf());
    const second = await exchange(first.access_token, await actorOf('backend'), 'backend');
    const chain = { sub: 'backend', act: { sub: 'gateway' } };
    expect(decodeJwt(second.access_token)).toMatchObject({ sub: 'alice', act: chain });
    const third = await exchange(second.access_token);
    expect(decodeJwt(third.access_token).act).toEqual(chain);
  });

  it('is in introspection and in refreshed tokens', async () => {
    const { access_token } = await loggedIn();
    const asked = { ...(await actorOf()), requested_token_type: urn('refresh_token') };
    const { access_token: refresh_token } = await exchange(access_token, asked);
    const refreshed = await sandbox.token({ grant_type: 'refresh_token', refresh_token }, as('gateway'));
    const request = sandbox.request({ token: refreshed.access_token }, { authorization: as('gateway') });
    expect(await introspect(sandbox.server, request)).toMatchObject({
      body: { active: true, act: { sub: 'gateway' } },
    });
  });

  it('may be by a user', async () => {
    const { access_token } = await loggedIn();
    const bob = await sandbox.tokens({}, await sandbox.login('bob'));
    const actor = { actor_token: bob.access_token, actor_token_type: urn('access_token') };
    expect(decodeJwt((await exchange(access_token, actor)).access_token).act).toEqual({ sub: 'bob' });
  });
});

describe('may_act (RFC 8693 §4.4)', () => {
  async function subjectThatAllows(may_act: unknown): Promise<string> {
    const [alice, ...others] = users;
    if (alice === undefined) throw new Error('there is no alice');
    const directory = createUserDirectory([{ ...alice, access_token_claims: { may_act } }, ...others], []);
    sandbox = createTestServer({ clients: [gateway, backend] });
    Object.assign(sandbox.server, { users: directory });
    return (await loggedIn()).access_token;
  }

  it.each([[{ sub: 'gateway' }], [{ client_id: 'gateway' }], [{ sub: 'gateway', client_id: 'gateway', iss: issuer }]])(
    '%j lets the gateway act, as the actor and as the client',
    async may_act => {
      const token = await subjectThatAllows(may_act);
      expect(decodeJwt((await exchange(token, await actorOf())).access_token)).toMatchObject({
        act: { sub: 'gateway' },
      });
      expect(await exchange(token)).toMatchObject({ token_type: 'Bearer' });
    },
  );

  it.each([
    [{ sub: 'backend' }],
    [{ sub: 'gateway', client_id: 'backend' }],
    [{ sub: 'gateway', iss: 'https://idp.example' }],
    [{ iss: issuer }],
    [{}],
    ['gateway'],
    [['gateway']],
    [null],
  ])('%j does not', async may_act => {
    const token = await subjectThatAllows(may_act);
    const expected = { code: 'invalid_request', reason: 'may_act_mismatch' };
    expect(await refusal(exchange(token, await actorOf()))).toMatchObject(expected);
    expect(await refusal(exchange(token))).toMatchObject(expected);
  });

  it('is about the actor, whichever client brings it', async () => {
    const token = await subjectThatAllows({ sub: 'backend' });
    expect(await exchange(token, await actorOf('backend'))).toMatchObject({ token_type: 'Bearer' });
  });
});

describe('an exchanged token never exceeds the subject token', () => {
  it('in scope: at most what the subject token and the client both have', async () => {
    const { access_token } = await loggedIn('openid email profile bikes:read');
    expect(await exchange(access_token)).toMatchObject({ scope: 'openid email bikes:read' });
    expect(await exchange(access_token, { scope: 'bikes:read' })).toMatchObject({ scope: 'bikes:read' });
    expect(await refusal(exchange(access_token, { scope: 'orders:read' }))).toMatchObject({
      code: 'invalid_scope',
      reason: 'scope_widened',
    });
    expect(await refusal(exchange(access_token, { scope: 'profile' }))).toMatchObject({
      code: 'invalid_scope',
      reason: 'scope_not_registered',
    });
  });

  it('in scope, also for a client with default scopes, which the exchange does not add', async () => {
    sandbox = createTestServer({ clients: [{ ...gateway, default_scope: 'openid email' }] });
    const { access_token } = await loggedIn('openid bikes:read');
    expect(await exchange(access_token)).toMatchObject({ scope: 'openid bikes:read' });
    expect(await exchange(access_token, { scope: 'bikes:read' })).toMatchObject({ scope: 'bikes:read' });
  });

  it('in scope, where the subject token has none', async () => {
    const { access_token } = await loggedIn('');
    expect(await exchange(access_token)).not.toHaveProperty('scope');
    expect(await refusal(exchange(access_token, { scope: 'bikes:read' }))).toMatchObject({ code: 'invalid_scope' });
  });

  it('in time: it ends with the subject token', async () => {
    const { access_token } = await loggedIn();
    sandbox.pass(200);
    for (const type of ['access_token', 'id_token', 'jwt', 'refresh_token']) {
      const response = await exchange(access_token, { requested_token_type: urn(type) });
      expect([type, response.expires_in]).toEqual([type, 100]);
      if (type !== 'refresh_token') expect(decodeJwt(response.access_token).exp).toBe(now + 300);
    }
  });
});

describe('the target', () => {
  it.each<[string, string, unknown]>([
    ['a client', 'audience=backend', 'backend'],
    ['the audience of a client', 'audience=orders', 'orders'],
    ['what the subject token is for', 'audience=frontend', 'frontend'],
    ['two audiences', 'audience=orders&audience=backend', ['orders', 'backend']],
    ['any API by its address', 'resource=https://api.example/v1', 'https://api.example/v1'],
    ['both', 'resource=https://api.example&audience=orders', ['https://api.example', 'orders']],
  ])('may be %s', async (_what, query, aud) => {
    const { access_token } = await loggedIn();
    const parameters = new URLSearchParams({
      ...{ grant_type, subject_token: access_token, subject_token_type: urn('access_token') },
    });
    const response = await sandbox.token(`${parameters}&${query}`, as('gateway'));
    expect(decodeJwt(response.access_token).aud).toEqual(aud);
  });

  it.each([
    [{ audience: 'nobody' }, 'audience_unknown'],
    [{ audience: 'https://unknown.example' }, 'audience_unknown'],
    [{ audience: 'front' }, 'audience_unknown'],
    [{ resource: 'not a uri' }, 'resource_invalid'],
    [{ resource: 'https://api.example/#fragment' }, 'resource_invalid'],
  ])('is refused: %j', async (target: Record<string, string>, reason) => {
    const { access_token } = await loggedIn();
    expect(await refusal(exchange(access_token, target))).toMatchObject({ code: 'invalid_target', reason });
  });
});

describe('invalid_request (RFC 8693 §2.2.2) is the answer to', () => {
  it.each<[string, Record<string, string>, string]>([
    ['an unknown token', { subject_token: 'unknown' }, 'subject_token_invalid'],
    ['no token', { subject_token: '' }, 'parameter_missing'],
    ['no type', { subject_token_type: '' }, 'parameter_missing'],
    ['an unknown type', { subject_token_type: urn('saml2') }, 'token_type_unsupported'],
    ['the type of another token', { subject_token_type: urn('refresh_token') }, 'subject_token_invalid'],
    ['an access token that is called an ID token', { subject_token_type: urn('id_token') }, 'subject_token_invalid'],
    ['a requested type that is unknown', { requested_token_type: urn('saml1') }, 'requested_token_type_unsupported'],
    ['a requested type that is no URN', { requested_token_type: 'access_token' }, 'requested_token_type_unsupported'],
    ['an actor type without actor', { actor_token_type: urn('access_token') }, 'actor_token_type_unexpected'],
    ['an actor without type', { actor_token: 'x' }, 'parameter_missing'],
    ['an unknown actor', { actor_token: 'x', actor_token_type: urn('access_token') }, 'actor_token_invalid'],
    [
      'a refresh token as actor',
      { actor_token: 'x', actor_token_type: urn('refresh_token') },
      'token_type_unsupported',
    ],
    ['a JWT of nobody', { subject_token: 'a.b.c', subject_token_type: urn('jwt') }, 'assertion_malformed'],
  ])('%s', async (_what, parameters, reason) => {
    const { access_token } = await loggedIn();
    const issuedBefore = eventsOf(sandbox.events, 'token.issued').length;
    expect(await refusal(exchange(access_token, parameters))).toMatchObject({ code: 'invalid_request', reason });
    expect(eventsOf(sandbox.events, 'token.issued')).toHaveLength(issuedBefore);
  });

  it('an expired token', async () => {
    const { access_token } = await loggedIn();
    sandbox.pass(300);
    expect(await refusal(exchange(access_token))).toMatchObject({
      code: 'invalid_request',
      reason: 'subject_token_expired',
    });
  });

  it('an expired actor', async () => {
    const actor = await actorOf('backend');
    sandbox.pass(590);
    const { access_token } = await loggedIn();
    sandbox.pass(10);
    expect(await refusal(exchange(access_token, actor))).toMatchObject({ reason: 'actor_token_invalid' });
  });

  it.each(['refresh_token', 'id_token'] as const)('the %s of another client', async which => {
    const tokens = await loggedIn();
    const exchanged = exchange(tokens[which] ?? '', { subject_token_type: urn(which) });
    expect(await refusal(exchanged)).toMatchObject({
      code: 'invalid_request',
      reason: 'subject_token_of_another_client',
    });
  });

  it.each(['id_token', 'refresh_token'])('an %s for a subject that is no user', async type => {
    const exchanged = exchange(await machineToken(), { requested_token_type: urn(type) });
    expect(await refusal(exchanged)).toMatchObject({
      code: 'invalid_request',
      reason: 'requested_token_type_unavailable',
    });
  });

  it('a refresh token for a client that is not registered for it', async () => {
    const { access_token } = await loggedIn();
    const exchanged = exchange(access_token, { requested_token_type: urn('refresh_token') }, 'plain');
    expect(await refusal(exchanged)).toMatchObject({ reason: 'requested_token_type_unavailable' });
  });

  it('an ID token without openid, which is a matter of scope', async () => {
    const { access_token } = await loggedIn('bikes:read');
    const exchanged = exchange(access_token, { requested_token_type: urn('id_token') });
    expect(await refusal(exchanged)).toMatchObject({ code: 'invalid_scope', reason: 'scope_missing_openid' });
  });
});

it('is for clients that are registered for it', async () => {
  const subject = { subject_token: 'x', subject_token_type: urn('access_token') };
  const request = sandbox.token({ grant_type, ...subject }, basic(sensor.client_id, 'sensor-secret'));
  expect(await refusal(request)).toMatchObject({ code: 'unauthorized_client' });
});

describe('the lineage', () => {
  const stillGood = async (token: string) => {
    const reply = await introspect(sandbox.server, sandbox.request({ token }, { authorization: as('gateway') }));
    return reply.kind === 'json' && 'active' in reply.body && reply.body.active;
  };

  it('revokes exchanged tokens with their subject token, over any number of exchanges', async () => {
    const { access_token } = await loggedIn();
    const first = await exchange(access_token);
    const second = await exchange(first.access_token, {}, 'backend');
    await revoke(sandbox.server, sandbox.request({ token: access_token, client_id: 'frontend' }));
    expect(await Promise.all([access_token, first.access_token, second.access_token].map(stillGood))).toEqual([
      ...[false, false, false],
    ]);
    expect(await refusal(exchange(second.access_token))).toMatchObject({ reason: 'subject_token_revoked' });
  });

  it('does not revoke the login if an exchanged token is revoked', async () => {
    const { access_token } = await loggedIn();
    const first = await exchange(access_token);
    const request = sandbox.request({ token: first.access_token }, { authorization: as('gateway') });
    await revoke(sandbox.server, request);
    expect(await Promise.all([access_token, first.access_token].map(stillGood))).toEqual([true, false]);
  });

  it('is in the history: the token that was handed in is the parent', async () => {
    const { access_token } = await loggedIn();
    await exchange(access_token);
    const [subject] = eventsOf(sandbox.events, 'token.issued');
    expect(eventsOf(sandbox.events, 'token.issued').at(-1)).toMatchObject({
      tokenType: 'access',
      grant_type,
      client_id: 'gateway',
      sub: 'alice',
      parentTokenId: subject?.tokenId,
    });
  });
});

describe('a bound subject_token', () => {
  const spa = { ...frontend, client_id: 'spa', grant_types: [grant_type, 'authorization_code'] };
  const htu = `${issuer}/oauth2/token`;
  const post = async (parameters: Record<string, string>, dpop?: string) => {
    const reply = await token(sandbox.server, sandbox.request(parameters, dpop === undefined ? {} : { dpop }));
    if (reply.kind !== 'json') throw new Error(reply.kind);
    return reply.body as TokenResponse;
  };
  let key: DpopKey;
  let bound: Record<string, string>;
  beforeEach(async () => {
    sandbox = createTestServer({ clients: [spa, gateway] });
    key = await createDpopKey();
    const code = await sandbox.code({ client_id: 'spa', scope: 'openid bikes:read' });
    const proof = await key.proof({ htu, iat: now });
    const { access_token, token_type } = await post({ ...redemption, code, client_id: 'spa' }, proof);
    expect(token_type).toBe('DPoP');
    bound = { grant_type, subject_token: access_token, subject_token_type: urn('access_token') };
  });

  it('is exchanged by a public client with its key only', async () => {
    const other = await createDpopKey();
    for (const proof of [undefined, await other.proof({ htu, iat: now })]) {
      expect(await refusal(post({ ...bound, client_id: 'spa' }, proof))).toMatchObject({
        code: 'invalid_request',
        reason: 'dpop_key_mismatch',
      });
    }
    const exchanged = await post({ ...bound, client_id: 'spa' }, await key.proof({ htu, iat: now }));
    expect(decodeJwt(exchanged.access_token).cnf).toEqual({ jkt: key.jkt });
  });

  it('is exchanged by a client that authenticates, which cannot have the key', async () => {
    const exchanged = await sandbox.token(bound, as('gateway'));
    expect(exchanged.token_type).toBe('Bearer');
  });
});
