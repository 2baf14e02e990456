import { calculateJwkThumbprint, errors, type JWK } from 'jose';
import type { EventOf, SandboxEvent } from '../../../base/events/event.ts';
import { headerOf } from '../../../base/events/exchange.ts';
import { type DecodedJwt, decodeJwt } from '../../../base/text/jwt.ts';
import { isRecord } from '../../../base/text/record.ts';

/** The latest API request with a token, and the DPoP proof beside the token (RFC 9449 §7). */
export interface ProofBesideToken {
  /** `GET https://…/api/parcels` */
  readonly request: string;
  readonly status: number;
  /** Claims of the proof, and the thumbprint of its key; absent if there was no proof. */
  readonly proof?: { readonly rows: readonly Row[]; readonly thumbprint: string };
  /** Claims of the token, and the thumbprint in `cnf`. */
  readonly token: { readonly rows: readonly Row[]; readonly thumbprint: string };
  /** Both thumbprints are there and equal. */
  readonly isJoined: boolean;
}

type Row = readonly [name: string, value: string];

/** Reads the events of an issuer, oldest first. Undefined before the first request with a token. */
export async function proofBesideToken(
  events: readonly SandboxEvent[],
  origin: string,
): Promise<ProofBesideToken | undefined> {
  for (const event of events.toReversed()) {
    if (event.type !== 'request.completed' || event.endpoint !== 'api') continue;
    const token = decodeJwt(headerOf(event.exchange.requestHeaders, 'Authorization')?.split(' ')[1] ?? '');
    if (token !== undefined) return pairOf(event, token.claims, origin);
  }
  return undefined;
}

async function pairOf(
  { method, path, status, exchange }: EventOf<'request.completed'>,
  token: DecodedJwt['claims'],
  origin: string,
): Promise<ProofBesideToken> {
  const proof = decodeJwt(headerOf(exchange.requestHeaders, 'DPoP') ?? '');
  const bound = isRecord(token.cnf) && typeof token.cnf.jkt === 'string' ? token.cnf.jkt : 'none';
  const thumbprint = proof === undefined ? 'none' : await thumbprintOf(proof.header.jwk);
  const rows = proof && rowsOf(proof.claims, ['htm', 'htu', 'iat', 'nonce']);
  return {
    request: `${method} ${origin}${path}`,
    status,
    ...(rows === undefined ? {} : { proof: { rows, thumbprint } }),
    token: { rows: rowsOf(token, ['client_id', 'scope', 'exp']), thumbprint: bound },
    isJoined: bound === thumbprint && bound !== 'none',
  };
}

function rowsOf(claims: Readonly<Record<string, unknown>>, names: readonly string[]): readonly Row[] {
  return names.flatMap((name): readonly Row[] => (claims[name] === undefined ? [] : [[name, String(claims[name])]]));
}

/** RFC 7638. A proof may have anything as its key. */
async function thumbprintOf(jwk: unknown): Promise<string> {
  try {
    return await calculateJwkThumbprint(jwk as JWK); // jose checks the type
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) return 'none';
    throw error;
  }
}
