import { join } from 'node:path';
import { joined } from '../../../src/extensions/import/arrange.ts';
import { readImports } from '../../../src/extensions/import/read-imports.ts';
import type { SandboxConfig } from '../../../src/sandbox/config/sandbox-config.ts';
import { loadConfig } from '../../support/load-config.ts';
import { newFolder } from '../../support/new-folder.ts';

/** What an import of these files makes. A single file is named alone, several are a folder. */
export interface ImportedFiles {
  readonly config: SandboxConfig;
  readonly notes: readonly string[];
  readonly problems: readonly string[];
  readonly titles: readonly string[];
}

/** Writes the files, imports them or the one that is named, and loads what was made, so that a start would accept it. */
export async function importFiles(
  files: Readonly<Record<string, unknown>>,
  env: Readonly<Record<string, string>> = {},
  alone?: string,
): Promise<ImportedFiles> {
  const folder = newFolder(files);
  const [only = '', another] = Object.keys(files);
  const file = alone ?? (another === undefined ? only : undefined);
  const named = file === undefined ? { path: folder, name: 'folder' } : { path: join(folder, file), name: file };
  const { imports: found, problems, skipped } = await readImports({ ...named, env });
  const { imports, config } = joined(found);
  await loadConfig({ overrides: config });
  return {
    config,
    notes: [...imports.flatMap(each => each.notes), ...skipped],
    problems,
    titles: imports.map(({ title }) => title),
  };
}
