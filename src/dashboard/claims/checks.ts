import type { IssuedEvent } from '../../base/events/event-log.ts';
import { duration } from '../../base/text/duration.ts';
import { isPublic, type RegisteredClient } from '../../protocol/clients/client.ts';
import {
  apiReceivers,
  clientReceivers,
  isAccessTokenType,
  type Judgement,
  judgeAudience,
  judgeIssuer,
  judgeTimes,
} from '../../protocol/judge-claims.ts';
import { parseScope } from '../../protocol/scope.ts';
import { tokenHash } from '../../protocol/tokens/id-token.ts';
import type { SignatureCheck } from '../../protocol/tokens/verify-signature.ts';
import { type TokenStatus, tokenTypeOf } from '../../record/flows/token-status.ts';
import type { DashboardFacts } from '../facts.ts';
import { bindingOf, readableToken } from './claim-values.ts';

/** The checks of an access token or an ID token; codes and refresh tokens have none. */
export async function checksOf(subject: ExaminedToken, options: DashboardFacts): Promise<TokenCheck[]> {
  const type = tokenTypeOf(subject.event);
  if (type !== 'access' && type !== 'id') return [];
  const isReadable = subject.header !== undefined;
  const own = type === 'access' ? accessChecks(subject, options) : idChecks(subject, options);
  return [
    ...(isReadable ? [signature(await options.verify(readableToken(subject.event))), ...algorithm(subject)] : [opaque]),
    ...(isReadable ? [tokenType(subject, options)] : []),
    named('issuer', judgeIssuer(subject.claims.iss, options.iss)),
    ...times(subject),
    ...(subject.status === 'revoked' ? [revoked] : []),
    ...own,
  ];
}

const opaque = check('opaque', 'note', 'opaque: only introspection can read it', 'RFC 7662 §2.2');

const revoked = check(
  'revoked',
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
  if (!result.ok) return check('signature', 'fail', `signature not verified: ${result.why}`, reference);
  const { alg, kid, key } = result;
  const level = key === 'withdrawn' ? 'warn' : 'pass';
  const link = { path: `/dashboard/keys#${encodeURIComponent(kid)}`, words: 'Signing keys' };
  return {
    ...check('signature', level, `signature ${alg}, verified with key ${kid}, ${keyWords[key]}`, reference),
    link,
  };
}

const everywhere = new Set(['RS256', 'ES256']);

function algorithm({ header = {} }: ExaminedToken): TokenCheck[] {
  const { alg } = header;
  if (typeof alg !== 'string' || everywhere.has(alg)) return [];
  return [check('algorithm', 'note', `alg ${alg}: not every library supports it; all support RS256`, 'RFC 7518 §3.1')];
}

function tokenType({ event, header = {} }: ExaminedToken, { reach: { provider } }: DashboardFacts): TokenCheck {
  const { typ } = header;
  if (tokenTypeOf(event) === 'access') {
    if (provider !== undefined && (typ ?? '') === provider.accessTokenType)
      return check('type', 'pass', `typ ${typ ?? 'absent'}: an access token of ${provider.name}`, '');
    if (isAccessTokenType(typ)) return check('type', 'pass', `typ ${typ}: an access token`, 'RFC 9068 §2.1');
    return check('type', 'fail', `typ is ${JSON.stringify(typ)}; an access token needs at+jwt`, 'RFC 9068 §2.1');
  }
  if (isAccessTokenType(typ))
    return check('type', 'fail', 'typ is at+jwt, so this ID token could pass as an access token', 'RFC 8725 §3.11');
  return check('type', 'pass', `typ ${typ ?? 'absent'}: no API accepts it as an access token`, 'RFC 8725 §3.11');
}

/** A token without its own claims ends when the history says so. */
function times({ event, claims, isEnded, now }: ExaminedToken): TokenCheck[] {
  const judged = timeChecks(judgeTimes({ exp: event.exp, ...claims }, now));
  if (!isEnded) return judged;
  const reference = 'RFC 7519 §4.1.4';
  const ended = check('expired', 'fail', 'expired manually: this server treats it as expired', reference);
  const left =
    now < event.exp
      ? `exp itself is ${duration(event.exp - now)} away, so an API that checks only the signature still accepts it`
      : '';
  const others = judged.filter(({ level }) => level === 'fail');
  return left === '' ? [ended, ...others] : [...others, ended, check('end of its life', 'note', left, reference)];
}

/** One check that a careful receiver makes, and its result. */
export interface TokenCheck {
  /** One or two words for a line that has all checks: `not expired`. */
  readonly name: string;
  readonly level: 'pass' | 'note' | 'warn' | 'fail';
  readonly text: string;
  /** `RFC 7519 §4.1.4`; empty if no standard requires the check. */
  readonly reference: string;
  /** A related page of the dashboard; the path starts below that of the issuer. */
  readonly link?: { readonly path: string; readonly words: string };
}

/** A token under examination. */
export interface ExaminedToken {
  readonly event: IssuedEvent;
  /** Absent for an opaque token. */
  readonly header?: Readonly<Record<string, unknown>>;
  /** The claims in the token, or those that an opaque token stands for. */
  readonly claims: Readonly<Record<string, unknown>>;
  readonly status: TokenStatus;
  /** True if it was expired manually in the dashboard or by the control API. */
  readonly isEnded: boolean;
  readonly client: RegisteredClient | undefined;
  /** Unix seconds. */
  readonly now: number;
}

/** Makes a check result. */
export function check(name: string, level: TokenCheck['level'], text: string, reference = ''): TokenCheck {
  return { name, level, text, reference };
}

/** Every page says the same of `aud`: an audience that only this sandbox accepts is a note. */
export function audienceCheck(judged: Judgement): TokenCheck {
  const { isRelaxed, ...found } = judged;
  return isRelaxed ? { ...found, name: 'audience relaxed', level: 'note' } : named('audience', found);
}

/** The times of a token, as every page says them: `not expired`, `expired`, `not valid yet`. */
export function timeChecks(judged: readonly Judgement[]): TokenCheck[] {
  return judged.map(each => named(/^(?:not expired|expired|not valid yet)/.exec(each.text)?.[0] ?? 'time', each));
}

/** A judgement under the name of its check. */
export function named(name: string, { level, text, reference }: Judgement): TokenCheck {
  return { name, level, text, reference };
}

/** The checks that only an access token gets (RFC 9068 §4). */
function accessChecks(subject: ExaminedToken, options: DashboardFacts): TokenCheck[] {
  return [
    ...audience(subject, options),
    scope(subject),
    ...missing(subject, options),
    ...lifetime(subject),
    ...binding(subject),
    ...size(subject),
  ];
}

/** Whether the sample API can read the token and is one of its audiences. */
function audience({ event, header, claims }: ExaminedToken, { api }: DashboardFacts): TokenCheck[] {
  const isUnread = header === undefined && api.tokenCheck === 'local';
  if (isUnread) return [refusedAsOpaque];
  return [audienceCheck(judgeAudience({ client_id: event.client_id, ...claims }, apiReceivers(api)))];
}

const refusedAsOpaque = check(
  'sample API',
  'note',
  'the sample API refuses it: it verifies only JWTs, unless API_TOKEN_CHECK=introspection',
  'RFC 7662 §4',
);

function scope({ event }: ExaminedToken): TokenCheck {
  const reference = 'RFC 9068 §2.2.3';
  const scopes = parseScope(event.scope);
  if (scopes.length > 0) return check('scope', 'pass', `scope grants ${scopes.join(', ')}`, reference);
  return check('no scope', 'note', 'no scope: an API that requires one answers 403', reference);
}

const required = ['iss', 'exp', 'aud', 'sub', 'client_id', 'iat', 'jti'] as const;

/** A provider has claims of its own in place of some of them. */
function missing({ claims }: ExaminedToken, { reach: { provider } }: DashboardFacts): TokenCheck[] {
  if (provider !== undefined) return [];
  const names = required.filter(name => !Object.hasOwn(claims, name));
  if (names.length === 0) return [];
  return [
    check(
      'claims missing',
      'note',
      `${names.join(', ')} missing: an access token must have ${required.join(', ')}`,
      'RFC 9068 §2.2',
    ),
  ];
}

const longForPublic = 3600;

function lifetime({ event: { iat, exp }, client }: ExaminedToken): TokenCheck[] {
  if (client === undefined || !isPublic(client) || exp - iat < longForPublic) return [];
  const text = `${duration(exp - iat)} is long for a public client: a stolen token works that long`;
  return [check('long life', 'note', text, 'RFC 6750 §5.3')];
}

function binding({ claims }: ExaminedToken): TokenCheck[] {
  const bound = bindingOf(claims);
  if (bound === 'dpop')
    return [check('bound', 'pass', 'bound to a key: every request needs a DPoP proof', 'RFC 9449 §6')];
  if (bound === 'certificate') {
    return [check('bound', 'pass', 'bound to a client certificate: every connection must use it', 'RFC 8705 §3')];
  }
  return [];
}

const longForHeader = 4096;

function size({ event: { token } }: ExaminedToken): TokenCheck[] {
  if (token.length < longForHeader) return [];
  return [check('long', 'note', `${token.length} characters: many servers refuse headers longer than 8192`)];
}

/** The checks that an application makes on an ID token (OIDC Core §3.1.3.7). */
function idChecks(subject: ExaminedToken, options: DashboardFacts): TokenCheck[] {
  return [
    ...registeredAlg(subject),
    audienceCheck(judgeAudience(subject.claims, clientReceivers([subject.event.client_id]))),
    ...authorizedParty(subject),
    nonce(subject),
    ...hash(subject, options, 'at_hash', 'access', 'OIDC Core §3.1.3.6'),
    ...hash(subject, options, 'c_hash', 'code', 'OIDC Core §3.3.2.11'),
    ...encryption(subject),
  ];
}

function registeredAlg({ header = {}, client }: ExaminedToken): TokenCheck[] {
  const { alg } = header;
  const expected = client?.id_token_signed_response_alg;
  if (expected === undefined || alg === expected) return [];
  return [
    check(
      'algorithm',
      'fail',
      `alg is ${String(alg)}; the client is registered for ${expected}`,
      'OIDC Registration §2',
    ),
  ];
}

function authorizedParty({ event, claims: { azp } }: ExaminedToken): TokenCheck[] {
  if (azp === undefined || azp === event.client_id) return [];
  return [
    check('azp', 'fail', `azp is ${JSON.stringify(azp)}, the client is ${event.client_id}`, 'OIDC Core §3.1.3.7'),
  ];
}

function nonce({ claims }: ExaminedToken): TokenCheck {
  const reference = 'OIDC Core §3.1.2.1';
  if (claims.nonce !== undefined)
    return check('nonce', 'pass', 'nonce present: the app must compare it with the nonce it sent', reference);
  return check('no nonce', 'note', 'no nonce: the app sent none', reference);
}

function hash(
  { event, header = {}, claims }: ExaminedToken,
  { events }: DashboardFacts,
  claim: 'at_hash' | 'c_hash',
  type: 'access' | 'code',
  reference: string,
): TokenCheck[] {
  const beside = events.ofRequest(event.requestId).find((each): each is IssuedEvent => {
    return (each.type === 'token.issued' || each.type === 'code.issued') && tokenTypeOf(each) === type;
  });
  if (beside === undefined || claims[claim] === undefined || typeof header.alg !== 'string') return [];
  const fits = tokenHash(beside.token, header.alg) === claims[claim];
  const what = type === 'code' ? 'code' : 'access token';
  if (fits) return [check(claim, 'pass', `${claim} matches the ${what} issued with it`, reference)];
  return [check(claim, 'fail', `${claim} does not match the ${what} issued with it`, reference)];
}

function encryption({ event }: ExaminedToken): TokenCheck[] {
  if (event.type !== 'token.issued' || event.signed === undefined) return [];
  return [
    check('encrypted', 'note', 'encrypted for the client; this page shows the decrypted content', 'OIDC Core §10.2'),
  ];
}
