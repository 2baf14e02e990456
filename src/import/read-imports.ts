import { isRecord } from '../text/record.ts';
import { ExportTooLarge } from './budget.ts';
import { formatOf, formats } from './formats.ts';
import type { ExportFile, Imported } from './imported.ts';
import { type NamedExport, readFiles } from './read-files.ts';
import { withUserFiles } from './user-files.ts';

/** What was made of one export of a file or folder. */
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
  const { files, faults } = readFiles(named);
  const { exports, orphans } = withUserFiles(files.flatMap(eachOf));
  const converted = await Promise.all(exports.map(convert));
  return {
    imports: converted.flatMap(each => ('fault' in each ? [] : [each])),
    faults: [...faults, ...orphans, ...converted.flatMap(each => ('fault' in each ? [each.fault] : []))],
  };
}

/** One file can have a list of realms. */
function eachOf({ name, value }: ExportFile): readonly ExportFile[] {
  const isOfSeveral = Array.isArray(value) && value.length > 0 && value.every(each => formatOf(each) !== undefined);
  if (!isOfSeveral) return [{ name, value }];
  return value.map((each, index) => ({ name: value.length === 1 ? name : `${name}[${index}]`, value: each }));
}

async function convert({ name, value }: ExportFile): Promise<Import | { readonly fault: string }> {
  const format = formatOf(value);
  if (format === undefined) return { fault: `${name} cannot be imported: ${strangeFault(value)}` };
  const converted = await format.convert(value).catch((error: unknown) => {
    if (error instanceof ExportTooLarge) return { fault: error.message };
    throw error;
  });
  const { title } = format;
  return 'fault' in converted
    ? { fault: `${name} cannot be imported: ${converted.fault}` }
    : { name, title, ...converted };
}

function strangeFault(value: unknown): string {
  const known = formats.map(({ title, sign }) => `${title} has ${sign}`).join('; ');
  const found = isRecord(value) ? 'an object' : Array.isArray(value) ? `a list of ${value.length}` : 'a single value';
  return `it is ${found} of no known kind: ${known}`;
}
