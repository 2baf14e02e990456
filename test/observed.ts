/**
 * Says in the body of a test that the test sees the effect of these, and fails where one of them does nothing: `setting port`,
 * `command init --force`, `operation createIssuer`. `observed.test.ts` reads the calls in the sources of the tests, and looks for
 * one of each setting, flag and operation.
 */
export function observes(..._names: readonly string[]): void {}
