import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../../src/index.ts';
import { observes } from '../observed.ts';
import { asSensor, authorizeQuery, callback, get, post, redeem } from '../support/wire.ts';

const prefix = '/team/idp';
/** Where the proxy sends its requests, and whether it takes the prefix away. */
let target = 0;
let strips = false;

// as nginx, haproxy and Traefik are configured: the sender, and the prefix where it is taken away
const proxy = createServer((req, res) => {
  const { url = '', headers, method } = req;
  const path = strips ? url.slice(prefix.length) || '/' : url;
  const sender = [headers['x-forwarded-for'], headers['x-test-sender'] ?? '203.0.113.1'].filter(Boolean).join(', ');
  const added = { 'x-forwarded-for': sender, ...(strips ? { 'x-forwarded-prefix': prefix } : {}) };
  const call = request({ port: target, method, path, headers: { ...headers, ...added } }, answer => {
    res.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(res);
  });
  call.on('error', () => res.destroy());
  req.pipe(call);
});

let sandbox: Sandbox;
let issuer = '';
beforeAll(async () => {
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve));
  issuer = `http://localhost:${(proxy.address() as AddressInfo).port}${prefix}`;
  sandbox = await createSandbox({ issuer, trustProxy: ['loopback', '198.51.100.0/24'], rateLimit: 5 });
  target = Number(new URL(sandbox.url).port);
});
afterAll(async () => {
  await sandbox.stop();
  proxy.closeAllConnections();
  proxy.close();
});

async function loginThroughProxy(): Promise<void> {
  const metadata = (await (await get(`${issuer}/.well-known/openid-configuration`)).json()) as Record<string, unknown>;
  expect(metadata.issuer).toBe(issuer);
  for (const [name, value] of Object.entries(metadata))
    if (/(_endpoint|_uri|_iframe)$/.test(name)) expect(value, name).toMatch(new RegExp(`^${issuer}/`));
  const asked = await get(`${issuer}/oauth2/authorize?${authorizeQuery()}`);
  const html = await asked.text();
  expect(html).toContain(`action="${prefix}/login`);
  for (const [, path] of html.matchAll(/(?:href|src|action)="(\/[^"]*)"/g)) expect(path).toMatch(/^\/team\/idp\//);
  const { origin } = new URL(issuer);
  const done = await post(`${issuer}/login?${authorizeQuery()}`, { sub: 'alice' }, { origin });
  const cookie = done.headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';
  const back = await get(`${issuer}/oauth2/authorize?${authorizeQuery()}`, { cookie });
  const location = new URL(back.headers.get('location') ?? '');
  expect(`${location.origin}${location.pathname}`).toBe(callback);
  expect((await redeem(issuer, location.searchParams.get('code') ?? '')).status).toBe(200);
}

describe('behind a proxy with a path prefix, a login works', () => {
  it('if the proxy passes the prefix on', async () => {
    strips = false;
    await loginThroughProxy();
  });

  it('if the proxy takes the prefix away and says so', async () => {
    strips = true;
    await loginThroughProxy();
    expect((await get(`${issuer}/dashboard/flows`)).status).toBe(200);
  });
});

describe('the sender of a request', () => {
  const limited = async (headers: Record<string, string>, url = issuer) => {
    const answers = [];
    for (let call = 0; call < 6; call++) {
      const form = { grant_type: 'client_credentials' };
      answers.push(await post(`${url}/oauth2/token`, form, { authorization: asSensor, ...headers }));
    }
    return answers.map(({ status }) => status);
  };
  const refusedAtLast = [200, 200, 200, 200, 200, 429];

  it('is the one that a trusted proxy names, so that each has its own rate limit', async () => {
    observes('setting trustProxy');
    expect(await limited({ 'x-test-sender': '203.0.113.2' })).toEqual(refusedAtLast);
    expect(await limited({ 'x-test-sender': '203.0.113.3' })).toEqual(refusedAtLast);
    const { exchange } = await sandbox.events.waitFor('request.completed', ({ status }) => status === 429);
    expect(exchange.ip).toMatch(/^203\.0\.113\./);
  });

  it('is not what the caller wrote to the left of the proxy, but may be behind a second trusted one', async () => {
    for (const made of ['1.1.1.1', '2.2.2.2'])
      await limited({ 'x-forwarded-for': made, 'x-test-sender': '203.0.113.4' });
    const chain = { 'x-forwarded-for': '3.3.3.3, [2001:db8::7]:4711', 'x-test-sender': '198.51.100.9' };
    await limited(chain);
    const ips = sandbox.events.latest('request.completed', 18).map(({ exchange }) => exchange.ip);
    expect([...new Set(ips)]).toEqual(['2001:db8::7', '203.0.113.4']);
  });

  it('is the peer where no proxy is trusted, whatever the headers say', async () => {
    await using plain = await createSandbox({ rateLimit: 5 });
    const spoofed = async (ip: string) => (await limited({ 'x-forwarded-for': ip }, plain.url)).at(-1);
    expect([await spoofed('203.0.113.5'), await spoofed('203.0.113.6')]).toEqual([429, 429]);
    const [{ exchange } = { exchange: { ip: '' } }] = plain.events.latest('request.completed', 1);
    expect(exchange.ip).toMatch(/^(127\.0\.0\.1|::1)$/);
    await using others = await createSandbox({ trustProxy: '10.0.0.0/8', issuerFromHost: 'forwarded' });
    const forged = { 'x-forwarded-host': 'app.localhost', 'x-forwarded-prefix': '/x' };
    const metadata = await get(`${others.url}/.well-known/openid-configuration`, forged);
    expect(await metadata.json()).toMatchObject({ issuer: others.issuer });
  });

  it.each(['proxy.example', '10.0.0.0/33', '10.0.0/8', '::1/129', 'all'])('is refused as %s', async trustProxy => {
    await expect(createSandbox({ trustProxy })).rejects.toThrow(
      /trustProxy\[0\]: .*loopback, private, an address or a network/,
    );
  });
});
