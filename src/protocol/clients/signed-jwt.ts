import { errors } from 'jose';
import type { Emit } from '../../base/events/event.ts';
import type { AuthorizationServer } from '../authorization-server.ts';
import type { Reason, Refuse } from '../errors.ts';
import { shorten } from '../parameters.ts';
import { formProblem, isSignedBy, readUnverified, type UnverifiedJwt } from '../unverified-jwt.ts';
import type { Jwk } from './client.ts';
import { ClientKeysError, clientKeys, type KeyOwner } from './client-keys.ts';

// Reads JWTs that others sign: client assertions (RFC 7523), request objects (RFC 9101), signed backchannel requests
// (OIDC CIBA §7.1.1), assertions of trusted issuers (RFC 7523) and software statements (RFC 7591). The caller checks
// the algorithms and claims, which differ.

/** A refusal, without the value that was sent. */
export interface JwtProblem {
  readonly reason: Reason;
  readonly description: string;
  readonly expected: string;
}

/** Requirements for JWTs of one kind. */
export interface JwtForm {
  /** Its description is a sentence that jose's words for the problem can follow. */
  readonly malformed: JwtProblem;
  /** Accepted types in lower case. Any other type marks a JWT for another purpose (RFC 8725 §3.11). Absent: any. */
  readonly types?: readonly string[];
  /** The refusal of any other type; used with `types`. */
  readonly otherType?: JwtProblem;
}

/** Words for a refused signature, for JWTs of one kind. */
export interface SignatureProblems {
  /** The owner has keys, but none matches `alg` and `kid`. */
  readonly keyUnknown: JwtProblem;
  readonly signatureWrong: JwtProblem;
  /** The owner's keys cannot be read. Without a description, the reason for that is the description. */
  readonly keysUnavailable: Omit<JwtProblem, 'description'> & { readonly description?: string };
}

/** Words for a JWT that a client signs with its private key; `name` is its name in sentences. */
export function clientJwtProblems(
  name: string,
  kind: 'client_assertion' | 'request_object',
  keysUnavailable: Reason,
): SignatureProblems {
  return {
    keyUnknown: {
      reason: `${kind}_key_unknown`,
      description: `no key of this client matches ${name}`,
      expected: 'a key with this alg and kid in jwks or jwks_uri of the client',
    },
    signatureWrong: {
      reason: `${kind}_signature_wrong`,
      description: `the signature of ${name} does not match the key of this client`,
      expected: 'a signature with the private key',
    },
    keysUnavailable: { reason: keysUnavailable, expected: 'a JWK Set of public keys' },
  };
}

interface JwtSigner {
  readonly server: AuthorizationServer;
  readonly owner: KeyOwner;
  readonly emit?: Emit;
}

type Header = Pick<UnverifiedJwt, 'alg' | 'kid'>;

/**
 * Reads a JWT of one kind without checking its signature.
 * @throws the error that `refuse` makes of `malformed` or `otherType`
 */
export function readSignedJwt(jwt: string, { malformed, types, otherType }: JwtForm, refuse: Refuse): UnverifiedJwt {
  const read = readForm(jwt, malformed, refuse);
  const { typ } = read;
  if (types === undefined || otherType === undefined || typ === undefined) return read;
  if (types.includes(typ.toLowerCase().replace(/^application\//, ''))) return read;
  throw refuse(otherType.reason, otherType.description, { sent: shorten(typ), expected: otherType.expected });
}

function readForm(jwt: string, { reason, description, expected }: JwtProblem, refuse: Refuse): UnverifiedJwt {
  try {
    return readUnverified(jwt);
  } catch (cause) {
    if (!(cause instanceof errors.JOSEError || cause instanceof TypeError)) throw cause;
    throw refuse(reason, description + formProblem(cause), { sent: shorten(jwt, 20), expected, cause });
  }
}

/**
 * Checks that a key of the owner signed the JWT.
 * @throws the error that `refuse` makes of the problem
 */
export async function checkOwnersSignature(
  signer: JwtSigner,
  jwt: string,
  header: Header,
  problems: SignatureProblems,
  refuse: Refuse,
): Promise<void> {
  const keys = await keysOf(signer, header, problems, refuse);
  await checkSignature(jwt, header, keys, problems, refuse);
}

/** Like `checkOwnersSignature`, with keys at hand. Without a `kid`, several keys may match. */
export async function checkSignature(
  jwt: string,
  { alg, kid }: Header,
  keys: readonly Jwk[],
  { keyUnknown, signatureWrong }: SignatureProblems,
  refuse: Refuse,
): Promise<void> {
  for (const key of keys) if (await isSignedBy(jwt, { ...key }, alg)) return;
  const { reason, description, expected } = keys.length === 0 ? keyUnknown : signatureWrong;
  throw refuse(reason, description, { sent: sentHeader({ alg, kid }), expected });
}

/** The header of a JWT, for the details of a refusal. */
export function sentHeader({ alg, kid }: Header): string {
  return `alg ${shorten(alg)}, kid ${shorten(kid ?? 'none')}`;
}

async function keysOf(
  { server, owner, emit }: JwtSigner,
  { alg, kid }: Header,
  { keysUnavailable: { reason, description, expected } }: SignatureProblems,
  refuse: Refuse,
): Promise<readonly Jwk[]> {
  try {
    return await clientKeys(server, owner, { use: 'sig', alg, kid }, emit);
  } catch (cause) {
    if (!(cause instanceof ClientKeysError)) throw cause;
    throw refuse(reason, description ?? cause.description, { expected, met: cause.met, cause });
  }
}
