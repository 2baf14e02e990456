import type { AuthorizationServer } from '../authorization-server.ts';
import type { WrittenFor } from '../dialect.ts';
import { claimsByRules } from '../dialects/claim-rules.ts';
import type { RuledClaims, RuledKind, TokenRule, TokenRules } from '../token-rule.ts';
import { ruleContext } from './rule-context.ts';

type Members = Readonly<Record<string, unknown>>;

/** The claims that the rules of a server add, in their order. A rule sees the claims of those before it. */
export function claimsByRule(
  { templates }: TokenRules,
  kind: RuledKind,
  about: WrittenFor<AuthorizationServer>,
  usual: Members,
): RuledClaims {
  const context = ruleContext(about, usual);
  let set: readonly (readonly [name: string, value: unknown, by: string])[] = [];
  for (const [index, rule] of templates.entries()) {
    if (!isFor(rule, kind, about)) continue;
    const claims = { ...usual, ...Object.fromEntries(set) };
    const added = claimsByRules([rule], { ...context, claims });
    set = [...set, ...Object.entries(added).map(([name, value]) => [name, value, `tokenClaims[${index}]`] as const)];
  }
  return {
    claims: Object.fromEntries(set),
    by: Object.fromEntries(set.map(([name, _, by]) => [name, by])),
  };
}

function isFor(
  rule: TokenRule,
  kind: RuledKind,
  { client, authorization, scopes, resources = [] }: WrittenFor<AuthorizationServer>,
): boolean {
  const configured = client.audience.length > 0 ? client.audience : [client.client_id];
  return (
    meets(rule.for, [kind]) &&
    meets(rule.client, [client.client_id]) &&
    meets(rule.scope, scopes) &&
    meets(rule.audience, resources.length > 0 ? resources : configured) &&
    meets(rule.grant, [authorization.grant_type])
  );
}

function meets(wanted: string | readonly string[] | undefined, values: readonly string[]): boolean {
  return wanted === undefined || [wanted].flat().some(value => values.includes(value));
}
