import type { ParsedObject } from '../../protocol/json-parameter.ts';
import {
  comparedWith,
  type ExpectedToken,
  judgeAudience,
  judgeIssuer,
  judgeTimes,
  receiversOf,
} from '../../protocol/judge-claims.ts';
import type { DashboardOptions, SignatureCheck } from '../../sandbox/dashboard.ts';
import { check, type TokenCheck } from '../claims/check.ts';
import { signature } from '../claims/checks.ts';

type Rules = Pick<DashboardOptions, 'iss' | 'registered' | 'api'>;

interface Judged {
  /** Header and claims, as far as they are readable. */
  readonly header: ParsedObject;
  readonly claims: ParsedObject;
  /** `missing` if the signature is absent but required; undefined if the token has none by its kind. */
  readonly signed?: SignatureCheck | 'missing';
  readonly now: number;
  readonly expected?: ExpectedToken;
  /** The type and client of the token, if this server issued it and still remembers that. */
  readonly issued?: { readonly tokenType: string; readonly client_id: string };
}

/** The checks of a pasted token. */
export function verdictOf(judged: Judged, options: Rules): TokenCheck[] {
  return [
    ...comparedWith(judged.expected ?? {}, judged).map(({ isMet, text, reference }) =>
      check(isMet ? 'pass' : 'fail', text, reference),
    ),
    ...signatureVerdict(judged, options),
    ...(judged.expected?.issuer === undefined ? issuer(judged, options) : []),
    ...judgeTimes(judged.claims, judged.now),
    ...(judged.expected?.audience === undefined ? audience(judged, options) : []),
    // header parameters that a receiver must not trust, or that are missing (RFC 8725)
    ...algorithmWarnings(judged.header),
    ...fetchWarnings(judged.header),
    ...namingWarnings(judged.header),
  ];
}

/** An unknown key is an error only for a token that names this issuer. */
function signatureVerdict({ signed, claims: { iss } }: Judged, options: Rules): TokenCheck[] {
  if (signed === undefined) return [];
  if (signed === 'missing')
    return [check('fail', 'no signature: anybody could have written this token', 'RFC 7515 §5.2')];
  if (signed.ok || iss === undefined || iss === options.iss) return [signature(signed)];
  return [check('note', `signature not verified: ${signed.why}`, 'RFC 7515 §5.2')];
}

/** A foreign token is none of this sandbox's, unless a key of this sandbox signed it. */
function issuer({ claims: { iss }, signed }: Judged, options: Rules): TokenCheck[] {
  const judged = judgeIssuer(iss, options.iss);
  if (judged.level !== 'fail') return [judged];
  if (typeof signed === 'object' && signed.ok)
    return [{ ...judged, text: `${judged.text}. An API that compares iss refuses this token` }];
  const text = `${judged.text}. A different server issued this token, and its keys are unknown here`;
  return [{ ...judged, level: 'note', text }];
}

/** A token of a different server need not name a receiver that is known here. */
function audience(judged: Judged, { iss, api, registered }: Rules): TokenCheck[] {
  const receivers = receiversOf(judged, api, registered());
  if (receivers === undefined) return [];
  const found = judgeAudience(judged.claims, receivers);
  return [found.level === 'fail' && judged.claims.iss !== iss ? { ...found, level: 'note' } : found];
}

function algorithmWarnings({ alg }: ParsedObject): TokenCheck[] {
  const reference = 'RFC 8725 §3.1';
  if (alg === undefined) return [];
  if (typeof alg !== 'string') return [check('fail', 'alg is not a string', reference)];
  if (alg.toLowerCase() === 'none')
    return [check('fail', 'alg is none: anybody could have written this token', reference)];
  if (/^HS\d/.test(alg)) {
    return [
      check(
        'warn',
        `alg is ${alg}: a server that can verify this token can also forge one, because both need the same secret`,
        reference,
      ),
    ];
  }
  return [];
}

function fetchWarnings(header: ParsedObject): TokenCheck[] {
  const named = ['jku', 'x5u', 'jwk', 'x5c'].filter(name => header[name] !== undefined);
  const proof = header.typ === 'dpop+jwt';
  const warned = named.filter(name => !(proof && name === 'jwk'));
  const crit = header.crit === undefined ? [] : [check('warn', critWords(header.crit), 'RFC 7515 §4.1.11')];
  if (warned.length === 0) return crit;
  const text = `${warned.join(', ')} in the header: the token brings its own key. A receiver that uses it accepts forged tokens`;
  return [check('warn', text, 'RFC 8725 §3.10'), ...crit];
}

function critWords(crit: unknown): string {
  return `crit names ${[crit].flat().map(String).join(', ')}: a receiver that does not support this must refuse the token`;
}

function namingWarnings({ typ, kid, alg }: ParsedObject): TokenCheck[] {
  return [
    ...(typ === undefined ? [check('note', 'no typ: the token does not name its kind', 'RFC 8725 §3.11')] : []),
    ...(kid === undefined && alg !== 'none'
      ? [check('note', 'no kid: the token does not name its key', 'RFC 7515 §4.1.4')]
      : []),
  ];
}
