import { isRecord } from '../../base/text/record.ts';
import type { ExportFile } from './imported.ts';

/** The variable of oidc-server-mock for a list that a file has; undefined for other files. */
function variableOf({ name, value }: ExportFile): string | undefined {
  if (!Array.isArray(value) || value.length === 0 || !value.every(isRecord)) return undefined;
  const [first = {}] = value;
  if ('ClientId' in first) return 'CLIENTS_CONFIGURATION_INLINE';
  if ('SubjectId' in first) return 'USERS_CONFIGURATION_INLINE';
  if (typeof first.Name !== 'string') return undefined;
  const kind = kinds.find(([, words]) => words.test(name)) ?? kinds.find(([, , member]) => member in first);
  return `${kind?.[0] ?? 'API_SCOPES'}_INLINE`;
}

/** All three are lists of `Name`: the name of the file says which one it is, or else a member. */
const kinds = [
  ['IDENTITY_RESOURCES', /identit/i, 'ClaimTypes'],
  ['API_RESOURCES', /resource/i, 'Scopes'],
  ['API_SCOPES', /scope/i, 'Name'],
] as const;

/** Puts the lists of oidc-server-mock together, because clients get the audiences of scopes that another list has. */
export function withMockLists(files: readonly ExportFile[]): readonly ExportFile[] {
  const lists = files.map(file => ({ file, variable: variableOf(file) }));
  const value: Record<string, readonly unknown[]> = {};
  const parts: Record<string, string> = {};
  for (const { file, variable } of lists) {
    if (variable === undefined || !Array.isArray(file.value)) continue;
    value[variable] = [...(value[variable] ?? []), ...file.value];
    parts[variable] = parts[variable] === undefined ? file.name : `${parts[variable]}, ${file.name}`;
  }
  const others = lists.flatMap(({ file, variable }) => (variable === undefined ? [file] : []));
  if (others.length === files.length) return files;
  return [{ name: [...new Set(Object.values(parts))].join(', '), value, parts }, ...others];
}
