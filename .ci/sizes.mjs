// What ships has budgets, and so has the source: each line says how large a thing is and how large it may be. A start and the features of every sandbox
// have theirs; what is read only where somebody chose it is a pack of its own in dist/, with a budget of its own, and counts for
// the package beyond the budget of today's features.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { chosenPacks } from './chosen-packs.mjs';
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

const ofChoice = chosenPacks(readdirSync('dist')).map(({ file, what, most }) => [
  `dist/${file}, ${what}, read when chosen`,
  readFileSync(join('dist', file)).length,
  most,
]);
// packs are compressed already: they weigh the same in the package, packed or not
const beyond = ofChoice.reduce((sum, [, bytes]) => sum + bytes, 0);

const budgets = [
  ...sourceNumbers('src').map(({ what, is, most }) => [what, is, most]),
  ['dist/grantbox.cjs, read at each start', readFileSync('dist/grantbox.cjs').length, 400 * kB],
  // the code for teaching (lessons, labs, room, playground, demo application) is 100 kB of it
  ['dist/grantbox.pack, read when first needed', readFileSync('dist/grantbox.pack').length, 830 * kB],
  ...ofChoice,
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
  // the pages for users speak five more languages: 22 kB
  // the page and the commands of the catalogue are templates, as is the demo application: 10 kB
  // teaching may add 250 kB in all: 50 kB are the pack of the lessons, 200 kB are left for pages, scripts and code
  ['npm package, packed, without what is read when chosen', size - beyond, 1200 * kB],
  // 26 kB of it describe the configuration to editors (JSON Schema), 28 kB are grants that a start reads and so are not compressed
  // lists by login, checklists, the palette and forms with a summary have templates of their own
  // the pages for teaching (lessons, labs, stage, room) have templates, scripts and stylesheets
  ['npm package, unpacked, without what is read when chosen', unpackedSize - beyond, 2150 * kB],
  // each kind of page for teaching has templates, a script and a stylesheet of its own
  // the settings of operations, store and webhooks have declarations of their own; webhooks and Share have templates: 11 files
  ['npm package, files, without what is read when chosen', files.length - ofChoice.length, 300],
];
for (const [what, is, most] of budgets) {
  console.log(
    `${is <= most ? 'ok    ' : 'NOT OK'}  ${what}: ${is.toLocaleString('en')} of at most ${most.toLocaleString('en')}`,
  );
}
process.exitCode = budgets.every(([, is, most]) => is <= most) ? 0 : 1;
