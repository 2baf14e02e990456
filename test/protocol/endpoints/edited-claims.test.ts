import { decodeJwt } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import { previewLogin } from '../../../src/protocol/endpoints/preview-login.ts';
import { userinfo } from '../../../src/protocol/endpoints/userinfo.ts';
import type { AuthorizationRequest } from '../../../src/protocol/requests/authorization-request.ts';
import type { TokenResponse } from '../../../src/protocol/tokens/issue-tokens.ts';
import { loginClaims } from '../../../src/protocol/users/login-claims.ts';
import { type Session, startSession } from '../../../src/protocol/users/session.ts';
import { callback, createTestServer, eventsOf, frontend, type TestServer, web } from '../../support/server.ts';

let sandbox: TestServer;
beforeEach(() => {
  sandbox = createTestServer();
});

const edits = { name: 'Al', email: null, roles: ['editor'], tenant: 'acme', acr: '2', amr: ['pwd', 'otp'] };

function userOf(sub: string) {
  const user = sandbox.users.get(sub);
  if (user === undefined) throw new Error(`there is no ${sub}`);
  return user;
}

function editedLogin(claims: Readonly<Record<string, unknown>> = edits, sub = 'alice'): Promise<Session> {
  const user = userOf(sub);
  return startSession(sandbox.server, {
    user,
    method: 'click',
    edited: loginClaims(user, claims, { isComplete: false }),
  });
}

const scope = 'openid profile email offline_access';

async function userInfoOf({ access_token }: Pick<TokenResponse, 'access_token'>) {
  const reply = await userinfo(sandbox.server, sandbox.request('', { authorization: `Bearer ${access_token}` }));
  return reply.kind === 'json' ? reply.body : reply;
}

describe('claims that were set for a login', () => {
  it('are in UserInfo if a scope releases them or if no scope has them', async () => {
    const tokens = await sandbox.tokens({ scope }, await editedLogin());
    expect(await userInfoOf(tokens)).toEqual({
      ...{ sub: 'alice', name: 'Al', email_verified: true },
      // no scope of this server knows them
      ...{ roles: ['editor'], tenant: 'acme' },
    });
    const narrow = await sandbox.tokens({ scope: 'openid' }, await editedLogin());
    expect(await userInfoOf(narrow)).toEqual({ sub: 'alice', roles: ['editor'], tenant: 'acme' });
  });

  it('are in the access token where the record has such, and where no scope knows them', async () => {
    const claims = decodeJwt((await sandbox.tokens({ scope }, await editedLogin())).access_token);
    expect(claims).toMatchObject({ sub: 'alice', roles: ['editor'], tenant: 'acme', acr: '2', amr: ['pwd', 'otp'] });
    expect(claims).not.toHaveProperty('name');
  });

  it('are in the ID token as far as the claims of users are', async () => {
    const { id_token = '' } = await sandbox.tokens({ scope }, await editedLogin());
    const claims = decodeJwt(id_token);
    expect(claims).toMatchObject({ roles: ['editor'], tenant: 'acme', acr: '2', amr: ['pwd', 'otp'] });
    expect(claims).not.toHaveProperty('name');
    sandbox = createTestServer({ clients: [{ ...frontend, id_token_claims: 'all' }] });
    const all = decodeJwt((await sandbox.tokens({ scope }, await editedLogin())).id_token ?? '');
    expect(all).toMatchObject({ name: 'Al', email_verified: true });
    expect(all).not.toHaveProperty('email');
  });

  it('answer the claims parameter (OIDC Core §5.5)', async () => {
    const claims = JSON.stringify({ id_token: { name: null, email: null }, userinfo: { nickname: null } });
    const session = await editedLogin({ ...edits, nickname: 'Ally' });
    const tokens = await sandbox.tokens({ scope: 'openid', claims }, session);
    expect(decodeJwt(tokens.id_token ?? '')).toMatchObject({ name: 'Al' });
    expect(decodeJwt(tokens.id_token ?? '')).not.toHaveProperty('email');
    expect(await userInfoOf(tokens)).toMatchObject({ nickname: 'Ally' });
  });

  it('survive a refresh, for as many times as there are refresh tokens', async () => {
    let tokens = await sandbox.tokens({ scope }, await editedLogin());
    for (let round = 0; round < 3; round++) {
      const refresh = { grant_type: 'refresh_token', client_id: 'frontend', refresh_token: tokens.refresh_token ?? '' };
      tokens = await sandbox.token(refresh);
      expect(decodeJwt(tokens.access_token)).toMatchObject({ roles: ['editor'], tenant: 'acme', acr: '2' });
      expect(decodeJwt(tokens.id_token ?? '')).toMatchObject({ tenant: 'acme' });
      expect(await userInfoOf(tokens)).toMatchObject({ name: 'Al', tenant: 'acme' });
    }
  });

  it('are of that login alone', async () => {
    await sandbox.tokens({ scope }, await editedLogin());
    const other = await sandbox.tokens({ scope }, await sandbox.login('alice'));
    expect(decodeJwt(other.access_token)).toMatchObject({ roles: ['admin', 'buyer'], acr: '0' });
    expect(await userInfoOf(other)).toMatchObject({ name: 'Alice Archer', email: 'alice@example.com' });
  });

  it('are seen behind a pairwise sub and an opaque token too', async () => {
    const client = { ...frontend, subject_type: 'pairwise', access_token_format: 'opaque' } as const;
    sandbox = createTestServer({ clients: [client] });
    const tokens = await sandbox.tokens({ scope }, await editedLogin());
    expect(await userInfoOf(tokens)).toMatchObject({ name: 'Al', tenant: 'acme' });
  });

  it('go with a token exchange (RFC 8693)', async () => {
    const grant_type = 'urn:ietf:params:oauth:grant-type:token-exchange';
    sandbox = createTestServer({ clients: [{ ...web, grant_types: [...web.grant_types, grant_type] }] });
    const { access_token } = await sandbox.tokens({ scope }, await editedLogin());
    const subject_token_type = 'urn:ietf:params:oauth:token-type:access_token';
    const exchanged = await sandbox.token({
      ...{ grant_type, client_id: 'web', client_secret: 'web-secret', subject_token: access_token, subject_token_type },
    });
    expect(decodeJwt(exchanged.access_token)).toMatchObject({ roles: ['editor'], tenant: 'acme' });
    expect(await userInfoOf(exchanged)).toMatchObject({ name: 'Al' });
  });

  it('are in the event of each token that has them, and in no other event', async () => {
    await sandbox.tokens({ scope }, await editedLogin());
    await sandbox.tokens({ scope }, await sandbox.login('bob'));
    const told = eventsOf(sandbox.events, 'token.issued').map(({ sub, tokenType, edited }) => [sub, tokenType, edited]);
    expect(told).toEqual([
      ['alice', 'access', ['roles', 'tenant', 'acr', 'amr']],
      ['alice', 'id', ['roles', 'tenant', 'acr', 'amr']],
      ['alice', 'refresh', undefined],
      ['bob', 'access', undefined],
      ['bob', 'id', undefined],
      ['bob', 'refresh', undefined],
    ]);
  });

  it('are plain data, so that a store may live elsewhere', async () => {
    const session = await editedLogin();
    expect(JSON.parse(JSON.stringify(session))).toEqual(session);
  });
});

describe('the preview of a login', () => {
  const asked: AuthorizationRequest = {
    ...{ client_id: 'frontend', redirect_uri: callback, response_type: 'code', response_mode: 'query' },
    ...{ scopes: scope.split(' '), prompt: [], acr_values: [], resources: [], nonce: 'n' },
  };
  const unlike = new Set(['iat', 'nbf', 'exp', 'auth_time', 'jti', 'sid', 'at_hash', 'c_hash']);
  const lasting = (claims: object | undefined) =>
    Object.fromEntries(Object.entries(claims ?? {}).filter(([name]) => !unlike.has(name)));

  it.each([
    ['code', {}, edits],
    ['with nothing edited', {}, {}],
    ['the claims parameter', { claims: { id_token: { name: null }, userinfo: { nickname: null } } }, edits],
    ['a resource', { resources: ['https://api.example'] }, edits],
    ['acr_values', { acr_values: ['urn:gold'] }, {}],
  ])('says what the tokens then say: %s', async (_name, more, claims) => {
    const request = { ...asked, ...more };
    const user = userOf('alice');
    const edited = loginClaims(user, claims, { isComplete: false });
    const preview = await previewLogin(sandbox.server, { client: frontend, asked: request, user, edited });
    const [acr] = request.acr_values;
    const facts = { user, method: 'click', edited, ...(acr === undefined ? {} : { acr }) } as const;
    const session = await startSession(sandbox.server, facts);
    const parameters = {
      ...{ scope, nonce: 'n', acr_values: request.acr_values.join(' '), resource: request.resources.join(' ') },
      claims: request.claims === undefined ? '' : JSON.stringify(request.claims),
    };
    const tokens = await sandbox.tokens(parameters, session);
    expect(lasting(preview.access)).toEqual(lasting(decodeJwt(tokens.access_token)));
    expect(lasting(preview.id)).toEqual(lasting(decodeJwt(tokens.id_token ?? '')));
    if ('resources' in more) expect(preview.userinfo, 'UserInfo refuses a token for another resource').toBeUndefined();
    else expect(preview.userinfo).toEqual(await userInfoOf(tokens));
    expect(Object.keys(preview.id ?? {}).sort()).toEqual(Object.keys(decodeJwt(tokens.id_token ?? '')).sort());
  });

  it('keeps nothing, not even who it is about', async () => {
    const user = sandbox.users.draft('dora');
    if (user === undefined) throw new Error('dora cannot be a sub');
    const before = sandbox.events.length;
    const preview = await previewLogin(sandbox.server, { client: frontend, asked, user, edited: undefined });
    expect(preview.userinfo).toMatchObject({ sub: 'dora', name: 'dora' });
    expect(sandbox.users.has('dora')).toBe(false);
    expect(sandbox.events).toHaveLength(before);
  });

  it('has the claims of rules, and does not call onToken', async () => {
    const templates = [{ claims: { seal: 'of ${user.name}', hint: '${request.login_hint}' } }];
    const tokenRules = {
      templates,
      timeout: 2,
      onToken: () => {
        throw new Error('called');
      },
    };
    const facts = { client: frontend, user: userOf('alice'), edited: undefined };
    const request = { ...asked, login_hint: 'alice' };
    const server = { ...sandbox.server, tokenRules };
    const { access, id, userinfo } = await previewLogin(server, { ...facts, asked: request });
    for (const claims of [access, id, userinfo]) expect(claims).toMatchObject({ seal: 'of Alice Archer' });
    expect(access, 'a token request has no login_hint').not.toHaveProperty('hint');
    const implicit = { ...request, response_type: 'id_token' } as const;
    expect((await previewLogin(server, { ...facts, asked: implicit })).id).toMatchObject({ hint: 'alice' });
  });

  it('has no ID token and no UserInfo without openid', async () => {
    const preview = await previewLogin(sandbox.server, {
      ...{ client: frontend, asked: { ...asked, scopes: ['email'] }, user: userOf('alice'), edited: undefined },
    });
    expect(Object.keys(preview)).toEqual(['access']);
  });
});
