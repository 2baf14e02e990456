import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { ofOneProcess } from './test/replicas/replicated/of-one-process.ts';
import { testFiles } from './test/support/test-files.ts';

const globalSetup = ['test/support/build.ts'];

/** These put another module in the place of one that the other files have read already. */
const withMocks = testFiles()
  .map(file => `test/${file}`)
  .filter(file => /^vi\.(mock|doMock)\(/m.test(readFileSync(file, 'utf8')));

/** They use what is built. */
const blackBox = 'test/{flows,conformance,deploy}/**/*.test.ts';

/** They need more than the packages of the project, and have commands of their own: `CONTRIBUTING.md` lists them. */
const others = ['test/browser/**', 'test/judges/**', 'test/replicas/**'];

/** Packages that some tests install have tests of their own. */
const packages = ['**/node_modules/**'];

const textModule = (text: string) => ({ code: `export default ${JSON.stringify(text)}`, map: null });

const replicated = join(import.meta.dirname, 'test', 'replicas', 'replicated');

/** The flow tests as they are, where a sandbox is three replicas behind haproxy. */
const replicatedFlows = {
  extends: true as const,
  plugins: [
    {
      name: 'replicated sandboxes',
      enforce: 'pre' as const,
      async resolveId(this: Resolving, source: string, importer: string | undefined) {
        const isSupport = /\/(bundle|child)\.ts$/.test(source);
        if (!isSupport || importer === undefined || importer.startsWith(join(replicated, '..'))) return undefined;
        const found = await this.resolve(source, importer, { skipSelf: true });
        return found?.id.endsWith(`/test/support/${basename(source)}`) ? join(replicated, basename(source)) : found;
      },
    },
  ],
  test: {
    name: 'replicated flows',
    globalSetup: [...globalSetup, 'test/replicas/replicated/engine.ts'],
    isolate: false,
    setupFiles: ['test/support/rsa-keys.ts', 'test/replicas/replicated/skip-not-shared.ts'],
    include: ['test/flows/**/*.test.ts'],
    exclude: Object.keys(ofOneProcess).map(name => `test/flows/${name}.test.ts`),
  },
};

interface Resolving {
  resolve(source: string, importer: string, options: { skipSelf: boolean }): Promise<{ id: string } | null>;
}

/**
 * Unit tests read the sources; `flows` (with the conformance modules), `browser`, `judges` and `replicas` run against the built
 * program, which `test/support/build.ts` makes first.
 */
export default defineConfig({
  // the texts of the lessons, as the build has them
  plugins: [{ name: 'markdown', transform: (text, id) => (id.endsWith('.md') ? textModule(text) : undefined) }],
  test: {
    // one more than there are cores, because tests wait for processes, files and streams
    maxWorkers: availableParallelism() + 1,
    // generous: a machine may be ten times as busy as the one a test was written on
    testTimeout: 180_000,
    hookTimeout: 180_000,
    teardownTimeout: 60_000,
    expect: { poll: { timeout: 60_000 } },
    setupFiles: ['test/support/rsa-keys.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [blackBox, ...others, ...withMocks],
          // the files of a worker share its modules: reading them again for each file took more than a third of the time
          isolate: false,
        },
      },
      { extends: true, test: { name: 'mocks', include: withMocks } },
      // they need an engine: `npm run test:replicas` installs it and runs them
      ...(process.env.TEST_REPLICAS === '1'
        ? [
            {
              extends: true as const,
              test: { name: 'replicas', globalSetup, include: ['test/replicas/**/*.test.ts'] },
            },
            replicatedFlows,
          ]
        : []),
      {
        extends: true,
        test: {
          name: 'flows',
          globalSetup,
          isolate: false,
          include: [blackBox],
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          globalSetup: [...globalSetup, 'test/browser/support/install.ts'],
          include: ['test/browser/**/*.test.ts'],
          exclude: packages,
          testTimeout: 300_000,
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'judges',
          globalSetup: [...globalSetup, 'test/judges/support/install.ts'],
          include: ['test/judges/**/*.test.ts'],
          exclude: [...packages, 'test/judges/browser/**'],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'judges-browser',
          globalSetup: [...globalSetup, 'test/browser/support/install.ts', 'test/judges/support/install.ts'],
          include: ['test/judges/browser/**/*.test.ts'],
          exclude: packages,
          testTimeout: 300_000,
          isolate: false,
        },
      },
    ],
  },
});
