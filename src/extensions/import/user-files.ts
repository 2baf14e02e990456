import { isRecord } from '../../base/text/record.ts';
import type { ExportFile } from './imported.ts';

/** Written by `kc.sh export --dir` beside `<realm>-realm.json`. */
const userFile = /-(?:federated-)?users-\d+\.json$/;

interface Collected {
  readonly exports: readonly ExportFile[];
  /** For each file of users without a realm, a sentence. */
  readonly orphans: readonly string[];
}

/** Puts the users of `<realm>-users-<n>.json` into their realm. */
export function withUserFiles(files: readonly ExportFile[]): Collected {
  const isOfUsers = ({ name, value }: ExportFile) => userFile.test(name) && isRecord(value);
  const parts = files.filter(isOfUsers);
  const exports = files.filter(file => !isOfUsers(file));
  if (parts.length === 0) return { exports, orphans: [] };
  const users = new Map<unknown, unknown[]>();
  for (const { value } of parts) {
    const { realm, users: list, federatedUsers } = value as Readonly<Record<string, unknown>>; // the filter above
    const known = users.get(realm) ?? [];
    for (const each of [list, federatedUsers]) if (Array.isArray(each)) for (const user of each) known.push(user);
    users.set(realm, known);
  }
  const isThere = (realm: unknown) => exports.some(({ value }) => isRecord(value) && value.realm === realm);
  const orphans = parts.filter(({ value }) => isRecord(value) && !isThere(value.realm));
  return {
    exports: exports.map(file => withUsers(file, users)),
    orphans: orphans.map(({ name }) => `${name} has users of a realm that no other file of the folder has`),
  };
}

function withUsers(file: ExportFile, users: ReadonlyMap<unknown, readonly unknown[]>): ExportFile {
  const { value } = file;
  const added = isRecord(value) ? users.get(value.realm) : undefined;
  if (!isRecord(value) || added === undefined) return file;
  const own = Array.isArray(value.users) ? value.users : [];
  return { ...file, value: { ...value, users: [...own, ...added] } };
}
