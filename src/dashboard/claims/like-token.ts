import { isRecord } from '../../base/text/record.ts';
import { isSameJson, type ParsedObject } from '../../protocol/json-parameter.ts';
import { reservedClaims } from '../../protocol/protocol-claims.ts';
import type { TokenRule } from '../../protocol/token-rule.ts';
import { checkTokenRule } from '../../sandbox/config/token-rule-entry.ts';
import { createMadeUp, typeOf } from './made-up.ts';

interface WantedTokens {
  readonly client: string;
  readonly kind: 'accessToken' | 'idToken';
  readonly now: ParsedObject;
  readonly user?: ParsedObject;
}

/** A rule for the tokens of a client. */
export interface LikeToken {
  /** Absent if the tokens have all claims already. */
  readonly rule?: TokenRule;
  /** Claims whose value in the rule is made up. */
  readonly replaced: readonly string[];
  /** Claims that no rule can set. */
  readonly left: readonly string[];
}

/** Makes a rule for the claims of a foreign token that ours do not have, or have with another type. */
export function ruleLike(foreign: ParsedObject, { client, kind, now, user }: WantedTokens): LikeToken {
  const own = Object.entries(foreign).filter(
    ([name, value]) => !reservedClaims.includes(name) && !isAlike(now[name], value),
  );
  const sender = clientOf({ claims: foreign }, kind === 'idToken' ? 'id_token' : 'access_token');
  const written = own.map(([name, original]) => claimOf(name, original, sender, user));
  const claims = Object.fromEntries(
    written.flatMap(({ name, template }) =>
      template !== undefined && isRule({ [name]: template }) ? [[name, template]] : [],
    ),
  );
  const left = Object.keys(foreign).filter(name => reservedClaims.includes(name) && !isAlike(now[name], foreign[name]));
  const refused = own.flatMap(([name]) => (Object.hasOwn(claims, name) ? [] : [name]));
  return {
    ...(Object.keys(claims).length > 0 && { rule: { client, for: kind, claims } }),
    replaced: written.flatMap(({ name, isMade }) => (isMade && Object.hasOwn(claims, name) ? [name] : [])),
    left: [...left, ...refused],
  };
}

/** The rules with another one, which takes the place of an earlier one for the same tokens. */
export function rulesWith(rules: readonly TokenRule[], rule: TokenRule): readonly TokenRule[] {
  const conditions = ({ claims: _, ...others }: TokenRule) => others;
  const at = rules.findIndex(each => isSameJson(conditions(each), conditions(rule)));
  const before = rules[at];
  return before === undefined
    ? [...rules, rule]
    : rules.with(at, { ...rule, claims: { ...before.claims, ...rule.claims } });
}

function claimOf(name: string, original: unknown, client: string | undefined, user: ParsedObject | undefined) {
  const made = createMadeUp();
  const value = made.claims('', { [name]: original })[name];
  const given = givenTemplate({ name, value, original, client });
  if (given !== undefined) return { name, template: given, isMade: false };
  const ofUser = user && userTemplate(name, user, own => isAlike(own, original));
  return { name, template: ofUser ?? value, isMade: ofUser === undefined && made.replaced().length > 0 };
}

function isAlike(a: unknown, b: unknown): boolean {
  if (isRecord(a) && isRecord(b))
    return Object.keys(b).every(name => Object.hasOwn(a, name) && isAlike(a[name], b[name]));
  return typeOf(a) === typeOf(b);
}

interface ClaimToWrite {
  readonly name: string;
  /** Without anything personal. */
  readonly value: unknown;
  readonly original: unknown;
  readonly client: string | undefined;
}

const words = ['typ', 'ver', 'version', 'token_use', 'token_type', 'gty', 'idtyp', 'azpacr', 'appidacr', 'hd', 'tid'];

/** A placeholder for a value that belongs to the client or to the request, or the word itself; undefined for other claims. */
export function givenTemplate({ name, value, original, client }: ClaimToWrite): unknown {
  if (client !== undefined && original === client) return '${client.client_id}';
  if (name === 'scp' && Array.isArray(original) && scopesIn({ scope: original }).length > 0) return '${scopes}';
  return words.includes(name) ? value : undefined;
}

/** `${user.email}` if the user has the claim as `isIt` wants it; undefined if not, or if no path can name the claim. */
export function userTemplate(name: string, user: ParsedObject, isIt: (value: unknown) => boolean): string | undefined {
  if (!Object.hasOwn(user, name) || !isIt(user[name])) return undefined;
  if (/^[^\s.[\]{}!]+$/.test(name)) return `\${user.${name}}`;
  return /^[^\]}]+$/.test(name) ? `\${user[${name}]}` : undefined;
}

/** Whether a rule may set these claims. */
export function isRule(claims: ParsedObject): boolean {
  return checkTokenRule({ claims }, { clients: [], scopes: [], audiences: [] }).length === 0;
}

/** The client of a token, by the claim of each vendor. */
export function clientOf({ claims = {} }: { readonly claims?: ParsedObject }, kind: string): string | undefined {
  const { azp, client_id, cid, appid, aud } = claims;
  const named = [azp, client_id, cid, appid].find(id => typeof id === 'string');
  if (typeof named === 'string') return named;
  const [first] = [aud].flat();
  return kind === 'id_token' && typeof first === 'string' ? first : undefined;
}

/** The scopes of a token, as a text or a list. */
export function scopesIn(claims: unknown): readonly string[] {
  if (!isRecord(claims)) return [];
  const { scope = claims.scp } = claims;
  const words = typeof scope === 'string' ? scope.split(' ') : Array.isArray(scope) ? scope.map(String) : [];
  return words.filter(word => word !== '').slice(0, 100);
}
