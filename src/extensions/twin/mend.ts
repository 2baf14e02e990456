import { clientOf, givenTemplate, isRule, userTemplate } from '../../dashboard/claims/like-token.ts';
import { isSameJson } from '../../protocol/json-parameter.ts';
import { reservedClaims } from '../../protocol/protocol-claims.ts';
import type { RuledKind } from '../../protocol/token-rule.ts';
import type { SandboxConfig, TokenRule } from '../../sandbox/config/sandbox-config.ts';
import { checkUser } from '../../sandbox/config/user-entry.ts';
import type { FactRow } from './fact-row.ts';
import type { SampleMembers, Samples, TokenKind } from './samples.ts';

/** The targets of a rule, by the group of facts. */
const ruled: Readonly<Record<'access_token' | 'id_token' | 'userinfo' | 'client_token', RuledKind>> = {
  access_token: 'accessToken',
  id_token: 'idToken',
  userinfo: 'userinfo',
  client_token: 'accessToken',
};

type Group = keyof typeof ruled;

/**
 * Adds rules and claims of the user for the claims that a sandbox of the configuration did not write as the samples have them.
 * The samples are those that were `read`, and those `made` of them without personal values.
 */
export function withRules(
  config: SandboxConfig,
  rows: readonly FactRow[],
  { read, made }: Readonly<Record<'read' | 'made', Samples>>,
): SandboxConfig {
  const [user] = config.users ?? [];
  const claims: Record<string, unknown> = { ...user?.claims };
  const rules = (Object.keys(ruled) as Group[]).flatMap(group => {
    const found = claimsOf(made, group);
    const missing = Object.entries(found).filter(([name]) => isWanted(name, group, rows));
    // without a token to compare with, nothing is known to be missing
    if (missing.length === 0 || !isMeasured(group, rows)) return [];
    const facts = factsFor(group, read);
    const written = missing.map(([name, value]) => [name, templateOf(name, value, facts, claims)] as const);
    return ruleOf(group, Object.fromEntries(written), read);
  });
  if (rules.length === 0) return config;
  const users = user === undefined ? [] : [{ ...user, claims: claims as NonNullable<typeof user.claims> }]; // parsed JSON
  return { ...config, users, tokenClaims: rules };
}

function isMeasured(group: Group, rows: readonly FactRow[]): boolean {
  return rows.some(({ fact, ours }) => ours !== undefined && fact.startsWith(`${group}.claims.`));
}

function claimsOf({ tokens, userinfo }: Samples, group: Group): SampleMembers {
  return (group === 'userinfo' ? userinfo : tokens[group]?.claims) ?? {};
}

function isWanted(name: string, group: Group, rows: readonly FactRow[]): boolean {
  if (reservedClaims.includes(name)) return false;
  const place = `${group}.claims.${name}`;
  return rows.some(
    ({ fact, verdict, yours }) =>
      verdict !== 'same' && yours !== undefined && (fact === place || fact.startsWith(`${place}.`)),
  );
}

interface GroupFacts {
  readonly group: Group;
  readonly claims: SampleMembers;
  readonly client: string | undefined;
}

function factsFor(group: Group, read: Samples): GroupFacts {
  const kind: TokenKind = group === 'userinfo' ? 'id_token' : group;
  const token = read.tokens[kind];
  return { group, claims: claimsOf(read, group), client: token && clientOf(token, kind) };
}

/** A placeholder where the value belongs to the user, the client or the request; otherwise the value. */
function templateOf(
  name: string,
  value: unknown,
  { group, claims, client }: GroupFacts,
  user: Record<string, unknown>,
): unknown {
  const given = givenTemplate({ name, value, original: claims[name], client });
  if (given !== undefined) return given;
  if (group === 'client_token') return value;
  const isFree = !Object.hasOwn(user, name) && checkUser({ sub: 'x', claims: { [name]: value } }).length === 0;
  if (isFree) user[name] = value;
  return userTemplate(name, user, own => isSameJson(own, value)) ?? value;
}

/** Claims that no rule may have are left out, and stay in the table as different. */
function ruleOf(group: Group, claims: SampleMembers, read: Samples): readonly TokenRule[] {
  const kept = Object.entries(claims).filter(([name, value]) => isRule({ [name]: value }));
  if (kept.length === 0) return [];
  const isShared = read.tokens.client_token !== undefined && group === 'access_token';
  return [
    {
      ...(group === 'client_token' && { grant: 'client_credentials' }),
      ...(isShared && { when: 'user.sub' }),
      for: ruled[group],
      claims: Object.fromEntries(kept),
    },
  ];
}
