import { createRequire } from 'node:module';

/** The client of the control API, as it ships. */
export const { connectSandbox }: typeof import('../../src/index.ts') = createRequire(import.meta.url)('grantbox');
