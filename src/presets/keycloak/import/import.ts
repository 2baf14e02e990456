import { ExportTooLarge } from './budget.ts';
import { printConfig } from './print.ts';
import { readJson } from './read-json.ts';
import { importRealm } from './realm.ts';

export { mostBytes } from './read-json.ts';

/** The text of a `clients.config.ts`, and a line for each thing that it does not have. */
export interface ImportedText {
  readonly text: string;
  readonly notes: readonly string[];
}

/** Turns the text of a realm export into the text of a configuration, or says why it is not a realm export. */
export function importText(text: string): ImportedText | { readonly fault: string } {
  const read = readJson(text);
  if ('fault' in read) return read;
  try {
    const imported = importRealm(read.value);
    return 'fault' in imported ? imported : { text: printConfig(imported.config), notes: imported.notes };
  } catch (error) {
    if (error instanceof ExportTooLarge) return { fault: error.message };
    throw error;
  }
}
