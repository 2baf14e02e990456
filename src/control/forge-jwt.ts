import { createHmac, sign } from 'node:crypto';
import type { JsonObject } from '../oauth/json-parameter.ts';
import { algorithmOf } from '../oauth/tokens/algorithms.ts';
import { generateSigningKey, type SigningKey } from '../oauth/tokens/signing-keys.ts';
import type { Defect } from './defects.ts';

/** A JWT that is to be made, by whatever rules are to be broken. */
export interface JwtPlan {
  readonly key: SigningKey;
  readonly typ: 'at+jwt' | 'JWT';
  readonly claims: JsonObject;
  /** Members in place of the usual ones; `null` leaves one out. */
  readonly header: JsonObject;
  readonly defect: Defect | undefined;
}

/** The JWT in compact form (RFC 7515 §3.1), and the header it has. */
export async function forgeJwt(plan: JwtPlan): Promise<{ readonly token: string; readonly header: JsonObject }> {
  const { key, claims, defect } = plan;
  const header = headerOf(plan);
  const input = `${encoded(header)}.${encoded(claims)}`;
  const signature = defect === 'alg_none' ? '' : (await signatureOf(key, input, defect)).toString('base64url');
  const shown = defect === 'tampered' ? `${encoded(header)}.${encoded({ ...claims, tampered: true })}` : input;
  return { token: `${shown}.${signature}`, header };
}

function headerOf({ key, typ, header, defect }: JwtPlan): JsonObject {
  const usual = { alg: key.alg, kid: key.kid, typ };
  return withoutNull({ ...usual, ...header, ...(defect === undefined ? {} : headerDefect(defect, typ)) });
}

function headerDefect(defect: Defect, typ: JwtPlan['typ']): JsonObject {
  if (defect === 'alg_none') return { alg: 'none', kid: null };
  if (defect === 'hs256_with_public_key') return { alg: 'HS256' };
  if (defect === 'unknown_kid') return { kid: 'grantbox-never-published' };
  if (defect === 'wrong_type') return { typ: typ === 'JWT' ? 'at+jwt' : 'JWT' };
  return defect === 'unknown_crit' ? { crit: ['urn:grantbox:unknown'], 'urn:grantbox:unknown': true } : {};
}

async function signatureOf(key: SigningKey, input: string, defect: Defect | undefined): Promise<Buffer> {
  if (defect === 'hs256_with_public_key') {
    return createHmac('sha256', key.publicKey.export({ type: 'spki', format: 'pem' }))
      .update(input)
      .digest();
  }
  const signer = defect === 'wrong_key' ? await generateSigningKey(key.alg) : key;
  const { digest, options } = algorithmOf(key.alg);
  const signature = sign(digest, Buffer.from(input, 'latin1'), { key: signer.privateKey, ...options });
  if (defect === 'bad_signature') signature[0] = (signature[0] ?? 0) ^ 1;
  return signature;
}

/** `null` is how somebody says that a member shall not be there. */
export function withoutNull(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
