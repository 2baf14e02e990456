import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWK } from 'jose';

/** A key pair of a client. */
export interface ClientKey {
  readonly privateKey: CryptoKey;
  readonly publicJwk: JWK;
}

/** Makes a key pair; `kid` is absent where none is given. */
export async function makeClientKey(
  alg: string,
  members: JWK = {},
  options: { readonly crv?: string } = {},
): Promise<ClientKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true, ...options });
  return { privateKey, publicJwk: { ...(await exportJWK(publicKey)), ...members } };
}

/** The `jwks_uri` of a client, on a free port of this machine. */
export interface KeysServer extends AsyncDisposable {
  readonly url: string;
  /** What is answered; may change. */
  status: number;
  headers: Record<string, string>;
  body: string;
  /** How often it was asked. */
  calls: number;
  publish(...keys: readonly ClientKey[]): void;
}

export async function startKeysServer(...keys: readonly ClientKey[]): Promise<KeysServer> {
  const server = createServer((_req, res) => {
    keysServer.calls++;
    res.writeHead(keysServer.status, keysServer.headers).end(keysServer.body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const keysServer: KeysServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`,
    status: 200,
    headers: {},
    body: '',
    calls: 0,
    publish(...published) {
      keysServer.body = JSON.stringify({ keys: published.map(({ publicJwk }) => publicJwk) });
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
  keysServer.publish(...keys);
  return keysServer;
}
