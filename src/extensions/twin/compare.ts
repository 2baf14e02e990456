import { listing } from '../../base/text/words.ts';
import { isSameJson } from '../../protocol/json-parameter.ts';
import { reservedClaims } from '../../protocol/protocol-claims.ts';
import type { Facts } from './facts.ts';

/** Compares fact by fact. Only groups that the samples have are compared, such as the claims of an ID token. */
export function compare(yours: Facts, ours: Facts): readonly FactRow[] {
  const groups = new Set([...yours.keys()].map(groupOf));
  const isExtra = (name: string) =>
    !yours.has(name) && groups.has(groupOf(name)) && !/\.(?:format|lifetime)$/.test(name);
  const names = [...yours.keys(), ...[...ours.keys()].filter(isExtra)];
  return names.map(fact => rowOf(fact, yours.get(fact), ours.get(fact)));
}

/** The percentage of facts that are the same. */
export function scoreOf(rows: readonly FactRow[]): number {
  const same = rows.filter(({ verdict }) => verdict === 'same').length;
  return rows.length === 0 ? 100 : Math.floor((100 * same) / rows.length);
}

/** Claims and header are groups of their own, because a sample may have the claims alone. */
function groupOf(fact: string): string {
  return /^[^.]*(?:\.(?:claims|header)(?=\.))?/.exec(fact)?.[0] ?? '';
}

function rowOf(fact: string, yours: unknown, ours: unknown): FactRow {
  const sides = { ...(yours !== undefined && { yours }), ...(ours !== undefined && { ours }) };
  if (isSame(fact, yours, ours)) return { fact, verdict: 'same', ...sides };
  const difference = { fact, yours, ours, ...itemsOf(yours, ours) };
  return { fact, ...reasonFor(difference), ...sides };
}

function isSame(fact: string, yours: unknown, ours: unknown): boolean {
  if (isSameJson(yours, ours)) return true;
  // a second may pass while a token is made
  if (fact.endsWith('.lifetime')) return Math.abs(Number(yours) - Number(ours)) <= 1;
  return isEmptyListOf(yours, ours) || isEmptyListOf(ours, yours);
}

/** An empty list has no items whose type could be another. */
function isEmptyListOf(empty: unknown, list: unknown): boolean {
  return empty === 'empty list' && typeof list === 'string' && list.startsWith('list of ');
}

function itemsOf(yours: unknown, ours: unknown): Pick<FactDifference, 'lacks' | 'extra'> {
  if (!Array.isArray(yours) || !Array.isArray(ours)) return { lacks: [], extra: [] };
  const [wanted, found] = [yours.map(String), ours.map(String)];
  return { lacks: wanted.filter(each => !found.includes(each)), extra: found.filter(each => !wanted.includes(each)) };
}

type Reason = Required<Pick<FactRow, 'verdict' | 'why'>>;

interface KnownReason {
  readonly fact: RegExp;
  /** The rule is only for a list that lacks one of these. */
  readonly lacks?: RegExp;
  readonly verdict: 'different' | 'cannot be';
  readonly why: string;
}

/** Differences that have a reason of their own. The first that fits counts. */
const known: readonly KnownReason[] = [
  {
    fact: /^metadata\.code_challenge_methods_supported$/,
    lacks: /^plain$/,
    verdict: 'cannot be',
    why: 'PKCE with `plain` is refused: it protects nothing (RFC 9700 §2.1.1)',
  },
  {
    fact: /^metadata\.response_types_supported$/,
    lacks: /^none$/,
    verdict: 'cannot be',
    why: 'the response type `none` is not offered here',
  },
  {
    fact: /^metadata\.response_types_supported$/,
    lacks: /token/,
    verdict: 'different',
    why: 'the implicit and hybrid flows are off: FEATURES=implicit=on',
  },
  {
    fact: /^metadata\.grant_types_supported$/,
    lacks: /^(?:implicit|password)$/,
    verdict: 'different',
    why: 'grants that OAuth 2.1 removed are off: FEATURES=implicit=on,password=on',
  },
  {
    fact: /_alg_values_supported$/,
    lacks: /^(?:none|HS\d+)$/,
    verdict: 'cannot be',
    why: 'this algorithm is not offered here',
  },
  { fact: /^keys\./, verdict: 'different', why: 'the keys of the sandbox are its own' },
  { fact: /\.header\.(?:kid|x5t|x5c|jku|x5u)$/, verdict: 'different', why: 'the keys of the sandbox are its own' },
  { fact: /\.header\.typ$/, verdict: 'different', why: 'the preset, or RFC 9068, decides the header `typ`' },
  {
    fact: /^metadata\.issuer$|\.claims\.iss$/,
    verdict: 'different',
    why: 'the issuer has another path: set ISSUER to an address with the path of yours',
  },
  {
    fact: /^callback\.(?:client_info|user)$/,
    verdict: 'cannot be',
    why: 'this parameter belongs to a session of your provider',
  },
];

/** The verdict on a fact that is not the same, and the reason. */
function reasonFor(difference: FactDifference): Reason {
  const { fact, lacks } = difference;
  const found = known.find(
    each => each.fact.test(fact) && (each.lacks === undefined || lacks.some(item => each.lacks?.test(item))),
  );
  if (found !== undefined && difference.yours !== undefined) {
    return { verdict: found.verdict, why: withItems(found.why, difference) };
  }
  return fact.startsWith('metadata.') ? metadataReason(difference) : memberReason(difference);
}

function metadataReason({ fact, yours, ours, ...items }: FactDifference): Reason {
  const isAddress = /_(?:endpoint|iframe|uri|aliases)$/.test(fact);
  if (ours === undefined && isAddress) return { verdict: 'cannot be', why: 'the sandbox has nothing at this address' };
  if (ours === undefined) return { verdict: 'different', why: 'the sandbox does not say this' };
  if (yours === undefined) return { verdict: 'different', why: 'only the sandbox says this' };
  if (isAddress)
    return {
      verdict: 'different',
      why: 'another path: an app with discovery finds it, others need it in their settings',
    };
  return { verdict: 'different', why: withItems('', { fact, yours, ours, ...items }) || 'another value' };
}

/** Of a token, an answer, UserInfo or a callback. */
function memberReason({ fact, yours, ours }: FactDifference): Reason {
  const claim = /\.claims\.([^.]+)/.exec(fact)?.[1];
  const isProtocol = claim !== undefined && reservedClaims.includes(claim);
  if (yours === undefined && fact.startsWith('userinfo.'))
    return { verdict: 'different', why: 'the scopes of the sign-in release it' };
  if (yours === undefined && claim !== undefined)
    return { verdict: 'cannot be', why: 'the sandbox writes it, and a rule can only add claims' };
  if (yours === undefined) return { verdict: 'different', why: 'only the sandbox has it' };
  if (isProtocol) return { verdict: 'cannot be', why: 'the protocol sets this claim, and no rule can' };
  if (fact.endsWith('.lifetime') || fact.endsWith('expires_in'))
    return { verdict: 'different', why: 'another lifetime' };
  return { verdict: 'different', why: ours === undefined ? 'the sandbox does not have it' : 'another form' };
}

function withItems(why: string, { lacks, extra }: FactDifference): string {
  const said = [
    ...(why === '' ? [] : [why]),
    ...(lacks.length === 0 ? [] : [`lacks ${listed(lacks)}`]),
    ...(extra.length === 0 ? [] : [`has ${listed(extra)} besides`]),
  ];
  return said.join('; ');
}

function listed(items: readonly string[]): string {
  const shown = items.slice(0, 6).map(item => item.slice(0, 80));
  return listing(items.length > 6 ? [...shown, `${items.length - 6} more`] : shown, 'and');
}

/** `cannot be`: no configuration of the sandbox makes the fact the same. */
export type FactVerdict = 'same' | 'different' | 'cannot be';

/** One fact of the table. */
export interface FactRow {
  readonly fact: string;
  readonly verdict: FactVerdict;
  /** The value in your samples; absent where only the sandbox has the fact. */
  readonly yours?: unknown;
  readonly ours?: unknown;
  /** Why it is not the same; absent where it is. */
  readonly why?: string;
}

/** The difference of a fact, for the table of reasons. */
interface FactDifference {
  readonly fact: string;
  readonly yours: unknown;
  readonly ours: unknown;
  /** Items of a list that the other side does not have. */
  readonly lacks: readonly string[];
  readonly extra: readonly string[];
}
