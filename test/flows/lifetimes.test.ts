import { afterAll, describe, expect, it } from 'vitest';
import type { SandboxConfig } from '../../src/sandbox/config/sandbox-config.ts';
import { observes } from '../observed.ts';
import { createSandbox } from '../support/bundle.ts';
import { answer, authorizeQuery, get, login, post, redeem, signIn } from '../support/wire.ts';

const callback = 'https://tv.example/cb';
const clients: NonNullable<SandboxConfig['clients']> = [
  {
    client_id: 'frontend',
    grant_types: ['authorization_code', 'refresh_token'],
    loopback_redirects: true,
    scope: 'openid profile email offline_access',
  },
  {
    client_id: 'tv',
    redirect_uris: [callback],
    grant_types: ['authorization_code', 'urn:ietf:params:oauth:grant-type:device_code'],
    scope: 'openid',
  },
];

let now = 1_700_000_000;
const sandbox = await createSandbox(
  {
    clients,
    codeLifetime: 11,
    accessTokenLifetime: 12,
    idTokenLifetime: 13,
    refreshTokenLifetime: 14,
    sessionLifetime: 15,
    pushedRequestLifetime: 16,
    deviceCodeLifetime: 17,
    pollInterval: 3,
  },
  { now: () => now },
);
afterAll(() => sandbox.stop());
const { url } = sandbox;

const errorOf = async (response: Response) => ((await response.json()) as { error?: string }).error;
const json = async (path: string, form: Record<string, string>) =>
  (await (await post(url + path, { client_id: 'tv', ...form })).json()) as Record<string, string>;

/** What it answers just before this many seconds are over, and when they are. */
async function atTheEndOf<T>(seconds: number, ask: (turn: number) => Promise<T>): Promise<readonly [T, T]> {
  const began = now;
  now = began + seconds - 1;
  const before = await ask(0);
  now = began + seconds;
  return [before, await ask(1)];
}

describe('a lifetime that is over ends', () => {
  it('a code, after codeLifetime', async () => {
    observes('setting codeLifetime');
    const cookie = await login(url);
    const codes = await Promise.all([0, 1].map(async () => (await answer(url, cookie)).get('code') ?? ''));
    const redeemed = await atTheEndOf(11, async turn => errorOf(await redeem(url, codes[turn] ?? '')));
    expect(redeemed).toEqual([undefined, 'invalid_grant']);
  });

  it('an access token, after accessTokenLifetime', async () => {
    observes('setting accessTokenLifetime');
    const { access_token } = await signIn(url);
    const ask = async () => (await get(`${url}/userinfo`, { authorization: `Bearer ${access_token}` })).status;
    expect(await atTheEndOf(12, ask)).toEqual([200, 401]);
  });

  it('an ID token, after idTokenLifetime: its exp', async () => {
    observes('setting idTokenLifetime');
    const { id_token } = await signIn(url);
    const [, payload = ''] = id_token.split('.');
    const { exp } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { exp: number };
    expect(await atTheEndOf(13, async () => exp > now)).toEqual([true, false]);
  });

  it('a refresh token, after refreshTokenLifetime', async () => {
    observes('setting refreshTokenLifetime');
    const given = [await signIn(url), await signIn(url)];
    const refreshed = await atTheEndOf(14, async turn => {
      const form = {
        grant_type: 'refresh_token',
        refresh_token: given[turn]?.refresh_token ?? '',
        client_id: 'frontend',
      };
      return errorOf(await post(`${url}/oauth2/token`, form));
    });
    expect(refreshed).toEqual([undefined, 'invalid_grant']);
  });

  it('a login, after sessionLifetime', async () => {
    observes('setting sessionLifetime');
    const cookie = await login(url);
    const ask = async () => (await answer(url, cookie, { prompt: 'none' })).get('error');
    expect(await atTheEndOf(15, ask)).toEqual([null, 'login_required']);
  });

  it('a pushed request, after pushedRequestLifetime', async () => {
    observes('setting pushedRequestLifetime');
    const { client_id: _, ...parameters } = Object.fromEntries(
      authorizeQuery({ client_id: 'tv', redirect_uri: callback, scope: 'openid' }),
    );
    // once a browser has come with one, it may take its time
    const pushed = [await json('/oauth2/par', parameters), await json('/oauth2/par', parameters)];
    const ask = async (turn: number) => {
      const query = new URLSearchParams({ client_id: 'tv', request_uri: pushed[turn]?.request_uri ?? '' });
      return (await get(`${url}/oauth2/authorize?${query}`)).status;
    };
    expect(await atTheEndOf(16, ask)).toEqual([200, 400]);
  });

  it('a device code, after deviceCodeLifetime', async () => {
    observes('setting deviceCodeLifetime');
    const { device_code = '' } = await json('/oauth2/device_authorization', {});
    const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';
    const ask = async () => (await json('/oauth2/token', { grant_type, device_code })).error;
    expect(await atTheEndOf(17, ask)).toEqual(['authorization_pending', 'expired_token']);
  });
});

it('a device that polls sooner than pollInterval says is told to slow down', async () => {
  observes('setting pollInterval');
  const { device_code = '' } = await json('/oauth2/device_authorization', {});
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';
  const poll = async () => (await json('/oauth2/token', { grant_type, device_code })).error;
  now += 3;
  const first = await poll();
  now += 2;
  const soon = await poll();
  now += 30;
  expect([first, soon, await poll()]).toEqual(['authorization_pending', 'slow_down', 'expired_token']);
});
