import type { ParsedObject } from '../oauth/json-parameter.ts';
import type { SigningKey } from '../oauth/tokens/signing-key.ts';
import { signatureOf } from '../oauth/tokens/signing-key.ts';
import { defects } from './defects.ts';
import type { Defect } from './fault-names.ts';

/** A JWT that is to be made, by whatever rules are to be broken. */
export interface JwtPlan {
  readonly key: SigningKey;
  readonly typ: string;
  /** Claims, including the deliberate faults. */
  readonly claims: ParsedObject;
  /** Members in place of the usual ones; `null` leaves one out. */
  readonly header?: ParsedObject;
  /** Of the header or the signature. */
  readonly defect?: Defect | undefined;
}

/** A JWT in compact form (RFC 7515 §3.1), with what is in it. */
export interface ForgedJwt {
  readonly token: string;
  readonly header: ParsedObject;
  readonly claims: ParsedObject;
}

/** Makes it as it is wanted. */
export async function forgeJwt({ key, typ, claims, header = {}, defect }: JwtPlan): Promise<ForgedJwt> {
  const wrong = defect === undefined ? undefined : defects[defect];
  const usual = { alg: key.alg, kid: key.kid, typ };
  const written = withoutNull({ ...usual, ...header, ...wrong?.header?.(typ) });
  const input = `${encoded(written)}.${encoded(claims)}`;
  const signature = await (wrong?.signature ?? signatureOf)(key, input);
  const shown = wrong?.shown === undefined ? claims : wrong.shown(claims);
  const token = `${encoded(written)}.${encoded(shown)}.${signature.toString('base64url')}`;
  return { token, header: written, claims: shown };
}

/** Removes members that are `null`. */
export function withoutNull(members: ParsedObject): ParsedObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
