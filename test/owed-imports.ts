/**
 * Imports that the order of the wings forbids and that are still there. Each goes with the move of its capability behind the seam
 * for extensions: cut one, and take its line away. None is added.
 */
export const owedImports: readonly string[] = [
  'client/remote/connected-issuer.ts → extensions/report/report.ts',
  'sandbox/library/calls.ts → extensions/report/report.ts',
  'sandbox/library/handle.ts → extensions/report/issuer-report.ts',
  'sandbox/process/stopping.ts → extensions/replicas/parts/replica.ts',
  'sandbox/sandbox.ts → extensions/replicas/parts/replica.ts',
];
