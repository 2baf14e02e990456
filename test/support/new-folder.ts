import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const made = new Set<string>();

/** A new folder with these files in it, as text or as JSON; gone after the tests of the file. */
export function newFolder(files: Readonly<Record<string, unknown>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'grantbox-test-'));
  made.add(folder);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return folder;
}

/** The path of a new file with this content, which is alone in its folder. */
export function newFile(name: string, content: unknown): string {
  return join(newFolder({ [name]: content }), name);
}

/** A setup file has it called after the tests of each file. */
export function removeFolders(): void {
  for (const folder of made) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  made.clear();
}
