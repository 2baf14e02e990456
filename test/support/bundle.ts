import { createRequire } from 'node:module';

/** The library face of what ships: these tests must fail when only the sources are right. */
export const { createSandbox }: typeof import('../../src/index.ts') = createRequire(import.meta.url)('grantbox');
