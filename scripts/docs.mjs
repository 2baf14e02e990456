// Writes the tables of README.md between their markers, from the table of settings and the table of routes, and the snippets, from
// the templates of the page Connect.
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
const sources = await loadSources();
const { renderSettingsTable, endpointRoutes, otherRoutes, certificateRoutes, defaultPaths } = sources;
const facts = await defaultFacts();

const text = readFileSync(readme, 'utf8');
const written = [
  ['settings', renderSettingsTable()],
  ['endpoints', renderEndpoints()],
  ['snippet curl', `<!-- tested -->\n${await renderSnippet('curl')}`],
  ['snippet spa', await renderSnippet('spa')],
].reduce(replaceBetweenMarkers, text);

if (!process.argv.includes('--check')) writeFileSync(readme, written);
else if (written !== text) {
  console.error('The tables and snippets of README.md are not up to date: npm run docs writes them.');
  process.exitCode = 1;
}

function renderEndpoints() {
  const routes = [...endpointRoutes({ paths: defaultPaths }, ''), ...otherRoutes, ...Object.values(certificateRoutes)];
  const rows = routes.map(
    ({ methods, path, about, source }) => `| ${methods.join(', ')} | \`${path}\` | ${about} | ${source} |`,
  );
  return ['| method | path | what | source |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

/** What the page Connect says of a sandbox without any configuration. */
async function defaultFacts() {
  const { clients, users, collections, loginMode } = await sources.loadConfig({
    cwd: import.meta.dirname,
    overrides: {},
  });
  const endpoints = Object.entries(defaultPaths).map(([name, path]) => ({ name, path }));
  const reach = { allowedHosts: [], scheme: 'http', hasOwnCa: false, canRegister: true, loginMode };
  return sources.connectFacts({ issuer: 'http://localhost:9000', clients, users, collections, endpoints, reach });
}

async function renderSnippet(id) {
  const { language, code } = await sources.snippetOf(id, facts);
  return `\`\`\`${language}\n${code}\`\`\``;
}

function replaceBetweenMarkers(document, [name, content]) {
  const [start, end] = [`<!-- ${name}:start -->`, `<!-- ${name}:end -->`];
  const [before, rest] = document.split(start);
  const after = rest?.split(end)[1];
  if (after === undefined) throw new Error(`README.md has no ${start} … ${end}`);
  return `${before}${start}\n${content}\n${end}${after}`;
}

/** They are TypeScript: bundled into a file of their own, which Node can load. */
async function loadSources() {
  const folder = mkdtempSync(join(tmpdir(), 'grantbox-docs-'));
  try {
    const outfile = join(folder, 'sources.cjs');
    const contents = [
      `export { renderSettingsTable } from './src/config/settings-table.ts';`,
      `export { endpointRoutes } from './src/http/routes.ts';`,
      `export { certificateRoutes, otherRoutes } from './src/http/other-routes.ts';`,
      `export { defaultPaths } from './src/oauth/authorization-server.ts';`,
      `export { loadConfig } from './src/config/load-config.ts';`,
      `export { connectFacts } from './src/dashboard/connect/connect-facts.ts';`,
      `export { snippetOf } from './src/snippets/snippets.ts';`,
    ].join('\n');
    await build({
      stdin: { contents, resolveDir: root, loader: 'ts' },
      bundle: true,
      platform: 'node',
      format: 'cjs',
      outfile,
      external: ['jiti'],
      // from where the templates are found
      define: { 'import.meta.dirname': JSON.stringify(join(root, 'src')) },
      logLevel: 'error',
    });
    return (await import(pathToFileURL(outfile))).default;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
