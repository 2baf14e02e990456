// Judges the claims of a token as a careful receiver does: for every page and answer that says whether a token is right.
import { duration } from '../base/text/duration.ts';
import type { ParsedObject } from './json-parameter.ts';

/** What a receiver finds about one claim. */
export interface Judgement {
  readonly level: 'pass' | 'note' | 'fail';
  /** A clause without a period. */
  readonly text: string;
  /** `RFC 7519 §4.1.4` */
  readonly reference: string;
  /** True if this sandbox accepts what a careful receiver refuses. */
  readonly isRelaxed?: true;
}

type Claims = Readonly<Record<string, unknown>>;

interface Times {
  readonly exp?: unknown;
  readonly nbf?: unknown;
}

/** Compares `iss` with the issuer, character by character. */
export function judgeIssuer(iss: unknown, expected: string): Judgement {
  const reference = 'RFC 7519 §4.1.1';
  if (iss === expected) return { level: 'pass', text: 'iss is this sandbox', reference };
  if (iss === undefined) return { level: 'note', text: 'no iss: the token does not name its issuer', reference };
  return { level: 'fail', text: `iss is ${shown(iss)}; this sandbox is ${expected}`, reference };
}

/** Compares `nbf`, if there is one, and `exp` with the time, in Unix seconds. */
export function judgeTimes({ exp, nbf }: Times, now: number): readonly Judgement[] {
  return [...judgeStart(nbf, now), judgeEnd(exp, now)];
}

function judgeStart(nbf: unknown, now: number): readonly Judgement[] {
  const reference = 'RFC 7519 §4.1.5';
  if (nbf === undefined) return [];
  if (!isTime(nbf)) return [{ level: 'fail', text: `nbf is ${shown(nbf)}, but must be a number`, reference }];
  if (nbf <= now) return [];
  return [{ level: 'fail', text: `not valid yet, valid in ${duration(nbf - now)}`, reference }];
}

/** A number this large is a time in milliseconds. */
const milliseconds = 1e11;

function judgeEnd(exp: unknown, now: number): Judgement {
  const reference = 'RFC 7519 §4.1.4';
  if (exp === undefined) return { level: 'note', text: 'no exp: the token never expires', reference };
  if (!isTime(exp)) return { level: 'fail', text: `exp is ${shown(exp)}, but must be a number`, reference };
  if (exp > milliseconds)
    return { level: 'fail', text: `exp is ${exp}: this looks like milliseconds, but exp is in seconds`, reference };
  return exp > now
    ? { level: 'pass', text: `not expired, ${duration(exp - now)} left`, reference }
    : { level: 'fail', text: `expired ${duration(now - exp)} ago`, reference };
}

interface Receiver {
  readonly name: string;
  readonly accepts: (claims: Claims) => boolean;
  /** Whether it accepts only because this sandbox is less strict than an API should be. */
  readonly relaxes?: (claims: Claims) => boolean;
}

/** The receivers that judge the `aud` of one kind of token, the most likely one first. */
interface Receivers {
  readonly all: readonly Receiver[];
  /** Completes "which … refuses". */
  readonly others: string;
  /** A token for an API that is unknown here is not wrong by that. */
  readonly otherwise: 'note' | 'fail';
  readonly reference: string;
}

/** What a sandbox knows of the APIs that its access tokens are for. */
export interface KnownApis {
  /** The rule of the sample API: for one of its collections, or for any of them. */
  readonly fits: (claims: Claims, collection?: string) => boolean;
  /** True for the identifier of an API that the configuration names. */
  readonly isConfigured: (identifier: string) => boolean;
}

/** Who receives access tokens: the sample API, or a collection of it alone. */
export function apiReceivers({ fits, isConfigured }: KnownApis, collection?: string): Receivers {
  const named = { name: 'an API of the configuration', accepts: (claims: Claims) => audOf(claims).some(isConfigured) };
  return {
    all: [
      { name: 'the sample API', accepts: claims => fits(claims, collection), relaxes: isForItsClient },
      ...(collection === undefined ? [named] : []),
    ],
    others: 'the sample API',
    otherwise: 'note',
    reference: 'RFC 9068 §4',
  };
}

/** Whether the only audience is the client that asked, under any of the names that providers give it. */
function isForItsClient(claims: Claims): boolean {
  const { client_id, azp, cid, appid } = claims;
  const [aud, ...others] = audOf(claims);
  return aud !== undefined && others.length === 0 && aud === (client_id ?? azp ?? cid ?? appid);
}

/** Who receives ID tokens: the clients with these ids. */
export function clientReceivers(ids: readonly string[]): Receivers {
  return {
    all: ids.map(id => ({ name: `the client ${id}`, accepts: claims => audOf(claims).includes(id) })),
    others: ids.length === 1 ? `the client ${ids[0]}` : 'each client of this sandbox',
    otherwise: 'fail',
    reference: 'OIDC Core §3.1.3.7',
  };
}

/** Asks each receiver for its opinion of `aud`. */
export function judgeAudience(claims: Claims, { all, others, otherwise, reference }: Receivers): Judgement {
  const { aud } = claims;
  const found = all.find(({ accepts }) => accepts(claims));
  const named = aud === undefined ? 'no aud' : `aud is ${shown(aud)}`;
  if (found?.relaxes?.(claims)) {
    const text = `${named}. The sample API accepts the client as audience (relaxed here); your API should demand its own name`;
    return { level: 'pass', text, reference, isRelaxed: true };
  }
  if (found !== undefined) return { level: 'pass', text: `${named}, which ${found.name} accepts`, reference };
  if (aud === undefined) return { level: 'fail', text: 'no aud: the token does not name its receiver', reference };
  if (!isAudience(aud))
    return { level: 'fail', text: `${named}, but must be a string or a list of strings`, reference };
  return { level: otherwise, text: `${named}, which ${others} refuses`, reference };
}

interface Addressed {
  readonly header: Claims;
  readonly claims: Claims;
  readonly issued?: { readonly tokenType: string; readonly client_id: string } | undefined;
}

/** Who receives a token; undefined for one that is neither for an API nor for a client, such as a DPoP proof. */
export function receiversOf(
  { header, claims, issued }: Addressed,
  apis: KnownApis,
  clients: Iterable<{ readonly client_id: string }>,
): Receivers | undefined {
  if (issued?.tokenType === 'access') return apiReceivers(apis);
  if (issued !== undefined) return issued.tokenType === 'id' ? clientReceivers([issued.client_id]) : undefined;
  const type = String(header.typ).toLowerCase();
  if (isAccessTokenType(type)) return apiReceivers(apis);
  const isForClient = type === 'logout+jwt' || looksLikeIdToken(claims);
  if (isForClient) return clientReceivers([...clients].map(({ client_id }) => client_id));
  return type.endsWith('+jwt') ? undefined : apiReceivers(apis);
}

/** Guesses an ID token by its claims: nothing else in it says what it is. */
export function looksLikeIdToken(claims: Claims): boolean {
  const has = (name: string) => name in claims;
  return ['nonce', 'at_hash', 'azp'].some(has) && !['scope', 'scp', 'client_id'].some(has);
}

function audOf({ aud }: Claims): readonly string[] {
  return [aud].flat().filter(value => typeof value === 'string');
}

function isAudience(aud: unknown): boolean {
  return typeof aud === 'string' || (Array.isArray(aud) && aud.every(value => typeof value === 'string'));
}

/** RFC 9068 §4: `at+jwt`, with or without `application/`, in any case. */
export function isAccessTokenType(typ: unknown): boolean {
  return typeof typ === 'string' && /^(?:application\/)?at\+jwt$/i.test(typ);
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? 'absent').slice(0, 200);
}

/** What a receiver expects of a token. Absent members are not compared. */
export interface ExpectedToken {
  readonly issuer?: string;
  /** The name of the receiver, which must be in `aud`. */
  readonly audience?: string;
  /** The type in the header, such as `at+jwt`. */
  readonly typ?: string;
}

interface TokenComparison {
  /** `iss`, `aud` or `typ` */
  readonly member: string;
  readonly isMet: boolean;
  readonly text: string;
  readonly reference: string;
}

/** Compares a token with the expectations of its receiver, as RFC 9068 §4 says: each value character by character. */
export function comparedWith(
  { issuer, audience, typ }: ExpectedToken,
  { header, claims }: { readonly header: ParsedObject; readonly claims: ParsedObject },
): readonly TokenComparison[] {
  const { iss, aud } = claims;
  return [
    ...(issuer === undefined ? [] : [compared('iss', iss, issuer, iss === issuer, 'RFC 7519 §4.1.1')]),
    ...(audience === undefined
      ? []
      : [compared('aud', aud, audience, [aud].flat().includes(audience), 'RFC 7519 §4.1.3')]),
    ...(typ === undefined
      ? []
      : [compared('typ', header.typ, typ, mediaType(header.typ) === mediaType(typ), 'RFC 8725 §3.11')]),
  ];
}

function compared(
  member: string,
  value: unknown,
  expected: string,
  isMet: boolean,
  reference: string,
): TokenComparison {
  const found =
    value === undefined ? `there is no ${member}` : `${member} is ${(JSON.stringify(value) ?? '').slice(0, 200)}`;
  return {
    member,
    isMet,
    text: isMet ? `${found}, as expected` : `${found}, and ${JSON.stringify(expected)} is expected`,
    reference,
  };
}

/** Case does not count, and `application/` may be left out (RFC 7515 §4.1.9). */
function mediaType(typ: unknown): string {
  return String(typ)
    .toLowerCase()
    .replace(/^application\//, '');
}
