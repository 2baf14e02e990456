import { duration } from '../../base/text/duration.ts';
import { isAccessTokenType, judgeIssuer, judgeTimes } from '../../protocol/judge-claims.ts';
import { tokenTypeOf } from '../../record/flows/token-status.ts';
import type { DashboardOptions, SignatureCheck } from '../../sandbox/dashboard.ts';
import { accessChecks } from './access-checks.ts';
import { check, type ExaminedToken, type TokenCheck } from './check.ts';
import { readableToken } from './claim-values.ts';
import { idChecks } from './id-checks.ts';

/** The checks of an access token or an ID Token; codes and refresh tokens have none. */
export async function checksOf(subject: ExaminedToken, options: DashboardOptions): Promise<TokenCheck[]> {
  const type = tokenTypeOf(subject.event);
  if (type !== 'access' && type !== 'id') return [];
  const isReadable = subject.header !== undefined;
  const own = type === 'access' ? accessChecks(subject, options) : idChecks(subject, options);
  return [
    ...(isReadable ? [signature(await options.verify(readableToken(subject.event))), ...algorithm(subject)] : [opaque]),
    ...(isReadable ? [tokenType(subject, options)] : []),
    judgeIssuer(subject.claims.iss, options.iss),
    ...times(subject),
    ...(subject.status === 'revoked' ? [revoked] : []),
    ...own,
  ];
}

const opaque = check('note', 'opaque: only introspection can read it', 'RFC 7662 §2.2');

const revoked = check(
  'note',
  'revoked: introspection reports it as inactive; an API that checks only the signature accepts it until it expires',
  'RFC 7009 §3',
);

const keyWords = {
  signing: 'the current signing key',
  published: 'which was replaced and is still published',
  withdrawn: 'which is no longer published: an API that fetches the key set again refuses this token',
} as const;

/** The check of a signature by the keys of this server. */
export function signature(result: SignatureCheck): TokenCheck {
  const reference = 'RFC 7515 §5.2';
  if (!result.ok) return check('fail', `signature not verified: ${result.why}`, reference);
  const { alg, kid, key } = result;
  const level = key === 'withdrawn' ? 'warn' : 'pass';
  const link = { path: `/dashboard/keys#${encodeURIComponent(kid)}`, words: 'Signing keys' };
  return { ...check(level, `signature ${alg}, verified with key ${kid}, ${keyWords[key]}`, reference), link };
}

const everywhere = new Set(['RS256', 'ES256']);

function algorithm({ header = {} }: ExaminedToken): TokenCheck[] {
  const { alg } = header;
  if (typeof alg !== 'string' || everywhere.has(alg)) return [];
  return [check('note', `alg ${alg}: not every library supports it; all support RS256`, 'RFC 7518 §3.1')];
}

function tokenType({ event, header = {} }: ExaminedToken, { reach: { provider } }: DashboardOptions): TokenCheck {
  const { typ } = header;
  if (tokenTypeOf(event) === 'access') {
    if (provider !== undefined && (typ ?? '') === provider.accessTokenType)
      return check('pass', `typ ${typ ?? 'absent'}: an access token of ${provider.name}`, '');
    if (isAccessTokenType(typ)) return check('pass', `typ ${typ}: an access token`, 'RFC 9068 §2.1');
    return check('fail', `typ is ${JSON.stringify(typ)}; an access token needs at+jwt`, 'RFC 9068 §2.1');
  }
  if (isAccessTokenType(typ))
    return check('fail', 'typ is at+jwt, so this ID token could pass as an access token', 'RFC 8725 §3.11');
  return check('pass', `typ ${typ ?? 'absent'}: no API accepts it as an access token`, 'RFC 8725 §3.11');
}

/** A token without its own claims ends when the history says so. */
function times({ event, claims, isEnded, now }: ExaminedToken): TokenCheck[] {
  const judged = judgeTimes({ exp: event.exp, ...claims }, now);
  if (!isEnded) return [...judged];
  const reference = 'RFC 7519 §4.1.4';
  const ended = check('fail', 'expired manually: this server treats it as expired', reference);
  const left =
    now < event.exp
      ? `exp itself is ${duration(event.exp - now)} away, so an API that checks only the signature still accepts it`
      : '';
  const others = judged.filter(({ level }) => level === 'fail');
  return left === '' ? [ended, ...others] : [...others, ended, check('note', left, reference)];
}
