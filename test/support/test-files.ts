import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const tests = join(import.meta.dirname, '..');

/** The files of `test/` that hold tests, by their path in it. */
export function testFiles(): readonly string[] {
  return filesBelow(tests).filter(file => file.endsWith('.test.ts'));
}

/** All files below a folder, by their path in it, without those of installed packages. */
export function filesBelow(folder: string): readonly string[] {
  const entries = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => name !== 'node_modules');
  return entries.flatMap(entry => {
    if (!entry.isDirectory()) return [entry.name];
    return filesBelow(join(folder, entry.name)).map(file => `${entry.name}/${file}`);
  });
}
