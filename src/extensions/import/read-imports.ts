import { isRecord } from '../../base/text/record.ts';
import { withTenantFiles } from './auth0.ts';
import { ExportTooLarge } from './budget.ts';
import { withServices } from './compose.ts';
import { formatOf, formats } from './formats.ts';
import type { ExportFile, Imported } from './imported.ts';
import { tellUnread } from './members.ts';
import { withMockLists } from './mock-lists.ts';
import { createNotes } from './notes.ts';
import { type NamedExport, readFiles } from './read-files.ts';
import { withUserFiles } from './user-files.ts';

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
  readonly faults: readonly string[];
  /** The same for files of a folder that are no exports. */
  readonly skipped: readonly string[];
}

/** Reads and converts all exports of a file or folder. A file of a folder that is no export does not refuse the others. */
export async function readImports(named: NamedExport): Promise<ReadImports> {
  const { files, faults } = await readFiles(named);
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
    faults: [
      ...[...faults, ...orphans],
      ...converted.flatMap(each => ('fault' in each ? [each.fault] : [])),
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

async function convert(file: ExportFile): Promise<Import | Strange | { readonly fault: string }> {
  const { name, value, parts, lost = [] } = file;
  const format = formatOf(value);
  if (format === undefined) return lost.length > 0 ? { fault: emptyFault(name, lost) } : strangeOf(file);
  const notes = createNotes(parts);
  const found = { path: [], notes, value };
  try {
    const config = await format.convert(found);
    tellUnread(found);
    const lines = [...lost, ...notes.lines()];
    if (Object.keys(config).length === 0) return { fault: emptyFault(name, lines) };
    return { name, title: format.title, config, notes: lines };
  } catch (error) {
    if (error instanceof ExportTooLarge) return { fault: `${name} cannot be imported: ${error.message}` };
    throw error;
  }
}

const mostLines = 10;

/** A file of which nothing is left: a sandbox without it would have its own clients and users. */
function emptyFault(name: string, lines: readonly string[]): string {
  const shown = [...lines.slice(0, mostLines), ...(lines.length > mostLines ? ['and more'] : [])];
  return `${name} cannot be imported: it has nothing that the new file can have${shown.map(line => `; ${line}`).join('')}`;
}

function strangeOf({ name, value, strange }: ExportFile): Strange {
  const known = formats.map(({ title, sign }) => `${title} has ${sign}`).join('; ');
  const found = isRecord(value) ? 'an object' : Array.isArray(value) ? `a list of ${value.length}` : 'a single value';
  const kind = strange?.replace(/^it is /, '') ?? `${found} of no known kind`;
  return { name, kind, strange: strange ?? `it is ${kind} (${known})` };
}
