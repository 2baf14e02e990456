import { isRecord } from '../text/record.ts';
import { withTenantFiles } from './auth0.ts';
import { ExportTooLarge } from './budget.ts';
import { withServices } from './compose.ts';
import { formatOf, formats } from './formats.ts';
import type { ExportFile, Imported } from './imported.ts';
import { tellUnread } from './members.ts';
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

/** Reads and converts all exports of a file or folder. A fault is a sentence that begins with the name of the file. */
export async function readImports(
  named: NamedExport,
): Promise<{ readonly imports: readonly Import[]; readonly faults: readonly string[] }> {
  const { files, faults } = await readFiles(named);
  const several = await Promise.all(withTenantFiles(files).map(withServices));
  const { exports, orphans } = withUserFiles(several.flat().flatMap(eachOf));
  const converted = await Promise.all(exports.map(convert));
  return {
    imports: converted.flatMap(each => ('fault' in each ? [] : [each])),
    faults: [...faults, ...orphans, ...converted.flatMap(each => ('fault' in each ? [each.fault] : []))],
  };
}

/** One file can have a list of realms. */
function eachOf({ name, value }: ExportFile): readonly ExportFile[] {
  const isOfSeveral = Array.isArray(value) && value.length > 0 && value.every(each => formatOf(each) !== undefined);
  if (!isOfSeveral || formatOf(value) !== undefined) return [{ name, value }];
  return value.map((each, index) => ({ name: value.length === 1 ? name : `${name}[${index}]`, value: each }));
}

async function convert({ name, value, parts, lost = [] }: ExportFile): Promise<Import | { readonly fault: string }> {
  const format = formatOf(value);
  if (format === undefined) return { fault: `${name} cannot be imported: ${strangeFault(value)}` };
  const notes = createNotes(parts);
  const found = { path: [], notes, value };
  try {
    const config = await format.convert(found);
    tellUnread(found);
    return { name, title: format.title, config, notes: [...lost, ...notes.lines()] };
  } catch (error) {
    if (error instanceof ExportTooLarge) return { fault: `${name} cannot be imported: ${error.message}` };
    throw error;
  }
}

function strangeFault(value: unknown): string {
  const known = formats.map(({ title, sign }) => `${title} has ${sign}`).join('; ');
  const found = isRecord(value) ? 'an object' : Array.isArray(value) ? `a list of ${value.length}` : 'a single value';
  return `it is ${found} of no known kind (${known})`;
}
