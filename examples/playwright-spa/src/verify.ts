import { createRemoteJWKSet, jwtVerify } from 'jose';
import type { User, UserManager } from 'oidc-client-ts';

// oidc-client-ts reads the ID token of the token endpoint without a check, and does not compare issuers: this app does.

/** Before the code is redeemed: is it a code of this issuer? @throws Error */
export async function checkResponse(users: UserManager, response: URLSearchParams): Promise<void> {
  const { authority } = users.settings;
  const metadata = await users.metadataService.getMetadata();
  if (metadata.issuer !== authority) throw new Error('The metadata is of another issuer.');
  const promise = 'authorization_response_iss_parameter_supported';
  const isPromised = promise in metadata && metadata[promise] === true;
  const iss = response.get('iss');
  if (iss === null ? isPromised : iss !== authority) throw new Error('The response is of another issuer.');
}

/** After it was redeemed: is the ID token for this app, and of this issuer? @throws Error */
export async function checkTokens(users: UserManager, user: User): Promise<void> {
  const { authority, client_id } = users.settings;
  if (user.token_type.toLowerCase() !== 'bearer') throw new Error(`The app cannot use ${user.token_type} tokens.`);
  const keys = createRemoteJWKSet(new URL((await users.metadataService.getKeysEndpoint()) ?? ''));
  const { payload } = await jwtVerify(user.id_token ?? '', keys, {
    ...{ issuer: authority, audience: client_id, algorithms: ['RS256'] },
    ...{ requiredClaims: ['sub', 'exp', 'iat'], clockTolerance: 60 },
  });
  if ([payload.aud].flat().some(name => name !== client_id))
    throw new Error('The ID token is also for another client.');
  if (payload.azp !== undefined && payload.azp !== client_id) throw new Error('The ID token is for another client.');
  if (payload.at_hash !== undefined && payload.at_hash !== (await halfHash(user.access_token)))
    throw new Error('The access token is of another sign-in.');
}

/** OIDC Core §3.1.3.6, for RS256. */
async function halfHash(token: string): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token)));
  const text = btoa(String.fromCharCode(...hash.slice(0, 16)));
  return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}
