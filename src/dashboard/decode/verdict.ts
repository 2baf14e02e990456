import type { ParsedObject } from '../../oauth/json-parameter.ts';
import type { DashboardOptions, SignatureCheck } from '../dashboard-options.ts';
import { duration } from '../duration.ts';
import { check, type TokenCheck } from '../tokens/check.ts';
import { signature } from '../tokens/checks.ts';

type Rules = Pick<DashboardOptions, 'issuer' | 'registered'>;

interface Judged {
  /** What is inside, where that is known. */
  readonly header: ParsedObject;
  readonly claims: ParsedObject;
  /** Absent where there is no signature to look at; `missing` where there should be one. */
  readonly signed?: SignatureCheck | 'missing';
  readonly now: number;
}

/** What this server can say of a token that somebody pasted. */
export function verdictOf(judged: Judged, options: Rules): TokenCheck[] {
  return [
    ...signatureVerdict(judged, options),
    ...issuer(judged, options),
    ...times(judged),
    ...audience(judged, options),
    ...headerWarnings(judged.header),
  ];
}

/** A key we do not have is no fault of a token that says it is somebody else's. */
function signatureVerdict({ signed, claims: { iss } }: Judged, options: Rules): TokenCheck[] {
  if (signed === undefined) return [];
  if (signed === 'missing') return [check('fail', 'no signature: anybody could have written it', 'RFC 7515 §5.2')];
  if (signed.ok || iss === undefined || iss === options.issuer) return [signature(signed)];
  return [check('note', `signature not verified: ${signed.why}`, 'RFC 7515 §5.2')];
}

function issuer({ claims: { iss }, signed }: Judged, options: Rules): TokenCheck[] {
  const reference = 'RFC 7519 §4.1.1';
  if (iss === options.issuer) return [check('pass', 'iss is this sandbox', reference)];
  if (iss === undefined) return [check('note', 'no iss: nothing says who made it', reference)];
  const text = `iss is ${JSON.stringify(iss)}, and this sandbox is ${options.issuer}`;
  if (typeof signed === 'object' && signed.ok)
    return [check('fail', `${text}: an API that compares them refuses it`, reference)];
  return [check('note', `${text}: another server made it, and its keys are not known here`, reference)];
}

function times({ claims: { exp, nbf }, now }: Judged): TokenCheck[] {
  return [...notBefore(nbf, now), ...expiry(exp, now)];
}

function notBefore(nbf: unknown, now: number): TokenCheck[] {
  if (typeof nbf !== 'number' || nbf <= now) return [];
  return [check('fail', `not valid yet, for another ${duration(nbf - now)}`, 'RFC 7519 §4.1.5')];
}

function expiry(exp: unknown, now: number): TokenCheck[] {
  const reference = 'RFC 7519 §4.1.4';
  if (exp === undefined) return [check('note', 'no exp: it never ends', reference)];
  if (typeof exp !== 'number') return [check('fail', `exp is ${JSON.stringify(exp)}: it must be a number`, reference)];
  if (exp > 1e11) return [check('fail', `exp is ${exp}: these are milliseconds, and it counts seconds`, reference)];
  return exp > now
    ? [check('pass', `valid for another ${duration(exp - now)}`, reference)]
    : [check('fail', `expired ${duration(now - exp)} ago`, reference)];
}

function audience({ claims: { aud } }: Judged, { registered }: Rules): TokenCheck[] {
  const reference = 'RFC 7519 §4.1.3';
  if (aud === undefined) return [check('note', 'no aud: nothing says who may accept it', reference)];
  const values = [aud].flat().map(value => (typeof value === 'string' ? value : JSON.stringify(value)));
  const clients = [...registered()].map(({ client_id }) => client_id).filter(id => values.includes(id));
  const known = clients.length === 0 ? '' : `; ${clients.join(', ')} is a client of this sandbox`;
  return [check('note', `aud names ${values.join(', ')}${known}: whoever has another name refuses it`, reference)];
}

/** What no receiver should trust, or needs to know (RFC 8725). */
function headerWarnings(header: ParsedObject): TokenCheck[] {
  return [...algorithmWarnings(header.alg), ...fetchWarnings(header), ...namingWarnings(header)];
}

function algorithmWarnings(alg: unknown): TokenCheck[] {
  const reference = 'RFC 8725 §3.1';
  if (alg === undefined) return [];
  if (typeof alg !== 'string') return [check('fail', 'alg is no text', reference)];
  if (alg.toLowerCase() === 'none') return [check('fail', 'alg is none: anybody could have written it', reference)];
  if (/^HS\d/.test(alg)) {
    return [check('warn', `alg is ${alg}: whoever can check it can make one, as both need the same secret`, reference)];
  }
  return [];
}

function fetchWarnings(header: ParsedObject): TokenCheck[] {
  const named = ['jku', 'x5u', 'jwk', 'x5c'].filter(name => header[name] !== undefined);
  const proof = header.typ === 'dpop+jwt';
  const warned = named.filter(name => !(proof && name === 'jwk'));
  const crit = header.crit === undefined ? [] : [check('warn', critWords(header.crit), 'RFC 7515 §4.1.11')];
  if (warned.length === 0) return crit;
  const text = `${warned.join(', ')} in the header: the token brings its own key. A receiver that follows it takes any token`;
  return [check('warn', text, 'RFC 8725 §3.10'), ...crit];
}

function critWords(crit: unknown): string {
  return `crit names ${[crit].flat().map(String).join(', ')}: who does not understand that must refuse the token`;
}

function namingWarnings({ typ, kid, alg }: ParsedObject): TokenCheck[] {
  return [
    ...(typ === undefined ? [check('note', 'no typ: nothing says what kind of token it is', 'RFC 8725 §3.11')] : []),
    ...(kid === undefined && alg !== 'none'
      ? [check('note', 'no kid: nothing says which key', 'RFC 7515 §4.1.4')]
      : []),
  ];
}
