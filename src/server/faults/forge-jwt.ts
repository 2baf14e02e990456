import type { ParsedObject } from '../../protocol/json-parameter.ts';
import type { SigningKey } from '../../protocol/tokens/signing-key.ts';
import { algorithmOf, signatureOf, signingAlgs } from '../../protocol/tokens/signing-key.ts';
import { defects } from './defects.ts';
import type { Defect } from './fault-names.ts';

/** The plan of a JWT with deliberate faults. */
interface JwtPlan {
  readonly key: SigningKey;
  readonly typ: string;
  /** Claims, including the deliberate faults. */
  readonly claims: ParsedObject;
  /** Header members that replace the usual ones; `null` removes one. */
  readonly header?: ParsedObject;
  /** A defect of the header or the signature. */
  readonly defect?: Defect | undefined;
}

/** A JWT in compact form (RFC 7515 §3.1), with its header and claims. */
export interface ForgedJwt {
  readonly token: string;
  readonly header: ParsedObject;
  readonly claims: ParsedObject;
}

/** Signs a JWT with the planned faults. */
export async function forgeJwt({ key, typ, claims, header = {}, defect }: JwtPlan): Promise<ForgedJwt> {
  const wrong = defect === undefined ? undefined : defects[defect];
  const usual = { alg: key.alg, ...(key.kid !== '' && { kid: key.kid }), typ: typ || null };
  const written = withoutNull({ ...usual, ...header, ...wrong?.header?.(typ) });
  const input = `${encoded(written)}.${encoded(claims)}`;
  const signature = await (wrong?.signature ?? signatureOf)(signerOf(key, written.alg), input);
  const shown = wrong?.shown === undefined ? claims : wrong.shown(claims);
  const token = `${encoded(written)}.${encoded(shown)}.${signature.toString('base64url')}`;
  return { token, header: written, claims: shown };
}

/** The same key with the algorithm of the header, if the key is of its type: RS256 in place of PS256. */
function signerOf(key: SigningKey, alg: unknown): SigningKey {
  if (alg === key.alg) return key; // itself, because the stranger of a key is kept with it
  const isOfKey = signingAlgs.some(
    name => name === alg && algorithmOf(name).keyType === key.privateKey.asymmetricKeyType,
  );
  return isOfKey ? { ...key, alg: String(alg) } : key;
}

/** Removes members that are `null`. */
export function withoutNull(members: ParsedObject): ParsedObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
