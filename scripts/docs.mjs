// Writes the tables of README.md between their markers, from the table of settings and the table of routes.
//
//   node scripts/docs.mjs            writes them
//   node scripts/docs.mjs --check    fails when they are not up to date
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '..');
const readme = join(root, 'README.md');
const { renderSettingsTable, endpointRoutes, otherRoutes, certificateRoutes, defaultPaths } = await loadTables();

const text = readFileSync(readme, 'utf8');
const written = [
  ['settings', renderSettingsTable()],
  ['endpoints', renderEndpoints()],
].reduce(replaceBetweenMarkers, text);

if (!process.argv.includes('--check')) writeFileSync(readme, written);
else if (written !== text) {
  console.error('The tables of README.md are not up to date: npm run docs writes them.');
  process.exitCode = 1;
}

function renderEndpoints() {
  const routes = [...endpointRoutes({ paths: defaultPaths }, ''), ...otherRoutes, ...Object.values(certificateRoutes)];
  const rows = routes.map(
    ({ methods, path, about, source }) => `| ${methods.join(', ')} | \`${path}\` | ${about} | ${source} |`,
  );
  return ['| method | path | what | source |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

function replaceBetweenMarkers(document, [name, content]) {
  const [start, end] = [`<!-- ${name}:start -->`, `<!-- ${name}:end -->`];
  const [before, rest] = document.split(start);
  const after = rest?.split(end)[1];
  if (after === undefined) throw new Error(`README.md has no ${start} … ${end}`);
  return `${before}${start}\n${content}\n${end}${after}`;
}

/** The tables are TypeScript: they are bundled into a file of their own, which Node can load. */
async function loadTables() {
  const folder = mkdtempSync(join(tmpdir(), 'grantbox-docs-'));
  try {
    const outfile = join(folder, 'tables.cjs');
    const contents = [
      `export { renderSettingsTable } from './src/config/settings-table.ts';`,
      `export { endpointRoutes } from './src/http/routes.ts';`,
      `export { certificateRoutes, otherRoutes } from './src/http/other-routes.ts';`,
      `export { defaultPaths } from './src/oauth/authorization-server.ts';`,
    ].join('\n');
    await build({
      stdin: { contents, resolveDir: root, loader: 'ts' },
      bundle: true,
      platform: 'node',
      format: 'cjs',
      outfile,
      define: { 'import.meta.dirname': '__dirname' },
      logLevel: 'error',
    });
    return (await import(pathToFileURL(outfile))).default;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
