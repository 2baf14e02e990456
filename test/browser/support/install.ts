import { installForTests } from '../../../scripts/install-for-tests.mjs';

/** Before any test in a browser: the packages that drive it. */
export function setup(): void {
  installForTests('test/browser');
}
