import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const globalSetup = ['test/support/build.ts'];

/** These put another module in the place of one that the other files have read already. */
const withMocks = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter(file => file.endsWith('.test.ts'))
  .map(file => `test/${file.replaceAll('\\', '/')}`)
  .filter(file => /^vi\.(mock|doMock)\(/m.test(readFileSync(file, 'utf8')));

/** They use what is built. */
const blackBox = 'test/{flows,clients,conformance,fixtures,deploy}/**/*.test.ts';

const textModule = (text: string) => ({ code: `export default ${JSON.stringify(text)}`, map: null });

/** Unit tests read the sources; `flows` (with the client libraries and the conformance modules) and `browser` run against the built bundle, which `test/support/build.ts` makes first. */
export default defineConfig({
  // the texts of the lessons, as the build has them
  plugins: [{ name: 'markdown', transform: (text, id) => (id.endsWith('.md') ? textModule(text) : undefined) }],
  test: {
    // vitest leaves one core to itself, which on two cores is half of the machine
    maxWorkers: Math.max(2, availableParallelism()),
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
          exclude: [blackBox, 'test/browser/**', ...withMocks],
          // the files of a worker share its modules: reading them again for each file took more than a third of the time
          isolate: false,
        },
      },
      { extends: true, test: { name: 'mocks', include: withMocks } },
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
          globalSetup,
          include: ['test/browser/**/*.test.ts'],
          testTimeout: 300_000,
          // Chromium stops every request when an interface of the machine comes or goes, as when a container starts beside it
          retry: { count: 2, condition: /ERR_NETWORK_CHANGED/ },
          isolate: false,
        },
      },
    ],
  },
});
