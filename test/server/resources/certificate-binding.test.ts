import { X509Certificate } from 'node:crypto';
import { createServer, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { afterAll, describe, expect, it } from 'vitest';
import { createResourceServer } from '../../../src/server/resources/index.ts';
import { createClientAuthority } from '../../../src/server/tls/client-authority.ts';
import { createSelfSigned } from '../../../src/server/tls/self-signed.ts';
import { collections, issuer, now, rsa, sign, startServer } from './running-server.ts';

const { server: own, ca } = await createSelfSigned([], new Date());
const authority = await createClientAuthority(new Date());
const mine = await authority.issue({ subject_dn: 'CN=mine' });
const another = await authority.issue({ subject_dn: 'CN=another' });

const resources = createResourceServer({
  issuer,
  audience: [],
  keys: async () => rsa.publicKey,
  clock: () => now,
  collections,
});
const app = express().use('/api', resources.router);
const server = createServer({ ...own, requestCert: true, rejectUnauthorized: false }, app);
await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening));
afterAll(() => new Promise(closed => server.close(closed)));

/** RFC 8705 §3.1, by another road than the server's. */
function thumbprint(cert: string): string {
  return Buffer.from(new X509Certificate(cert).fingerprint256.replaceAll(':', ''), 'hex').toString('base64url');
}

interface Shown {
  readonly cert?: string;
  readonly key?: string;
}

function call(token: string, shown: Shown = {}, headers: Record<string, string> = {}): Promise<[number, string]> {
  const { port } = server.address() as AddressInfo; // a TCP server's address is never a string
  return new Promise((resolve, reject) => {
    const authorization = `Bearer ${token}`;
    const path = '/api/products';
    const options = {
      host: '127.0.0.1',
      port,
      path,
      ca,
      agent: false,
      ...shown,
      headers: { authorization, ...headers },
    };
    const sent = request(options, response => {
      response.resume();
      resolve([response.statusCode ?? 0, response.headers['www-authenticate'] ?? '']);
    });
    sent.on('error', reject);
    sent.end();
  });
}

const bound = await sign({ cnf: { 'x5t#S256': thumbprint(mine.cert) } });

describe('a token bound to a client certificate', () => {
  it('is good on a connection that shows the certificate', async () => {
    expect(await call(bound, mine)).toEqual([200, '']);
  });

  it('is refused on a connection that shows another', async () => {
    const [status, challenge] = await call(bound, another);
    expect(status).toBe(401);
    expect(challenge).toMatch(
      /^Bearer error="invalid_token", error_description="the token is bound to a different client /,
    );
  });

  it('is refused on a connection that shows none, whatever its headers say', async () => {
    const [status, challenge] = await call(bound, {}, { 'x-client-cert': encodeURIComponent(mine.cert) });
    expect(status).toBe(401);
    expect(challenge).toContain('the connection shows none; connect with mutual TLS');
  });

  it('is refused without TLS', async () => {
    const plain = await startServer();
    const response = await plain.request('/api/products', { token: bound });
    await plain.close();
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toContain('error="invalid_token"');
  });

  it('is refused where the binding is nonsense', async () => {
    const [status] = await call(await sign({ cnf: { 'x5t#S256': 7 } }), mine);
    expect(status).toBe(401);
  });
});

it('takes a token that is bound to nothing with any certificate', async () => {
  const token = await sign();
  expect(await call(token, mine)).toEqual([200, '']);
  expect(await call(token)).toEqual([200, '']);
});
