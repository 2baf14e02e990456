import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { exportJWK, generateKeyPair, importJWK, type JWTHeaderParameters, SignJWT } from 'jose';
import {
  createResourceServer,
  type ResourceServer,
  type ResourceServerOptions,
} from '../../../src/server/resources/index.ts';

export const issuer = 'http://localhost:9000';
export const now = 1_700_000_000;
/** Where the metadata of a collection is. */
export const resourceMetadata = (collection: string): string =>
  `http://localhost:9000/.well-known/oauth-protected-resource/api/${collection}`;

const string = { type: 'string', required: true } as const;

export const collections: ResourceServerOptions['collections'] = [
  {
    name: 'products',
    readScope: 'products:read',
    writeScope: 'products:write',
    fields: {
      name: string,
      category: string,
      price: { type: 'number', required: true },
      stock: { type: 'integer', required: false },
      organic: { type: 'boolean', required: false },
    },
    seed: [
      { name: 'Saddle', category: 'parts', price: 49.5, stock: 3, organic: false },
      { name: 'Bell', category: 'parts', price: 9 },
      { name: 'Apple', category: 'food & drink', price: 1, organic: true },
    ],
  },
  { name: 'bikes', readScope: 'bikes:read', fields: { name: string }, seed: [{ name: 'Tourer' }] },
  { name: 'telemetry', writeScope: 'telemetry:write', fields: { name: string }, seed: [] },
];

export const product = { name: 'Pump', category: 'parts', price: 20 };

/** One key pair per algorithm; the public half as the issuer's JWK Set would give it. */
export async function createKey(alg: string): Promise<{ privateKey: CryptoKey; publicKey: CryptoKey }> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const imported = await importJWK({ ...(await exportJWK(publicKey)), alg }, alg);
  if (imported instanceof Uint8Array) throw new Error('not an asymmetric key');
  return { privateKey, publicKey: imported };
}

export const rsa = await createKey('RS256');

export const claims = {
  iss: issuer,
  sub: 'alice',
  aud: 'frontend',
  client_id: 'frontend',
  iat: now,
  nbf: now,
  exp: now + 300,
  jti: 'jti-1',
  scope: 'products:read products:write bikes:read telemetry:write',
};

/** An access token as RFC 9068 describes it; `undefined` removes a claim. */
export function sign(
  changes: Record<string, unknown> = {},
  header: Partial<JWTHeaderParameters> = {},
  key: CryptoKey | Uint8Array = rsa.privateKey,
): Promise<string> {
  const merged = { alg: 'RS256', kid: 'rsa', typ: 'at+jwt', ...header };
  const present = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined));
  return new SignJWT({ ...claims, ...changes }).setProtectedHeader({ alg: 'RS256', ...present }).sign(key);
}

export interface RunningServer extends ResourceServer {
  readonly url: string;
  readonly port: number;
  readonly errors: unknown[];
  readonly clock: { now: number };
  /** A request with `token` as its bearer token, or without any. */
  request(path: string, init?: RequestInit & { token?: string }): Promise<Response>;
  close(): Promise<void>;
}

/** The resource server in an Express app on a free port, with a clock that only moves by hand. */
export async function startServer(options: Partial<ResourceServerOptions> = {}): Promise<RunningServer> {
  const errors: unknown[] = [];
  const clock = { now };
  const resources = createResourceServer({
    issuer,
    audience: [],
    keys: async ({ kid }) => (kid === 'rsa' ? rsa.publicKey : undefined),
    clock: () => clock.now,
    resourceMetadata,
    collections,
    onError: error => errors.push(error),
    ...options,
  });
  const server = createServer(express().use('/api', resources.router));
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo; // a TCP server's address is never a string
  const url = `http://127.0.0.1:${port}`;
  return {
    ...resources,
    url,
    port,
    errors,
    clock,
    request(path, { token, headers, ...init } = {}) {
      const authorization: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
      return fetch(url + path, { ...init, headers: { ...authorization, ...(headers as Record<string, string>) } });
    },
    close: () =>
      new Promise<void>(closed => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

/** `init` of a request with a JSON body. */
export function json(method: string, body: unknown): RequestInit {
  return { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}
