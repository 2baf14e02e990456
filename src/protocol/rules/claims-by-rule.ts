import type { AuthorizationServer } from '../authorization-server.ts';
import type { WrittenFor } from '../dialect.ts';
import { addingTo } from '../dialects/claim-rules.ts';
import type { RuleContext, RuledClaims, RuledKind, TokenRule, TokenRules } from '../token-rule.ts';
import { ruleContext } from './rule-context.ts';

type Members = Readonly<Record<string, unknown>>;

type SetClaims = readonly (readonly [name: string, value: unknown, by: string])[];

/**
 * The claims that the rules of a server add: those of templates in their order, and then those of `onToken`. Each sees
 * the claims of those before it. A preview does without `onToken`, which may act on other systems.
 */
export async function claimsByRule(
  { templates, onToken, timeout }: TokenRules,
  kind: RuledKind,
  about: WrittenFor<AuthorizationServer>,
  usual: Members,
): Promise<RuledClaims> {
  const context = ruleContext(about, usual);
  const byTemplates = setByTemplates(templates, kind, about, context);
  if (onToken === undefined || kind === 'userinfo' || about.isPreview) return ruled(byTemplates);
  const claims = { ...usual, ...ruled(byTemplates).claims };
  const { claimsByOnToken } = await import('./run-on-token.ts');
  const { tellFailure } = about.server;
  const added = await claimsByOnToken({ onToken, timeout, tellFailure }, { ...context, claims }, kind);
  return ruled([...byTemplates, ...Object.entries(added).map(([name, value]) => [name, value, 'onToken'] as const)]);
}

function setByTemplates(
  templates: readonly TokenRule[],
  kind: RuledKind,
  about: WrittenFor<AuthorizationServer>,
  context: RuleContext,
): SetClaims {
  const addBy = addingTo({ ...context });
  return templates.flatMap((rule, index) => {
    const added = isFor(rule, kind, about) ? Object.entries(addBy(rule)) : [];
    return added.map(([name, value]) => [name, value, `tokenClaims[${index}]`] as const);
  });
}

function ruled(set: SetClaims): RuledClaims {
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
