import { isRecord } from '../../base/text/record.ts';
import { importAuth0Tenant, isTenant, withTenantFiles } from './auth0.ts';
import { importAuth0Users, isUserList } from './auth0-users.ts';
import { ExportTooLarge } from './budget.ts';
import { importCognitoLocal, importCognitoUsers, isCognitoExport, isCognitoLocal } from './cognito.ts';
import { withServices } from './compose.ts';
import { importEntraManifest, isManifest } from './entra.ts';
import { importFirebaseUsers, isFirebaseExport } from './firebase.ts';
import type { ExportFile, Imported, ImportFormat } from './imported.ts';
import { tellUnread } from './members.ts';
import { importMockOauth2Server, isMockConfig } from './mock-oauth2-server.ts';
import { createNotes } from './notes.ts';
import { importOidcServerMock, isOidcServerMock } from './oidc-server-mock.ts';
import { type NamedExport, readFiles } from './read-files.ts';

/** The result of one imported file or folder. */
export interface Import extends Imported {
  /** The file, for messages. */
  readonly name: string;
  /** The format, such as "a realm export of Keycloak". */
  readonly title: string;
}

/** All that was made of a file or folder. */
export interface ReadImports {
  readonly imports: readonly Import[];
  /** Sentences that begin with the name of a file. */
  readonly problems: readonly string[];
  /** The same for files of a folder that are no exports. */
  readonly skipped: readonly string[];
}

/** Reads and converts all exports of a file or folder. A file of a folder that is no export does not refuse the others. */
export async function readImports(named: NamedExport): Promise<ReadImports> {
  const { files, problems } = await readFiles(named);
  const several = await Promise.all(withTenantFiles(files).map(file => withServices(file, named.env ?? {})));
  const used = new Set(several.flat().flatMap(({ uses = [] }) => uses));
  const all = several.flat().filter(({ path = '' }) => !used.has(path));
  const { exports, orphans } = withUserFiles(withMockLists(all).flatMap(eachOf));
  const converted = await Promise.all(exports.map(convert));
  const imports = converted.flatMap(each => ('config' in each ? [each] : []));
  const unknown = converted.flatMap(each => ('strange' in each ? [each] : []));
  const isRest = imports.length > 0 && files.some(({ name }) => name !== named.name);
  const refused = unknown.map(({ name, strange }) => `${name} cannot be imported: ${strange}`);
  return {
    imports,
    problems: [
      ...[...problems, ...orphans],
      ...converted.flatMap(each => ('problem' in each ? [each.problem] : [])),
      ...(isRest ? [] : refused),
    ],
    skipped: isRest ? unknown.map(({ name, kind }) => `${name}: not imported, because it is ${kind}`) : [],
  };
}

/** One file can have a list of realms. */
function eachOf(file: ExportFile): readonly ExportFile[] {
  const { name, value } = file;
  const isOfSeveral = Array.isArray(value) && value.length > 0 && value.every(each => formatOf(each) !== undefined);
  if (!isOfSeveral || formatOf(value) !== undefined) return [file];
  return value.map((each, index) => ({ name: value.length === 1 ? name : `${name}[${index}]`, value: each }));
}

/** A file that is no export: why, and in short what it is. */
interface Strange {
  readonly name: string;
  readonly strange: string;
  readonly kind: string;
}

async function convert(file: ExportFile): Promise<Import | Strange | { readonly problem: string }> {
  const { name, value, parts, lost = [] } = file;
  const format = formatOf(value);
  if (format === undefined) return lost.length > 0 ? { problem: emptyProblem(name, lost) } : strangeOf(file);
  const notes = createNotes(parts);
  const found = { path: [], notes, value };
  try {
    const config = await format.convert(found);
    tellUnread(found);
    const lines = [...lost, ...notes.lines()];
    if (Object.keys(config).length === 0) return { problem: emptyProblem(name, lines) };
    return { name, title: format.title, config, notes: lines };
  } catch (error) {
    if (error instanceof ExportTooLarge) return { problem: `${name} cannot be imported: ${error.message}` };
    throw error;
  }
}

const mostLines = 10;

/** A file of which nothing is left: a sandbox without it would have its own clients and users. */
function emptyProblem(name: string, lines: readonly string[]): string {
  const shown = [...lines.slice(0, mostLines), ...(lines.length > mostLines ? ['and more'] : [])];
  return `${name} cannot be imported: it has nothing that the new file can have${shown.map(line => `; ${line}`).join('')}`;
}

function strangeOf({ name, value, strange }: ExportFile): Strange {
  const known = formats.map(({ title, sign }) => `${title} has ${sign}`).join('; ');
  const found = isRecord(value) ? 'an object' : Array.isArray(value) ? `a list of ${value.length}` : 'a single value';
  const kind = strange?.replace(/^it is /, '') ?? `${found} of no known kind`;
  return { name, kind, strange: strange ?? `it is ${kind} (${known})` };
}

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
function withMockLists(files: readonly ExportFile[]): readonly ExportFile[] {
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

/** Written by `kc.sh export --dir` beside `<realm>-realm.json`. */
const userFile = /-(?:federated-)?users-\d+\.json$/;

interface Collected {
  readonly exports: readonly ExportFile[];
  /** For each file of users without a realm, a sentence. */
  readonly orphans: readonly string[];
}

/** Puts the users of `<realm>-users-<n>.json` into their realm. */
function withUserFiles(files: readonly ExportFile[]): Collected {
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

/** The exports that can be imported. The first that recognises a file takes it. */
const formats: readonly ImportFormat[] = [
  {
    title: 'a realm export of Keycloak',
    sign: 'a member `realm` with the name of a realm',
    recognises: value => isRecord(value) && typeof value.realm === 'string' && value.realm !== '',
    convert: async found => (await import('./keycloak/realm.ts')).realmConfig(found),
  },
  {
    title: 'the JSON_CONFIG of mock-oauth2-server',
    sign: '`tokenCallbacks`, `interactiveLogin` or `httpServer`',
    recognises: isMockConfig,
    convert: importMockOauth2Server,
  },
  {
    title: 'the configuration of oidc-server-mock',
    sign: '`CLIENTS_CONFIGURATION_INLINE`, or a list with `ClientId`, `SubjectId` or `Name`',
    recognises: isOidcServerMock,
    convert: importOidcServerMock,
  },
  {
    title: 'an Auth0 tenant of the deploy CLI',
    sign: '`clients` with `callbacks`, or `resourceServers`',
    recognises: isTenant,
    convert: importAuth0Tenant,
  },
  {
    title: 'the manifest of an Entra app',
    sign: '`appId` and `signInAudience`',
    recognises: isManifest,
    convert: importEntraManifest,
  },
  {
    title: 'a Firebase export of users',
    sign: '`users` with `localId`',
    recognises: isFirebaseExport,
    convert: importFirebaseUsers,
  },
  {
    title: 'the database of cognito-local',
    sign: '`Clients`, or `Options` and `Users`',
    recognises: isCognitoLocal,
    convert: importCognitoLocal,
  },
  {
    title: 'users of a Cognito pool',
    sign: '`Users` with `Username`, or the column cognito:username',
    recognises: isCognitoExport,
    convert: importCognitoUsers,
  },
  { title: 'a list of Auth0 users', sign: '`email` or `user_id`', recognises: isUserList, convert: importAuth0Users },
];

/** The format of a parsed file. */
export function formatOf(value: unknown): ImportFormat | undefined {
  return formats.find(({ recognises }) => recognises(value));
}
