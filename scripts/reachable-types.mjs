// Leaves only the declarations that the package's faces lead to: tsc writes those of every source it reads.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

const folder = 'dist/types';
const reached = new Set();

function reach(file) {
  if (reached.has(file)) return;
  reached.add(file);
  for (const [, specifier] of readFileSync(file, 'utf8').matchAll(/(?:from |import\()['"](\.[^'"]+)['"]/g)) {
    const declaration = join(dirname(file), specifier.replace(/\.(ts|js)$/, '.d.ts'));
    if (existsSync(declaration)) reach(declaration);
  }
}

const { exports } = JSON.parse(readFileSync('package.json', 'utf8'));
for (const { types } of Object.values(exports)) if (types !== undefined) reach(join('.', types));
const all = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.d.ts'));
for (const file of all) if (!reached.has(join(folder, file))) rmSync(join(folder, file));
console.log(`${reached.size} of ${all.length} declarations are reached from the exports of package.json`);
