import { errors } from 'jose';
import type { Emit } from '../../events/event.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import type { Reason, Refuse } from '../errors.ts';
import { shorten } from '../parameters.ts';
import { formFault, isSignedBy, readUnverified, type UnverifiedJwt } from '../unverified-jwt.ts';
import type { Jwk } from './client.ts';
import { ClientKeysError, clientKeys, type KeyOwner } from './client-keys.ts';

// Reads JWTs that others sign: client assertions (RFC 7523), request objects (RFC 9101), signed backchannel requests
// (OIDC CIBA §7.1.1), assertions of trusted issuers (RFC 7523) and software statements (RFC 7591). The caller checks
// the algorithms and claims, which differ.

/** A refusal, but for what was sent. */
export interface JwtFault {
  readonly reason: Reason;
  readonly description: string;
  readonly expected: string;
}

/** Requirements for JWTs of one kind. */
export interface JwtForm {
  /** Its description ends where jose's words for the fault begin. */
  readonly malformed: JwtFault;
  /** The types that are no statement about something else, in lower case (RFC 8725 §3.11). Absent: any. */
  readonly types?: readonly string[];
  /** Refuses another type; used where there are `types`. */
  readonly otherType?: JwtFault;
}

/** Words for a refused signature, for JWTs of one kind. */
export interface SignatureFaults {
  /** The owner has keys, and none of them fits `alg` and `kid`. */
  readonly keyUnknown: JwtFault;
  readonly signatureWrong: JwtFault;
  /** The owner's keys cannot be read; where it has no description, the reason for that is it. */
  readonly keysUnavailable: Omit<JwtFault, 'description'> & { readonly description?: string };
}

/** The owner of the keys, and the log that records their fetch. */
export interface JwtSigner {
  readonly server: AuthorizationServer;
  readonly owner: KeyOwner;
  readonly emit?: Emit | undefined;
}

type Header = Pick<UnverifiedJwt, 'alg' | 'kid'>;

/**
 * Reads a JWT of one kind without its signature.
 * @throws what `refuse` makes of `malformed` or `otherType`
 */
export function readSignedJwt(jwt: string, { malformed, types, otherType }: JwtForm, refuse: Refuse): UnverifiedJwt {
  const read = readForm(jwt, malformed, refuse);
  const { typ } = read;
  if (types === undefined || otherType === undefined || typ === undefined) return read;
  if (types.includes(typ.toLowerCase().replace(/^application\//, ''))) return read;
  throw refuse(otherType.reason, otherType.description, { sent: shorten(typ), expected: otherType.expected });
}

function readForm(jwt: string, { reason, description, expected }: JwtFault, refuse: Refuse): UnverifiedJwt {
  try {
    return readUnverified(jwt);
  } catch (cause) {
    if (!(cause instanceof errors.JOSEError || cause instanceof TypeError)) throw cause;
    throw refuse(reason, description + formFault(cause), { sent: shorten(jwt, 20), expected, cause });
  }
}

/**
 * Checks that a key of the owner signed the JWT.
 * @throws what `refuse` makes of the fault
 */
export async function checkOwnersSignature(
  signer: JwtSigner,
  jwt: string,
  header: Header,
  faults: SignatureFaults,
  refuse: Refuse,
): Promise<void> {
  const keys = await keysOf(signer, header, faults, refuse);
  await checkSignature(jwt, header, keys, faults, refuse);
}

/** The same with keys that are at hand: without a `kid`, several may fit. */
export async function checkSignature(
  jwt: string,
  { alg, kid }: Header,
  keys: readonly Jwk[],
  { keyUnknown, signatureWrong }: SignatureFaults,
  refuse: Refuse,
): Promise<void> {
  for (const key of keys) if (await isSignedBy(jwt, { ...key }, alg)) return;
  const { reason, description, expected } = keys.length === 0 ? keyUnknown : signatureWrong;
  throw refuse(reason, description, { sent: sentHeader({ alg, kid }), expected });
}

/** The header of a JWT in the details of a refusal. */
export function sentHeader({ alg, kid }: Header): string {
  return `alg ${shorten(alg)}, kid ${shorten(kid ?? 'none')}`;
}

async function keysOf(
  { server, owner, emit }: JwtSigner,
  { alg, kid }: Header,
  { keysUnavailable: { reason, description, expected } }: SignatureFaults,
  refuse: Refuse,
): Promise<readonly Jwk[]> {
  try {
    return await clientKeys(server, owner, { use: 'sig', alg, kid }, emit);
  } catch (cause) {
    if (!(cause instanceof ClientKeysError)) throw cause;
    throw refuse(reason, description ?? cause.description, { expected, met: cause.met, cause });
  }
}
