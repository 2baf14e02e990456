import { installForTests, installOwnPackage } from '../../../scripts/install-for-tests.mjs';

/** Before any test of a client library: the libraries, and the built package beside them. */
export function setup(): void {
  installForTests('test/judges');
  installOwnPackage();
}
