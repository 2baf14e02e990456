import { decodeJwt } from 'jose';
import { afterEach, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox, type SandboxConfig } from '../../../src/index.ts';
import { answer, get, login, post, redeem, signIn, type Tokens } from '../../support/wire.ts';

const started: Sandbox[] = [];
afterEach(async () => {
  for (const sandbox of started.splice(0)) await sandbox.stop();
});

async function start(config: SandboxConfig = {}): Promise<Sandbox> {
  const sandbox = await createSandbox(config);
  started.push(sandbox);
  return sandbox;
}

const scope = 'openid products:read offline_access';
const bearer = ({ access_token }: Tokens) => ({ authorization: `Bearer ${access_token}` });
const apiStatus = async ({ url }: Sandbox, tokens: Tokens) => (await get(`${url}/api/products`, bearer(tokens))).status;
const userinfoStatus = async ({ url }: Sandbox, tokens: Tokens) =>
  (await get(`${url}/userinfo`, bearer(tokens))).status;
const wall = () => Date.now() / 1000;

describe('the clock of a sandbox', () => {
  it('agrees with the tokens', async () => {
    const sandbox = await start();
    sandbox.clock.freeze();
    sandbox.clock.set(2_000_000_000);
    const { iat, exp } = decodeJwt((await signIn(sandbox.url)).access_token);
    expect([iat, exp]).toEqual([2_000_000_000, 2_000_000_300]);
    expect(sandbox.events.latest('token.issued', 1)[0]?.at).toBe(2_000_000_000);
    expect(sandbox.clock()).toBe(2_000_000_000);
  });

  it('lets a token expire everywhere, and be good again', async () => {
    const sandbox = await start();
    const tokens = await signIn(sandbox.url, 'alice', { scope });
    expect(await Promise.all([apiStatus(sandbox, tokens), userinfoStatus(sandbox, tokens)])).toEqual([200, 200]);
    sandbox.clock.advance(301);
    expect(await Promise.all([apiStatus(sandbox, tokens), userinfoStatus(sandbox, tokens)])).toEqual([401, 401]);
    sandbox.clock.reset();
    expect(await Promise.all([apiStatus(sandbox, tokens), userinfoStatus(sandbox, tokens)])).toEqual([200, 200]);
  });

  it('lets codes and sessions expire, too', async () => {
    const sandbox = await start({ sessionLifetime: 600 });
    const cookie = await login(sandbox.url);
    const code = (await answer(sandbox.url, cookie)).get('code') ?? '';
    sandbox.clock.advance(120);
    expect(await (await redeem(sandbox.url, code)).json()).toMatchObject({ error: 'invalid_grant' });
    expect((await answer(sandbox.url, cookie, { prompt: 'none' })).get('error')).toBeNull();
    sandbox.clock.advance(500);
    expect((await answer(sandbox.url, cookie, { prompt: 'none' })).get('error')).toBe('login_required');
  });

  it('is moved for the sample backend alone, which then disagrees', async () => {
    const sandbox = await start({ apiTokenCheck: 'local' });
    const tokens = await signIn(sandbox.url, 'alice', { scope });
    expect(sandbox.clock.advance(301, 'api')).toMatchObject({ offset: 0, api: { offset: 301 } });
    expect(await apiStatus(sandbox, tokens)).toBe(401);
    expect(await userinfoStatus(sandbox, tokens)).toBe(200);
    sandbox.clock.reset();
    sandbox.clock.advance(-60, 'api');
    expect(sandbox.clock.state()).toMatchObject({ offset: 0, api: { offset: -60 } });
    const began = Math.floor(wall());
    const { iat = 0 } = decodeJwt((await signIn(sandbox.url, 'alice', { scope })).access_token);
    expect(iat >= began && iat <= wall()).toBe(true);
  });

  it('is moved for the issuer alone, and the sample backend stays', async () => {
    const sandbox = await start();
    const tokens = await signIn(sandbox.url, 'alice', { scope });
    sandbox.clock.advance(301, 'issuer');
    expect(await apiStatus(sandbox, tokens)).toBe(200);
    expect(await userinfoStatus(sandbox, tokens)).toBe(401);
  });

  it('goes to just before the next expiry, one after the other', async () => {
    const sandbox = await start({ idTokenLifetime: 3600 });
    const tokens = await signIn(sandbox.url, 'alice', { scope });
    const [first] = await sandbox.clock.next();
    expect(first).toMatchObject({ tokenType: 'access', exp: decodeJwt(tokens.access_token).exp, sub: 'alice' });
    await sandbox.clock.toBeforeNextExpiry();
    expect(sandbox.clock()).toBe((first?.exp ?? 0) - 1);
    sandbox.clock.freeze();
    expect(await apiStatus(sandbox, tokens)).toBe(200);
    sandbox.clock.advance(1);
    expect(await apiStatus(sandbox, tokens)).toBe(401);
    // what is good no longer is not among the next
    const rest = await sandbox.clock.next();
    expect(rest.map(({ tokenType }) => tokenType)).not.toContain('access');
    await sandbox.clock.toBeforeNextExpiry({ seconds: 30 });
    expect(sandbox.clock()).toBe((rest[0]?.exp ?? 0) - 30);
  });

  it('knows until when a login lives', async () => {
    const sandbox = await start({
      sessionLifetime: 600,
      refreshTokenLifetime: 9000,
      idTokenLifetime: 9000,
      accessTokenLifetime: 9000,
    });
    const cookie = await login(sandbox.url);
    const [first] = await sandbox.clock.next(1);
    expect(first).toMatchObject({ tokenType: 'session', sub: 'alice' });
    await sandbox.clock.toBeforeNextExpiry({ seconds: 2 });
    expect((await answer(sandbox.url, cookie, { prompt: 'none' })).has('code')).toBe(true);
    sandbox.clock.advance(3);
    expect((await answer(sandbox.url, cookie, { prompt: 'none' })).get('error')).toBe('login_required');
  });

  it('says that nothing is there to expire', async () => {
    const sandbox = await start();
    expect(await sandbox.clock.next()).toEqual([]);
    await expect(sandbox.clock.toBeforeNextExpiry()).rejects.toThrow(/found none; sign in or mint one first/);
    expect(sandbox.events.count('clock.changed')).toBe(0);
  });

  it('tells the log of each move, and of none that was refused', async () => {
    const sandbox = await start();
    sandbox.clock.advance(7200);
    sandbox.clock.freeze('api');
    expect(() => sandbox.clock.set(Number.NaN)).toThrow(TypeError);
    expect(sandbox.events.latest('clock.changed', 9)).toMatchObject([
      { who: 'api', by: 'library', offset: 7200, frozen: true },
      { who: 'all', by: 'library', offset: 7200 },
    ]);
  });

  it('shows the real time after a reset of the sandbox', async () => {
    const sandbox = await start();
    sandbox.clock.set(new Date('2040-01-01T00:00:00Z'));
    sandbox.clock.freeze();
    expect(sandbox.clock()).toBe(2_208_988_800);
    await sandbox.reset();
    expect(sandbox.clock.state()).toMatchObject({ offset: 0, frozen: false, api: { offset: 0, frozen: false } });
    const began = Math.floor(wall());
    const shown = sandbox.clock();
    expect(shown >= began && shown <= wall()).toBe(true);
  });

  it('is each issuer’s own', async () => {
    const sandbox = await start({ issuers: { blue: {} } });
    const blue = sandbox.issuers.get('blue');
    blue?.clock.set(1_000_000_000);
    expect(blue?.clock.state().offset).toBeLessThan(0);
    expect(sandbox.clock.state().offset).toBe(0);
    expect([blue?.events.count('clock.changed'), sandbox.events.count('clock.changed')]).toEqual([1, 0]);
  });
});

describe('a seed with a frozen clock', () => {
  async function run(signingAlg: 'RS256' | 'EdDSA') {
    const sandbox = await start({ seed: 'same each time', issuer: 'http://localhost:9000', signingAlg });
    sandbox.clock.freeze();
    sandbox.clock.set(1_900_000_000);
    const first = await signIn(sandbox.url, 'alice', { scope, nonce: 'n' });
    const form = { grant_type: 'refresh_token', client_id: 'frontend', refresh_token: first.refresh_token };
    const refreshed = await post(`${sandbox.url}/oauth2/token`, form);
    return { first, refreshed: await refreshed.json(), request: refreshed.headers.get('x-request-id') };
  }

  it.each(['RS256', 'EdDSA'] as const)('make every byte of every %s token the same', async signingAlg => {
    const [one, other] = [await run(signingAlg), await run(signingAlg)];
    expect(one.first.access_token).toContain('.');
    expect(one).toEqual(other);
  });
});
