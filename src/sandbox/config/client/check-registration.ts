import { isRecord } from '../../../base/text/record.ts';
import { parseScope } from '../../../protocol/scope.ts';
import { standardScopes } from '../claims.ts';
import { checkCollection } from '../collection-entry.ts';
import { checkDetailsType } from '../details-type-entry.ts';
import { type Located, type NamedEntry, problemIn } from '../documents.ts';
import { mostProblems } from '../many-problems.ts';
import { type ConfigProblem, type Finding, formatPath } from '../problem.ts';
import type { ActionTrait, ProviderTraits } from '../provider-traits.ts';
import type { RegistrationEntries } from '../registration.ts';
import { checkScope } from '../scope-entry.ts';
import type { SettingSources } from '../setting-values.ts';
import type { SettingValues } from '../settings.ts';
import { checkTokenRule, type KnownNames } from '../token-rule-entry.ts';
import { checkTrustedIssuer } from '../trusted-issuer-entry.ts';
import { checkUser } from '../user-entry.ts';
import { autoLoginProblems } from './auto-login.ts';
import { checkClient } from './client-rules.ts';

/** All problems of the entries: in each entry, and between entries. */
export function checkRegistration(
  entries: RegistrationEntries,
  sources: SettingSources,
  values: SettingValues,
): ConfigProblem[] {
  const { clients, users, scopes, collections, authorizationDetailsTypes, trustedIssuers } = entries;
  const subjects = users.map(({ raw }) => textMember(raw, 'sub'));
  const known = namesIn(entries, values.anyClient);
  return [
    ...checkEach(clients, ({ raw }) => checkClient(raw)),
    ...checkEach(users, ({ raw }) => checkUser(raw)),
    ...checkNames(clients, users),
    ...autoLoginProblems(sources, values, entries),
    ...checkEach(scopes, ({ name, raw }: NamedEntry) => checkScope(name, raw)),
    ...checkEach(collections, ({ name, raw }: NamedEntry) => checkCollection(name, raw)),
    ...checkEach(authorizationDetailsTypes, ({ name, raw }: NamedEntry) => checkDetailsType(name, raw)),
    ...checkEach(entries.tokenClaims, ({ raw }) => checkTokenRule(raw, known)),
    ...checkEach(entries.onToken, ({ raw }) => onTokenFindings(raw, sources.providers)),
    ...checkEach(trustedIssuers, ({ name, raw }: NamedEntry) => checkTrustedIssuer(name, raw, subjects)),
  ];
}

/** The names that rules for claims may use, also those of entries with problems. */
function namesIn(
  { clients, scopes, offeredScopes, collections }: RegistrationEntries,
  isAnyClient: boolean,
): KnownNames {
  const members = (list: readonly Located[], names: readonly string[]) =>
    list.flatMap(({ raw }) => (isRecord(raw) ? names.flatMap(name => raw[name]) : []).filter(isText));
  const ids = members(clients, ['client_id']);
  return {
    clients: isAnyClient ? undefined : ids,
    scopes: [
      ...scopes.map(({ name }) => name),
      ...offeredScopes,
      ...Object.keys(standardScopes),
      ...members(clients, ['scope']).flatMap(parseScope),
      ...members(collections, ['readScope', 'writeScope']),
    ],
    audiences: [...ids, ...members(clients, ['audience'])],
  };
}

function onTokenFindings(raw: unknown, providers: readonly ProviderTraits[]): Finding[] {
  const actions = providers.flatMap(({ action }) => action ?? []);
  const isAction = ({ member }: ActionTrait) =>
    isRecord(raw) && typeof raw[member] === 'function' && Object.keys(raw).length === 1;
  if (typeof raw === 'function' || actions.some(isAction)) return [];
  const forms = ['a function', ...actions.map(({ member, title }) => `{ ${member}: ${title} }`)];
  const expected = `${forms.join(' or ')}, which only a file in TypeScript or JavaScript can have`;
  return [{ path: [], value: raw, expected }];
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function checkEach<T extends Located>(entries: readonly T[], check: (entry: T) => readonly Finding[]): ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  for (const [index, entry] of entries.entries()) {
    problems.push(...check(entry).map(finding => located(entry, finding)));
    const left = entries.length - index - 1;
    if (problems.length < mostProblems || left === 0) continue;
    const expected = `these problems to be fixed first; the next ${left} entries were not checked`;
    return [...problems, located(entry, { path: [], expected })];
  }
  return problems;
}

/** A problem of an entry. Its source is the variable that replaced the member, or else the position of the entry. */
function located(entry: Located, finding: Finding): ConfigProblem {
  const [member, ...rest] = finding.path;
  const source = typeof member === 'string' ? entry.replaced?.[member] : undefined;
  const problem = problemIn(entry, finding);
  return source === undefined ? problem : { ...problem, source: `${source}${formatPath(rest)}` };
}

/**
 * Checks names that must be unique. A client named like a user could not be told from that user in a token (RFC 9068
 * §5).
 */
function checkNames(clients: readonly Located[], users: readonly Located[]): ConfigProblem[] {
  const subjects = users.map(({ raw }) => textMember(raw, 'sub'));
  const knownSubjects = new Set(subjects);
  const clientIds = clients.map(({ raw }) => textMember(raw, 'client_id'));
  const usernames = users.map(({ raw }) => textMember(raw, 'username') ?? textMember(raw, 'sub'));
  return [
    ...repeated(clients, clientIds, 'client_id', 'a client_id no other client has'),
    ...repeated(users, subjects, 'sub', 'a sub no other user has'),
    ...repeated(users, usernames, 'username', 'a username no other user has'),
    ...clients.flatMap((entry, index) => {
      const value = clientIds[index];
      if (value === undefined || !knownSubjects.has(value)) return [];
      return [
        located(entry, {
          path: ['client_id'],
          value,
          expected: 'a client_id that is not the sub of a user (RFC 9068 §5)',
        }),
      ];
    }),
  ];
}

function repeated(
  entries: readonly Located[],
  values: readonly (string | undefined)[],
  member: string,
  expected: string,
): ConfigProblem[] {
  const seen = new Map<string, Located>();
  return entries.flatMap((entry, index) => {
    const value = values[index];
    if (value === undefined) return [];
    const first = seen.get(value);
    if (first === undefined) seen.set(value, entry);
    return first === undefined
      ? []
      : [located(entry, { path: [member], value, expected: expected + elsewhere(first, entry) })];
  });
}

/** The other place, if it is in a different document. */
function elsewhere(first: Located, { document }: Located): string {
  return first.document === document ? '' : `, as ${first.document}: ${formatPath(first.path)} does`;
}

function textMember(raw: unknown, member: string): string | undefined {
  const value = isRecord(raw) ? raw[member] : undefined;
  return typeof value === 'string' ? value : undefined;
}
