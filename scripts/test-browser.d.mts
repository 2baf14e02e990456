/** More flaky tests than this are a problem of the tests. */
export const mostFlaky: number;

/** If more tests than this fail, nothing is run again. */
export const mostRepeated: number;

interface FailedTest {
  readonly project: string;
  readonly file: string;
  /** Its name, after those of the groups that it is in. */
  readonly titles: readonly string[];
}

interface Failures {
  readonly tests: readonly FailedTest[];
  /** Of files that could not be read, hooks that threw, and what happened outside of all files. */
  readonly others: readonly { readonly file: string; readonly problem: string }[];
}

interface Verdict {
  readonly flaky: readonly FailedTest[];
  readonly failed: readonly FailedTest[];
  readonly others: Failures['others'];
  readonly isGreen: boolean;
}

/** Runs the failed tests in a browser once more, one after the other, and tells which of them are flaky. */
export function repeatFailed(failures: Failures, passesAgain: (test: FailedTest) => Promise<boolean>): Promise<Verdict>;

/** What is printed at the end. */
export function verdictLines(verdict: Verdict): string[];
