import { readdirSync, readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const folders = ['.ci', 'bench', 'deploy', 'docs', 'examples', 'fixtures', 'scripts', 'src', 'templates', 'test'];
const notOurs = /(^|\/)(node_modules|dist|assets|screenshots)(\/|$)/;

function filesIn(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(root.length + 1))
    .filter(path => !notOurs.test(path));
}

const atTop = readdirSync(root).filter(name => ['.md', '.ts', '.mjs'].includes(extname(name)) || name === 'Dockerfile');
const files = [...atTop, ...folders.flatMap(filesIn)];
const documents = new Set(files.filter(path => path.endsWith('.md')).map(path => basename(path)));

/** The comments of code, and all of a document: other text may name a file that a test or a user writes. */
function prose(path: string): string {
  const text = readFileSync(join(root, path), 'utf8');
  if (path.endsWith('.md')) return text;
  return text
    .split('\n')
    .filter(line => /(^|\s)(\/\/|\/?\*\*?|#)\s/.test(line))
    .join('\n');
}

it('cites no document that is not in this repository', () => {
  const missing = files.flatMap(path =>
    [...prose(path).matchAll(/\b[A-Za-z][\w-]*\.md\b/g)]
      .filter(([name]) => !documents.has(name))
      .map(([name]) => `${path}: ${name}`),
  );
  expect(missing).toEqual([]);
});
