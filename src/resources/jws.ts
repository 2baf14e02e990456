import { invalidToken } from './bearer-token.ts';

/** The members of a JOSE header that decide something here (RFC 7515 §4.1). */
export interface JwsHeader {
  readonly alg: string;
  readonly kid?: string;
  readonly typ?: string;
}

export type Claims = Readonly<Record<string, unknown>>;

/** A JWT taken apart; nothing in it is to be believed before its signature is verified. */
export interface DecodedJwt {
  readonly header: JwsHeader;
  readonly claims: Claims;
  /** The octets the signature is over (RFC 7515 §5.1). */
  readonly signingInput: Buffer;
  readonly signature: Buffer;
}

const compactJws = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;

/** Takes a JWT in JWS compact serialization apart (RFC 7515 §7.1, RFC 7519 §7.2 steps 1 to 7 and 10). */
export function decodeJwt(token: string): DecodedJwt {
  if (!compactJws.test(token)) throw invalidToken(whyNotCompact(token));
  const headerEnd = token.indexOf('.');
  const payloadEnd = token.lastIndexOf('.');
  return {
    header: toHeader(decodeObject(token.slice(0, headerEnd), 'header')),
    claims: decodeObject(token.slice(headerEnd + 1, payloadEnd), 'payload'),
    signingInput: Buffer.from(token.slice(0, payloadEnd), 'latin1'),
    signature: decodeSignature(token.slice(payloadEnd + 1)),
  };
}

function whyNotCompact(token: string): string {
  const parts = token.split('.').length;
  if (parts === 3) {
    return token.endsWith('.')
      ? 'the token is not signed; expected a signed JWT'
      : 'the token has three parts, but not all are base64url; expected a signed JWT';
  }
  if (parts === 5) return 'the token has five parts, as an encrypted JWT does; expected a signed JWT of three';
  const hint = parts === 1 ? ' (is it an opaque token, a code or a refresh token?)' : '';
  return `the token has ${parts} ${parts === 1 ? 'part' : 'parts'}; expected a signed JWT of three${hint}`;
}

function decodeObject(part: string, name: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(part, 'base64url').toString());
  } catch {
    value = undefined;
  }
  if (isObject(value)) return value;
  throw invalidToken(`the ${name} of the token is not a JSON object in base64url`);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `crit` is refused whatever it names, because no extension is implemented (RFC 7515 §4.1.11). */
function toHeader({ alg, kid, typ, crit }: Record<string, unknown>): JwsHeader {
  if (typeof alg !== 'string') throw invalidToken('the header of the token has no alg');
  if (crit !== undefined)
    throw invalidToken('the header of the token has crit; no critical extension is understood here');
  if (kid !== undefined && typeof kid !== 'string')
    throw invalidToken('kid in the header of the token is not a string');
  if (typ !== undefined && typeof typ !== 'string')
    throw invalidToken('typ in the header of the token is not a string');
  return { alg, ...(kid === undefined ? {} : { kid }), ...(typ === undefined ? {} : { typ }) };
}

/** Only the canonical text (RFC 4648 §3.5): else the last character could be changed in ways that mean the same. */
function decodeSignature(part: string): Buffer {
  const signature = Buffer.from(part, 'base64url');
  if (signature.toString('base64url') !== part)
    throw invalidToken('the signature of the token is not canonical base64url');
  return signature;
}
