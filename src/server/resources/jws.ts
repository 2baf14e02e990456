import { wordOfScripts } from '../../base/text/authorization-header.ts';
import type { ResourceReason } from '../../record/resource-reason.ts';
import { invalidToken } from './bearer-token.ts';
import { describe } from './challenge.ts';
import { asSent } from './compared.ts';
import type { Problem } from './problem.ts';
import type { Claims } from './token-claims.ts';

/** The members of a JOSE header that are used here (RFC 7515 §4.1). */
export interface JwsHeader {
  readonly alg: string;
  readonly kid?: string;
  readonly typ?: string;
}

/** A decoded JWT. Nothing in it may be trusted before its signature is verified. */
export interface DecodedJwt {
  readonly header: JwsHeader;
  readonly claims: Claims;
}

/** Base64url without padding (RFC 7515 §2, §7.1). */
export const compactJws = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;

/**
 * Like `compactJws`, but the last character of the signature has no unused bits set (RFC 4648 §3.5). Otherwise one
 * signature would have several spellings, which jose decodes to the same octets.
 */
export const canonicalJws = /^[\w-]+\.[\w-]+\.(?:[\w-]{4})*(?:[\w-][AQgw]|[\w-]{2}[AEIMQUYcgkosw048])?$/;

/** Takes a JWT in JWS compact serialization apart (RFC 7515 §7.1, RFC 7519 §7.2 steps 1 to 7 and 10). */
export function decodeJwt(token: string): DecodedJwt {
  if (!compactJws.test(token)) throw notCompact(token);
  const headerEnd = token.indexOf('.');
  const payloadEnd = token.lastIndexOf('.');
  const header = toHeader(decodeObject(token.slice(0, headerEnd), 'header'));
  const claims = decodeObject(token.slice(headerEnd + 1, payloadEnd), 'payload');
  if (!canonicalJws.test(token)) throw notCanonical();
  return { header, claims };
}

const signedJwt = 'a signed JWT of three parts';

function notCompact(token: string): Problem {
  const parts = token.split('.').length;
  const refuse = (reason: ResourceReason, description: string) =>
    invalidToken(reason, description, { sent: shapeOf(token, parts), expected: signedJwt });
  if (parts === 3) {
    return token.endsWith('.')
      ? refuse('token_unsigned', 'the token is not signed; expected a signed JWT')
      : refuse('token_malformed', 'the token has three parts, but not all are base64url; expected a signed JWT');
  }
  if (parts === 5) {
    const description = 'the token has five parts, as an encrypted JWT does; expected a signed JWT of three';
    return refuse('token_encrypted', description);
  }
  const word = wordOfScripts(token);
  if (word !== undefined)
    return refuse('token_malformed', `the token is ${word}; expected a signed JWT of three parts`);
  const hint = parts === 1 ? ' (is it an opaque token, a code or a refresh token?)' : '';
  return refuse(
    parts === 1 ? 'token_opaque' : 'token_malformed',
    `the token has ${parts} ${parts === 1 ? 'part' : 'parts'}; expected a signed JWT of three${hint}`,
  );
}

/** Describes a token without repeating it, because it may be valid elsewhere. */
function shapeOf(token: string, parts: number): string {
  return wordOfScripts(token) ?? `${parts} ${parts === 1 ? 'part' : 'parts'}, ${token.length} characters`;
}

function decodeObject(part: string, name: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(part, 'base64url').toString());
  } catch {
    value = undefined;
  }
  if (isObject(value)) return value;
  throw invalidToken('token_malformed', `the ${name} of the token is not a JSON object in base64url`, {
    sent: `a ${name} of ${part.length} characters`,
    expected: 'a JSON object in base64url',
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Refuses every `crit`, because no extension is implemented (RFC 7515 §4.1.11). */
function toHeader({ alg, kid, typ, crit }: Record<string, unknown>): JwsHeader {
  if (typeof alg !== 'string')
    throw badHeader('the header of the token has no alg', asSent('alg', alg), 'alg, as text');
  if (crit !== undefined) {
    const detail = 'the header of the token has crit; no critical extension is supported here';
    throw badHeader(detail, `crit ${asSent('crit', crit)}`, 'no crit');
  }
  if (kid !== undefined && typeof kid !== 'string')
    throw badHeader('kid in the header of the token is not a string', `kid ${describe(kid)}`, 'kid, as text');
  if (typ !== undefined && typeof typ !== 'string')
    throw badHeader('typ in the header of the token is not a string', `typ ${describe(typ)}`, 'typ, as text');
  return { alg, ...(kid === undefined ? {} : { kid }), ...(typ === undefined ? {} : { typ }) };
}

function badHeader(detail: string, sent: string, expected: string): Problem {
  return invalidToken('token_malformed', detail, { sent, expected });
}

function notCanonical(): Problem {
  return invalidToken('token_malformed', 'the signature of the token is not canonical base64url', {
    sent: 'a signature whose last character has unused bits set',
    expected: 'canonical base64url (RFC 4648 section 3.5)',
  });
}
