import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SandboxConfig } from '../../src/index.ts';
import { s256 } from '../../src/protocol/requests/pkce.ts';
import { observes } from '../observed.ts';
import { get, post, verifier } from '../support/wire.ts';
import { checkTokenError, checkTokenResponse, type TokenResponse } from './checks.ts';
import { staticClients } from './modules.ts';
import { callback, configured, errorPage, type Op, type Party, startOp } from './party.ts';

/** Where servers fail that mean well: each rule is asked about at its two sides. */

const config: SandboxConfig = {
  ...staticClients,
  clients: [
    ...(staticClients.clients ?? []),
    {
      client_id: 'public',
      grant_types: ['authorization_code', 'refresh_token'],
      redirect_uris: [callback],
      scope: 'openid offline_access',
    },
    {
      client_id: 'machine',
      client_secret: 'the secret of the machine',
      grant_types: ['client_credentials', 'urn:ietf:params:oauth:grant-type:device_code'],
      scope: 'products:read',
    },
  ],
};

let op: Op;
beforeAll(async () => {
  op = await startOp(config);
});
afterAll(() => op[Symbol.asyncDispose]());

const confidential = () => configured(op, config, 'client_secret_basic');
const open = () => configured(op, config, 'public');
const pkce = { code_challenge: s256(verifier), code_challenge_method: 'S256' };
const asMachine = { authorization: `Basic ${btoa('machine:the%20secret%20of%20the%20machine')}` };

describe('PKCE', () => {
  it('is demanded of a public client', async () => {
    const { parameters } = await configured(op, config, 'public').authorize();
    expect(parameters.get('error')).toBe('invalid_request');
  });

  it('is not demanded of a confidential one, unless a switch says so', async () => {
    observes('setting requirePkce');
    expect((await confidential().logIn()).idToken.sub).toBe('alice');
    await using strict = await startOp({ ...config, requirePkce: true });
    const { parameters } = await configured(strict, config, 'client_secret_basic').authorize();
    expect(parameters.get('error')).toBe('invalid_request');
  });

  it('cannot be added at the token endpoint: a verifier without a challenge is a downgrade', async () => {
    const { parameters } = await confidential().authorize();
    const form = { grant_type: 'authorization_code', code: parameters.get('code') ?? '', redirect_uri: callback };
    expect(await checkTokenError(await confidential().ask({ ...form, code_verifier: verifier }))).toBe('invalid_grant');
  });
});

describe('redirect_uri at the token endpoint', () => {
  const redeem = async (parameters: Readonly<Record<string, string>>, changes: Readonly<Record<string, string>>) => {
    const answer = await confidential().authorize(parameters);
    const form = { grant_type: 'authorization_code', code: answer.parameters.get('code') ?? '' };
    return confidential().ask({ ...form, ...changes });
  };

  it('may be left out with PKCE, and only then', async () => {
    await checkTokenResponse(await redeem(pkce, { code_verifier: verifier }));
    expect(await checkTokenError(await redeem({}, {}))).toBe('invalid_request');
  });

  it('is compared when it is sent, PKCE or not', async () => {
    const redirect_uri = `${callback}/second`;
    expect(await checkTokenError(await redeem(pkce, { code_verifier: verifier, redirect_uri }))).toBe('invalid_grant');
    expect(await checkTokenError(await redeem({}, { redirect_uri }))).toBe('invalid_grant');
  });
});

describe('an error of the authorization endpoint', () => {
  it.each([
    ['an unknown client', { client_id: 'nobody' }],
    ['no client', { client_id: '' }],
    ['an unknown redirect URI', { redirect_uri: 'https://evil.example/' }],
    ['no redirect URI, of two', { redirect_uri: '' }],
  ])('is a page for %s', async (_what, parameters) => {
    expect(await errorPage(op.agent(), confidential().request(parameters).url)).toBe('invalid_request');
  });

  it.each<[string, Readonly<Record<string, string>>, string]>([
    ['an unknown response_type', { response_type: 'code nonsense' }, 'unsupported_response_type'],
    ['an unknown scope', { scope: 'openid nonsense' }, 'invalid_scope'],
    ['an unknown response_mode', { response_mode: 'web_message' }, 'invalid_request'],
    ['prompt=none beside another', { prompt: 'none login' }, 'invalid_request'],
    ['a malformed max_age', { max_age: '-1' }, 'invalid_request'],
    ['registration', { registration: '{}' }, 'registration_not_supported'],
  ])('is told to the redirect URI for %s, with state and iss', async (_what, parameters, error) => {
    const { sent, state } = { sent: confidential().request(parameters), state: 'the state' };
    const visit = await op.agent().open(withState(sent.url, state));
    expect(visit.url.origin + visit.url.pathname).toBe(callback);
    expect(Object.fromEntries(visit.url.searchParams)).toMatchObject({ error, state, iss: op.metadata.issuer });
  });

  function withState(url: URL, state: string): URL {
    const changed = new URL(url);
    changed.searchParams.set('state', state);
    return changed;
  }
});

describe('invalid_client', () => {
  const form = { grant_type: 'client_credentials' };

  it('is 401 with a Basic challenge where Basic was used', async () => {
    const authorization = `Basic ${btoa('machine:wrong')}`;
    const response = await post(op.metadata.token_endpoint, form, { authorization });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toMatch(/^Basic /);
    expect(await checkTokenError(response)).toBe('invalid_client');
  });

  it.each<Record<string, string>>([{ client_id: 'machine', client_secret: 'wrong' }, { client_id: 'nobody' }, {}])(
    'is in the permitted form for %j',
    async credentials => {
      const response = await post(op.metadata.token_endpoint, { ...form, ...credentials });
      expect(['invalid_client', 'invalid_request']).toContain(await checkTokenError(response));
    },
  );
});

describe('errors of the token endpoint', () => {
  it.each([
    [{ grant_type: '' }, 'invalid_request'],
    [{ grant_type: 'nonsense' }, 'unsupported_grant_type'],
    [{ grant_type: 'refresh_token', refresh_token: 'x' }, 'unauthorized_client'],
    [{ grant_type: 'client_credentials', scope: 'openid' }, 'invalid_scope'],
    [{ grant_type: 'client_credentials', scope: '"\\ünï"' }, 'invalid_scope'],
  ])('for %j are %s, in the permitted characters', async (form, error) => {
    expect(await checkTokenError(await post(op.metadata.token_endpoint, form, asMachine))).toBe(error);
  });
});

describe('the rotation of refresh tokens', () => {
  const refresh = (party: Party, { refresh_token = '' }: Pick<TokenResponse, 'refresh_token'>) =>
    party.ask({ grant_type: 'refresh_token', refresh_token });

  it('ends the family when a used one comes again', async () => {
    const first = await redeemed();
    const second = await checkTokenResponse(await refresh(open(), first));
    expect(await checkTokenError(await refresh(open(), first))).toBe('invalid_grant');
    expect(await checkTokenError(await refresh(open(), second))).toBe('invalid_grant');
  });

  it('lets one of two through that come at once, and takes the other for a replay', async () => {
    const first = await redeemed();
    const answers = await Promise.all([refresh(open(), first), refresh(open(), first)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  async function redeemed(): Promise<TokenResponse> {
    return open().redeem(await open().authorize({ ...pkce, scope: 'openid offline_access' }), {
      code_verifier: verifier,
    });
  }
});

describe('an access token that is a JWT', () => {
  it('is introspected, and its revocation shows there', async () => {
    const { token_endpoint, introspection_endpoint, revocation_endpoint } = op.metadata;
    const form = { grant_type: 'client_credentials', scope: 'products:read' };
    const { access_token: token } = await checkTokenResponse(await post(token_endpoint, form, asMachine));
    const ask = async () => (await post(String(introspection_endpoint), { token }, asMachine)).json();
    expect(await ask()).toMatchObject({ active: true, client_id: 'machine', scope: 'products:read' });
    expect((await post(String(revocation_endpoint), { token }, asMachine)).status).toBe(200);
    expect(await ask()).toEqual({ active: false });
  });
});

describe('what certified servers are warned of', () => {
  it('slow_down comes for a device that polls too fast', async () => {
    const { device_authorization_endpoint, token_endpoint } = op.metadata;
    const started = await post(String(device_authorization_endpoint), { scope: 'products:read' }, asMachine);
    const { device_code, interval } = (await started.json()) as { device_code: string; interval: number };
    const poll = async () => {
      const form = { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code };
      return checkTokenError(await post(token_endpoint, form, asMachine));
    };
    op.pass(interval);
    expect([await poll(), await poll()]).toEqual(['authorization_pending', 'slow_down']);
  });

  it('invalid_scope comes from the device authorization endpoint', async () => {
    const form = { scope: 'nonsense' };
    const response = await post(String(op.metadata.device_authorization_endpoint), form, asMachine);
    expect(await checkTokenError(response)).toBe('invalid_scope');
  });

  it('at_hash is in the ID token of the code flow', async () => {
    expect((await confidential().logIn()).idToken.at_hash).toMatch(/^[\w-]{22}$/);
  });

  it('prompt=select_account asks who is logged in already', async () => {
    const { answer } = await confidential().logIn();
    const again = await confidential().authorize({ prompt: 'select_account' }, { agent: answer.agent });
    expect(again.page?.html).toContain('data-testid="login-continue"');
  });

  it('a page of any origin may read the resource metadata, and one of this machine register', async () => {
    const anywhere = 'https://spa.example';
    const resource = await get(`${op.sandbox.url}/.well-known/oauth-protected-resource/api`, { origin: anywhere });
    expect([resource.status, resource.headers.get('access-control-allow-origin')]).toEqual([200, anywhere]);
    const origin = 'http://localhost:6274';
    const preflight = await fetch(op.metadata.registration_endpoint, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' },
    });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, origin]);
  });

  it('cookies can be used over plain http', async () => {
    const { answer } = await confidential().logIn();
    expect(answer.agent.cookies.size).toBeGreaterThan(0);
    const login = await post(
      `${op.sandbox.url}/login?${confidential().request().query}`,
      { sub: 'alice' },
      { origin: op.sandbox.url },
    );
    for (const cookie of login.headers.getSetCookie()) {
      expect(cookie).toContain('SameSite=Lax');
      expect(cookie).not.toMatch(/Secure|SameSite=None/);
    }
  });
});
