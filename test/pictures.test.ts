import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { documents, linksOf, root, textOf } from './support/documents.ts';

const folder = 'docs/screenshots';
const files = readdirSync(join(root, folder)).sort();

describe(folder, () => {
  it('has the pictures that documents show, and no other file', () => {
    const shown = documents.flatMap(linksOf).filter(({ path }) => path.startsWith(`${folder}/`));
    expect([...new Set(shown.map(({ path }) => path))].sort()).toEqual(files.map(file => `${folder}/${file}`));
  });

  it('has the pictures that `npm run screenshots` makes', () => {
    const made = [...textOf('scripts/screenshots.ts').matchAll(/'([\w-]+\.(?:png|webp))':/g)].map(([, file]) => file);
    expect(made.sort()).toEqual(files);
  });

  it('is small: at most 14 files and 2 MB', () => {
    const bytes = files.map(file => statSync(join(root, folder, file)).size);
    expect(bytes.length).toBeLessThanOrEqual(14);
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(2_000_000);
  });
});
