// What ships has budgets, and so has the source: each line says how large a thing is and how large it may be. The program is read
// at each start, a library where it is used first.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { sourceNumbers } from './source-numbers.mjs';

const kB = 1000;
const assets = readdirSync('templates/assets').filter(file => /\.(js|css)$/.test(file));
const zipped = file => gzipSync(readFileSync(join('templates/assets', file))).length;
const packed = JSON.parse(
  execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    encoding: 'utf8',
    shell: process.platform === 'win32',
  }),
);
const [{ size, unpackedSize, files }] = Object.values(packed);

const budgets = [
  ...sourceNumbers('src').map(({ what, is, most }) => [what, is, most]),
  ['dist/program.cjs', readFileSync('dist/program.cjs').length, 2925 * kB],
  // one would make V8 keep the whole program in two bytes a character; esbuild escapes those in strings, and not those in regular expressions
  ['dist/program.cjs, characters outside ASCII', readFileSync('dist/program.cjs').filter(byte => byte > 127).length, 0],
  ['dist/, files', files.filter(({ path }) => path.startsWith('dist/')).length, 40],
  ...assets.map(file => [
    // a page has one script and one stylesheet
    `templates/assets/${file}, gzip`,
    zipped(file),
    12 * kB,
  ]),
  [
    'scripts of all pages, gzip',
    assets.filter(file => file.endsWith('.js')).reduce((sum, file) => sum + zipped(file), 0),
    30 * kB,
  ],
  ['npm package, packed', size, 1956 * kB],
  ['npm package, unpacked', unpackedSize, 6445 * kB],
  ['npm package, files', files.length, 247],
];
for (const [what, is, most] of budgets) {
  console.log(
    `${is <= most ? 'ok    ' : 'NOT OK'}  ${what}: ${is.toLocaleString('en')} of at most ${most.toLocaleString('en')}`,
  );
}
process.exitCode = budgets.every(([, is, most]) => is <= most) ? 0 : 1;
