/** A promise of the metadata: one value of one member. */
export interface SelfTestPromise {
  readonly issuer: string;
  readonly member: string;
  /** A value of the list, or the whole member as text. */
  readonly value: string;
  /** The promise in words. */
  readonly promise: string;
}

/** The result of testing a promise. */
export type SelfTestResult =
  | (SelfTestPromise & { readonly outcome: 'kept' })
  /** `happened` describes the answer that breaks the promise. */
  | (SelfTestPromise & { readonly outcome: 'broken'; readonly happened: string })
  /** `why` names the reason why the promise cannot be tested here. */
  | (SelfTestPromise & { readonly outcome: 'not exercised'; readonly why: string });

/** Whether the metadata of the sandbox is true: each promise, tested as a client would use it. */
export interface SelfTestReport {
  /** Number of kept promises. */
  readonly kept: number;
  /** The broken promises. */
  readonly lies: readonly Extract<SelfTestResult, { outcome: 'broken' }>[];
  /** The promises that cannot be tested here, each with the reason. */
  readonly notExercised: readonly Extract<SelfTestResult, { outcome: 'not exercised' }>[];
  /** All results, in the order of the documents. */
  readonly results: readonly SelfTestResult[];
  /** Duration of the self-test. */
  readonly milliseconds: number;
}

/** Counts and groups results. */
export function reportOf(results: readonly SelfTestResult[], milliseconds: number): SelfTestReport {
  return {
    kept: results.filter(({ outcome }) => outcome === 'kept').length,
    lies: results.filter(result => result.outcome === 'broken'),
    notExercised: results.filter(result => result.outcome === 'not exercised'),
    results,
    milliseconds: Math.round(milliseconds),
  };
}

/** `34 promises kept`, followed by the numbers of broken and untested ones. */
export function summaryOf({ kept, lies, notExercised }: SelfTestReport): string {
  return [
    `${kept} ${kept === 1 ? 'promise' : 'promises'} kept`,
    ...(lies.length === 0 ? [] : [`${lies.length} broken`]),
    ...(notExercised.length === 0 ? [] : [`${notExercised.length} not exercised`]),
  ].join(', ');
}

/** The metadata is wrong. The message lists each broken promise in one line. */
export class SelfTestError extends Error {
  readonly report: SelfTestReport;

  constructor(report: SelfTestReport) {
    const lines = report.lies.map(lie => `  ${nameOf(lie)}: promised ${lie.promise}; ${lie.happened}`);
    super([`The self-test found that the metadata is wrong (${summaryOf(report)}):`, ...lines].join('\n'));
    this.name = 'SelfTestError';
    this.report = report;
  }
}

/** `http://localhost:9000 grant_types_supported password`: issuer, member and value. */
export function nameOf({ issuer, member, value }: SelfTestPromise): string {
  return `${issuer} ${member}${value === '' ? '' : ` ${value}`}`;
}
