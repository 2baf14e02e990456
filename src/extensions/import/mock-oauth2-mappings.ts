import { reservedClaims } from '../../protocol/protocol-claims.ts';
import { scopeToken } from '../../protocol/scope.ts';
import type { JsonValue } from '../../sandbox/config/json.ts';
import type { ClientEntry, TokenRule, UserEntry } from '../../sandbox/config/sandbox-config.ts';
import { type ClaimValues, type Drafted, type DraftedScope, userOf } from './drafts.ts';
import { at, type ExportPart, entriesIn, leftOut, tell, textIn, valueIn } from './members.ts';
import { type Condition, conditionOf, exclusionOf } from './mock-oauth2-conditions.ts';

/** A request mapping of mock-oauth2-server: the claims of tokens whose request has a parameter with a value. */
export interface Mapping {
  readonly found: ExportPart;
  /** The condition of a rule here; undefined if no rule can have it. */
  readonly condition: Condition | undefined;
  readonly sub: string | undefined;
  readonly audience: readonly string[];
  readonly claims: ClaimValues;
}

/** Reads a mapping, and tells of what it has that tokens here do not get by a rule. */
export function mappingOf(found: ExportPart): Mapping {
  const parameter = textIn(at(found, 'requestParam')) ?? '';
  const match = textIn(at(found, 'match')) ?? '*';
  const written = conditionOf(parameter, match);
  const subject = at(at(found, 'claims'), 'sub');
  const isOfUser = written !== 'user' || typeof subject.value === 'string';
  const condition = isOfUser ? written : conditionOf(parameter, '*');
  if (condition === undefined) {
    leftOut(found, `no rule can ask for ${parameter.slice(0, 60)} = ${match.slice(0, 60)}`);
    return { found, condition, sub: undefined, audience: [], claims: {} };
  }
  const client = typeof condition === 'object' && typeof condition.client === 'string' ? condition.client : undefined;
  return {
    found,
    condition,
    sub: subjectOf(subject, condition),
    audience: audienceOf(at(at(found, 'claims'), 'aud'), client !== undefined),
    claims: claimsOf(at(found, 'claims'), client ?? '${client.client_id}'),
  };
}

/** The user of a login. Where a client acts for itself, it is the subject, as `${clientId}` says, too. */
function subjectOf(found: ExportPart, condition: Condition): string | undefined {
  const value = valueIn(found);
  const isOfClient = typeof condition === 'object' && condition.grant === 'client_credentials';
  if (value === undefined || (isOfClient && value === '${clientId}')) return undefined;
  if (isOfClient) tell(found, 'left out: `sub` of a client that acts for itself is its `client_id`');
  else if (typeof value !== 'string' || /[$*]/.test(value))
    tell(found, 'left out: `sub` is that of the user who logs in');
  else {
    const isOfLogin = condition === 'user' || condition.grant !== undefined;
    if (!isOfLogin) tell(found, 'is the user of a login; `sub` of a client that acts for itself is its `client_id`');
    return value;
  }
  return undefined;
}

function audienceOf(found: ExportPart, isOfClient: boolean): readonly string[] {
  const value = valueIn(found);
  if (value === undefined) return [];
  const texts = [value].flat().filter((each): each is string => typeof each === 'string' && !each.includes('${'));
  if (isOfClient && texts.length === [value].flat().length) return texts;
  tell(found, 'left out: `aud` is the `audience` of the client, or the `resource` of the request');
  return isOfClient ? texts : [];
}

function claimsOf(found: ExportPart, client: string): ClaimValues {
  const own = entriesIn(found).flatMap(([name, part]) => {
    if (name === 'sub' || name === 'aud') return [];
    if (reservedClaims.includes(name)) return leftOut(part, `the sandbox sets \`${name}\` itself`);
    const made = withClient(valueIn(part), client);
    return made === undefined ? leftOut(part, 'it has a template that is not known') : [[name, made] as const];
  });
  return Object.fromEntries(own);
}

/** The claim with the client in place of `${clientId}`; undefined if it has any other template, or one of a rule of ours. */
function withClient(claim: unknown, client: string): JsonValue | undefined {
  const text = JSON.stringify(claim);
  const template = /\$\{client(?:Id|_id)\}/g;
  if (/\$\{|"\$|"\.\.\.|^undefined$/.test(text.replaceAll(template, ''))) return undefined;
  const named = JSON.stringify(client).slice(1, -1);
  return JSON.parse(text.replaceAll(template, () => named)) as JsonValue; // it was JSON
}

/** The users that logins name, with the claims of mappings that belong to one user. */
export function usersOf(mappings: readonly Mapping[]): readonly Drafted<UserEntry>[] {
  const bySub = new Map<string, Drafted<UserEntry>>();
  for (const { found, condition, sub, claims } of mappings) {
    if (sub === undefined) continue;
    if (bySub.has(sub) && condition === 'user') leftOut(found, 'an earlier one names the same user');
    if (bySub.has(sub)) continue;
    const own = condition === 'user' ? claims : {};
    bySub.set(sub, { found, entry: userOf({ sub }, own, new Set(Object.keys(own))) });
  }
  return [...bySub.values()];
}

/** The scopes that mappings name, so that a client may ask for them. */
export function scopesOf(mappings: readonly Mapping[]): readonly DraftedScope[] {
  return mappings.flatMap(({ found, condition }) => {
    const names = typeof condition === 'object' ? [condition.scope ?? []].flat() : [];
    return names.filter(name => scopeToken.test(name)).map(name => ({ found, name, entry: {} }));
  });
}

/** The clients with an audience of their own. All others are accepted without an entry. */
export function clientsOf(mappings: readonly Mapping[]): readonly Drafted<ClientEntry>[] {
  return mappings.flatMap(({ found, condition, audience }) => {
    const client_id = typeof condition === 'object' ? condition.client : undefined;
    if (typeof client_id !== 'string' || audience.length === 0) return [];
    const client_secret = `${client_id}-secret`;
    tell(
      found,
      'the mock accepts any secret, but an `audience` needs a client: its `client_secret` is its id with `-secret`',
    );
    const grant_types = ['authorization_code', 'client_credentials', 'refresh_token'] as const;
    return [{ found, entry: { client_id, client_secret, grant_types, loopback_redirects: true, audience } }];
  });
}

/** Rules of the claims. In the mock only the first mapping counts that fits a request, so that each rule excludes those before. */
export function rulesOf(mappings: readonly Mapping[]): readonly TokenRule[] {
  const before: Exclude<Condition, 'user'>[] = [];
  const rules = mappings.flatMap(({ found, condition, claims }): readonly TokenRule[] => {
    if (typeof condition !== 'object') return [];
    if (before.some(each => Object.keys(each).length === 0)) return leftOut(found, 'an earlier one fits each request');
    const excluded = before.flatMap(each => exclusionOf(each, condition));
    before.push(condition);
    const [first, ...others] = [condition.when ?? [], excluded].flat();
    const when = first === undefined ? {} : { when: others.length === 0 ? first : [first, ...others] };
    return Object.keys(claims).length === 0 ? [] : [{ ...condition, ...when, claims }];
  });
  return [...shownClaims(mappings), ...rules];
}

/** Claims of users are in ID Tokens and at UserInfo, too, which scopes release here. */
function shownClaims(mappings: readonly Mapping[]): readonly TokenRule[] {
  const ofUsers = mappings.filter(({ condition, sub }) => condition === 'user' && sub !== undefined);
  const names = [...new Set(ofUsers.flatMap(({ claims }) => Object.keys(claims)))].filter(name => !/[\]}]/.test(name));
  const claims = Object.fromEntries(names.map(name => [name, `\${user[${name}]}`]));
  return names.length === 0 ? [] : [{ for: ['idToken', 'userinfo'], claims }];
}
