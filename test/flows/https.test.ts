import { X509Certificate } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../../src/index.ts';
import { createSelfSigned } from '../../src/server/tls/self-signed.ts';
import { observes } from '../observed.ts';
import { createAgent } from '../support/agent.ts';
import { createSandbox } from '../support/bundle.ts';
import { runningChild, startChild } from '../support/child.ts';
import { newFolder } from '../support/new-folder.ts';
import { createTlsFetch, type TlsFetch } from '../support/tls-fetch.ts';
import { authorizeQuery, callback, get, portOf, type Tokens, verifier } from '../support/wire.ts';

const folder = newFolder();
const ofFiles = await createSelfSigned([], new Date());
writeFileSync(join(folder, 'cert.pem'), ofFiles.server.cert);
writeFileSync(join(folder, 'key.pem'), ofFiles.server.key);
const tlsFiles = { tlsCert: join(folder, 'cert.pem'), tlsKey: join(folder, 'key.pem') };

const sandbox = await createSandbox({ tls: 'self-signed' });
const { url } = sandbox;
const call = trusting(sandbox);
afterAll(() => sandbox.stop());

function trusting({ tls }: Sandbox): TlsFetch {
  return createTlsFetch({ ca: tls?.ca ?? '' });
}

describe('a sandbox with TLS=self-signed', () => {
  it('is an https issuer, and so is every address in its metadata', async () => {
    observes('setting tls');
    expect(url).toMatch(/^https:\/\/localhost:\d+$/);
    const metadata = await (await call(`${url}/.well-known/openid-configuration`)).json();
    expect(metadata.issuer).toBe(url);
    const addresses = Object.entries<unknown>(metadata).filter(([name]) => /_endpoint$|_uri$/.test(name));
    expect(addresses.length).toBeGreaterThan(4);
    for (const [name, address] of addresses) expect(address, name).toMatch(new RegExp(`^${url}/`));
  });

  it('offers its CA for download, by which alone it is trusted', async () => {
    const response = await call(`${url}/tls/ca.pem`);
    expect(response.headers.get('content-type')).toBe('application/x-x509-ca-cert');
    expect(response.headers.get('content-disposition')).toContain('grantbox-ca.pem');
    const ca = await response.text();
    expect(ca).toBe(sandbox.tls?.ca);
    expect(new X509Certificate(ca).ca).toBe(true);
    expect((await (await call(`${url}/`)).json()).ca).toBe(`${url}/tls/ca.pem`);
    await expect(fetch(`${url}/health`)).rejects.toThrow();
  });

  it('goes through login, code, tokens, UserInfo and the API, with Secure cookies that other sites may send', async () => {
    const cookies: string[] = [];
    const agent = createAgent(url, async (address, { headers, method, body }) => {
      const response = await call(address, { headers, method, body });
      cookies.push(...response.headers.getSetCookie());
      return response;
    });
    const page = await agent.open(`${url}/oauth2/authorize?${authorizeQuery({ scope: 'openid products:read' })}`);
    const { url: answer } = await agent.submit(page, 'login-user-alice');
    expect(cookies.length).toBeGreaterThan(0);
    for (const cookie of cookies) {
      expect(cookie).toMatch(/^__Host-grantbox_\w+=.*; Path=\/; .*Secure; SameSite=None$/);
    }
    expect(answer.searchParams.get('iss')).toBe(url);

    const code = answer.searchParams.get('code') ?? '';
    const body = new URLSearchParams({
      ...{ grant_type: 'authorization_code', client_id: 'frontend', code },
      ...{ redirect_uri: callback, code_verifier: verifier },
    });
    const tokens = (await (await call(`${url}/oauth2/token`, { method: 'POST', body })).json()) as Tokens;
    const headers = { authorization: `Bearer ${tokens.access_token}` };
    expect(await (await call(`${url}/userinfo`, { headers })).json()).toMatchObject({ sub: 'alice' });
    expect((await call(`${url}/api/products`, { headers })).status).toBe(200);
  });

  it('runs the demo login of its dashboard, which calls the sandbox itself', async () => {
    const agent = createAgent(url, call);
    const login = await agent.open(`${url}/dashboard/demo`);
    const page = await agent.submit(login, 'login-user-alice');
    expect(page.url.pathname).toMatch(/^\/dashboard\/tokens\/tok_/);
    expect(page.status).toBe(200);
  });

  it('tells who calls it over plain HTTP what to do', async () => {
    const response = await get(`http://localhost:${portOf(url)}/`);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('write https:// instead of http://');
  });

  it('has a certificate for the host of its issuer and for further hosts', async () => {
    const named = await createSandbox({
      tls: 'self-signed',
      issuer: 'https://login.localhost',
      allowedHosts: ['sandbox.example'],
    });
    const response = await trusting(named)(`${named.url}/.well-known/openid-configuration`);
    expect((await response.json()).token_endpoint).toBe('https://login.localhost/oauth2/token');
    await named.stop();
    const { server } = await createSelfSigned(['login.localhost', 'sandbox.example'], new Date());
    expect(new X509Certificate(server.cert).checkHost('sandbox.example')).toBe('sandbox.example');
  });
});

describe('a sandbox with a certificate of its own', () => {
  it('speaks HTTPS with it, and has no CA to offer', async () => {
    observes('setting tlsCert', 'setting tlsKey');
    const own = await createSandbox(tlsFiles);
    const { ca } = ofFiles;
    const fetchBy = createTlsFetch({ ca });
    expect((await fetchBy(`${own.url}/health`)).status).toBe(200);
    expect((await fetchBy(`${own.url}/tls/ca.pem`)).status).toBe(404);
    expect(await (await fetchBy(`${own.url}/`)).json()).not.toHaveProperty('ca');
    expect(own.tls?.ca).toBeUndefined();
    expect((await own.tls?.clientCertificate?.())?.cert).toContain('BEGIN CERTIFICATE');
    await own.stop();
  });
});

describe('a sandbox without HTTPS', () => {
  it('has no certificates to offer', async () => {
    const plain = await createSandbox();
    expect(plain.tls).toBeUndefined();
    expect((await get(`${plain.url}/tls/ca.pem`)).status).toBe(404);
    expect((await fetch(`${plain.url}/tls/client.pem`, { method: 'POST' })).status).toBe(404);
    expect(Object.keys(await (await get(`${plain.url}/`)).json())).not.toContain('ca');
    await plain.stop();
  });
});

describe('the process', () => {
  it('says on start how to trust its CA', async () => {
    await using child = await runningChild({ args: ['--tls', 'self-signed'] });
    const { issuer = '', tls = '' } = child.ready;
    expect(issuer).toBe(`https://localhost:${child.port}`);
    expect(tls).toContain(`${issuer}/tls/ca.pem`);
    expect(tls).toContain('NODE_EXTRA_CA_CERTS');
  });

  it.each<[string, (port: string) => Record<string, string>]>([
    ['knowing of it', port => ({ PORT: port, TLS: 'self-signed' })],
    ['not knowing of it', port => ({ PORT: port })],
  ])('is well by its health check, %s', async (_, env) => {
    await using child = await runningChild({ args: ['--tls=self-signed'] });
    const probe = async () => {
      const { ended, output } = startChild({ args: ['healthcheck'], env: env(String(child.port)) });
      return { code: await ended, stdout: output.stdout };
    };
    // asked again, as container engines do: on a busy machine an answer may take longer than a probe waits
    await expect.poll(probe).toEqual({
      code: 0,
      stdout: `https://127.0.0.1:${child.port}/health answered 200\n`,
    });
  });

  it('names what is wrong with its certificate, and does not start', async () => {
    const child = startChild({ env: { TLS_CERT: 'no.pem', TLS_KEY: join(folder, 'key.pem') } });
    expect(await child.ended).toBe(1);
    expect(child.output.stderr).toContain('environment TLS_CERT: found "no.pem", expected a file that exists');
  });
});
