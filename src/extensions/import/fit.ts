import { firstOf } from '../../base/text/words.ts';
import { checkClient } from '../../sandbox/config/client/client-rules.ts';
import type { Finding, Path } from '../../sandbox/config/problem.ts';
import type { ClientEntry, ScopeEntry, UserEntry } from '../../sandbox/config/sandbox-config.ts';
import { checkScope } from '../../sandbox/config/scope-entry.ts';
import { checkUser } from '../../sandbox/config/user-entry.ts';
import { type ExportPart, tell } from './members.ts';
import type { Notes } from './notes.ts';
import type { ExportPath } from './trace.ts';

/** Names the users of hashes that only newer versions of Node can check. */
export function tellArgon2(found: ExportPart, users: readonly UserEntry[]): void {
  const names = users.filter(each => each.password_hash?.startsWith('$argon2')).map(each => each.username ?? each.sub);
  if (names.length === 0) return;
  const meaning = `the Argon2 hashes of ${firstOf(names)} are checked with Node 24.7 or newer; older ones accept any password`;
  tell(found, meaning);
}

/** Makes entries such that a start accepts them. Undefined for an entry that cannot be made so. */
export interface Fitting {
  client(entry: ClientEntry, path: ExportPath): ClientEntry | undefined;
  user(entry: UserEntry, path: ExportPath): UserEntry | undefined;
  scope(name: string, entry: ScopeEntry, path: ExportPath): ScopeEntry | undefined;
}

/** Checks entries by the rules of a configuration file. Users come first: a client cannot have the name of a user. */
export function fitting(notes: Notes): Fitting {
  const names = { sub: new Set<string>(), username: new Set<string>(), client_id: new Set<string>() };
  const isTaken = (kind: keyof typeof names, name: string, path: ExportPath) => {
    const taken = names[kind].has(name) || (kind === 'client_id' && names.sub.has(name));
    if (taken) notes.tell(path, `left out, because another entry has the same \`${kind}\``);
    names[kind].add(name);
    return taken;
  };
  return {
    client(entry, path) {
      const fit = withoutProblems(withText(entry), checkClient, path, notes);
      return fit === undefined || isTaken('client_id', fit.client_id, path) ? undefined : fit;
    },
    user(entry, path) {
      const fit = withoutProblems(withSubject(entry, path, notes), checkUser, path, notes);
      if (fit === undefined || isTaken('sub', fit.sub, path)) return undefined;
      return isTaken('username', fit.username ?? fit.sub, path) ? undefined : fit;
    },
    scope: (name, entry, path) => withoutProblems(entry, each => checkScope(name, each), path, notes),
  };
}

/** OIDC Core §2 limits `sub` to 255 ASCII characters, and not the name of the user: the name stays, and is encoded as `sub`. */
function withSubject(entry: UserEntry, path: ExportPath, notes: Notes): UserEntry {
  const { sub, username = sub } = entry;
  const encoded = sub
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replace(/[^\x20-\x7e]+/g, encodeURIComponent)
    .slice(0, 255);
  if (encoded === sub) return entry;
  notes.tell(path, '`sub` is the name in ASCII here, as OIDC Core §2 demands; the user signs in by the name itself');
  return { ...entry, sub: encoded, username };
}

/** The other servers write one audience as text into a token, whatever their configuration has. */
function withText(entry: ClientEntry): ClientEntry {
  const { audience } = entry;
  const [only] = typeof audience === 'string' ? [] : (audience ?? []);
  return only !== undefined && audience?.length === 1 ? { ...entry, audience: only } : entry;
}

/** Leaves out the members that have problems, and the entry if it has problems even so. */
function withoutProblems<Entry extends object>(
  entry: Entry,
  check: (entry: Entry) => readonly Finding[],
  path: ExportPath,
  notes: Notes,
): Entry | undefined {
  let kept = entry;
  for (let round = 0; round < 3; round += 1) {
    const findings = check(kept);
    if (findings.length === 0) return kept;
    for (const { path: member, expected } of findings) {
      const effect = member[0] === 'password_hash' && !('password' in kept) ? '; any password is accepted' : '';
      notes.tell(path, `\`${member.slice(0, 2).join('.').slice(0, 100)}\` left out: expected ${expected}${effect}`);
      kept = without(kept, member);
    }
  }
  notes.tell(path, 'left out, because it cannot be an entry of the new file');
  return undefined;
}

/** A copy without the member of that path: one claim of an object, otherwise the whole member. */
function without<Entry extends object>(entry: Entry, [member, inner]: Path): Entry {
  const value: unknown = Object.entries(entry).find(([name]) => name === member)?.[1];
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  const rest = Object.entries(entry).filter(([name]) => name !== member);
  const left = isObject && inner !== undefined ? Object.entries(value).filter(([name]) => name !== inner) : [];
  // only members are left out that an entry need not have; `check` looks again
  return Object.fromEntries(left.length === 0 ? rest : [...rest, [member, Object.fromEntries(left)]]) as Entry;
}
