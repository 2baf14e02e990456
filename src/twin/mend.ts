import type { SandboxConfig, TokenRule } from '../config/sandbox-config.ts';
import { checkTokenRule } from '../config/token-rule-entry.ts';
import { checkUser } from '../config/user-entry.ts';
import { isSameJson } from '../oauth/json-parameter.ts';
import { reservedClaims } from '../oauth/rules/reserved-claims.ts';
import type { RuledKind } from '../oauth/token-rule.ts';
import { isRecord } from '../text/record.ts';
import { scopesIn } from './draft-features.ts';
import type { FactRow } from './fact-row.ts';
import { clientOf, type SampleMembers, type Samples, type TokenKind } from './samples.ts';

/** What a rule writes into, by the group of facts. */
const ruled: Readonly<Record<'access_token' | 'id_token' | 'userinfo' | 'client_token', RuledKind>> = {
  access_token: 'accessToken',
  id_token: 'idToken',
  userinfo: 'userinfo',
  client_token: 'accessToken',
};

type Group = keyof typeof ruled;

/** Words of a vendor that are the same in each token. */
const words = ['typ', 'ver', 'version', 'token_use', 'token_type', 'gty', 'idtyp', 'azpacr', 'appidacr', 'hd', 'tid'];

/** The samples as they were read, and without personal values. */
export interface SamplesToMend {
  readonly read: Samples;
  readonly made: Samples;
}

/** Adds rules and claims of the user for the claims that a sandbox of the configuration did not write as the samples have them. */
export function withRules(
  config: SandboxConfig,
  rows: readonly FactRow[],
  { read, made }: SamplesToMend,
): SandboxConfig {
  const [user] = config.users ?? [];
  const claims: Record<string, unknown> = { ...user?.claims };
  const rules = (Object.keys(ruled) as Group[]).flatMap(group => {
    const found = claimsOf(made, group);
    const missing = Object.entries(found).filter(([name]) => isWanted(name, group, rows));
    if (missing.length === 0) return [];
    const facts = factsFor(group, read);
    const written = missing.map(([name, value]) => [name, templateOf(name, value, facts, claims)] as const);
    return ruleOf(group, Object.fromEntries(written), read);
  });
  if (rules.length === 0) return config;
  const users = user === undefined ? [] : [{ ...user, claims: claims as NonNullable<typeof user.claims> }]; // parsed JSON
  return { ...config, users, tokenClaims: rules };
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
  if (client !== undefined && claims[name] === client) return '${client.client_id}';
  const scopes = scopesIn({ scope: claims[name] });
  if (name === 'scp' && Array.isArray(value) && scopes.length > 0) return '${scopes}';
  if (group === 'client_token' || words.includes(name)) return value;
  const isFree = !Object.hasOwn(user, name) && checkUser({ sub: 'x', claims: { [name]: value } }).length === 0;
  if (isFree) user[name] = value;
  if (!isSameJson(user[name], value)) return value;
  return /^[^\s.[\]{}!]+$/.test(name) ? `\${user.${name}}` : /^[^\]}]+$/.test(name) ? `\${user[${name}]}` : value;
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

function isRule(claims: SampleMembers): boolean {
  return isRecord(claims) && checkTokenRule({ claims }, { clients: [], scopes: [], audiences: [] }).length === 0;
}
