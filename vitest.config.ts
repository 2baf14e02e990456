import { defineConfig } from 'vitest/config';

/** Unit tests read the sources; `flows` (with the client libraries) and `browser` run against the built bundle, which `test/support/build.ts` makes first. */
export default defineConfig({
  test: {
    globalSetup: ['test/support/build.ts'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/flows/**', 'test/clients/**', 'test/browser/**'],
        },
      },
      { extends: true, test: { name: 'flows', include: ['test/{flows,clients}/**/*.test.ts'] } },
      {
        extends: true,
        test: { name: 'browser', include: ['test/browser/**/*.test.ts'], testTimeout: 60_000, fileParallelism: false },
      },
    ],
  },
});
