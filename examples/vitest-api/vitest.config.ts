import { defineConfig } from 'vitest/config';

// a test starts an API and logs in over HTTP, which takes seconds where other jobs share the machine
export default defineConfig({ test: { testTimeout: 60_000 } });
