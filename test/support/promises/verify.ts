import { createLocalJWKSet, decodeProtectedHeader, type JWTPayload, jwtVerify } from 'jose';
import { defined } from '../../../src/base/defined.ts';
import { type Bench, endpoint, readDocument } from './bench.ts';
import { demand } from './demand.ts';
import { listOf } from './json.ts';
import type { TestClient } from './test-client.ts';

/** The currently published keys. They are fetched each time, because the server publishes a new key before it signs with it. */
export async function readKeys(bench: Bench): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const { keys } = await readDocument(bench.http, endpoint(bench, 'jwks_uri'));
  demand(Array.isArray(keys), 'the JWK Set has no keys');
  return keys;
}

/** The claims of a JWT from the server for this client, verified with the published keys. */
export async function verified(
  bench: Bench,
  jwt: string,
  { client_id: audience }: TestClient,
  { typ, alg }: { readonly typ?: string; readonly alg?: string } = {},
): Promise<JWTPayload> {
  const { alg: used, typ: type } = headerOf(jwt);
  demand(alg === undefined || used === alg, `the JWT is signed with ${used}, not with ${alg}`);
  const keys = createLocalJWKSet({ keys: [...(await readKeys(bench))] as never[] }); // jose checks what they are
  const options = { issuer: bench.subject.iss, audience, currentDate: new Date(bench.subject.clock() * 1000) };
  const { payload } = await jwtVerify(jwt, keys, options);
  demand(typ === undefined || type?.toLowerCase() === typ, `the typ of the JWT is ${type}, not ${typ}`);
  return payload;
}

/** The verified claims of an ID token for this client (OIDC Core §3.1.3.7), decrypted if it is encrypted. */
export async function idTokenClaims(
  bench: Bench,
  client: TestClient,
  idToken: string,
  alg?: string,
): Promise<JWTPayload> {
  const jwt = idToken.split('.').length === 5 ? (await bench.keys.decrypt(idToken)).text : idToken;
  const claims = await verified(bench, jwt, client, defined({ alg }));
  const { alg: used = '' } = headerOf(jwt);
  const advertised = listOf(bench.metadata, 'id_token_signing_alg_values_supported');
  demand(advertised.includes(used), `the ID token is signed with ${used}, which is not advertised`);
  return claims;
}

/** `alg` and `typ` of a JWT header; empty for a text that is not a JWT. */
export function headerOf(jwt: string): { readonly alg?: string; readonly typ?: string } {
  try {
    const { alg, typ } = decodeProtectedHeader(jwt);
    return defined({ alg, typ });
  } catch {
    return {};
  }
}
