import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSelfSigned, type SelfSigned } from '../../../src/server/tls/self-signed.ts';
import { send } from '../../../src/server/wire/send.ts';
import { runningChild } from '../../support/child.ts';
import { freePort } from '../../support/free-port.ts';
import { newFolder } from '../../support/new-folder.ts';
import { provideHaproxy, provideNginx, type RunningProxy, startProxy } from '../support/proxy.ts';

const root = join(import.meta.dirname, '..', '..', '..', 'deploy', 'proxies');
let certificate: SelfSigned;

beforeAll(async () => {
  certificate = await createSelfSigned(['dev.example'], new Date());
});

/** A proxy with TLS at `https://dev.example:<port>`, and a sandbox behind it whose issuer is `/idp` there. */
interface Public extends AsyncDisposable {
  readonly issuer: string;
  readonly port: number;
  /** The sandbox behind the proxy. */
  readonly inner: string;
}

/** As an event has it. */
interface Exchange {
  readonly ip: string;
  readonly requestHeaders: readonly (readonly [string, string])[];
}

type StartProxy = (folder: string, port: number, sandboxPort: number) => Promise<RunningProxy>;

async function publish(start: StartProxy): Promise<Public> {
  const folder = newFolder();
  const [port, sandboxPort] = [await freePort(), await freePort()];
  const issuer = `https://dev.example:${port}/idp`;
  writeFileSync(join(folder, 'fullchain.pem'), certificate.server.cert);
  writeFileSync(join(folder, 'privkey.pem'), certificate.server.key);
  writeFileSync(join(folder, 'tls.pem'), certificate.server.cert + certificate.server.key);
  const sandbox = await runningChild({ env: { ISSUER: issuer, PORT: String(sandboxPort), TRUST_PROXY: 'loopback' } });
  const proxy = await start(folder, port, sandboxPort).catch(async error => {
    await sandbox[Symbol.asyncDispose]();
    throw error;
  });
  return {
    issuer,
    port,
    inner: `http://127.0.0.1:${sandboxPort}/idp`,
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await sandbox[Symbol.asyncDispose]();
    },
  };
}

const startHaproxy: StartProxy = async (folder, port, sandboxPort) =>
  startProxy(port, await provideHaproxy(), ['-db', '-f', join(root, 'haproxy.cfg')], {
    PROXY_ADDRESS: `127.0.0.1:${port}`,
    PROXY_CERTIFICATE: join(folder, 'tls.pem'),
    SANDBOX_ADDRESS: `127.0.0.1:${sandboxPort}`,
  });

/** nginx reads no variables: the addresses and files of this machine take the place of those in the file. */
const startNginx: StartProxy = async (folder, port, sandboxPort) => {
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    name => `${name}_temp_path ${folder}/${name};`,
  );
  let text = readFileSync(join(root, 'nginx.conf'), 'utf8');
  for (const [said, here] of [
    ['server grantbox:9000;', `server 127.0.0.1:${sandboxPort};`],
    ['listen 443 ssl;', `listen 127.0.0.1:${port} ssl;`],
    ['/etc/nginx/tls/', `${folder}/`],
    ['http {', `http { access_log off; ${places.join(' ')}`],
  ] as const) {
    expect(text).toContain(said);
    text = text.replaceAll(said, here);
  }
  const config = join(folder, 'nginx.conf');
  writeFileSync(config, text);
  const globals = `daemon off; error_log stderr; pid ${folder}/pid;`;
  return startProxy(port, await provideNginx(), ['-p', folder, '-c', config, '-g', globals]);
};

describe.each([
  ['haproxy.cfg', startHaproxy],
  ['nginx.conf', startNginx],
])('deploy/proxies/%s', (_file, start) => {
  let site: Public;
  beforeAll(async () => {
    site = await publish(start);
  });
  afterAll(() => site?.[Symbol.asyncDispose]());

  const options = () => ({ hostname: '127.0.0.1', port: site.port, ca: certificate.ca, servername: 'dev.example' });
  const get = (path: string) => send(new URL(path, site.issuer), options());
  const requestToken = (headers: Readonly<Record<string, string>> = {}) =>
    send(`${site.issuer}/oauth2/token`, {
      ...options(),
      method: 'POST',
      headers: {
        Authorization: `Basic ${btoa('sensor:sensor-secret')}`,
        'Content-Type': 'application/x-www-form-urlencoded',
        ...headers,
      },
      body: 'grant_type=client_credentials',
    });

  it('serves the metadata at both places, with the public issuer', async () => {
    await expect.poll(() => get('/idp/.well-known/openid-configuration')).toMatchObject({ status: 200 });
    for (const path of ['/idp/.well-known/openid-configuration', '/.well-known/oauth-authorization-server/idp']) {
      const { text } = await get(path);
      expect(JSON.parse(text)).toMatchObject({
        issuer: site.issuer,
        token_endpoint: `${site.issuer}/oauth2/token`,
      });
    }
  });

  it('serves the pages, and nothing outside of the path', async () => {
    expect(await get('/idp/dashboard')).toMatchObject({ status: 200 });
    expect(await get('/dashboard')).toMatchObject({ status: 404 });
    expect(await get('/metrics')).toMatchObject({ status: 404 });
  });

  it('logs in, with cookies that only HTTPS carries', async () => {
    const login = new URLSearchParams({
      ...{ client_id: 'frontend', redirect_uri: 'http://localhost:5173/callback', response_type: 'code' },
      ...{ scope: 'openid', state: 's', code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' },
    });
    await fetch(`${site.inner}/_sandbox/next-login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ sub: 'alice' }),
    });
    const { status, headers } = await get(`/idp/oauth2/authorize?${login}`);
    expect(status).toBe(302);
    expect(headers.location).toMatch(/^http:\/\/localhost:5173\/callback\?code=/);
    expect(headers['set-cookie']?.join('\n')).toMatch(/^__Host-grantbox_session.*; Secure/);
  });

  it('names the sender, and not the one that the request names', async () => {
    await requestToken({ 'X-Forwarded-For': '203.0.113.7' });
    const { text } = await send(`${site.inner}/_sandbox/events?type=request.completed&q=endpoint:token&exchange=true`);
    const { events } = JSON.parse(text) as { readonly events: readonly { readonly exchange: Exchange }[] };
    const { ip, requestHeaders } = events.at(-1)?.exchange ?? {};
    const named = requestHeaders
      ?.filter(([name]) => name.toLowerCase() === 'x-forwarded-for')
      .map(([, value]) => value);
    expect(named).toEqual(['127.0.0.1']);
    expect(ip).toBe('127.0.0.1');
  });

  it('passes a live stream on without waiting for its end', async () => {
    const path = `${new URL(site.issuer).pathname}/_sandbox/events/stream?type=token.issued`;
    const seen = await new Promise<string>((resolve, reject) => {
      let text = '';
      const call = request({ ...options(), path, headers: { Host: new URL(site.issuer).host } }, answer => {
        answer.setEncoding('utf8').on('data', (chunk: string) => {
          // the first words say that the stream is there
          if (text === '') requestToken().catch(reject);
          text += chunk;
          if (!text.includes('token.issued')) return;
          call.destroy();
          resolve(text);
        });
        answer.on('end', () => reject(new Error(`the stream ended with ${answer.statusCode}: ${text}`)));
      });
      call.on('error', reject).end();
    });
    expect(seen).toContain('event: token.issued');
  });
});
