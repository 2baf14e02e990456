import { type CompactJWSHeaderParameters, decodeProtectedHeader } from 'jose';
import type { AuthorizationServer } from '../authorization-server.ts';
import { checkCompact, isSignedBy } from '../unverified-jwt.ts';
import { isHmac, signingAlgs } from './signing-key.ts';
import type { ListedKey } from './signing-keys.ts';
import { secretBehind } from './verification-key.ts';

/** Result of checking that a key of ours signed the token; nothing else of the token is checked. */
export type SignatureCheck =
  | {
      readonly ok: true;
      readonly kid: string;
      readonly alg: string;
      /** `published`: only still in the JWK Set. `withdrawn`: not in the set, so clients refuse its tokens. */
      readonly key: 'signing' | 'published' | 'withdrawn';
    }
  | { readonly ok: false; readonly why: string };

/** Checks the signature of a JWT of any kind, for explanations. Never throws for a bad token. */
export async function verifySignature(server: AuthorizationServer, jwt: string): Promise<SignatureCheck> {
  const header = headerOf(jwt);
  if (header === undefined) return { ok: false, why: 'it is not a JWT with a readable header' };
  const { alg, kid } = header;
  if (alg !== undefined && isHmac(alg)) return bySecret(server, jwt, alg);
  if (alg === undefined || !signingAlgs.includes(alg)) return { ok: false, why: whyNotAlg(alg) };
  if (kid === undefined) return { ok: false, why: 'its header has no kid to identify the key' };
  const keys = await server.keys.list();
  const key = keys.find(each => each.kid === kid);
  if (key === undefined) return { ok: false, why: `this server has no key with the kid ${kid}` };
  if (key.alg !== alg) return { ok: false, why: `alg is ${alg}, and the key ${kid} is for ${key.alg}` };
  const fits = await isSignedBy(jwt, key.publicKey, alg);
  if (!fits) return { ok: false, why: `it does not match the key ${kid}: the token was changed or truncated` };
  return { ok: true, kid, alg, key: stateOf(key, server.clock()) };
}

/** An ID token of a client that is registered for an HMAC (OIDC Core §10.1). */
async function bySecret(server: AuthorizationServer, jwt: string, alg: string): Promise<SignatureCheck> {
  const secret = await secretBehind(server, jwt, alg).catch(() => undefined);
  if (secret === undefined) return { ok: false, why: whyNotAlg(alg) };
  const fits = await isSignedBy(jwt, secret, alg);
  if (!fits) return { ok: false, why: 'it does not match the client_secret: the token was changed or truncated' };
  return { ok: true, kid: 'the client_secret', alg, key: 'signing' };
}

function headerOf(jwt: string): CompactJWSHeaderParameters | undefined {
  try {
    checkCompact(jwt);
    const header = decodeProtectedHeader(jwt);
    const isText = (value: unknown) => value === undefined || typeof value === 'string';
    return isText(header.alg) && isText(header.kid) ? (header as CompactJWSHeaderParameters) : undefined;
  } catch {
    return undefined;
  }
}

function whyNotAlg(alg: string | undefined): string {
  if (alg === undefined || alg.toLowerCase() === 'none') return 'it is not signed at all';
  return `alg is ${alg}, but this server never signs with it`;
}

function stateOf({ isSigning, publishedUntil }: ListedKey, now: number): 'signing' | 'published' | 'withdrawn' {
  if (isSigning) return 'signing';
  return publishedUntil > now ? 'published' : 'withdrawn';
}
