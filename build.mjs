// Builds what ships: one CommonJS file, the packs of what it loads later, and the browser scripts beside the templates.
// `--watch` builds again on every change and restarts the sandbox.
import { spawn } from 'node:child_process';
import { readFileSync, realpathSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { build, context, stop } from 'esbuild';
import { pack } from './bundle/pack.mjs';
import { digestInputs, leaveStamp } from './bundle/stamp.mjs';

const main = 'dist/grantbox.cjs';

/** Of package.json a program needs the version alone: the rest would be 4 kB of each start. */
const versionAlone = {
  name: 'version-alone',
  setup({ onLoad }) {
    onLoad({ filter: /package\.json$/ }, ({ path }) => {
      if (path !== resolve('package.json')) return undefined;
      const { version } = JSON.parse(readFileSync(path, 'utf8'));
      return { contents: JSON.stringify({ version }), loader: 'json' };
    });
  },
};

/** The MCP server has no use for the validator of forms, which its SDK loads all the same: 180 kB. */
const unused = { ajv: './bundle/ajv.cjs', 'ajv-formats': './bundle/ajv.cjs' };

const server = {
  entryPoints: { main: 'src/main.ts' },
  outdir: 'dist/chunks',
  chunkNames: '[name]-[hash]',
  bundle: true,
  splitting: true,
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  metafile: true,
  write: false,
  legalComments: 'none',
  // loads clients.config.ts where Node itself cannot; not in the image, whose Node can
  external: ['jiti'],
  // the texts of the lessons
  loader: { '.md': 'text' },
  // parts of Express that are loaded whether they are used or not: 800 KB, and their share of every start
  alias: {
    'body-parser': './bundle/body-parser.cjs',
    'mime-db': './bundle/mime-db.cjs',
    qs: './bundle/qs.cjs',
    ...unused,
  },
  define: { 'import.meta.dirname': '__dirname', 'import.meta.url': '__fileUrl' },
  plugins: [versionAlone],
  logLevel: 'warning',
};

/** Fixtures for tests: modules beside the library, which they load as an importing program does. */
const fixtures = {
  entryPoints: ['vitest', 'playwright', 'testcontainers'].map(name => ({
    in: `src/client/fixtures/${name}.ts`,
    out: name,
  })),
  outdir: 'dist',
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  packages: 'external',
  plugins: [
    {
      name: 'library',
      setup({ onResolve }) {
        onResolve({ filter: /\/index\.ts$/ }, () => ({ path: './grantbox.cjs', external: true }));
      },
    },
  ],
  logLevel: 'warning',
};

const browser = {
  entryPoints: {
    'check-session': 'src/dashboard/browser/check-session.ts',
    dashboard: 'src/dashboard/browser/dashboard.ts',
    'form-post': 'src/dashboard/browser/form-post.ts',
    'logged-out': 'src/dashboard/browser/logged-out.ts',
    message: 'src/dashboard/browser/message.ts',
    login: 'src/dashboard/browser/login.ts',
    grantbox: 'src/dashboard/styles/grantbox.css',
    'gate-page': 'src/dashboard/styles/gate-page.css',
    document: 'src/dashboard/styles/document.css',
    lessons: 'src/extensions/lessons/browser/lessons.ts',
    'lessons-page': 'src/extensions/lessons/styles/lessons-page.css',
    playground: 'src/extensions/lessons/styles/playground.css',
    workshop: 'src/extensions/lessons/browser/workshop.ts',
    'workshop-page': 'src/extensions/lessons/styles/workshop.css',
  },
  outdir: 'templates/assets',
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  logLevel: 'warning',
};

async function writeServer({ metafile, outputFiles }) {
  const root = `${process.cwd()}/`;
  const texts = new Map(outputFiles.map(({ path, text }) => [path.replace(root, ''), text]));
  await mkdir('dist', { recursive: true });
  const { file, packs } = await pack(metafile, texts);
  // each in one step: what runs goes on reading the pack it has opened
  for (const [name, packed] of packs) await writeFile(`dist/${name}.new`, packed);
  await writeFile(`${main}.new`, file, { mode: 0o755 });
  for (const [name] of packs) await rename(`dist/${name}.new`, `dist/${name}`);
  await rename(`${main}.new`, main);
  // the declarations describe the CommonJS file, whatever the package's own sources are
  await mkdir('dist/types/src/client/fixtures', { recursive: true });
  await writeFile('dist/types/package.json', '{ "type": "commonjs" }\n');
  await writeFile('dist/types/src/client/fixtures/package.json', '{ "type": "module" }\n');
}

/** Builds once, and ends the process of esbuild. */
export async function buildAll() {
  const digest = digestInputs();
  await Promise.all([build(server).then(writeServer), build(browser), build(fixtures)]);
  await stop();
  leaveStamp('bundle', digest);
}

async function watch() {
  let child;
  endWithNpm(() => child?.kill('SIGTERM'));
  const restart = {
    name: 'restart',
    setup({ onEnd }) {
      onEnd(async result => {
        if (result.errors.length > 0) return;
        await writeServer(result);
        child?.kill('SIGTERM');
        child = spawn(process.execPath, [main], { stdio: 'inherit' });
      });
    },
  };
  const contexts = await Promise.all([
    context(browser),
    context(fixtures),
    context({ ...server, plugins: [...server.plugins, restart] }),
  ]);
  await contexts[0].rebuild(); // the sandbox does not start without the styles
  await Promise.all(contexts.map(each => each.watch()));
}

/** npm passes a signal on to the shell of this script alone, and some shells end without telling the script. */
function endWithNpm(stopChild) {
  const end = () => {
    stopChild();
    process.exit();
  };
  process.once('SIGTERM', end);
  if (process.env.npm_lifecycle_event !== 'dev') return;
  const parent = process.ppid;
  setInterval(() => process.ppid === parent || end(), 100);
}

if (import.meta.filename === realpathSync(process.argv[1]))
  await (process.argv.includes('--watch') ? watch() : buildAll());
