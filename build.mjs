// Builds what ships: one CommonJS file with everything bundled, and the browser scripts beside the templates.
// `--watch` builds again on every change and restarts the sandbox.
import { spawn } from 'node:child_process';
import { chmod } from 'node:fs/promises';
import { build, context } from 'esbuild';

const watch = process.argv.includes('--watch');
const main = 'dist/grantbox.cjs';

const server = {
  entryPoints: { grantbox: 'src/main.ts' },
  outdir: 'dist',
  outExtension: { '.js': '.cjs' },
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  format: 'cjs',
  minifySyntax: true,
  minifyWhitespace: true,
  sourcemap: true,
  sourcesContent: false,
  legalComments: 'linked',
  // loads clients.config.ts where Node itself cannot; not in the image, whose Node can
  external: ['jiti'],
  define: { 'import.meta.dirname': '__dirname' },
  banner: { js: '#!/usr/bin/env node' },
  footer: { js: 'if (require.main === module) module.exports.main();' },
  logLevel: 'warning',
};

const browser = {
  entryPoints: ['src/browser/dashboard.ts', 'src/browser/form-post.ts'],
  outdir: 'templates/assets',
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  logLevel: 'warning',
};

if (watch) {
  let child;
  const restart = {
    name: 'restart',
    setup({ onEnd }) {
      onEnd(({ errors }) => {
        if (errors.length > 0) return;
        child?.kill('SIGTERM');
        child = spawn(process.execPath, ['--enable-source-maps', main], { stdio: 'inherit' });
      });
    },
  };
  const contexts = await Promise.all([context(browser), context({ ...server, plugins: [restart] })]);
  await Promise.all(contexts.map(each => each.watch()));
} else {
  await Promise.all([build(server), build(browser)]);
  await chmod(main, 0o755);
}
