import { createServer } from 'node:net';
import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';
import { observes } from '../observed.ts';
import { runningChild } from '../support/child.ts';
import { freePort } from '../support/free-port.ts';
import { newFile } from '../support/new-folder.ts';
import { answer, get, post } from '../support/wire.ts';

const tokenOf = async (url: string, id: string, secret: string) => {
  const authorization = `Basic ${btoa(`${id}:${secret}`)}`;
  const response = await post(`${url}/oauth2/token`, { grant_type: 'client_credentials' }, { authorization });
  return (await response.json()) as { readonly access_token?: string; readonly error?: string };
};
const isRefused = (port: number, host: string) =>
  new Promise<boolean>(resolve => {
    const server = createServer().once('error', () => resolve(true));
    server.listen(port, host, () => server.close(() => resolve(false)));
  });

describe('what ships, started with', () => {
  it('PORT, or --port before it, listens there', async () => {
    observes('setting port');
    const [port, other] = [await freePort(), await freePort()];
    await using byVariable = await runningChild({ env: { PORT: String(port) } });
    expect((await get(`http://127.0.0.1:${port}/health`)).status).toBe(200);
    await using byFlag = await runningChild({ env: { PORT: String(port) }, args: ['--port', String(other)] });
    expect([byVariable.port, byFlag.port]).toEqual([port, other]);
    expect((await get(`http://127.0.0.1:${other}/health`)).status).toBe(200);
  });

  it('HOST listens at that address, and at no other', async () => {
    observes('setting host');
    await using here = await runningChild({ env: { HOST: '127.0.0.2' } });
    expect((await get(`http://127.0.0.2:${here.port}/health`)).status).toBe(200);
    await expect(get(`http://127.0.0.1:${here.port}/health`)).rejects.toThrow();
    await using everywhere = await runningChild({ env: { HOST: '0.0.0.0' } });
    expect(await isRefused(everywhere.port, '127.0.0.3')).toBe(true);
  });

  it('CONFIG_FILE, or --config, knows the clients and users of that file', async () => {
    observes('setting configFile');
    const clients = [{ client_id: 'mine', client_secret: 's', grant_types: ['client_credentials'] }];
    const file = newFile('mine.json', { clients, users: [{ sub: 'dora' }] });
    for (const how of [{ env: { CONFIG_FILE: file } }, { args: ['--config', file] }]) {
      await using child = await runningChild(how);
      expect(child.ready).toMatchObject({ clients: 'mine', users: 'dora' });
      expect((await tokenOf(child.url, 'mine', 's')).access_token).toBeDefined();
    }
  });

  it('CLIENTS and USERS knows those, and no others', async () => {
    observes('setting clients', 'setting users');
    const web = { client_id: 'web', redirect_uris: ['http://localhost:5173/callback'], scope: 'openid' };
    const service = { client_id: 'service', client_secret: 's', grant_types: ['client_credentials'] };
    const env = { CLIENTS: JSON.stringify([web, service]), USERS: JSON.stringify([{ sub: 'dora' }]) };
    await using child = await runningChild({ env });
    expect(decodeJwt((await tokenOf(child.url, 'service', 's')).access_token ?? '').sub).toBe('service');
    expect((await tokenOf(child.url, 'sensor', 'sensor-secret')).error).toBe('invalid_client');
    const code = async (sub: string) =>
      (await answer(child.url, '', { client_id: 'web', scope: 'openid', sandbox_login: sub })).get('code');
    expect(await code('dora')).toEqual(expect.any(String));
    expect(await code('alice')).toBeNull();
  });

  it('FRONTEND_CLIENT_ID and FRONTEND_REDIRECT_URIS has the demo client under that name, at that address', async () => {
    observes('setting frontendClientId', 'setting frontendRedirectUris');
    const redirect_uri = 'https://shop.example/back';
    const env = { FRONTEND_CLIENT_ID: 'shop', FRONTEND_REDIRECT_URIS: redirect_uri };
    await using child = await runningChild({ env });
    const arrived = await answer(child.url, '', { client_id: 'shop', redirect_uri, sandbox_login: 'alice' });
    expect(arrived.get('code')).toEqual(expect.any(String));
    const elsewhere = { client_id: 'shop', redirect_uri: 'https://shop.example/other', sandbox_login: 'alice' };
    expect([...(await answer(child.url, '', elsewhere)).keys()]).toEqual([]);
    expect([...(await answer(child.url, '', { redirect_uri, sandbox_login: 'alice' })).keys()]).toEqual([]);
  });

  it('SENSOR_CLIENT_ID and SENSOR_CLIENT_SECRET has the demo service under that name, with that secret', async () => {
    observes('setting sensorClientId', 'setting sensorClientSecret');
    const env = { SENSOR_CLIENT_ID: 'probe', SENSOR_CLIENT_SECRET: 'of the probe' };
    await using child = await runningChild({ env });
    expect((await tokenOf(child.url, 'probe', encodeURIComponent('of the probe'))).access_token).toBeDefined();
    expect((await tokenOf(child.url, 'probe', 'sensor-secret')).error).toBe('invalid_client');
    expect((await tokenOf(child.url, 'sensor', encodeURIComponent('of the probe'))).error).toBe('invalid_client');
  });
});
