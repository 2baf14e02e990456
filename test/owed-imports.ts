/**
 * Imports that the order of the wings forbids and that are still there. Each goes with the move of its capability behind the seam
 * for extensions: cut one, and take its line away. None is added.
 */
export const owedImports: readonly string[] = [
  'sandbox/process/stopping.ts → extensions/replicas/parts/replica.ts',
  'sandbox/sandbox.ts → extensions/replicas/parts/replica.ts',
];
