import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { JWK } from 'jose';
import type { ClientEntry } from '../../../../src/index.ts';
import type { Has, Json } from './must.ts';

type Entry = ClientEntry & { readonly redirect_uris: readonly [string]; readonly scope: string };

/** The registration of the client that uses the code flow. */
export const careful: Entry = {
  client_id: 'careful',
  client_secret: 'careful-secret',
  redirect_uris: ['http://localhost:7999/callback'],
  grant_types: ['authorization_code', 'refresh_token'],
  scope: 'openid profile email offline_access',
};

const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
export const requestKey = keys.privateKey;

/** The registration of the client that uses the hybrid flow, a form, a request object and signed UserInfo. */
export const hybrid: Entry = {
  ...careful,
  client_id: 'hybrid',
  grant_types: ['authorization_code', 'refresh_token', 'implicit'],
  response_types: ['code', 'code id_token token'],
  userinfo_signed_response_alg: 'RS256',
  jwks: { keys: [{ ...keys.publicKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig' }] },
};

/** The client, with the checks that it makes. */
export interface App {
  readonly has: Has;
  readonly entry: Entry;
  /** Signs request objects; absent for a client of the plain code flow. */
  readonly requestKey?: KeyObject;
  /** Makes the header of a request with a proof; absent for a client without DPoP. */
  prove?(method: string, url: string, token?: string): Promise<{ readonly DPoP: string }>;
}

/** The provider, as the client knows it. */
export interface Provider {
  readonly issuer: string;
  readonly metadata: Json;
  readonly store: { keys: readonly JWK[] };
  refetch(): Promise<void>;
  /** The issuers that the client has signed in by. */
  readonly known: ReadonlySet<string>;
}
