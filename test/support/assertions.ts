import { type JWTHeaderParameters, type JWTPayload, SignJWT } from 'jose';
import { issuer, now } from './server.ts';

/** The only form there is (RFC 7523 §2.2). */
export const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

let made = 0;

/** The claims of a good assertion of `client_id` on a test server; each has a `jti` of its own. */
export function assertionClaims(client_id: string): JWTPayload {
  return { iss: client_id, sub: client_id, aud: issuer, exp: now + 60, iat: now, jti: `assertion ${++made}` };
}

/** The parameters that carry an assertion; a claim of `undefined` is left out. */
export async function asserted(
  key: CryptoKey | Uint8Array,
  header: JWTHeaderParameters,
  claims: JWTPayload,
): Promise<{ client_assertion: string; client_assertion_type: string }> {
  const client_assertion = await new SignJWT(claims).setProtectedHeader(header).sign(key);
  return { client_assertion, client_assertion_type: assertionType };
}
