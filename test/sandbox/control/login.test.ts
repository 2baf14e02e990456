import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSandbox, type LoginRequest, type Sandbox } from '../../../src/index.ts';
import { s256 } from '../../../src/protocol/requests/pkce.ts';

const callback = 'http://localhost:5173/callback';
const web = {
  redirect_uris: ['https://shop.example/callback'],
  scope: 'openid email',
  grant_types: ['authorization_code'],
} as const;

/** The real time, as long as these tests take. */
const startedAt = Math.floor(Date.now() / 1000);
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox(
    {
      clients: [
        {
          client_id: 'app',
          client_name: 'App',
          redirect_uris: [callback, 'http://localhost:5173/other'],
          grant_types: ['authorization_code', 'refresh_token'],
          scope: 'openid profile email offline_access bikes:read',
          token_endpoint_auth_method: 'none',
        },
        { ...web, client_id: 'basic', client_name: 'Basic', client_secret: 'a secret with : and %' },
        {
          ...{ ...web, client_id: 'post', client_name: 'Post', client_secret: 'post-secret' },
          token_endpoint_auth_method: 'client_secret_post',
        },
        {
          ...{
            ...web,
            client_id: 'signing',
            client_name: 'Signing',
            client_secret: 'a secret of more than 32 characters',
          },
          token_endpoint_auth_method: 'client_secret_jwt',
        },
        { ...web, client_id: 'asking', client_name: 'Asking', client_secret: 's', require_consent: true },
        {
          ...web,
          client_id: 'pushing',
          client_name: 'Pushing',
          client_secret: 's',
          require_pushed_authorization_requests: true,
        },
        { ...web, client_id: 'strong', client_name: 'Strong', client_secret: 's', default_acr_values: ['gold'] },
        {
          client_id: 'job',
          client_name: 'Job',
          client_secret: 's',
          grant_types: ['client_credentials'],
          scope: 'bikes:read',
        },
        {
          ...{ client_id: 'native', client_name: 'Native', redirect_uris: ['com.example.app:/callback'] },
          ...{ token_endpoint_auth_method: 'none', scope: 'openid' },
        },
      ],
    },
    { now: () => startedAt },
  );
});
afterAll(() => sandbox.stop());

const tokensFor = (client: string, request: Partial<LoginRequest> = {}) =>
  sandbox.login({ user: 'alice', ...request, client, as: 'tokens' });
const redeem = async (code: string, code_verifier: string, redirect_uri = callback) => {
  const form = { grant_type: 'authorization_code', client_id: 'app', redirect_uri, code, code_verifier };
  const answer = await fetch(`${sandbox.url}/oauth2/token`, { method: 'POST', body: new URLSearchParams(form) });
  return { status: answer.status, body: (await answer.json()) as { access_token: string; id_token: string } };
};

describe('a login without a browser', () => {
  it('gives the callback, and a code that its client can redeem', async () => {
    const login = await sandbox.login({
      client: 'app',
      user: 'alice',
      state: 'st',
      nonce: 'no',
      scope: 'openid email',
    });
    const url = new URL(login.redirect);
    expect(url.origin + url.pathname).toBe(callback);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({ code: login.code, state: 'st', iss: sandbox.issuer });
    expect(login).toMatchObject({ state: 'st', iss: sandbox.issuer });
    const { status, body } = await redeem(login.code, login.code_verifier ?? '');
    expect(status).toBe(200);
    expect(decodeJwt(body.id_token)).toMatchObject({ sub: 'alice', nonce: 'no', sid: login.sid });
    expect(decodeJwt(body.access_token)).toMatchObject({ scope: 'openid email' });
  });

  it('takes the code_challenge of the caller, and keeps no verifier then', async () => {
    const verifier = 'v'.repeat(43);
    const other = 'http://localhost:5173/other';
    const asked = { client: 'app', user: 'bob', redirect_uri: other, code_challenge: s256(verifier) };
    const { code, code_verifier } = await sandbox.login(asked);
    expect(code_verifier).toBeUndefined();
    expect((await redeem(code, verifier, other)).status).toBe(200);
  });

  it.each(['app', 'basic', 'post'])('gives the token response of %s, with its own credentials', async client => {
    const tokens = await tokensFor(client);
    expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 300 });
    expect(decodeJwt(tokens.id_token ?? '')).toMatchObject({ sub: 'alice', aud: client });
    const used = { headers: { Authorization: `Bearer ${tokens.access_token}` } };
    expect((await fetch(`${sandbox.url}/userinfo`, used)).status).toBe(200);
  });

  it('has the resource, the claims and the user that are asked for', async () => {
    const resource = 'https://api.example';
    const tokens = await tokensFor('app', { user: 'bob', resource, claims: { roles: ['pilot'], email: null } });
    expect(decodeJwt(tokens.access_token)).toMatchObject({ sub: 'bob', aud: resource, roles: ['pilot'] });
  });

  it('is a login step in the log, by a rule of its own', async () => {
    const { sid } = await sandbox.login({ client: 'app', user: 'alice', claims: { roles: [] } });
    const [login] = sandbox.events.latest('login.succeeded', 1);
    expect(login).toMatchObject({ sub: 'alice', sid, by: 'control', client_id: 'app', edited: ['roles'] });
    const types = sandbox.events.ofRequest(login?.requestId ?? '').map(({ type }) => type);
    expect(types).toEqual(['authorization.requested', 'login.succeeded', 'code.issued']);
  });

  it('gives the consent that its client needs, and tells it', async () => {
    await tokensFor('asking');
    expect(sandbox.events.latest('consent.granted', 1)).toMatchObject([{ client_id: 'asking', sub: 'alice' }]);
  });

  it('reaches the acr that its client wants', async () => {
    expect(decodeJwt((await tokensFor('strong')).id_token ?? '')).toMatchObject({ acr: 'gold' });
  });

  it('leaves a login that waits for somebody to whom it is meant', async () => {
    await sandbox.nextLogin({ client: 'app', action: 'deny' });
    expect(await sandbox.login({ client: 'app', user: 'alice' })).toHaveProperty('code');
    const query = {
      client_id: 'app',
      redirect_uri: callback,
      response_type: 'code',
      state: 's',
      code_challenge: s256('v'),
    };
    const url = `${sandbox.url}/oauth2/authorize?${new URLSearchParams({ ...query, code_challenge_method: 'S256' })}`;
    const { headers } = await fetch(url, { redirect: 'manual' });
    expect(headers.get('location')).toContain('error=access_denied');
  });
});

describe('an answer that is chosen in place of the code', () => {
  it.each([
    ['deny', 'access_denied'],
    ['login_required', 'login_required'],
    ['temporarily_unavailable', 'temporarily_unavailable'],
  ] as const)('%s comes to the callback as %s', async (action, error) => {
    const login = await sandbox.login({ client: 'app', user: 'alice', action, state: 'st' });
    expect(login).toMatchObject({ error, state: 'st' });
    expect(new URL(login.redirect).searchParams.get('error')).toBe(error);
    expect(login).not.toHaveProperty('code');
    expect(sandbox.events.latest('error.returned', 1)).toMatchObject([{ endpoint: 'authorize', error }]);
  });

  it('wrong_state is a code with a state that was never sent', async () => {
    const login = await sandbox.login({ client: 'app', user: 'alice', action: 'wrong_state', state: 'st' });
    expect(login.state).toMatch(/^not-your-state-/);
    expect(sandbox.events.latest('answer.replaced', 1)).toMatchObject([{ choice: 'wrong_state', by: 'control' }]);
  });
});

describe('the state of a browser', () => {
  it('has the session cookie, which the sandbox takes', async () => {
    const { cookies } = await sandbox.login({ client: 'app', user: 'alice', as: 'browser' });
    const { port } = new URL(sandbox.url);
    const session = cookies.find(({ name }) => name === `grantbox_session_${port}`);
    expect(session).toMatchObject({ path: '/', expires: -1, httpOnly: true, secure: false, sameSite: 'Lax' });
    expect(session?.domain).toBe(new URL(sandbox.issuer).hostname);
    const query = { client_id: 'app', redirect_uri: callback, response_type: 'code', prompt: 'none', scope: 'openid' };
    const pkce = { code_challenge: s256('v'), code_challenge_method: 'S256' };
    const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
    const url = `${sandbox.url}/oauth2/authorize?${new URLSearchParams({ ...query, ...pkce })}`;
    const { headers } = await fetch(url, { redirect: 'manual', headers: { cookie } });
    expect(headers.get('location')).toContain('code=');
  });

  it('has the user as oidc-client-ts keeps it', async () => {
    const { origins } = await sandbox.login({ client: 'app', user: 'alice', as: 'browser' });
    const [{ origin, localStorage, sessionStorage } = {}] = origins.map(each => ({ ...each }));
    expect(origin).toBe('http://localhost:5173');
    expect(sessionStorage).toEqual(localStorage);
    const [entry] = localStorage ?? [];
    expect(entry?.name).toBe(`oidc.user:${sandbox.issuer}:app`);
    const user = JSON.parse(entry?.value ?? '');
    expect(user).toMatchObject({
      expires_at: startedAt + 300,
      scope: expect.stringContaining('openid'),
      profile: { sub: 'alice', aud: 'app', iss: sandbox.issuer },
      refresh_token: expect.any(String),
      session_state: expect.stringMatching(/^[0-9a-f]{64}\./),
    });
    expect(user.profile).not.toHaveProperty('at_hash');
    expect(decodeJwt(user.access_token)).toMatchObject({ sub: 'alice' });
  });

  it('has the claims of UserInfo in the profile for an application that loads them', async () => {
    const { origins } = await sandbox.login({ client: 'app', user: 'alice', as: 'browser', loadUserInfo: true });
    const { profile } = JSON.parse(origins[0]?.localStorage[0]?.value ?? '');
    expect(profile).toMatchObject({ sub: 'alice', name: 'Alice Archer', iss: sandbox.issuer });
    expect(sandbox.events.latest('token.used', 1)).toMatchObject([{ endpoint: 'userinfo', client_id: 'app' }]);
  });

  it('has no storage for an app without an origin', async () => {
    const state = await sandbox.login({ client: 'native', user: 'alice', as: 'browser' });
    expect(state.origins).toEqual([]);
    expect(state.cookies).not.toHaveLength(0);
  });
});

describe('what is refused', () => {
  it.each([
    [{ client: 'ap' }, 'login: no client is registered as ap: did you mean app?'],
    [{ user: 'alicia' }, 'login: user is not as expected: found alicia'],
    [{ client: 'job' }, 'login: job is not registered for authorization_code, only for client_credentials'],
    [{ redirect_uri: 'http://evil.example/' }, 'login: redirect_uri is not registered for app'],
    [
      { scope: 'openid moon:land' },
      'login: unknown scope: moon:land; to define it, add it to scopes in the configuration',
    ],
    [{ code_challenge: 'short' }, 'login: code_challenge is not the base64url SHA-256'],
    [{ resource: 'nowhere' }, 'login: resource must be an absolute URI'],
    [{ client: 'pushing' }, 'login: this client must push its authorization requests'],
    [{ claims: { sub: 'bob' } }, 'login: claims.sub is not as expected'],
    [{ claims: { may_act: { sub: 'app' } } }, 'login: claims.may_act is not as expected'],
    [{ as: 'token' }, 'did you mean tokens?'],
    [{ loadUserInfo: true }, 'login: loadUserInfo is not as expected: found true, expected nothing, or as: browser'],
    [{ as: 'tokens', action: 'deny' }, 'login: action is not as expected: found deny, expected nothing, or as: code'],
    [{ as: 'tokens', code_challenge: s256('v') }, 'login: code_challenge is not as expected'],
    [
      { as: 'tokens', client: 'signing' },
      'signing authenticates with client_secret_jwt, and only that client has the key',
    ],
    [{ action: 'no_answer' }, 'login: action is not as expected'],
    [{ nonse: 'n' }, 'did you mean nonce?'],
  ])('says why: %j', async (request, message) => {
    const asked = { client: 'app', user: 'alice', ...request } as LoginRequest & { as: 'tokens' };
    const refused = sandbox.login(asked);
    await expect(refused).rejects.toThrow(TypeError);
    await expect(refused).rejects.toThrow(message);
  });

  it('leaves no session behind', async () => {
    const before = sandbox.events.count('login.succeeded');
    await expect(sandbox.login({ client: 'app', user: 'alice', scope: 'moon:land' })).rejects.toThrow(TypeError);
    expect(sandbox.events.count('login.succeeded')).toBe(before);
  });
});

describe('another issuer of the sandbox', () => {
  it('mints and logs in by itself', async () => {
    await using two = await createSandbox({ issuers: { 'tenant-a': {} } });
    const tenant = two.issuers.get('tenant-a');
    const { claims } = (await tenant?.issueToken({ client: 'frontend', user: 'alice' })) ?? {};
    expect(claims).toMatchObject({ iss: `${two.issuer}/tenant-a` });
    const tokens = await tenant?.login({ client: 'frontend', user: 'alice', as: 'tokens' });
    expect(decodeJwt(tokens?.access_token ?? '').iss).toBe(`${two.issuer}/tenant-a`);
    expect(two.events.count('token.issued')).toBe(0);
  });
});
