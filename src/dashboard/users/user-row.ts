import type { ChangeProblem } from '../../base/events/change.ts';
import { isSameJson } from '../../protocol/json-parameter.ts';
import type { TestUser } from '../../protocol/users/user.ts';
import { byField, type FieldTexts, problemText } from '../form.ts';
import { noChange, type RowChange, type RowField } from '../row-form.ts';

type Members = Readonly<Record<string, unknown>>;

const texts = ['name', 'email'] as const;
const objects = ['claims', 'access_token_claims'] as const;

/** The usual members of a user, for the form below the row. */
export function userRowFields(user: TestUser): readonly RowField[] {
  const roles = rolesOf(user);
  const places = placesOfRoles(user).map(name => (name === 'claims' ? 'claims' : 'claims of access tokens'));
  return [
    { name: 'name', label: 'Name', kind: 'text', value: textOf(user.claims.name) },
    { name: 'email', label: 'E-mail', kind: 'mono', value: textOf(user.claims.email) },
    ...(roles === undefined
      ? []
      : [
          {
            ...({ name: 'roles', label: 'Roles', kind: 'mono', value: roles.join(' ') } as const),
            hint: `Words with spaces or commas between them, in ${places.join(' and ')}.`,
          },
        ]),
    { name: 'password', label: 'New password', kind: 'secret', value: '', hint: passwordWords(user) },
  ];
}

function passwordWords({ password, password_hash }: TestUser): string {
  if (password_hash !== undefined) return 'Set as a hash. A new password replaces it; empty keeps it.';
  return password === undefined ? 'None: any password works.' : 'Set. A new password replaces it; empty keeps it.';
}

/** The members that the form below the row changes. */
export function readUserRow(user: TestUser, typed: URLSearchParams): RowChange {
  const roles = changedRoles(user, typed.get('roles'));
  if (roles?.some(role => /["'[\]{}]/.test(role))) {
    const expected = 'words with spaces or commas between them, without quotes or brackets, such as admin buyer';
    return { ...noChange, problems: [{ member: 'roles', sent: typed.get('roles') ?? '', expected }] };
  }
  const changed = texts.flatMap(name => {
    const text = typed.get(name)?.trim();
    return text === undefined || text === textOf(user.claims[name]) ? [] : [[name, text || undefined] as const];
  });
  const withRoles = new Set<string>(roles === undefined ? [] : placesOfRoles(user));
  const members = objects.map(name => {
    const texts = name === 'claims' ? Object.fromEntries(changed) : {};
    return [name, without({ ...user[name], ...texts, ...(withRoles.has(name) ? { roles } : {}) })] as const;
  });
  const password = typed.get('password') ?? '';
  return {
    ...noChange,
    members: {
      ...Object.fromEntries(members.filter(([name, value]) => !isSameJson(value, user[name]))),
      ...(password === '' ? {} : { password }),
    },
    names: [
      ...changed.map(([name]) => (name === 'email' ? 'e-mail' : name)),
      ...(roles === undefined ? [] : ['roles']),
      ...(password === '' ? [] : ['password']),
    ],
  };
}

/** Texts of problems by field: `claims.email` belongs to `email`. */
export function userRowProblems(problems: readonly ChangeProblem[]): FieldTexts {
  return byField(problems.map(problem => [problem.member.replace(/^\w+\./, ''), problemText(problem)]));
}

function textOf(claim: unknown): string {
  return typeof claim === 'string' ? claim : '';
}

function without(claims: Members): Members {
  return Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== undefined));
}

/** Where the roles of a user are; those of a user without any come into the access tokens. */
function placesOfRoles(user: TestUser): readonly (typeof objects)[number][] {
  const found = objects.filter(name => Object.hasOwn(user[name], 'roles'));
  return found.length === 0 ? ['access_token_claims'] : found;
}

/** Each role once; undefined for roles that are no words. */
function rolesOf(user: TestUser): readonly string[] | undefined {
  const all = objects.flatMap(name => user[name].roles ?? []);
  const isPlain = objects.every(name => Array.isArray(user[name].roles ?? []));
  const words = all.filter(each => typeof each === 'string' && /^[^\s,]+$/.test(each));
  return isPlain && words.length === all.length ? [...new Set(words.map(String))] : undefined;
}

function changedRoles(user: TestUser, typed: string | null): readonly string[] | undefined {
  const before = rolesOf(user);
  if (typed === null || before === undefined) return undefined;
  const roles = [...new Set(typed.split(/[\s,]+/).filter(role => role !== ''))];
  return isSameJson(roles, before) ? undefined : roles;
}
