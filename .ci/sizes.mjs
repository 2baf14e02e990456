// What ships has budgets: each line says how large a thing is and how large it may be.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

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
  ['dist/grantbox.cjs, read at each start', readFileSync('dist/grantbox.cjs').length, 400 * kB],
  ['dist/grantbox.pack, read when first needed', readFileSync('dist/grantbox.pack').length, 730 * kB],
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
  ['npm package, packed', size, 970 * kB],
  ['npm package, unpacked', unpackedSize, 1600 * kB],
  ['npm package, files', files.length, 220],
];
for (const [what, is, most] of budgets) {
  console.log(
    `${is <= most ? 'ok    ' : 'NOT OK'}  ${what}: ${is.toLocaleString('en')} of at most ${most.toLocaleString('en')}`,
  );
}
process.exitCode = budgets.every(([, is, most]) => is <= most) ? 0 : 1;
