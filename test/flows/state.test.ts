import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { observes } from '../observed.ts';
import { allKeys } from '../support/all-keys.ts';
import { type RunningChild, runningChild, startChild, until } from '../support/child.ts';
import { freePort } from '../support/free-port.ts';
import { newFolder } from '../support/new-folder.ts';
import { answer, callback, get, login, post, redeem, type Tokens } from '../support/wire.ts';

const clients = [
  {
    client_id: 'frontend',
    redirect_uris: [callback],
    scope: 'openid profile email',
    grant_types: ['authorization_code', 'refresh_token'],
  },
];
const env = { CLIENTS: JSON.stringify(clients), USERS: '[{"sub":"alice"},{"sub":"bob"}]' };
const newFile = () => join(newFolder(), 'state.json');
const start = (STATE_FILE: string, PORT: number) => runningChild({ env: { ...env, STATE_FILE, PORT: String(PORT) } });

async function stop(child: RunningChild, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  child.process.kill(signal);
  await child.ended;
}

async function tokensOf(url: string, cookie: string): Promise<Tokens> {
  const code = (await answer(url, cookie)).get('code') ?? '';
  return (await (await redeem(url, code)).json()) as Tokens;
}

const refresh = (url: string, refresh_token: string) =>
  post(`${url}/oauth2/token`, { grant_type: 'refresh_token', client_id: 'frontend', refresh_token });

const send = (url: string, method: string, path: string, body?: object) =>
  fetch(`${url}/_sandbox${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });

describe('STATE_FILE', () => {
  it.each(['SIGTERM', 'SIGKILL'] as const)(
    'brings keys, sessions, refresh tokens and changed entries through a restart after %s',
    async signal => {
      observes('setting stateFile');
      const file = newFile();
      const port = await freePort(); // the issuer is the same after the restart
      const before = await start(file, port);
      const { url } = before;
      const cookie = await login(url);
      const tokens = await tokensOf(url, cookie);
      const keys = await allKeys(url);
      await send(url, 'POST', '/users', { sub: 'carla', claims: { name: 'Carla' } });
      await send(url, 'PATCH', '/clients/frontend', { client_name: 'Renamed' });
      await send(url, 'DELETE', '/users/bob');
      await send(url, 'POST', '/scopes', { name: 'made', description: 'a scope that was made' });
      if (signal === 'SIGKILL') await until(() => readFileSync(file, 'utf8').includes('a scope that was made'));
      await stop(before, signal);
      expect(statSync(file).mode & 0o777).toBe(0o600);

      await using after = await start(file, port);
      expect(await (await get(`${after.url}/oauth2/jwks`)).text()).toBe(keys);
      const userinfo = await get(`${after.url}/userinfo`, { authorization: `Bearer ${tokens.access_token}` });
      expect(await userinfo.json()).toMatchObject({ sub: 'alice' });
      expect((await answer(after.url, cookie, { prompt: 'none' })).get('code')).toEqual(expect.any(String));
      expect((await refresh(after.url, tokens.refresh_token ?? '')).status).toBe(200);
      expect(await (await refresh(after.url, tokens.refresh_token ?? '')).json()).toMatchObject({
        error: 'invalid_grant',
      });
      expect(await (await send(after.url, 'GET', '/users/carla')).json()).toMatchObject({ changed: true });
      expect((await send(after.url, 'GET', '/users/bob')).status).toBe(404);
      expect((await send(after.url, 'GET', '/scopes/made')).status).toBe(200);
      const renamed = (await (await send(after.url, 'GET', '/clients/frontend')).json()) as { entry: object };
      expect(renamed.entry).toMatchObject({ client_name: 'Renamed' });
    },
  );

  it.each([
    ['damaged', '{"grantbox_state":1,"iss', 'it is damaged'],
    ['newer', '{"grantbox_state":2}', 'a newer Grantbox wrote the file'],
    ['of something else', '{"keys":[]}', 'the version of a state file that Grantbox wrote'],
    ['with a wrong entry', '{"grantbox_state":1,"issuers":{"/":{"keys":[{"jwk":{}}]}}}', 'a private key as JWK'],
  ])('refuses a file that is %s, and leaves it as it is', async (_what, text, why) => {
    const file = newFile();
    writeFileSync(file, text);
    const child = startChild({ env: { ...env, STATE_FILE: file } });
    expect(await child.ended).toBe(1);
    expect(child.output.stderr).toContain(why);
    expect(child.output.stderr).toContain('the file was left as it is');
    expect(child.output.stderr).not.toContain('    at ');
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  it('is refused where it cannot be written', async () => {
    const file = join(newFile(), 'nowhere', 'state.json');
    const child = startChild({ env: { ...env, STATE_FILE: file } });
    expect(await child.ended).toBe(1);
    expect(child.output.stderr).toContain('a file that this process can create or replace');
  });

  it('that cannot be written any more is not ready, until it can be', async () => {
    const folder = join(newFile(), '..', 'kept');
    mkdirSync(folder);
    const port = await freePort();
    await using sandbox = await start(join(folder, 'state.json'), port);
    const ready = async () => {
      const answered = await get(`${sandbox.url}/ready`);
      return { status: answered.status, checks: await answered.json() };
    };
    expect(await ready()).toMatchObject({ status: 200 });
    renameSync(folder, `${folder}-away`);
    await send(sandbox.url, 'POST', '/scopes', { name: 'made' });
    const down = { state: 'DOWN', detail: expect.stringContaining('STATE_FILE') };
    await expect.poll(ready, { timeout: 30_000 }).toMatchObject({ status: 503, checks: { state_file: down } });
    renameSync(`${folder}-away`, folder);
    await expect.poll(ready, { timeout: 30_000 }).toMatchObject({ status: 200 });
  });

  it('is refused beside STORE_URL, with the reason', async () => {
    const child = startChild({ env: { STATE_FILE: newFile(), STORE_URL: 'redis://127.0.0.1:1' } });
    expect(await child.ended).toBe(1);
    expect(child.output.stderr).toContain('no STATE_FILE together with STORE_URL: the engine keeps the state');
  });
});

describe('grantbox state', () => {
  const run = async (...args: string[]) => {
    const child = startChild({ args: ['state', ...args] });
    return { code: await child.ended, ...child.output };
  };

  it('moves the state of a sandbox to another one by a file that only its owner reads', async () => {
    observes('command state', 'operation exportState', 'operation importState');
    await using one = await runningChild({ env });
    await using two = await runningChild({ env });
    const cookie = await login(one.url);
    const { refresh_token = '' } = await tokensOf(one.url, cookie);
    await send(one.url, 'POST', '/users', { sub: 'carla' });
    await send(two.url, 'POST', '/users', { sub: 'gone' });
    const [keys] = await Promise.all([allKeys(one.url), allKeys(two.url)]);
    const file = newFile();
    const exported = await run('export', file, '--url', one.url);
    expect(exported).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('It has private keys: keep it secret.'),
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await run('export', file, '--url', one.url)).toMatchObject({ code: 1 });
    expect(await run('import', file, '--url', two.url)).toMatchObject({ code: 0 });
    expect(await allKeys(two.url)).toBe(keys);
    expect((await send(two.url, 'GET', '/users/carla')).status).toBe(200);
    expect((await send(two.url, 'GET', '/users/gone')).status).toBe(404);
    expect((await refresh(two.url, refresh_token)).status).toBe(200);
    const there = cookie.replace(String(one.port), String(two.port)); // its name has the port
    expect((await answer(two.url, there, { prompt: 'none' })).get('code')).toEqual(expect.any(String));
    const piped = await run('export', '-', '--url', two.url);
    expect(JSON.parse(piped.stdout)).toMatchObject({ grantbox_state: 1 });
  });

  it('says what is wrong with a file, and changes nothing', async () => {
    await using sandbox = await runningChild({ env });
    const keys = await allKeys(sandbox.url);
    const file = newFile();
    writeFileSync(file, '{"grantbox_state":7}');
    const refused = await run('import', file, '--url', sandbox.url);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('a newer Grantbox wrote the file') });
    writeFileSync(file, 'no JSON');
    expect(await run('import', file)).toMatchObject({ code: 2 });
    expect(await run('import', join(file, 'nowhere'))).toMatchObject({ code: 1 });
    expect(await run('import')).toMatchObject({ code: 1, stderr: expect.stringContaining('name the file') });
    expect(await allKeys(sandbox.url)).toBe(keys);
  });
});
