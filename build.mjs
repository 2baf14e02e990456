// Builds what ships. The program is CommonJS because Node loads that faster than an ES module.
import { copyFile } from 'node:fs/promises';
import { build, stop } from 'esbuild';
import { digestInputs, leaveStamp } from './scripts/stamp.mjs';

const digest = digestInputs();
const common = { bundle: true, minify: true, legalComments: 'none', logLevel: 'warning' };
const node = { ...common, platform: 'node', target: 'node20.19' };
const commonJs = {
  ...node,
  define: { 'import.meta.dirname': '__dirname', 'import.meta.url': '__url' },
  banner: { js: "const __url=require('node:url').pathToFileURL(__filename).href;" },
};

/** The libraries that are read on first use: the name of each file, and the modules in it. All others are in the program. */
const libraries = Object.entries({
  bcrypt: ['bcryptjs'],
  express: ['express'],
  limit: ['express-rate-limit'],
  marked: ['marked'],
  mcp: ['server/index.js', 'server/stdio.js', 'types.js'].map(name => `@modelcontextprotocol/sdk/${name}`),
  pretty: ['pino-pretty'],
  prometheus: ['prom-client'],
  qr: ['uqr'],
  redis: ['@redis/client'],
  x509: ['@peculiar/x509'],
  yaml: ['yaml'],
  yargs: ['yargs'],
}).map(([name, modules]) => ({ name, modules }));

/** Leaves a module in the file at `path`, which others share. */
function elsewhere(name, path) {
  const found = ({ kind }) => (kind === 'entry-point' ? undefined : { path, external: true });
  return { name, setup: ({ onResolve }) => onResolve({ filter: new RegExp(`/${name}\\.ts$`) }, found) };
}

function library({ name, modules }) {
  const one = `const all = require('${modules[0]}'); module.exports = all.default ?? all;`; // as `import` takes CommonJS
  const contents = modules.length === 1 ? one : modules.map(each => `export * from '${each}';`).join('');
  return { ...commonJs, stdin: { contents, resolveDir: '.' }, outfile: `dist/${name}.cjs` };
}

const program = {
  ...commonJs,
  entryPoints: ['src/main.ts'],
  outfile: 'dist/program.cjs',
  alias: Object.fromEntries(libraries.flatMap(({ name, modules }) => modules.map(each => [each, `./${name}.cjs`]))),
  // jiti is a dependency: it loads clients.config.ts where Node itself cannot
  external: ['jiti', './*.cjs'],
  loader: { '.md': 'text' },
};

/** Modules for test runners, which load the library as any other program does. */
const fixtures = {
  ...node,
  entryPoints: ['vitest', 'playwright', 'testcontainers'].map(name => `src/client/fixtures/${name}.ts`),
  format: 'esm',
  outdir: 'dist',
  outExtension: { '.js': '.mjs' },
  packages: 'external',
  plugins: [elsewhere('index', './grantbox.cjs')],
};

const ofSignIn = ['check-session', 'form-post', 'logged-out', 'login', 'message'];
const ofDashboard = ['dashboard', 'page', 'pane', 'presenter', 'row-form'];
const browser = { ...common, format: 'esm', target: 'es2022', entryNames: '[name]', outdir: 'templates/assets' };
const pages = {
  ...browser,
  entryPoints: [
    ...[...ofSignIn, ...ofDashboard].map(name => `src/dashboard/browser/${name}.ts`),
    ...['document', 'grantbox', '*-page'].map(name => `src/dashboard/styles/${name}.css`),
    ...['browser/*.ts', 'styles/*-page.css', 'styles/playground.css'].map(path => `src/extensions/lessons/${path}`),
  ],
  plugins: [elsewhere('page', './page.js')],
};

await Promise.all([program, fixtures, pages, ...libraries.map(library)].map(options => build(options)));
await stop();
await copyFile('src/grantbox.cjs', 'dist/grantbox.cjs');
leaveStamp('bundle', digest);
