// Builds what ships: the program as one file, the libraries that few starts need as files beside it, the fixtures for test
// runners, and the scripts and styles of the pages. The program is CommonJS because Node loads that faster than an ES module.
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
  compression: ['compression'],
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

function library({ name, modules }) {
  // `import` takes the whole of a CommonJS file for the default export
  const one = `const all = require('${modules[0]}'); module.exports = all.default ?? all;`;
  const contents = modules.length === 1 ? one : modules.map(each => `export * from '${each}';`).join('');
  return { ...commonJs, stdin: { contents, resolveDir: '.' }, outfile: `dist/${name}.cjs` };
}

const program = {
  ...commonJs,
  entryPoints: ['src/main.ts'],
  outfile: 'dist/program.cjs',
  alias: Object.fromEntries(libraries.flatMap(({ name, modules }) => modules.map(each => [each, `./${name}.cjs`]))),
  external: ['jiti', './*.cjs'], // jiti is a dependency: it loads clients.config.ts where Node itself cannot
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
  plugins: [{ name: 'index', setup: ({ onResolve }) => onResolve({ filter: /\/index\.ts$/ }, () => grantbox) }],
};
const grantbox = { path: './grantbox.cjs', external: true };

const scripts = ['check-session', 'dashboard', 'form-post', 'logged-out', 'login', 'message'];
const styles = ['document', 'gate-page', 'grantbox'];
const ofLessons = ['browser/lessons.ts', 'browser/workshop.ts', 'styles/*-page.css', 'styles/playground.css'];
const pages = {
  ...common,
  entryPoints: [
    ...scripts.map(name => `src/dashboard/browser/${name}.ts`),
    ...styles.map(name => `src/dashboard/styles/${name}.css`),
    ...ofLessons.map(path => `src/extensions/lessons/${path}`),
  ],
  entryNames: '[name]',
  outdir: 'templates/assets',
  format: 'esm',
  target: 'es2022',
};

await Promise.all([program, fixtures, pages, ...libraries.map(library)].map(options => build(options)));
await stop();
await copyFile('src/grantbox.cjs', 'dist/grantbox.cjs');
leaveStamp('bundle', digest);
