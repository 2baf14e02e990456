// Tells whether what is built is current. A build leaves a stamp in dist/: a digest of the files it read and one of the files it
// wrote. Times of files would not do: a source that is edited during a build is older than what the build writes.
//
//   node scripts/stamp.mjs    stamps the package: the last step of `npm run build`
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The files and folders that a build reads. One that is absent counts as empty: an image is built without some of them. */
export const inputs = [
  'build.mjs',
  'clients.config.ts',
  'node_modules/.package-lock.json', // the versions that are installed
  'package.json',
  'scripts/licences.mjs',
  'scripts/old-lessons.mjs',
  'scripts/reachable-types.mjs',
  'scripts/stamp.mjs',
  'src',
  'tsconfig.json',
  'tsconfig.types.json',
];

/** The files and folders that a build writes: `build.mjs` the bundle, and `npm run build` the whole package. */
const outputs = { bundle: bundleFiles, package: packageFiles };

function bundleFiles() {
  const built = existsSync('dist') ? readdirSync('dist').filter(name => /\.(cjs|mjs)$/.test(name)) : [];
  return ['templates/assets', ...built.map(name => `dist/${name}`)];
}

function packageFiles() {
  return [...bundleFiles(), 'dist/clients.config.schema.json', 'dist/THIRD-PARTY-LICENSES.txt', 'dist/types'];
}

const stampOf = part => `dist/${part}.stamp`;

/** True if a build has read the inputs as they are, and nobody has touched its outputs. `part`: `bundle` or `package`. */
export function isCurrent(part) {
  if (!existsSync(stampOf(part))) return false;
  return readFileSync(stampOf(part), 'utf8') === stampText(part, digestInputs());
}

/** A digest for `leaveStamp`. Take it before the build begins. */
export function digestInputs() {
  return digest(inputs);
}

/** Says that `part` is built, from the inputs with this digest. */
export function leaveStamp(part, digestOfInputs) {
  writeFileSync(stampOf(part), stampText(part, digestOfInputs));
}

const stampText = (part, digestOfInputs) => `${digestOfInputs} ${digest(outputs[part]())}\n`;

function digest(paths) {
  const hash = createHash('sha256');
  for (const file of paths.flatMap(filesAt).sort()) {
    const content = readFileSync(file);
    hash.update(`${file} ${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}

function filesAt(path) {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return [];
  return found.isDirectory() ? readdirSync(path).flatMap(name => filesAt(join(path, name))) : [path];
}

if (import.meta.filename === realpathSync(process.argv[1] ?? '.')) {
  // the bundle was built first: a source that was edited since makes the package stale
  const [digestOfInputs] = readFileSync(stampOf('bundle'), 'utf8').split(' ');
  leaveStamp('package', digestOfInputs);
}
