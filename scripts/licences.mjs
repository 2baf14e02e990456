// What the dependencies allow: an audit of everything installed, and the notices that the bundled ones ask for.
//
//   node scripts/licences.mjs                     fails when a package's licence is not on the list
//   node scripts/licences.mjs --notices <file>    writes the licence texts of what is bundled into dist/
//   node scripts/licences.mjs --sbom <file>       writes the list of what is bundled, as SPDX 2.3
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';

const permissive = [
  'MIT',
  'MIT-0',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'Python-2.0',
  'CC0-1.0',
  'Unlicense',
];
/** Tools that are run and never shipped may also be under a weak copyleft of their own files, or attribution for data. */
const toolsOnly = ['MPL-2.0', 'CC-BY-4.0'];

/** Packages older than npm's `license` member: what a file of their own says, read once. */
const statedInFile = { 'parse-cache-control@1.0.1': 'BSD-3-Clause', 'pause@0.0.1': 'MIT' };

const root = join(import.meta.dirname, '..');
/** Where packages are installed; those of tests are run and never shipped. */
const folders = ['.', 'test/browser', 'test/judges'];
const bundled = await findBundled();

const { notices, sbom } = parseArgs({ options: { notices: { type: 'string' }, sbom: { type: 'string' } } }).values;
if (notices !== undefined) writeNotices(notices);
if (sbom !== undefined) writeSbom(sbom);
if (notices === undefined && sbom === undefined) audit();

function audit() {
  const installed = folders.flatMap(packagesIn);
  const problems = installed.flatMap(({ path, locked }) => {
    // a package for another platform is known by the lock file alone
    const isHere = existsSync(join(root, path, 'package.json'));
    const { name = path, version, license: told, licenses: choices } = isHere ? manifest(path) : locked;
    const license = told ?? statedInFile[`${name}@${version}`] ?? spdxOf(choices) ?? '';
    const allowed = bundled.has(path) ? permissive : [...permissive, ...toolsOnly];
    return isAllowed(license, allowed) ? [] : [`${name}@${version}: ${JSON.stringify(license)} is not on the list`];
  });
  console.log(`${installed.length} packages in the lock files, ${bundled.size} of them bundled into what ships`);
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}

function packagesIn(folder) {
  const { packages } = JSON.parse(readFileSync(join(root, folder, 'package-lock.json'), 'utf8'));
  const others = Object.entries(packages).filter(([path]) => path !== '');
  return others.map(([path, locked]) => ({ path: join(folder, path), locked }));
}

/** As package.json had it before there was one expression. */
function spdxOf(choices) {
  return Array.isArray(choices) ? choices.map(({ type }) => type).join(' OR ') : undefined;
}

/** An SPDX expression of names joined by OR and AND. */
function isAllowed(license, allowed) {
  if (typeof license !== 'string' || license === '') return false;
  return license
    .replace(/[()]/g, '')
    .split(' OR ')
    .some(choice => choice.split(' AND ').every(name => allowed.includes(name)));
}

/** Packages whose licences differ in the copyright line alone share one text. */
function writeNotices(file) {
  const groups = new Map();
  for (const path of [...bundled].sort()) {
    const text = licenceText(path);
    const lines = text.split('\n').map(line => line.trim());
    const holders = lines.filter(line => /^copyright (\(c\)|©|\d)/i.test(line));
    const isTitle = line => /^\(?(the )?(mit|isc|bsd)( license| licence)?\)?$/i.test(line.replace(/[=#]/g, '').trim());
    const body = lines.filter(line => !holders.includes(line) && !isTitle(line)).join(' ');
    const key = body.toLowerCase().replace(/[^a-z]/g, '');
    const group = groups.get(key) ?? { packages: [], text };
    const { name, version, license } = manifest(path);
    group.packages.push([`${name} ${version} (${license})`, ...holders.map(holder => `    ${holder}`)].join('\n'));
    groups.set(key, group);
  }
  const texts = [...groups.values()].map(({ packages, text }) => `${packages.join('\n')}\n\n${text}\n`);
  const rule = '-'.repeat(80);
  writeFileSync(
    file,
    `What is bundled into the files of dist/. Under each list is the licence of the packages in it,\nin the words of the first one.\n\n${texts.join(`\n${rule}\n\n`)}`,
  );
}

/** A scanner of images sees one file and no packages: this names them (https://spdx.github.io/spdx-spec/v2.3/). */
function writeSbom(file) {
  const own = manifest('.');
  const all = [own, ...[...bundled].sort().map(manifest)].map(toSpdxPackage);
  // a package may be installed in several folders
  const packages = [...new Map(all.map(each => [each.SPDXID, each])).values()];
  const [described, ...contained] = packages.map(({ SPDXID }) => SPDXID);
  const relate = (spdxElementId, relationshipType, relatedSpdxElement) => ({
    ...{ spdxElementId, relationshipType, relatedSpdxElement },
  });
  const epoch = Number(process.env.SOURCE_DATE_EPOCH ?? Math.floor(Date.now() / 1000));
  const digest = createHash('sha256').update(JSON.stringify(packages)).digest('hex');
  const document = {
    spdxVersion: 'SPDX-2.3',
    dataLicense: 'CC0-1.0',
    SPDXID: 'SPDXRef-DOCUMENT',
    name: `${own.name}-${own.version}`,
    documentNamespace: `https://spdx.org/spdxdocs/${own.name}-${own.version}-${digest}`,
    creationInfo: {
      created: new Date(epoch * 1000).toISOString().replace('.000', ''),
      creators: [`Tool: ${own.name}-licences-${own.version}`],
    },
    packages,
    relationships: [
      relate('SPDXRef-DOCUMENT', 'DESCRIBES', described),
      ...contained.map(id => relate(described, 'CONTAINS', id)),
    ],
  };
  writeFileSync(file, `${JSON.stringify(document, undefined, 2)}\n`);
}

function toSpdxPackage({ name, version, license }) {
  return {
    name,
    SPDXID: `SPDXRef-${`${name}-${version}`.replace(/[^A-Za-z0-9.-]+/g, '-')}`,
    versionInfo: version,
    downloadLocation: 'NOASSERTION',
    filesAnalyzed: false,
    licenseConcluded: 'NOASSERTION',
    licenseDeclared: license ?? 'NOASSERTION',
    copyrightText: 'NOASSERTION',
    externalRefs: [
      {
        referenceCategory: 'PACKAGE-MANAGER',
        referenceType: 'purl',
        referenceLocator: `pkg:npm/${name.replace('@', '%40')}@${version}`,
      },
    ],
  };
}

function licenceText(path) {
  const entries = readdirSync(join(root, path));
  const own = entries.find(entry => /^licen[cs]e(\.|$|-mit)/i.test(entry));
  if (own !== undefined) return readFileSync(join(root, path, own), 'utf8').trim();
  const { author, license } = manifest(path);
  return `Copyright (c) ${author?.name ?? author ?? 'the authors'}\nUnder the licence ${license}; the package has no file with its text.`;
}

/** Packages of which something ends up in the bundle, by their folders. */
async function findBundled() {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['src/main.ts'],
    outdir: 'dist',
    bundle: true,
    platform: 'node',
    external: ['jiti'],
    write: false,
    metafile: true,
    loader: { '.md': 'text' },
    logLevel: 'error',
  });
  const inputs = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.entries(inputs));
  const files = inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([file]) => file);
  return new Set(files.flatMap(file => file.match(/^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0] ?? []));
}

function manifest(path) {
  return JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'));
}
