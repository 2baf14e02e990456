import { isRecord } from '../../base/text/record.ts';
import { isSameJson, type ParsedObject } from '../../protocol/json-parameter.ts';
import { reservedClaims } from '../../protocol/protocol-claims.ts';
import type { TokenRule } from '../../protocol/token-rule.ts';
import { createMadeUp } from './made-up.ts';
import { clientOf, givenTemplate, isRule, userTemplate } from './placeholder.ts';
import { typeOf } from './value-type.ts';

/** The tokens that shall look like another one. */
interface WantedTokens {
  readonly client: string;
  readonly kind: 'accessToken' | 'idToken';
  /** The claims of such a token now. */
  readonly now: ParsedObject;
  /** The claims of the user in it; absent for a client that acts for itself. */
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

/** The same type, and in objects the same members of the same types. */
function isAlike(a: unknown, b: unknown): boolean {
  if (isRecord(a) && isRecord(b))
    return Object.keys(b).every(name => Object.hasOwn(a, name) && isAlike(a[name], b[name]));
  return typeOf(a) === typeOf(b);
}
